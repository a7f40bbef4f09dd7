// SPDX-License-Identifier: Apache-2.0
// Says what the trace is: program, machine, what was recorded, what is missing and why.
'use strict';

function optionsText() {
	const choices = new Map();

	for (const {what, choice} of tableOf('page_selection').list())
		addTo(choices, what, choice);
	return [...choices].map(([what, list]) => (what === 'kernels' ? 'kernels matching ' : what + ' ') + list.join(', ')).join('; ');
}

function facts(entries) {
	return el('dl', {class: 'facts'}, entries.filter(entry => entry && entry[1]).map(([name, value]) => [el('dt', {}, name), el('dd', {}, value)]));
}

function deviceText(device) {
	return `${device.name || 'device ' + device.device}, ${device.is_cpu_target ? 'CPU target, ' : ''}sm_${device.arch}, ${plural(device.sm_count, 'SM')}, ${size(device.memory_bytes)}`;
}

function traceFacts() {
	const t = run, devices = [...new Set(tableOf('devices').list().map(deviceText))];

	return facts([
		['command', t.process_count < 2 && t.command && el('code', {}, t.command)],
		['traced', [t.started, t.host && 'on ' + t.host].filter(Boolean).join(' ')],
		['processes', t.process_count > 1 ? `${count(t.process_count)} on ${plural(t.hosts, 'host')}` : null],
		['device', devices.join('; ')],
		['trace', `${t.directory}, ${size(t.size_bytes)}, ${t.complete ? 'complete' : 'incomplete'}`],
		['looked at', optionsText()],
		['self messages', t.self ? 'a block\u2019s messages to itself count in partners and bisection' : null],
	]);
}

function tile(name, value, small) {
	return el('div', {}, el('dt', {}, name), el('dd', {}, value), el('small', {}, small || '\u00a0'));
}

function tiles() {
	const v = communication.all.totals, t = run;

	return el('dl', {class: 'tiles'},
		tile('launches', count(t.launches), `${count(t.traced_launches)} traced, ${plural(kernels.size, 'kernel')}`),
		t.traced_launches ? [
			tile('loaded', size(v.load_bytes), v.load_bytes ? percent(v.communicated_load_bytes / v.load_bytes) + ' communicated data' : null),
			tile('stored', size(v.store_bytes), `${percent(v.communicated_share || 0)} read by blocks later, ${percent(v.exchanged_share || 0)} by another block or kernel`),
			tile('transfers', count(v.transfers), size(v.transferred_bytes)),
			tile('of a block to itself', v.transferred_bytes ? percent(v.self_bytes / v.transferred_bytes) : '–', size(v.self_bytes)),
			tile('from the host', size(v.from_host_bytes), 'read by blocks'),
			tile('to the host', size(v.to_host_bytes), 'written by blocks'),
			tile('written by nothing seen', size(v.unwritten_bytes), 'read by blocks')] : null);
}

// "12.3 MB" of an amount of a finding, by its unit.
function amountText(value, unit) {
	switch (unit) {
	case 'bytes': return size(value);
	case 'seconds': return duration(value);
	case 'share': return percent(value);
	default: return count(value) + ' ' + unit;
	}
}

function worthText(finding) {
	return [finding.worth_unit && finding.worth > 0 ? (finding.worth_is_estimate ? 'about ' : 'up to ') + amountText(finding.worth, finding.worth_unit) : null,
		finding.estimate_unit ? 'about ' + amountText(finding.estimate, finding.estimate_unit) : null].filter(Boolean).join(', ');
}

function findingItem(finding) {
	const titles = {limit: 'What limits the figures', problem: 'Look at this'}, of = (name, key) => tableOf(name).list().filter(one => one.number === finding.number).map(one => one[key]);
	const objects = of('finding_objects', 'name').map((name, i) => name || 'object ' + of('finding_objects', 'object_number')[i]);

	return el('li', {class: finding.kind},
		el('p', {}, titles[finding.kind] ? el('span', {class: 'kind'}, titles[finding.kind] + ':') : null,
			linkedText(finding.text), finding.evidence ? el('span', {class: 'evidence'}, ` (${finding.evidence})`) : null,
			el('span', {class: 'where'},
				of('finding_lines', 'line').filter(Boolean).map((place, i) => [i ? ' → ' : '', placeLink(place)]),
				objects.length ? ' in ' + objects.join(', ') : null,
				' ', finding.section && hasPart(finding.section) ? el('a', {href: '#' + finding.section}, 'see') : null)),
		finding.fix ? el('p', {class: 'fix'}, linkedText(finding.fix), worthText(finding) ? el('span', {class: 'worth'}, 'worth ' + worthText(finding)) : null) : null);
}

function coverageSection() {
	const lost = !isKnown(run.lost_chunks) ? 'an unknown number of chunks' : run.lost_chunks ? plural(run.lost_chunks, 'chunk') : '';
	const warnings = tableOf('warnings').list();

	return [
		tableOf('page_calls').length ? null : el('p', {class: 'none', id: 'no-calls'}, 'The trace has no calls and no times of what the devices did: it was made with ctrun --calls=off, or by a version that did not record them.'),
		facts([['launches', `${count(run.traced_launches)} of ${count(run.launches)} traced`], ['unfinished launches', run.unfinished_launches ? count(run.unfinished_launches) : ''],
			['lost', lost || 'nothing'], ['damaged', run.damaged_chunks ? plural(run.damaged_chunks, 'chunk') : 'nothing']]),
		warnings.length ? el('ul', {}, warnings.map(warning => el('li', {}, warning.text))) : null,
		el('div', {class: 'figures'},
			tableSection('instrumented', 'recorded_sites'),
			run.process_count > 1 ? tableSection('processes', 'processes') : null,
			tableOf('not_recorded').length ? tableSection('missing', 'not_recorded') : null,
			tableOf('losses').length ? tableSection('losses', 'losses', {title: 'Losses', about: 'Records that did not reach the trace.'}) : null),
	];
}
