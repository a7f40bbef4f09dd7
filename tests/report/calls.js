// SPDX-License-Identifier: Apache-2.0
// Appended to the report of the calls made by hand (tests/unit/trace/trace_api.c): points, zooms, follows.
// All times in it are microseconds.
'use strict';

const results = [];

function check(name, condition, found) {
	results.push(`${condition ? 'PASS' : 'FAIL'} ${name}${condition || found === undefined ? '' : ': found ' + JSON.stringify(found)}`);
}

const one = selector => document.querySelector(selector);
const all = selector => [...document.querySelectorAll(selector)];
const texts = selector => all(selector).map(node => node.textContent);
const frameDone = () => new Promise(resolve => setTimeout(resolve, 60));
const plain = text => text.replace(/\u202f/g, ' ');
const figureOf = () => one('#calls').calls, canvas = one('.tracks-canvas');
const key = (name, more) => canvas.dispatchEvent(new KeyboardEvent('keydown', Object.assign({key: name, bubbles: true, cancelable: true}, more)));

// The span of this name that begins then.
function spanAt(name, us) {
	const spans = figureOf().spans;

	for (let i = 0; i < spans.count; i++)
		if (spans.begin[i] === us * 1000 && spans.title(i) === name)
			return i;
	return -1;
}

function pointerEvent(type, us, span, buttons = 0) {
	const shown = figureOf(), box = canvas.getBoundingClientRect(), lane = shown.laneOf(span), view = shown.view;

	return new PointerEvent(type, {clientX: box.left + (us * 1000 - view.from) / (view.to - view.from) * box.width, clientY: box.top + lane.top - shown.scroller.scrollTop + lane.height / 2,
		bubbles: true, cancelable: true, button: 0, buttons, pointerId: 1});
}

// Returns what is said beside the pointer at this time in the lane of a span.
function tipAt(us, span) {
	canvas.dispatchEvent(pointerEvent('pointermove', us, span));
	return plain(one('.tip') ? one('.tip').textContent : '');
}

function click(us, span) {
	canvas.setPointerCapture = () => {};
	canvas.dispatchEvent(pointerEvent('pointerdown', us, span, 1));
	canvas.dispatchEvent(pointerEvent('pointerup', us, span));
}

// Canvases are read from a copy: browsers complain of those that are drawn and read in turns.
const probe = document.createElement('canvas').getContext('2d', {willReadFrequently: true});

function copied() {
	figureOf().drawNow();
	probe.canvas.width = canvas.width;
	probe.canvas.height = canvas.height;
	probe.drawImage(canvas, 0, 0);
	return probe;
}

const picture = () => copied().canvas.toDataURL();

// Mean of red, green and blue where a span is, from one time to another.
function colourAt(from, to, span) {
	const shown = figureOf(), ratio = canvas.width / canvas.clientWidth, lane = shown.laneOf(span), view = shown.view;
	const x = us => Math.round((us * 1000 - view.from) / (view.to - view.from) * canvas.width);
	const pixels = copied().getImageData(x(from), (lane.top - shown.scroller.scrollTop + 2) * ratio, Math.max(1, x(to) - x(from)), (lane.height - 4) * ratio).data;

	return [0, 1, 2].map(c => { let sum = 0; for (let i = c; i < pixels.length; i += 4) sum += pixels[i]; return sum / (pixels.length / 4); });
}

function testRows() {
	check('rows are threads, then streams', texts('.track-name').join() === 'solver (100),worker (101),default stream,stream 7', texts('.track-name'));
	const spans = figureOf().spans, level = i => figureOf().laneOf(i).level;

	check('all are there', spans.count === 21, spans.count);
	check('ranges are in regions, calls in calls', level(spanAt('solve', 0)) === 0 && level(spanAt('step', 390)) === 1 && level(spanAt('cuMemcpyHtoD_v2', 205)) === 1 && level(spanAt('cudaMemcpy', 200)) === 0);
	check('ranges are above calls', figureOf().laneOf(spanAt('step', 390)).top < figureOf().laneOf(spanAt('cudaMemcpy', 200)).top);
	check('the canvas has a name and takes the focus', canvas.tabIndex === 0 && /time line of 21/.test(canvas.getAttribute('aria-label')), canvas.getAttribute('aria-label'));
	check('what is missing is reported', texts('#calls .note').some(text => text === 'Not recorded: calls before main: the library was not there yet.'), texts('#calls .note'));
	check('how exact times are is reported', texts('#calls .note').some(text => plain(text).endsWith('to 50 ns.')), texts('#calls .note'));
	check('nothing is left out, and nothing said', !one('#calls .aggregated'));
	check('the legend tells what is striped', texts('#calls .legend li').some(text => /traced, not the program/.test(text)) && texts('#calls .legend li').includes('expand'), texts('#calls .legend li'));
}

