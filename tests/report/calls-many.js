// SPDX-License-Identifier: Apache-2.0
// Appended to the report of more calls than a page holds: what is embedded stays within bounds, what is
// not is counted and said, and how long drawing takes (reported, not judged).
'use strict';

const results = [];

function check(name, condition, found) {
	results.push(`${condition ? 'PASS' : 'FAIL'} ${name}${condition ? '' : ': found ' + JSON.stringify(found)}`);
}

function time(name, view) {
	const shown = document.querySelector('#calls').calls, start = performance.now();

	for (let i = 0; i < 10; i++) {
		view.pan(.01);
		shown.drawNow();
	}
	results.push(`TIME ${name}: ${((performance.now() - start) / 10).toFixed(1)} ms`);
}

function testMany() {
	const calls = onlyRow('page_calls'), bins = tableOf('page_call_bins').list(), tracks = tableOf('page_tracks').list(), shown = document.querySelector('#calls').calls, {spans, view} = shown, rows = tracks.length;

	results.push(`TIME load and first drawing: ${performance.now().toFixed(0)} ms`);
	check('so many are shown one by one', spans.count <= 65536 && spans.count > 40000, spans.count);
	check('the others are counted', spans.count + d3.sum(bins, bin => bin.count) === calls.all_spans, calls.all_spans);
	check('rows add up', d3.sum(tracks, row => row.spans) === calls.all_spans);
	check('all rows have some', new Set(tableOf('page_lanes').column('row')).size === rows && rows === 16, rows);
	check('it is said', /are here one by one/.test(document.querySelector('#calls .aggregated').textContent));
	check('lanes are in order', spans.lanes.every(lane => { for (let i = lane.first + 1; i < lane.last; i++) if (spans.begin[i] < spans.begin[i - 1]) return false; return true; }));
	const bin = bins.find(one => one.count > 3);

	check('what is only counted says so', new RegExp(`${bin.count} more begin here`).test(tipOfBin(spans, bin.row, (bin.bin + .5) * calls.bin_ns)), tipOfBin(spans, bin.row, (bin.bin + .5) * calls.bin_ns));
	time('all', view);
	for (const zoom of [10, 100, 10000]) {
		view.set(view.min, view.min + (view.max - view.min) / zoom);
		time(`1/${zoom}`, view);
	}
	check('the document is small', document.querySelectorAll('*').length < 20000, document.querySelectorAll('*').length);
}

try {
	testMany();
} catch (error) {
	check('the test runs', false, String(error && error.stack));
}
results.push('DONE');
document.body.append(el('pre', {id: 'results'}, '\n' + results.join('\n') + '\n'));
