// SPDX-License-Identifier: Apache-2.0
// Writes what the time line says of a span: beside the pointer in short, below it in full.
'use strict';

const TIP_FRAMES = 12;

// 1 234.567 µs after the begin, to the nanosecond.
function moment(ns) {
	return ns < 1e3 ? `${ns}${THIN}ns` : ns < 1e6 ? `${(ns / 1e3).toFixed(3)}${THIN}µs` : ns < 1e9 ? `${(ns / 1e6).toFixed(6)}${THIN}ms` : `${(ns / 1e9).toFixed(9)}${THIN}s`;
}

function frameText({function: name, place, module, is_inlined: isInlined}) {
	return name + (place ? '  ' + placeText(place) : module ? '  ' + module : '') + (isInlined ? '  (inlined)' : '');
}

// Returns what is not needed about a call: kind, worth, and what to do.
function problemFacts(number) {
	const problem = number ? tableOf('page_problems').list().find(one => one.number === number) : null;

	if (!problem)
		return [];
	const replay = !isKnown(problem.replay_seconds) ? '' : `, by replay ${duration(problem.replay_seconds)}`;

	return [
		['problem', `${number}, ${problem.problem}${problem.calls < problem.all_calls ? ` in ${count(problem.calls)} of ${count(problem.all_calls)} calls from here` : ''}`],
		['benefit', `${duration(problem.bound_seconds)}${replay}`],
		['what to do', problem.fix || null],
	];
}

// [name, value] of what is known.
function spanFacts(spans, i) {
	const duration_ns = spans.end[i] - spans.begin[i], activity = spans.isActivity(i);
	const row = tableOf('page_tracks').list()[spans.row[i]], waited = spans.waited[i], bytes = spans.bytes[i];

	return [
		['what', KIND_NAMES[spans.kind[i]] + (spans.isInner[i] && !activity ? ', made within another one' : '')],
		['begin', moment(spans.begin[i])],
		['duration', spans.kind[i] === KIND.mark ? null : duration(duration_ns / 1e9) + (spans.isOpen[i] && !activity ? ', not ended' : '') +
			(spans.kind[i] === KIND.traced ? ', not the program’s: the kernel is instrumented' : '')],
		['waited', waited ? `${duration(waited / 1e9)} (${percent(waited / Math.max(1, duration_ns))})` : null],
		['bytes', bytes ? `${size(bytes)}${activity && duration_ns ? `, ${(bytes / duration_ns).toPrecision(3)}${THIN}GB/s` : ''}${activity && spans.isPageable[i] ? ', pageable' : ''}` : null],
		['direction', spans.direction[i] && !activity ? spans.direction[i] : null],
		['stream', !activity && spans.isCall(i) && spans.stream[i] ? String(spans.stream[i]) : null],
		['launch', spans.launch[i] ? String(spans.launch[i]) : null],
		['result', spans.isCall(i) ? (spans.isOpen[i] ? null : spans.result[i] === 0 ? 'success'
			: `${spans.result[i] | 0}${spans.result[i] === NOT_READY ? ' (not ready)' : ' (failed)'}`) : null],
		['in', trackName(row)],
		...problemFacts(spans.problem[i]),
	].filter(fact => fact[1]);
}

// The stack of a span; of what a device did, that of the call that caused it.
function stackOf(spans, i) {
	const from = spans.isActivity(i) ? spans.cause[i] - 1 : i;

	return from >= 0 ? spans.frames(spans.stack[from]) : [];
}

// The longest first: [text, span or -1].
function waitsOf(spans, i) {
	return (spans.waits.get(i) || []).slice().sort((a, b) => b.waited - a.waited).map(wait => {
		const name = !wait.name ? null : wait.forSpan >= 0 ? spans.shortTitle(wait.forSpan) : shortName(wait.name);

		return [duration(wait.waited / 1e9) + (!name ? '' : wait.activities === 1 ? ` for ${name}` : ` for ${count(wait.activities)} activities, longest for ${name} (${duration(wait.longest / 1e9)})`), wait.forSpan];
	});
}