function testTips() {
	const sync = spanAt('cudaDeviceSynchronize', 430), said = tipAt(500, sync);

	check('a call says its time', /begin: 430\.000 µs\nduration: 200 µs/.test(said), said);
	check('how long it waited, and for what', /waited: 190 µs \(95\.0 %\)/.test(said) && /waited 190 µs for expand/.test(said), said);
	check('its result', /result: success/.test(said), said);
	check('its stack', /\nsolver\+0x2020 .*\nsolver\+0x1010 /.test(said), said);
	const copy = tipAt(250, spanAt('copy host to device', 210));

	check('a copy says its bytes and rate', /bytes: 1\.00 MB, 14\.3 GB\/s, pageable/.test(copy), copy);
	check('and who caused it, from where', /caused by cudaMemcpy/.test(copy) && /solver\+0x2020/.test(copy), copy);
	const kernel = tipAt(500, spanAt('expand(int const*)', 420));

	check('a traced kernel’s time is not the program’s', /duration: 200 µs, not the program/.test(kernel), kernel);
	check('a kernel without us has its own', /duration: 40\.0 µs\n/.test(tipAt(640, spanAt('expand(int const*)', 625))), tipAt(640, spanAt('expand(int const*)', 625)));
	check('a failure is reported', /result: 1 \(failed\)/.test(tipAt(650, spanAt('cudaFree', 640))));
	check('not ready is no failure', /result: 600 \(not ready\)/.test(tipAt(510.5, spanAt('cudaStreamQuery', 510))), tipAt(510.5, spanAt('cudaStreamQuery', 510)));
	check('a call that never ended says so', /not ended/.test(tipAt(740, spanAt('cuCtxSynchronize', 730))));
	check('a stream is named', /stream: 7/.test(tipAt(702, spanAt('cudaMemcpyAsync', 700))));
	check('inner calls say so', /made within another/.test(tipAt(250, spanAt('cuMemcpyHtoD_v2', 205))));
	check('a region is one', /what: region/.test(tipAt(100, spanAt('solve', 0))));
	check('nothing is undefined', !/undefined|NaN|\[object/.test(said + copy + kernel + one('#calls').innerText));
	canvas.dispatchEvent(pointerEvent('pointerleave', 0, sync));
	check('no tip without a pointer', one('.tip') === null);
}

async function testDrawn() {
	const sync = spanAt('cudaDeviceSynchronize', 430), free = spanAt('cudaFree', 640), malloc = spanAt('cudaMalloc', 0);

	figureOf().select(-1);
	await frameDone();
	const waits = colourAt(560, 615, sync), calls = colourAt(60, 95, malloc), failed = colourAt(667, 669, free);

	check('where a call waited is seen', waits[0] > waits[2] + 60 && Math.abs(calls[0] - calls[2]) < 40, [waits, calls]);
	check('a call that failed is seen', failed[0] > failed[1] + 60, failed);
	const before = picture();

	click(500, sync);
	await frameDone();
	check('what is chosen is marked', picture() !== before, figureOf().selected);
	check('arrows come with a launch', (() => { const marked = picture(); figureOf().go(spanAt('cudaLaunchKernel', 400)); figureOf().view.reset(); figureOf().drawNow(); return picture() !== marked; })());
}

function testDetail() {
	const launch = spanAt('cudaLaunchKernel', 400), detail = one('#calls-detail');

	figureOf().view.reset();
	click(405, launch);
	check('a click opens it', !detail.hidden && detail.querySelector('strong').textContent === 'cudaLaunchKernel', detail.textContent);
	check('with its stack from the inside', [...detail.querySelectorAll('.stack .frame')].map(node => node.textContent).join() === 'solver+0x3030,solver+0x2020,solver+0x1010', detail.textContent);
	const caused = [...detail.querySelectorAll('button.place')];

	check('and what it caused', caused.length === 1 && plain(caused[0].textContent) === 'expand, 200 µs', caused.map(node => node.textContent));
	caused[0].click();
	check('which is one click away', detail.querySelector('strong').textContent === 'expand(int const*)' && /Caused by/.test(detail.textContent), detail.textContent);
	check('from where it was launched', /Called from/.test(detail.textContent) && /solver\+0x3030/.test(detail.textContent));
	figureOf().go(spanAt('cudaDeviceSynchronize', 430));
	check('what a call waited for is a link', plain(detail.textContent).includes('190 µs for expand'));
	check('a reader is reported', detail.getAttribute('aria-live') === 'polite');
	key('Escape');
	check('Escape closes it', detail.hidden);
}

function testKeys() {
	const shown = figureOf(), {view, spans} = shown, span = () => view.to - view.from;

	view.reset();
	check('the whole run is shown', span() === 800000, span());
	key('+');
	check('plus zooms in', span() === 400000, span());
	const from = view.from;

	key('ArrowRight');
	check('arrows move', view.from === from + 40000, view.from - from);
	const box = canvas.getBoundingClientRect(), wheel = (delta, x) => new WheelEvent('wheel', {deltaY: delta, clientX: box.left + x * box.width, clientY: box.top + 5, bubbles: true, cancelable: true});

	document.activeElement.blur();
	check('without focus the wheel scrolls the page', canvas.dispatchEvent(wheel(-100, .5)) && span() === 400000);
	canvas.focus();
	const at = view.from + .25 * span();

	check('with it the wheel zooms where the pointer is', !canvas.dispatchEvent(wheel(-100, .25)) && Math.abs(span() - 320000) < 1 && Math.abs(view.from + .25 * span() - at) < 500, [span(), view.from]);
	key('0');
	check('0 shows all again', view.isWhole);
	for (let i = 0; i < 40; i++)
		key('+');
	check('the finest is some nanoseconds', span() === 20, span());
	key('0');
	shown.select(spanAt('cudaMemcpy', 200));
	key('n');
	check('n goes to the next of the row', shown.selected === spanAt('cuMemcpyHtoD_v2', 205), spans.title(shown.selected));
	key('p');
	key('p');
	check('p to the previous', [spanAt('cudaMalloc', 0), spanAt('solve', 0)].includes(shown.selected), spans.title(shown.selected));
	shown.select(spanAt('cudaLaunchKernel', 415));
	key('c');
	check('c follows to what it caused', spans.title(shown.selected) === 'count()', spans.title(shown.selected));
	key('c');
	check('and back', shown.selected === spanAt('cudaLaunchKernel', 415));
	key('ArrowDown');
	check('down goes to the next row', spans.row[shown.selected] === 1, spans.title(shown.selected));
	shown.select(spanAt('count()', 430));
	key('Enter');
	check('Enter zooms to it', view.from < 430000 && view.to > 530000 && span() === 800000, [view.from, view.to]);
	key('0');
	key('+', {ctrlKey: true});
	check('the browser’s own keys are left alone', view.isWhole);
	drag();
}

// Dragging moves what is seen, and is no click.
function drag() {
	const shown = figureOf(), {view} = shown, sync = spanAt('cudaDeviceSynchronize', 430);

	view.reset();
	key('+');
	shown.select(-1);
	const from = view.from, start = pointerEvent('pointerdown', 500, sync, 1), move = pointerEvent('pointermove', 450, sync, 1);

	canvas.dispatchEvent(start);
	canvas.dispatchEvent(move);
	canvas.dispatchEvent(new PointerEvent('pointerup', {clientX: move.clientX, clientY: move.clientY, bubbles: true}));
	check('dragging moves it', Math.abs(view.from - from - 50000) < 1000, view.from - from);
	check('and chooses nothing', shown.selected === -1);
	view.reset();
}

function testFind() {
	const input = one('#calls input[type=search]'), shown = figureOf(), enter = text => { input.value = text; input.dispatchEvent(new KeyboardEvent('keydown', {key: 'Enter', bubbles: true})); };

	enter('EXPAND');
	check('a name is found, whatever its case', shown.selected === spanAt('expand(int const*)', 420), shown.selected);
	check('and how many there are', /1 of 2 found/.test(one('#calls .status').textContent), one('#calls .status').textContent);
	enter('EXPAND');
	check('again finds the next', shown.selected === spanAt('expand(int const*)', 625));
	enter('nothing has this');
	check('what is not there is reported', /Nothing.*nothing has this/.test(one('#calls .status').textContent), one('#calls .status').textContent);
}

function testTables() {
	const rows = selector => all(`${selector} tbody tr`).map(row => [...row.cells].map(cell => plain(cell.textContent)));

	check('functions come with most time first', rows('#call_functions')[0].slice(0, 3).join() === 'cudaDeviceSynchronize,1,200 µs', rows('#call_functions')[0]);
	check('who waited for what', rows('#call_waits').map(row => row.slice(0, 4).join()).includes('cudaDeviceSynchronize,expand,1,190 µs'), rows('#call_waits'));
	check('traced kernels apart', rows('#kernel_times').map(row => row.slice(0, 4).join(' ')).sort().join() === 'count no 1 100 µs,expand no 1 40.0 µs,expand yes 1 200 µs', rows('#kernel_times'));
	check('copies by direction', rows('#copy_times').some(row => row[0] === 'host to device' && row[2] === '1.00 MB' && row[4] === '14.3'), rows('#copy_times'));
	check('ranges and regions', rows('#range_times').map(row => row.slice(0, 4).join(' ')).join() === 'solve region 1 800 µs,step range 1 300 µs', rows('#range_times'));
}

async function testTheme() {
	const before = picture(), select = one('#theme');

	select.value = 'dark';
	select.dispatchEvent(new Event('change'));
	await frameDone();
	check('the time line follows the theme', picture() !== before && colourAt(60, 95, spanAt('solve', 0)).every(value => value < 128), colourAt(60, 95, spanAt('solve', 0)));
	select.value = 'light';
	select.dispatchEvent(new Event('change'));
}

async function testAll() {
	for (const test of [testRows, testTips, testDrawn, testDetail, testKeys, testFind, testTables, testTheme]) {
		try {
			await test();
		} catch (error) {
			check(test.name, false, String(error && error.stack));
		}
	}
	results.push('DONE');
	document.body.append(el('pre', {id: 'results'}, '\n' + results.join('\n') + '\n'));
}

setTimeout(testAll, 100);
