// SPDX-License-Identifier: Apache-2.0
// Appended to the report of 10^5 CTAs and 10^4 launches: what is embedded stays within
// bounds, is said, and how long things take (reported, not judged).
'use strict';

const results = [];

function check(name, condition, found) {
	results.push(`${condition ? 'PASS' : 'FAIL'} ${name}${condition ? '' : ': found ' + JSON.stringify(found)}`);
}

function time(name, fn) {
	const start = performance.now();

	fn();
	results.push(`TIME ${name}: ${(performance.now() - start).toFixed(1)} ms`);
}

const press = (node, name) => node.dispatchEvent(new KeyboardEvent('keydown', {key: name, bubbles: true, cancelable: true}));

function testBounds() {
	check('points', tableOf('page_launch_points').length <= 2000 && tableOf('page_cta_points').length <= 2000, tableOf('page_launch_points').length);
	check('cells', views.whole.source.length <= 262144, views.whole.source.length);
	check('rows', tables.filter(table => table.title).every(table => table.length <= 5000));
	const ctas = tableOf('cta_figures'), sums = ctas.column('received_bytes').map((bytes, i) => bytes + ctas.column('sent_bytes')[i]);
	const all = d3.range(ctas.count).map(c => 4096 + 64 * (c % 100) + 2048 + 32 * (c % 77)).sort((a, b) => b - a);

	check('the heaviest CTAs are here, in their order', ctas.count === 100000 && ctas.length === 5000 && d3.min(sums) === all[4999] && d3.sum(sums) === d3.sum(all.slice(0, 5000)) &&
		ctas.column('cta').every((cta, i, list) => !i || list[i - 1] < cta), [ctas.count, ctas.length, d3.min(sums), all[4999]]);
	check('bins', histogramOf('in_degrees').bins.length <= 257 && histogramOf('load_strides').bins.length <= 66, histogramOf('in_degrees').bins.length);
	check('slots', tableOf('page_slots').length <= 2000 * 32, tableOf('page_slots').length);
	check('transfers are all in the map', views.whole.transfers.every(n => n > 0));
	check('each cut is said', ['timeline', 'cdf', 'degree', 'distance', 'density', 'strides', 'evolution', 'connectivity', 'launches', 'ctas', 'lines', 'made_up_things']
		.every(id => document.querySelector(`#${id} .aggregated`)), ['timeline', 'cdf', 'degree', 'distance', 'density', 'strides', 'evolution', 'connectivity', 'launches', 'ctas', 'lines', 'made_up_things'].filter(id => !document.querySelector(`#${id} .aggregated`)));
	check('the document is small', document.querySelectorAll('*').length < 20000, document.querySelectorAll('*').length);
}

function testSpeed() {
	const canvas = document.querySelector('#density .holder canvas'), table = document.querySelector('#launches');

	time('map, zoom', () => press(canvas, '+'));
	time('map, move', () => press(canvas, 'ArrowRight'));
	time('map, all', () => press(canvas, '0'));
	time('map, volume', () => document.querySelector('#density input[value=bytes]').click());
	time('table of 5000, sort', () => table.querySelectorAll('th button')[8].click());
	time('table of 5000, filter', () => {
		const input = table.querySelector('input[type=search]');

		input.value = 'reduce';
		input.dispatchEvent(new Event('input'));
	});
	time('line of 2000 points, zoom', () => press(document.querySelector('#evolution svg'), '+'));
	time('time line, zoom', () => press(document.querySelector('#timeline svg'), '+'));
	time('all again, as for another theme', () => redraw(true));
}

// At once, not under the browser's virtual time, in which nothing takes long.
for (const test of [testBounds, testSpeed]) {
	try {
		test();
	} catch (error) {
		check(test.name, false, String(error && error.stack));
	}
}
results.push('DONE');
document.body.append(el('pre', {id: 'results'}, '\n' + results.join('\n') + '\n'));
