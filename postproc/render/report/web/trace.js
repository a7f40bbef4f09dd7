// SPDX-License-Identifier: Apache-2.0
// What the trace is: program, machine, what was recorded, what is missing and why.
'use strict';

function optionsText() {
	const chosen = data.options.selection || {};
	const span = ([first, last]) => first === last ? String(first) : `${first} to ${last}`;

	return ['kernels', 'launches', 'streams', 'objects', 'ctas', 'sites'].filter(what => chosen[what])
		.map(what => what === 'kernels' ? `kernels matching ${chosen.kernels}`
			: `${what === 'ctas' ? 'CTAs' : what} ${chosen[what].map(one => Array.isArray(one) ? span(one) : one).join(', ')}`)
		.join('; ');
}

function facts(entries) {
	return el('dl', {class: 'facts'}, entries.filter(entry => entry && entry[1]).map(([name, value]) => [el('dt', {}, name), el('dd', {}, value)]));
}

function deviceText(device) {
	return `${device.name || 'device ' + device.device}, ${device.cpu_target ? 'CPU target, ' : ''}sm_${device.arch}, ${plural(device.sm_count, 'SM')}, ${size(device.memory_bytes)}`;
}

function traceFacts() {
	const t = data.trace;
	const devices = [...new Set(t.devices.map(deviceText))];

	return facts([
		['command', t.process_count < 2 && t.command && el('code', {}, t.command)],
		['traced', [t.started, t.host && 'on ' + t.host].filter(Boolean).join(' ')],
		['processes', t.process_count > 1 ? `${count(t.process_count)} on ${plural(t.hosts, 'host')}` : null],
		['device', devices.join('; ')],
		['trace', `${t.directory}, ${size(t.size_bytes)}, ${t.complete ? 'complete' : 'incomplete'}`],
		['looked at', optionsText()],
		['self messages', data.options.self ? 'a CTA\u2019s messages to itself count in partners and bisection' : null],
	]);
}

function tile(name, value, small) {
	return el('div', {}, el('dt', {}, name), el('dd', {}, value), el('small', {}, small || '\u00a0'));
}

function tiles() {
	const v = data.volume, t = data.trace;

	return el('dl', {class: 'tiles'},
		tile('launches', count(t.launches), `${count(t.traced_launches)} traced, ${plural(data.kernels.length, 'kernel')}`),
		t.traced_launches ? [
			tile('loaded', size(v.load_bytes), v.load_bytes ? percent(v.communicated_load_bytes / v.load_bytes) + ' communicated data' : null),
			tile('stored', size(v.store_bytes), `${percent(v.fraction)} read by CTAs later, ${percent(v.exchanged_fraction)} by another CTA or kernel`),
			tile('transfers', count(v.transfers), size(v.transferred_bytes)),
			tile('of a CTA to itself', v.transferred_bytes ? percent(v.self_bytes / v.transferred_bytes) : '–', size(v.self_bytes)),
			tile('from the host', size(v.from_host_bytes), 'read by CTAs'),
			tile('to the host', size(v.to_host_bytes), 'written by CTAs'),
			tile('written by nothing seen', size(v.unwritten_bytes), 'read by CTAs')] : null);
}

function findingsList() {
	const titles = {limit: 'What limits the figures', problem: 'Look at this'};

	if (!data.findings.length)
		return el('p', {class: 'none'}, 'Nothing stands out.');
	return el('ul', {class: 'findings'}, data.findings.map(finding => el('li', {class: finding.kind},
		el('p', {}, titles[finding.kind] ? el('span', {class: 'kind'}, titles[finding.kind] + ':') : null,
			finding.text, finding.evidence ? el('span', {class: 'evidence'}, ` (${finding.evidence})`) : null,
			el('span', {class: 'where'},
				finding.places.filter(Boolean).map((place, i) => [i ? ' → ' : '', placeLink(place)]),
				finding.objects.length ? ' in ' + finding.objects.join(', ') : null,
				' ', el('a', {href: '#' + finding.section}, 'see'))),
		finding.fix ? el('p', {class: 'fix'}, finding.fix, finding.worth ? el('span', {class: 'worth'}, 'worth ' + finding.worth) : null) : null)));
}

function coverageSection() {
	const t = data.trace;
	const reasons = t.launches_not_traced.map(r => Object.assign({what: 'launches not traced'}, r))
		.concat(t.sites_not_instrumented.map(r => Object.assign({what: 'sites not instrumented'}, r)),
			t.sites_left_out.map(r => Object.assign({what: 'sites left out by an option'}, r)));
	const lost = t.lost_unknown ? 'an unknown number of chunks' : t.lost_chunks ? plural(t.lost_chunks, 'chunk') : '';

	return [
		facts([['launches', `${count(t.traced_launches)} of ${count(t.launches)} traced`], ['unfinished launches', t.unfinished_launches ? count(t.unfinished_launches) : ''],
			['lost', lost || 'nothing'], ['damaged', t.damaged_chunks ? plural(t.damaged_chunks, 'chunk') : 'nothing']]),
		t.warnings.length ? el('ul', {}, t.warnings.map(text => el('li', {}, text))) : null,
		el('div', {class: 'figures'},
			tableSection('instrumented', 'What of each kernel is recorded', 'Sites are loads, stores, atomics and events of the kernel and of the device functions it reaches. Definite and checked ones are recorded.', {sort: 0, columns: [
				{title: 'kernel', value: row => shortName(row.kernel), text: row => row.kernel, cell: row => { const link = placeLink(row.place, shortName(row.kernel)); link.classList.add('cut'); return link; }},
				countColumn('definite', row => row.definite), countColumn('checked', row => row.checked), countColumn('elsewhere', row => row.elsewhere, {help: 'in a space that is not recorded'}),
				countColumn('filtered', row => row.filtered), countColumn('not instrumented', row => row.not_instrumented),
				{title: 'reason', value: row => row.reason, wrap: true}], rows: t.coverage}),
			t.process_count > 1 ? tableSection('processes', 'Processes', 'Each has memory of its own: what they exchange is not in the trace.', {sort: 0, columns: [
				countColumn('part', row => row.part), countColumn('rank', row => row.rank === undefined ? null : row.rank), {title: 'host', value: row => row.host},
				countColumn('launches', row => row.launches), countColumn('traced', row => row.traced_launches), countColumn('chunks lost', row => row.lost_chunks),
				{title: 'complete', value: row => row.complete ? 'yes' : 'no'}, {title: 'command', value: row => row.command, wrap: true}], rows: t.processes}) : null,
			reasons.length ? tableSection('missing', 'What was not recorded and why', 'Their accesses are in no figure.', {sort: 2, columns: [
				{title: 'what', value: row => row.what}, {title: 'reason', value: row => row.reason, wrap: true}, countColumn('number', row => row.count),
				{title: 'first at', value: row => placeText(row.place), cell: row => placeLink(row.place)}], rows: reasons}) : null,
			t.losses.length ? tableSection('losses', 'Losses', 'Records that did not reach the trace.', {sort: 1, columns: [
				countColumn('part', row => row.part), countColumn('launch', row => row.launch || null), countColumn('chunks', row => row.chunks), {title: 'reason', value: row => row.reason, wrap: true}], rows: t.losses}) : null),
	];
}
