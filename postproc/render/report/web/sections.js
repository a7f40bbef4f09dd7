// SPDX-License-Identifier: Apache-2.0
// Sections of the report: groups of tables by the analysis that they are of.
'use strict';

// Groups of tables, by the analysis that they are of, or by their names.
const GROUP_OF = {access: 'accesses-group', banks: 'accesses-group', branches: 'accesses-group', reuse: 'accesses-group', memories: 'accesses-group', races: 'accesses-group',
	ctas: 'kernels', calls: 'waiting', ffm: 'waiting', values: 'values', samples: 'causes', causes: 'causes', blame: 'causes', model: 'causes'};
const GROUP_OF_TABLE = {kernel_times: 'kernels', value_lifetimes: 'memory', value_flows: 'memory', access_heat: 'memory'};
const FIRST_OF_GROUP = {kernels: ['kernel_times'], causes: ['wait_causes', 'sample_lines', 'sample_kernels', 'blame_variables'], waiting: ['needless_calls', 'call_waits']};
const GROUP_TITLES = {kernels: 'Kernels', 'accesses-group': 'Accesses', waiting: 'Waits and copies', values: 'Values', memory: 'Memory', causes: 'Causes, blame and model', others: 'More'};

// Whether a link may name it: a table of an analysis, or a part of communication or of what was recorded.
const hasPart = id => id === 'coverage' || tables.some(table => table.name === id && table.analysis && table.length) || (isTraced() && !tables.some(table => table.name === id));

const groupOf = table => GROUP_OF_TABLE[table.name] || GROUP_OF[table.analysis] || 'others';

// Returns what fixing the problems is worth that the tables of a group report, for its place
// among the others.
function worthOf(group) {
	return d3.sum(tableOf('problems').list(), problem => {
		const [finding] = findingsOf(problem), table = finding && tables.find(one => one.name === finding.section);

		return table && table.analysis && groupOf(table) === group ? problem.worth_seconds || 0 : 0;
	});
}

// Tables that problems report are open, else the first of the group.
function groupParts(group, list) {
	const reported = new Set(tableOf('problems').list().map(problem => (findingsOf(problem)[0] || {}).section));
	const first = FIRST_OF_GROUP[group] || [], place = table => first.includes(table.name) ? first.indexOf(table.name) : first.length;
	const ordered = list.slice().sort((a, b) => place(a) - place(b));

	return ordered.map((table, i) => {
		const section = analysisSection(table);

		return fold(section.id, section.title, section.make, {open: reported.has(table.name) || !i, note: plural(table.count, 'row')});
	});
}

function analysisGroups() {
	const byGroup = new Map(Object.keys(GROUP_TITLES).map(group => [group, []]));

	for (const table of tables.filter(one => one.analysis))
		byGroup.get(groupOf(table)).push(table);
	if (kernels.size)
		byGroup.get('kernels').push(...['kernel_volumes'].map(tableOf).filter(table => !tableOf('kernel_times').length && table.length));
	return [...byGroup].filter(([, list]) => list.length).map(([id, list], i) => ({id, title: GROUP_TITLES[id], worth: id === 'others' ? -1 : worthOf(id), order: i, make: () => groupParts(id, list)}))
		.sort((a, b) => b.worth - a.worth || a.order - b.order);
}
