// SPDX-License-Identifier: Apache-2.0
// The first screen of a comparison: both runs' time, problems gone, new and remaining, kernels before and after.
'use strict';

const IS_LOW = window.innerHeight < 700, SHOWN_OF_STATE = {gone: IS_LOW ? 2 : 3, new: IS_LOW ? 1 : 3, remains: IS_LOW ? 1 : 2, unknown: 0}, COMPARED_KERNELS = 6;
const STATE_TITLES = {gone: 'Gone', new: 'New', remains: 'Remaining', unknown: 'Not known of one of both'};

// Parts of one side of both runs, with the seconds of each in both.
function bothParts(side) {
	const of = STUDIES.map(study => timeParts(tableOf('run_time_' + study).list().filter(row => row.side === side)));

	for (const part of of.flat())
		part.href = part.href === '#steps' ? '#waiting' : part.href;
	return of;
}

// On one scale: the longer run fills its row.
function scaledLane(name, parts, seconds, longest) {
	const lane = timeLane(name, parts, null);

	lane.querySelector('.time-parts').style.width = (100 * seconds / longest).toFixed(2) + '%';
	return lane;
}

function bothKey([before, after]) {
	const names = [...new Set([...before, ...after].map(part => part.name))];

	return el('ul', {class: 'legend time-key'}, names.map(name => {
		const [was, is] = [before, after].map(parts => parts.find(part => part.name === name)), any = was || is;
		const swatch = el('span', {class: 'swatch' + (any.row.kind === 'waiting' || any.row.kind === 'traced' ? ' striped' : ''), 'aria-hidden': 'true'});
		const text = part => part ? round(duration(part.row.seconds)) : '0';

		swatch.style.setProperty('--colour', any.colour);
		return el('li', {title: any.full}, swatch, el('span', {class: 'name'}, any.row.kernel ? nameText(any.row.kernel) : name), el('span', {class: 'value'}, `${text(was)} → ${text(is)}`));
	}));
}

function bothBars() {
	const host = bothParts('host'), device = bothParts('device'), lengths = host.map(parts => d3.sum(parts, part => part.row.seconds)), longest = d3.max(lengths);
	const lanes = (name, parts) => parts.some(list => list.length) ? [
		STUDIES.map((study, i) => parts[i].length ? scaledLane(`${name}, ${study}`, parts[i], lengths[i], longest) : el('div', {class: 'time-lane'}, el('div', {class: 'time-name'}, `${name}, ${study}`), el('div', {class: 'none'}, 'not recorded'))),
		bothKey(parts)] : null;

	if (!longest)
		return null;
	return el('div', {class: 'time-bar both', id: 'time-bar', role: 'group', 'aria-label': 'Where the time of both runs went'},
		el('h3', {}, `Where the time went: ${lengths.map(length => length ? round(duration(length)) : 'not known').join(', now ')}`), lanes('Host', host), lanes('Device', device));
}

const amountOf = seconds => isKnown(seconds) ? round(duration(seconds)) : 'not known';

// A saving is measured of one of these.
const MEASURED_OF = {kernel: 'of its kernels', model: 'by the model', calls: 'of such calls', run: 'of the run'};

// "−5.2 ms": so much less
const signed = saved => isKnown(saved) ? (saved < 0 ? '+' : '−') + round(duration(Math.abs(saved))) : 'not known';

// Returns what was predicted beside what was measured, or what it is worth now.
function comparedAmounts(problem) {
	const {state, worth_seconds_before: was, worth_seconds_after: is, measured_saved_seconds: saved, measured} = problem;
	const quiet = text => el('span', {class: 'none'}, text);

	switch (state) {
	case 'gone': return [el('strong', {}, signed(saved)), quiet(MEASURED_OF[measured] || 'measured'), quiet(`predicted ${signed(was)}`)];
	case 'new': return [el('strong', {}, amountOf(is)), quiet('worth')];
	case 'remains': return [el('strong', {}, amountOf(is)), quiet(`was ${amountOf(was)}`)];
	default: return [el('strong', {}, amountOf(was ?? is)), quiet(isKnown(was) ? 'before' : 'now')];
	}
}

