// SPDX-License-Identifier: Apache-2.0
// Appended to the report of a real trace: what holds for all of them.
'use strict';

const results = [];

function check(name, condition, found) {
	results.push(`${condition ? 'PASS' : 'FAIL'} ${name}${condition ? '' : ': found ' + JSON.stringify(found)}`);
}

const one = selector => document.querySelector(selector);
const all = selector => [...document.querySelectorAll(selector)];

function testExample() {
	const v = communication.all.totals, list = [...kernels.values()], sum = (of, field) => d3.sum(of, entry => entry[field]), listOf = name => tableOf(name).list();

	check('the program communicates', v.communicated_store_bytes > 0 && v.communicated_share > 0 && v.communicated_share <= 1, v);
	check('kernels add up', sum(list, 'load_bytes') === v.load_bytes && sum(list, 'store_bytes') === v.store_bytes);
	check('launches add up', run.launches_per_point === 1 && sum(listOf('page_launch_points'), 'communicated_load_bytes') === v.communicated_load_bytes);
	check('kernel pairs add up', sum(listOf('kernel_pairs'), 'bytes') === v.transferred_bytes);
	check('the map adds up', d3.sum(views.whole.cell_bytes) === v.transferred_bytes);
	check('sizes add up', histogramOf('transfer_sizes').total === v.transfers);
	check('every pair has its evidence', listOf('kernel_pairs').every(pair => pair.pattern && pair.evidence));
	check('the kernels are where the source says', list.every(kernel => kernel.place && excerptOf(kernel.place)
		&& /__global__/.test(excerptOf(kernel.place).slice(1).join('\n'))), list);
	check('line pairs have excerpts', listOf('line_pairs').every(pair => excerptOf(pair.source) && excerptOf(pair.target)));
	check('objects have names', listOf('object_flows').some(object => object.place && object.transferred_bytes > 0), listOf('object_flows'));
	const calls = document.querySelector('#calls').calls, {spans} = calls, launches = d3.range(spans.count).filter(i => spans.title(i) === 'cudaLaunchKernel');

	check('every launch leads back to main', launches.length > 0 && launches.every(i => { const frames = spans.frames(spans.stack[i]), last = frames[frames.length - 1]; return last.function === 'main' && /\.cu:\d+$/.test(placeText(last.place)); }),
		launches.map(i => spans.frames(spans.stack[i])).slice(0, 2));
	check('launches stand where the source says', launches.every(i => { const {place} = spans.frames(spans.stack[i])[0]; return /<<</.test(excerptOf(place).slice(1).join('\n')); }), launches.map(i => spans.frames(spans.stack[i])[0]).slice(0, 2));
	check('kernels are caused by launches, and begin after them', d3.range(spans.count).filter(i => spans.kind[i] === KIND.traced).every(i => spans.cause[i] && spans.begin[i] >= spans.begin[spans.cause[i] - 1]));
	check('every kernel knows from where it was launched', list.every(kernel => d3.sum(listOf('launch_paths').filter(path => path.kernel === kernel.kernel), path => path.launches) === kernel.launches), listOf('launch_paths'));
	check('the device is reported', /CPU target/.test(one('#overview .facts').textContent));
	check('nothing is undefined', !/undefined|NaN|\[object/.test(one('main').innerText), one('main').innerText.match(/.{20}(undefined|NaN|\[object).{20}/));

	testRoofline();
	testPictures();
	testBlame();
	all('th button').forEach(button => button.click());
	check('all columns sort', all('.data-table th[aria-sort]').length === all('.data-table').length);
	all('.data-table input').forEach(input => { input.value = 'x'; input.dispatchEvent(new Event('input')); });
	check('all tables filter', all('.data-table').length > 6);
	for (const name of ['+', 'ArrowLeft', '-', '0'])
		all('.chart svg[tabindex], .holder canvas').forEach(node => node.dispatchEvent(new KeyboardEvent('keydown', {key: name, bubbles: true})));
	check('all zooms come back', all('.figure .status:not([hidden])').every(node => !/Shown/.test(node.textContent)));
	one('#lines').querySelectorAll('input').forEach(input => { input.value = ''; input.dispatchEvent(new Event('input')); });
	one('#lines button.place').click();
	check('a source opens', one('.source-panel tr.marked') !== null);
	check('with from where its kernel was launched', /^Launched frommain /.test(one('.source-panel .host-paths').textContent), one('.source-panel').textContent);
}

// Every object has its box, as wide as it lives; every flow its arc between two boxes with names.
function testPictures() {
	const memory = tableOf('value_lifetimes'), flow = tableOf('value_flows');
	const boxes = all('#value_lifetimes-picture rect.object').map(box => +box.getAttribute('width'));

	check('only values flow', !flow.length === !/bfs/.test(one('h1').textContent), one('h1').textContent);
	check('every object is drawn', memory.length && memory.length === boxes.length && boxes.every(width => width > 0), boxes);
	if (!flow.length)
		return;
	const names = new Set(all('#value_flows-picture text.node title').map(node => node.textContent));

	check('every flow is drawn', all('#value_flows-picture path.flow').length === Math.min(flow.length, FLOWS_SHOWN));
	check('between those who are named', flow.list().slice(0, FLOWS_SHOWN).every(row => names.has(row.written_by) && names.has(row.used_by)), [...names]);
}

// Traces with basic blocks have paths and variables of blame, each marked in the other.
function testBlame() {
	const figure = one('#blame-flame');

	check('only blocks have blame', !figure === !/stencil2d/.test(one('h1').textContent), one('h1').textContent);
	if (!figure)
		return;
	const {graph, table, frames, variables} = figure.blame, all = onlyRow('page_blame').flame_weight, near = (a, b) => Math.abs(a - b) <= 1e-5 * all;
	const svg = figure.querySelector('svg'), groupOf = frame => one('#flame-' + frame.id), wide = (frame, what) => { const rect = groupOf(frame).querySelector('rect.' + what); return rect ? +rect.getAttribute('width') : 0; };
	const press = (node, name) => node.dispatchEvent(new KeyboardEvent('keydown', {key: name, bubbles: true})), full = () => wide(frames[0], 'frame');
	const named = name => variables.find(variable => variable.name === name), listed = () => [...one('#blame-variables tbody').rows].map(row => row.querySelector('button.variable').textContent).sort().join();
	const button = name => [...one('#blame-variables tbody').querySelectorAll('button.variable')].find(node => node.textContent === name);
	const lineOf = frame => [22, 23, 24].includes(frame.place && frame.place[1]) && frame.depth === 3 ? frame.place[1] : frame.depth > 3 ? lineOf(frame.parent) : 0;
	const lines = frames.filter(frame => frame.kind === FLAME_LINE), kernel = frames[0].children[0].children[0];

	check('paths lead from main to the kernel to lines', frames[0].children.map(frame => frame.name).join() === 'main' && /^heat\(/.test(kernel.name) && lines.length > 10, frames.slice(0, 4).map(frame => frame.name));
	check('what is called weighs what the caller does', frames.every(frame => !frame.children.length || near(d3.sum(frame.children, child => child.weight), frame.weight)));
	check('inlined functions are reported', frames.some(frame => /^heat_cell/.test(frame.name) && FLAME_KIND[frame.kind] === 'inlined device function'));
	check('frames are as wide as they weigh', lines.every(frame => !groupOf(frame) || Math.abs(wide(frame, 'frame') - full() * frame.weight / all) < .01));
	check('lines have the weight of each variable', variables.every(variable => near(d3.sum(frames, frame => frame.all.includes(variable.i) ? frame.weight : frame.some.get(variable.i) || 0), variable.inclusive)));
	const order = tableOf('blame_variables');

	check('shares are those of the findings', order.length > 0 && order.list().every(row => variables.some(variable => variable.name === row.outline.trim() && Math.abs(variable.inclusive / all - row.blame_share) < 1e-4)));

	// x = ... is line 22, y = ... line 23, and i = y * width + x line 24.
	const marked = () => [...new Set(lines.filter(frame => wide(frame, 'part') > 0).map(lineOf))].sort().join();

	button('x').click();
	check('x marks its line', marked() === '22', marked());
	check('and its part of the kernel', Math.abs(wide(kernel, 'part') - full() * named('x').inclusive / all) < .01 && groupOf(lines.find(frame => lineOf(frame) === 23)).classList.contains('pale'), wide(kernel, 'part'));
	button('i').click();
	check('i marks what it is computed from', marked() === '22,23,24' && button('i').getAttribute('aria-pressed') === 'true' && button('x').getAttribute('aria-pressed') === 'false', marked());
	button('i').click();
	check('until it is let go', marked() === '' && !one('#blame-flame g.pale'), marked());

	const before = listed(), line = lines.find(frame => frame.depth === 3 && frame.place[1] === 22);

	groupOf(line).dispatchEvent(new MouseEvent('click', {bubbles: true}));
	check('a line leaves what it is blamed on', listed() === 'i,out,x', listed());
	check('and is all across', wide(line, 'frame') === full() && wide(kernel, 'frame') === full() && !groupOf(lines.find(frame => lineOf(frame) === 23)));
	press(svg, 'Escape');
	check('Escape goes back', listed() === before && Math.abs(wide(line, 'frame') - full() * line.weight / all) < .01, listed());
	for (const name of ['ArrowDown', 'ArrowDown', 'ArrowDown', 'ArrowRight', 'ArrowUp', 'ArrowDown', 'ArrowRight'])
		press(svg, name);
	check('arrows move', graph.current === kernel.children[1] && svg.getAttribute('aria-activedescendant') === 'flame-' + kernel.children[1].id && figure.querySelector('.status').textContent.includes(kernel.children[1].name), graph.current.name);
	press(svg, 'Enter');
	check('Enter zooms', wide(kernel.children[1], 'frame') === full());
	figure.querySelector('.tools button').click();
	const cell = frames.find(frame => /^heat_cell/.test(frame.name)), input = figure.querySelector('input');

	input.value = 'heat_cell';
	input.dispatchEvent(new Event('input'));
	check('what is found is marked, with its share', groupOf(cell).classList.contains('found') && groupOf(line).classList.contains('pale') && figure.querySelector('.tools .count').textContent.endsWith(percent(cell.weight / all) + ' of all'), figure.querySelector('.tools .count').textContent);
	input.value = 'heat';
	input.dispatchEvent(new Event('input'));
	check('what is called by what is found counts once', graph.found.size === frames.filter(frame => /heat/.test(frame.name)).length && graph.found.size > 1 && figure.querySelector('.tools .count').textContent.endsWith(percent(kernel.weight / all) + ' of all'), figure.querySelector('.tools .count').textContent);
	groupOf(cell).dispatchEvent(new PointerEvent('pointermove', {clientX: 300, clientY: 300, bubbles: true}));
	check('a frame tells share and weight', one('.tip').textContent.includes(percent(cell.weight / all) + ' of all') && one('.tip').textContent.includes('weight ' + count(cell.weight)), one('.tip').textContent);
	groupOf(cell).dispatchEvent(new PointerEvent('pointerleave', {bubbles: true}));
	press(input, 'Escape');
	check('nothing is marked in the end', !one('#blame-flame g.found') && !one('#blame-flame g.pale') && input.value === '' && !one('.tip'));
}

// Traces with basic blocks have points and lines where their numbers say, in logarithmic axes.
function testRoofline() {
	const section = tableOf('model_points');

	check('only blocks have a roofline', !section.length === !/stencil2d/.test(one('h1').textContent), one('h1').textContent);
	if (!section.length)
		return;
	const points = rooflinePoints(section), circles = all('#roofline-chart circle.achieved'), at = name => circles.map(circle => +circle.getAttribute(name));
	const per = (positions, values) => positions.map((position, i) => (position - positions[0]) / Math.log(values[i] / values[0]))
		.filter((scale, i) => Math.abs(Math.log(values[i] / values[0])) > .01);
	const intensities = points.map(point => point.intensity), scales = per(at('cx'), intensities);

	check('each level of each kernel is a point', circles.length === points.length && circles.length >= 3, points);
	check('points stand by their operations per byte', scales.length > 0 && scales.every(scale => scale > 0 && Math.abs(scale / scales[0] - 1) < .01), [at('cx'), intensities]);
	check('points of one kernel achieve the same', at('cy').every(y => y === at('cy')[0]) && kernels.size === 1, at('cy'));
	check('no point is above the peak', Math.min(...at('cy')) >= Math.max(...all('#roofline-chart line.ceiling').map(line => Math.min(line.getAttribute('y1'), line.getAttribute('y2')))
		.filter((y, i, list) => y === Math.min(...list))));
	check('every ceiling is a line', all('#roofline-chart line.ceiling').length === ceilings().length && ceilings().length === 7, ceilings());
	check('what would help is listed for each kernel', all('#guidance-chart rect').length >= 4 && /memory at full bandwidth/.test(one('#guidance-chart').textContent));
	const bounds = tableOf('model_kernels').column('bound');

	check('each kernel is bound by something', bounds.length === 1 && bounds[0].length > 0, bounds);
	check('the objects\u2019 heat is drawn', tableOf('access_heat').length > 0);
}

setTimeout(() => {
	try {
		testExample();
	} catch (error) {
		check('the test runs', false, String(error && error.stack));
	}
	results.push('DONE');
	document.body.append(el('pre', {id: 'results'}, '\n' + results.join('\n') + '\n'));
}, 100);
