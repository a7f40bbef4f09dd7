// SPDX-License-Identifier: Apache-2.0
// The page of several traces: what two studies say of a change, and communication side by side.
'use strict';

function tableFold(id, title, name, isOpen) {
	const table = tableOf(name);

	return {id, title, when: () => table.length > 0, isOpen, make: () => el('div', {class: 'figure wide table'}, tableParts(table))};
}

function panelsSection() {
	return [el('p', {class: 'about'}, 'How thread blocks communicate through global memory, side by side: a thread block communicates with another one if it stores bytes that the other one loads in a later launch. ' +
		'A superstep is a launch; the bisection volume is what crosses the middle of the grid. Axes of bytes and sizes are logarithmic; those of a figure are the same for all traces, but for time.'),
	el('div', {class: 'figure wide table'}, tableParts(tableOf('compared_traces'))), document.getElementById('communication-panels').content.cloneNode(true)];
}

let ownPair = null;

function sourcePair() {
	ownPair = pairOfViews(tableOf('compared_lines').list().map(row => row.before || row.after).find(Boolean) || null);
	return ownPair.node;
}

function comparisonSections() {
	return [
		{id: 'overview', title: 'Overview', when: () => hasBoth, make: comparisonOverview, isOpen: true, isFixed: true},
		tableFold('lines', 'Lines', 'compared_lines', true),
		{id: 'sources', title: 'Source, before and after', when: () => hasBoth && !compared.is_other_program && sources.length > 0, make: sourcePair, isOpen: true},
		tableFold('kernels', 'Kernels', 'compared_kernels', true),
		tableFold('waiting', 'Calls', 'compared_calls', true),
		{id: 'communication', title: 'Communication', make: panelsSection, isOpen: !hasBoth},
	].filter(section => !section.when || section.when());
}

buildPage(comparisonSections(), hasBoth ? el('p', {}, `Before: ${compared.study_before} · after: ${compared.study_after}`) : el('p', {}, plural(tableOf('compared_traces').length, 'trace')), () => ownPair && ownPair.centre());