function comparedItem(problem) {
	const {before, after, state, kernel, title} = problem, moved = before && after && (before[1] !== after[1] || sources[before[0]].name !== sources[after[0]].name);
	const study = problem.problem_after && state !== 'gone' ? 'after' : 'before';

	return el('li', {id: 'problem-' + (problem.number + 1), class: 'state-' + state},
		el('div', {class: 'amounts'}, comparedAmounts(problem)),
		el('div', {class: 'what'},
			el('p', {class: 'head'}, el('span', {class: 'title'}, title), ' ', placeLink(before || after), moved ? [' now ', placeLink(after)] : null,
				kernel ? [before || after ? ' in ' : '', el('span', {class: 'mono', title: kernel}, nameText(kernel))] : null),
			el('p', {}, linkedText((problem.said || '').replace(/^./, letter => letter.toUpperCase()), study), '. ',
				state === 'gone' && problem.measured === 'calls' ? ['Waits may be in ', el('a', {href: '#waiting'}, 'other calls'), ' now.'] : null),
			el('p', {class: 'advice'}, linkedText(problem.advice || '', study))));
}

function comparedGroup(state) {
	const of = comparedProblems.filter(problem => problem.state === state), large = of.filter(problem => !problem.is_small), shown = large.slice(0, SHOWN_OF_STATE[state]), rest = of.filter(problem => !shown.includes(problem));
	const list = items => el('ol', {class: 'problems'}, items.map(comparedItem));

	if (!of.length)
		return null;
	return el('div', {class: 'problems-box', id: 'problems-' + state}, el('h3', {}, `${STATE_TITLES[state]} (${count(large.length)})`), shown.length ? list(shown) : null,
		rest.length ? el('details', {}, el('summary', {}, `${count(rest.length)} more`), list(rest)) : null);
}

function comparedGroups() {
	const none = !compared.is_other_program && !comparedProblems.some(problem => !problem.is_small && (problem.state === 'gone' || problem.state === 'new'));

	return el('div', {class: 'compared-problems'}, none ? el('p', {class: 'none'}, 'No problem is gone, and none is new.') : null, Object.keys(STATE_TITLES).map(comparedGroup));
}

// "12.5 % → 100 %"
const beforeAfter = (was, is, format) => isKnown(was) || isKnown(is) ? `${isKnown(was) ? format(was) : '–'} → ${isKnown(is) ? format(is) : '–'}` : '–';

function comparedKernels() {
	const rows = tableOf('compared_kernels').list(), shown = rows.slice(0, COMPARED_KERNELS), has = key => shown.some(row => isKnown(row[key + '_before']) || isKnown(row[key + '_after']));
	const columns = [
		['kernel', '', row => [el('span', {class: 'swatch dot'}), nameCell(row.kernel), row.state === 'both' ? null : el('small', {}, `only ${row.state}`)]],
		has('seconds') ? ['time', 'number', row => beforeAfter(row.seconds_before, row.seconds_after, value => round(duration(value)))] : null,
		has('seconds') ? ['ratio', 'number', row => isKnown(row.seconds_ratio) ? count(Number(row.seconds_ratio.toPrecision(2))) : '–'] : null,
		has('efficiency') ? ['efficiency', 'number', row => beforeAfter(row.efficiency_before, row.efficiency_after, percent)] : null,
	].filter(Boolean);

	if (!rows.length)
		return null;
	return el('div', {class: 'kernels-box'}, el('h3', {}, 'Kernels, before and after'), el('div', {class: 'scroll', tabindex: 0, role: 'region', 'aria-label': 'Kernels, before and after'},
		el('table', {}, el('caption', {class: 'sr'}, 'Kernels, before and after'), el('thead', {}, el('tr', {}, columns.map(([title, kind]) => el('th', {scope: 'col', class: kind || null}, title)))),
			el('tbody', {}, shown.map(row => el('tr', {}, columns.map(([, kind, cell], i) => {
				const node = el('td', {class: kind || null}, cell(row));

				if (!i)
					node.querySelector('.swatch').style.background = kernelColour(row.kernel);
				return node;
			})))))),
	rows.length > shown.length ? el('p', {class: 'none'}, el('a', {href: '#kernels'}, `all ${count(rows.length)} kernels`)) : null);
}

// Why it may not be sound: said at once, the reasons on demand.
function doubtsFold() {
	const doubts = tableOf('compared_doubts').list().map(row => row.text);

	return doubts.length ? el('details', {class: 'doubts', id: 'doubts'}, el('summary', {}, el('strong', {}, `Doubtful (${count(doubts.length)}): `), doubts[0]), el('ul', {}, doubts.map(text => el('li', {}, text)))) : null;
}

function comparisonOverview() {
	return [bothBars(), el('p', {class: 'compared-lines'}, comparedLines.map(line => [line.replace(/\.?$/, '. ')])), doubtsFold(),
		compared.is_other_program ? null : el('div', {class: 'first'}, comparedGroups(), comparedKernels())];
}
