// SPDX-License-Identifier: Apache-2.0
// Source lines: the files with the lines of them that the page has, and what tables say of each line.
'use strict';

// Files, each with its excerpts: [number of the first line, text of it, of the next, ...].
const sources = tableOf('page_sources').list().map(source => ({path: source.file, name: source.file.replace(/^.*\//, ''), study: source.study, found: source.is_found, state: source.source_state, excerpts: []}));

for (const {file_number: file, line, text} of tableOf('page_lines').list()) {
	const {excerpts} = sources[file], last = excerpts[excerpts.length - 1];

	if (last && last[0] + last.length - 1 === line)
		last.push(text || '');
	else
		excerpts.push([line, text || '']);
}

// As much of each path, from its end, as tells it from the others; of two studies which one it is of.
for (const source of sources) {
	const parts = source.path.split('/'), isOther = other => other.study === source.study && other.path !== source.path;
	let from = parts.length - 1;

	while (from > 0 && sources.some(other => isOther(other) && other.path.endsWith('/' + parts.slice(from).join('/'))))
		from--;
	source.shown = parts.slice(from).join('/') + (source.study === 'after' ? ' (after)' : source.study ? ' (before)' : '');
}

function placeText(place) {
	return place ? [sources[place[0]].name, ...place.slice(1, place[2] ? 3 : 2)].join(':') + (place[3] ? ' (the kernel)' : '') : '';
}

function excerptOf(place) {
	return sources[place[0]].excerpts.find(excerpt =>
		place[1] >= excerpt[0] && place[1] < excerpt[0] + excerpt.length - 1);
}

function lineText(place) {
	const excerpt = excerptOf(place);

	return excerpt ? excerpt[place[1] - excerpt[0] + 1] : '';
}

// Maps each line to what is known of it: "file:line" -> {place, key: sum}.
const lineFigures = new Map();

function figuresOf(place) {
	const key = place[0] + ':' + place[1];

	if (!lineFigures.has(key))
		lineFigures.set(key, {place: [place[0], place[1]], problems: []});
	return lineFigures.get(key);
}

// Adds columns of a table to figures of the places, or texts that name them, in one of its columns;
// sums: {figure: column}.
function addFigures(name, at, sums, only) {
	const table = tableOf(name), places = table.column(at);

	for (const [figure, column] of Object.entries(sums)) {
		const values = table.column(column);

		places.forEach((named, i) => {
			const place = typeof named === 'string' ? placeNamed(named) : named;

			if (place && values[i] && (!only || only(table, i)))
				figuresOf(place)[figure] = (figuresOf(place)[figure] || 0) + values[i];
		});
	}
}

// The place that a text names, as "heat.cu:12" or "heat.cu:12:3"; null: it is none of the page's files.
// study: whose file it is, if there are two
function placeNamed(text, study) {
	const found = /^(.+?):(\d+)(?::(\d+))?$/.exec(text), name = found && found[1].replace(/^.*\//, '');
	const files = found ? d3.range(sources.length).filter(i => sources[i].name === name && (!study || sources[i].study === study) && (!found[1].includes('/') || sources[i].path.endsWith(found[1]))) : [];
	const file = files.find(i => excerptOf([i, Number(found[2])])) ?? files[0];

	return file === undefined ? null : found[3] ? [file, Number(found[2]), Number(found[3])] : [file, Number(found[2])];
}

addFigures('sample_lines', 'place', {samples: 'samples', waits: 'waited_samples'});
addFigures('page_flame', 'place', {executed: 'flame_weight'}, (table, i) => table.column('kind')[i] === 'line');
for (const name of ['page_call_lines', 'call_lines_before', 'call_lines_after'])
	addFigures(name, 'place', {seconds: 'seconds', waited: 'waited_seconds'});
addFigures('accesses', 'line', {requests: 'requests', sectors: 'sectors', ideal: 'ideal_sectors'});
addFigures('value_lines', 'line', {accesses: 'accesses', redundant: 'redundant'});
addFigures('page_variables', 'place', {blame: 'blame_weight'});
for (const when of ['before', 'after'])
	addFigures('compared_line_figures', when, {requests: `requests_${when}`, sectors: `sectors_${when}`, ideal: `ideal_sectors_${when}`, accesses: `elements_${when}`,
		redundant: `redundant_elements_${when}`, measured: `seconds_${when}`});
addFigures('line_pairs', 'source', {written: 'bytes'});
addFigures('line_pairs', 'target', {read: 'bytes'});

for (const problem of tableOf('problems').list()) {
	const place = problem.file && problem.line ? placeNamed(`${problem.file}:${problem.line}`) : null;

	if (place)
		figuresOf(place).problems.push(problem);
}

for (const {number, before, after, state, text, fix} of tableOf('compared_problems').list())
	for (const place of [before, state === 'gone' ? null : after])
		if (place)
			figuresOf(place).problems.push({problem_number: number + 1, text, fix});

// 65.3k
const inShort = value => value < 1000 ? String(value) : scaled(value, ['', 'k', 'M', 'G', 'T']).replace(THIN, '');
const isSystem = file => /^\/usr\/|\/lib\/clang\//.test(sources[file].path);

// Columns beside the lines: value of figures, null if there is none; sort: by what lines are listed.
const lineColumns = (() => {
	const share = key => of => isKnown(of[key]) ? of[key] / totals[key] : null, totals = {};
	const weight = onlyRow('page_blame').flame_weight || 1;

	for (const key of ['samples'])
		totals[key] = d3.sum([...lineFigures.values()], of => of[key] || 0) || 1;
	totals.executed = totals.blame = weight;
	return [
		{key: 'samples', title: 'samples', help: 'how often a warp was found at the line, of all samples', value: share('samples'), format: percent, bar: true},
		{key: 'measured', title: 'time', help: 'of its kernels, by samples', value: of => of.measured ?? null, format: duration, bar: true},
		{key: 'executed', title: 'executed', help: 'instructions of lanes at the line, of all that were executed', value: share('executed'), format: percent, bar: true},
		{key: 'seconds', title: 'in calls', help: 'time of the host in CUDA calls made at the line', value: of => of.seconds ?? null, format: duration, bar: true},
		{key: 'waited', title: 'waited', help: 'of that, waiting for a device', value: of => of.waited || null, format: duration},
		{key: 'waits', title: 'waits', help: 'samples of warps that wait for what the line has begun', value: of => of.waits || null, format: value => inShort(Math.round(value))},
		{key: 'requests', title: 'requests', help: 'executions by a warp of accesses to global memory', value: of => of.requests ?? null, format: inShort},
		{key: 'sectors', title: 'sectors', help: 'of 32 bytes, that the requests touch', value: of => of.sectors ?? null, format: inShort, bar: true},
		{key: 'efficiency', title: 'efficiency', help: 'sectors that would do, of those that are touched', value: of => of.sectors ? of.ideal / of.sectors : null, sort: of => of.sectors ? of.sectors - of.ideal : null, format: percent},
		{key: 'redundant', title: 'redundant', help: 'loads and stores of values that were there already, of all of the line', value: of => of.accesses && of.redundant ? of.redundant / of.accesses : null, sort: of => of.redundant || null, format: percent},
		{key: 'blame', title: 'blame', help: 'of all that was executed, what flows into the variables declared here', value: share('blame'), format: percent},
		{key: 'written', title: 'written', help: 'bytes written here that later launches read', value: of => of.written ?? null, format: size},
		{key: 'read', title: 'read', help: 'bytes read here that earlier launches wrote', value: of => of.read ?? null, format: size},
	].filter(column => [...lineFigures.values()].some(of => column.value(of) !== null))
		.map(column => Object.assign(column, {sort: column.sort || column.value, most: d3.max([...lineFigures.values()], column.value)}));
})();
