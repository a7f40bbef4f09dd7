// SPDX-License-Identifier: Apache-2.0
// The page: its sections, in order.
'use strict';

function timelineSection() {
	const launches = tableOf('supersteps').count, streams = tableOf('page_streams').list();
	const parts = figure({id: 'timeline', title: 'Supersteps by stream', wide: true,
		about: `${plural(launches, 'launch', 'launches')} and ${plural(run.supersteps - launches, 'copy or memset', 'copies and memsets')}, coloured by kernel.`,
		aggregated: [run.supersteps_per_slot > 1 ? `${count(run.supersteps_per_slot)} successive supersteps share a slot; it has the colour of its largest launch.` : null,
			streams.some(stream => stream.has_others) ? `the first ${streams.length - 1} streams have a row; the others share one.` : null]});

	if (run.supersteps)
		timelineFigure(parts);
	return parts.node;
}

// Figures that can be of all communication, or only of what blocks exchange with others.
const switchable = [];

function switched(make) {
	const node = make(communication.all);

	switchable.push({make, node});
	return node;
}

function showExchanged(only) {
	views.choose('');
	for (const one of switchable) {
		const node = one.make(only ? communication.exchanged : communication.all);

		forget(one.node);
		one.node.replaceWith(node);
		one.node = node;
	}
	redraw(false);
}

function exchangedSwitch() {
	const v = communication.all.totals;

	return el('p', {class: 'switch'}, el('label', {}, el('input', {type: 'checkbox', id: 'exchanged-only', onchange: event => showExchanged(event.target.checked)}),
		' exchanged only'), ` – volume, sizes and distance without what a block sends itself (${plural(v.self_transfers, 'transfer')}, ${size(v.self_bytes)})`);
}

// Without traced launches nothing is known of what blocks read and write.
const isTraced = () => run.traced_launches > 0;

// Between thread blocks: its words are explained here and used here alone.
function communicationWords() {
	return el('p', {class: 'about'}, 'A thread block communicates with another one if it stores bytes that the other one loads in a later launch. A superstep is a launch, a copy or a memset, ' +
		'in the order of the program’s calls; the bisection volume is what crosses the middle of the grid. docs/communication.md defines each figure.');
}

const hasTransfers = () => isTraced() && communication.all.totals.transfers > 0;

function communicationParts() {
	const part = (id, title, make, open) => fold(id, title, make, {open});

	return [communicationWords(), tiles(),
		hasTransfers() ? part('between', 'Between thread blocks', () => [exchangedSwitch(), el('div', {class: 'figures'},
			switched(volumeFigureOf), switched(cdfFigureOf), degreeFigureOf(), d3.sum(tableOf('bisection').column('bytes')) ? bisectionFigureOf() : null, switched(distanceFigureOf), densityFigureOf(), strideFigureOf())], true)
			: el('p', {class: 'none'}, 'No thread block loads what one of another launch has stored, as far as launches are traced.'),
		hasTransfers() ? part('over-launches', 'Over launches', () => el('div', {class: 'figures'}, evolutionFigureOf(), connectivityFigureOf())) : null,
		hasTransfers() ? part('who', 'Kernels, lines, objects', () => el('div', {class: 'figures'}, tableSection('pairs', 'kernel_pairs'), tableSection('lines', 'line_pairs'))) : null,
		part('volumes', 'Volumes of kernels and objects', () => el('div', {class: 'figures'}, hasTransfers() ? null : volumeFigureOf(communication.all), tableSection('kernel-volumes', 'kernel_volumes'), tableSection('objects', 'object_flows'))),
		tableOf('scaling').length && hasTransfers() ? part('devices', 'Several devices', () => el('div', {class: 'figures'}, scalingFigureOf(), tableSection('scaling', 'scaling'))) : null,
		part('by-stream', 'Supersteps by stream', timelineSection),
		part('lists', 'Launches and thread blocks', () => el('div', {class: 'figures'}, tableSection('launches', 'supersteps', {title: 'Launches', about: 'Every kernel launch is a superstep of its stream.'}), tableSection('ctas', 'cta_figures', {title: 'Thread blocks'}))),
	].filter(Boolean);
}

// Sections that a trace has nothing for are not there; groups of analyses come by what their
// problems are worth.
function sectionList() {
	return [
		{id: 'overview', title: 'Overview', make: overviewSection, isOpen: true, isFixed: true},
		{id: 'steps', title: 'Time line', when: () => tableOf('page_calls').length > 0, make: () => el('div', {class: 'figures'}, callsSection()), isOpen: true},
		{id: 'sources', title: 'Source', when: () => sources.length > 0, make: () => inlineSource().node, isOpen: true},
		...analysisGroups().map(group => Object.assign(group, {isOpen: true})),
		{id: 'communication', title: 'Communication', when: isTraced, make: communicationParts, isOpen: !tables.some(table => table.analysis)},
		{id: 'coverage', title: 'What was recorded', make: coverageSection},
	].filter(section => !section.when || section.when());
}

// The source view of the page itself; links open one of their own above it.
let ownSource = null;

function inlineSource() {
	ownSource = ownSource || new SourceView(null);
	return ownSource;
}

// Says what the run was, in a line.
function runLine() {
	const devices = [...new Set(tableOf('devices').list().map(device => device.name || 'device ' + device.device))];

	return [devices.join(', '), plural(run.launches, 'launch', 'launches') + (run.launches ? ` of ${plural(kernelRank.size, 'kernel')}` : ''),
		run.traced_launches < run.launches ? `${count(run.traced_launches)} with accesses` : null, run.started].filter(Boolean).join(' · ');
}

buildPage(sectionList(), el('p', {}, runLine()), () => ownSource && ownSource.centre());