function tipOfSpan(spans, i) {
	const frames = stackOf(spans, i), waits = waitsOf(spans, i), caused = spans.caused.get(i) || [];
	const lines = [spans.title(i), ...spanFacts(spans, i).map(([name, value]) => `${name}: ${value}`)];

	if (waits.length)
		lines.push('waited ' + waits[0][0] + (waits.length > 1 ? ', …' : ''));
	if (caused.length)
		lines.push(`caused ${spans.shortTitle(caused[0])}${caused.length > 1 ? ` and ${count(caused.length - 1)} more` : ''}`);
	if (spans.cause[i])
		lines.push('caused by ' + spans.title(spans.cause[i] - 1));
	if (frames.length)
		lines.push('', ...frames.slice(0, TIP_FRAMES).map(frameText), ...(frames.length > TIP_FRAMES ? [`… ${frames.length - TIP_FRAMES} more frames`] : []));
	return lines.join('\n');
}

function tipOfBin(spans, row, time) {
	const bins = spans.bins[row], ns = spans.bin_ns, number = Math.floor(time / ns), bin = bins && bins.of.get(number);
	const names = [[SHADE.ranges, 'ranges'], [SHADE.calls, 'calls'], [SHADE.waiting, 'waiting'], [SHADE.inner, 'calls within calls'],
		[SHADE.kernels, 'kernels'], [SHADE.traced, 'traced kernels'], [SHADE.copies, 'copies and memsets']];

	if (!bin)
		return null;
	return [`${moment(number * ns)} to ${moment((number + 1) * ns)}`,
		bin.count ? `${plural(bin.count, 'more begins here that is', 'more begin here that are')} not shown one by one` : 'what goes on here is not shown one by one',
		bin.count ? `the longest: ${shortName(bin.name || 'a copy or memset')}, ${duration(bin.longest / 1e9)}` : null,
		...names.filter(([shade]) => bins.sums[shade]).map(([shade, name]) => [name, bins.sums[shade][number + 1] - bins.sums[shade][number]])
			.filter(([, sum]) => sum > 0).map(([name, sum]) => `${name}: ${duration(sum / 1e9)} of ${duration(ns / 1e9)}`)].filter(Boolean).join('\n');
}

// Below the chart. go(span): look at another one.
function spanDetail(spans, i, go, close) {
	const frames = stackOf(spans, i), waits = waitsOf(spans, i), caused = spans.caused.get(i) || [], cause = spans.cause[i] - 1;
	const link = span => el('button', {type: 'button', class: 'place', onclick: () => go(span)}, `${spans.shortTitle(span)}, ${duration((spans.end[span] - spans.begin[span]) / 1e9)}`);
	const shown = caused.slice(0, 20);

	return [
		el('div', {class: 'span-head'}, el('strong', {}, spans.title(i)), el('button', {type: 'button', onclick: close}, 'Close')),
		el('div', {class: 'span-body'},
			el('div', {}, facts(spanFacts(spans, i)),
				waits.length ? el('div', {}, el('h4', {}, 'Waited'), el('ul', {}, waits.slice(0, 8).map(([text, span]) =>
					el('li', {}, span >= 0 ? el('button', {type: 'button', class: 'place', onclick: () => go(span)}, text) : text)))) : null,
				caused.length ? el('div', {}, el('h4', {}, 'Caused'), el('ul', {}, shown.map(span => el('li', {}, link(span))),
					caused.length > shown.length ? el('li', {class: 'none'}, `and ${count(caused.length - shown.length)} more`) : null)) : null,
				cause >= 0 ? el('div', {}, el('h4', {}, 'Caused by'), el('ul', {}, el('li', {}, link(cause)))) : null),
			el('div', {}, el('h4', {}, spans.isActivity(i) ? 'Called from' : 'Host stack'),
				frames.length ? el('ol', {class: 'stack'}, frames.map(({function: name, place, module, is_inlined: isInlined}) => el('li', {},
					el('span', {class: 'frame', title: module}, name), ' ', place ? placeLink(place) : el('span', {class: 'none'}, module), isInlined ? el('span', {class: 'none'}, ' inlined') : null)))
					: el('p', {class: 'none'}, spans.stacks_are_cut ? 'Not known, or not among the stacks that this page holds.' : 'Not known.'))),
	];
}
