// SPDX-License-Identifier: Apache-2.0
// Appended to a report: uses it as a person would, and writes PASS and FAIL lines into it.
'use strict';

const results = [];

function check(name, condition, found) {
	results.push(`${condition ? 'PASS' : 'FAIL'} ${name}${condition || found === undefined ? '' : ': found ' + JSON.stringify(found)}`);
}

const one = selector => document.querySelector(selector);
const all = selector => [...document.querySelectorAll(selector)];
const texts = selector => all(selector).map(node => node.textContent);
const frameDone = () => new Promise(resolve => setTimeout(resolve, 20));

function key(node, name) {
	node.dispatchEvent(new KeyboardEvent('keydown', {key: name, bubbles: true, cancelable: true}));
}

function pointer(node, type, x, y) {
	const box = node.getBoundingClientRect();

	node.dispatchEvent(new PointerEvent(type, {clientX: box.left + x * box.width, clientY: box.top + y * box.height, bubbles: true}));
}

function wheel(node, deltaY) {
	const box = node.getBoundingClientRect();
	const event = new WheelEvent('wheel', {deltaY, clientX: box.left + box.width / 2, clientY: box.top + box.height / 2, bubbles: true, cancelable: true});

	node.dispatchEvent(event);
	return event.defaultPrevented;
}

// Returns what the density map shows.
const picture = canvas => canvas.toDataURL();

function testTables() {
	const table = one('#lines .data-table');
	const body = () => [...table.querySelectorAll('tbody tr')].map(row => row.cells[6].title);
	const head = table.querySelectorAll('th')[6], button = head.querySelector('button');
	const before = body();

	check('line pairs come with most bytes first', before[0] === '6\u202f000\u202f000 bytes', before[0]);
	check('the sorted column says so', head.getAttribute('aria-sort') === 'descending');
	button.focus();
	check('heads can be focused', document.activeElement === button);
	button.click();
	check('a second click sorts the other way', head.getAttribute('aria-sort') === 'ascending' && body()[0] !== before[0], body()[0]);
	table.querySelectorAll('th')[0].querySelector('button').click();
	check('another column takes the sort over', !head.hasAttribute('aria-sort') && table.querySelectorAll('th')[0].hasAttribute('aria-sort'));
	const input = table.querySelector('input[type=search]');

	input.value = 'reduce source.cu:15';
	input.dispatchEvent(new Event('input'));
	const rows = [...table.querySelectorAll('tbody tr')];

	check('a filter leaves the rows that have all words', rows.length > 0 && rows.every(row => row.textContent.includes('source.cu:15')), rows.length);
	check('the count follows', /found in/.test(table.querySelector('.count').textContent), table.querySelector('.count').textContent);
	input.value = 'nothing has this';
	input.dispatchEvent(new Event('input'));
	check('a filter that nothing has says so', table.querySelector('tbody').textContent === 'No row has this.');
	input.value = '';
	input.dispatchEvent(new Event('input'));
	check('an empty filter shows all', table.querySelectorAll('tbody tr').length === before.length);
	check('tables have names', all('table').every(node => node.caption || node.closest('.code')));
}

function testAnalyses() {
	const rows = all('#made_up_things tbody tr').map(row => [...row.cells].map(cell => cell.textContent));
	const link = one('#made_up_things button.place'), head = all('#made_up_things th')[2];
	const shown = [['source.cu:6', 'ns::odd\x3c...>', 'a \x3cb>', '1\u202f003', '1.50\u202fkB', '12.5\u202f%', '2.50\u202fms'],
		['source.cu:7', 'reduce', 'a \x3cb>', '1\u202f002', '3.00\u202fkB', '6.3\u202f%', '1.25\u202fms'],
		['\u2013', 'step', '\u2013', '1\u202f001', '4.50\u202fkB', '4.2\u202f%', '\u2013']];

	check('an analysis has a section with its table', JSON.stringify(rows) === JSON.stringify(shown), rows);
	check('and an entry in the navigation', texts('nav a').includes('More') && one('#others #made_up_things') && one('#made_up_things h3').textContent === 'Made-up \x3cthings>', texts('nav a'));
	check('communication is behind all analyses, what was recorded the last', texts('nav a').slice(-2).join() === 'Communication,What was recorded' && one('#others + section').id === 'communication', texts('nav a'));
	check('the name as a whole is there, too', one('#made_up_things tbody .cut').title.startsWith('void ns::odd\x3c"\x3c/script>'), one('#made_up_things tbody .cut').title);
	check('what a column holds is text', head.querySelector('button').title === '\x3cb>Said\x3c/b> of it.' && !one('#made_up_things b'));
	check('rows come in their order', all('#made_up_things th')[3].getAttribute('aria-sort') === 'descending');
	check('a section without rows is not there', !one('#nothing'));

	const boxes = all('#value_lifetimes-picture rect.object').map(box => [+box.getAttribute('y'), +box.getAttribute('y') + +box.getAttribute('height')]);
	const apart = ([top, bottom], [above, below]) => bottom <= above + .01 || below <= top + .01;

	check('memory of two processes is apart', boxes.length === 4 && boxes.every((box, i) => boxes.every((other, k) => i === k || apart(box, other))), boxes);
	check('and used in three of its boxes', all('#value_lifetimes-picture rect.used').length === 3);
	link.click();
	check('its lines open their source', one('.source-panel tr.marked .n').textContent === '6');
	key(one('.source-panel'), 'Escape');
}

function testSources() {
	const link = one('#lines button.place');

	link.focus();
	link.click();
	const panel = one('.source-panel');

	check('a line opens its source', panel && panel.querySelector('tr.marked') !== null);
	check('the marked line is the one', panel && panel.querySelector('tr.marked .n').textContent === link.textContent.split(':')[1], link.textContent);
	check('lines tell what flows through them', panel && /[\d.]+\u202f.?B/.test(panel.querySelector('tr.marked').textContent), panel.querySelector('tr.marked').textContent);
	const code = panel.querySelector('.code'), row = panel.querySelector('tr.marked'), away = row.offsetTop + row.offsetHeight / 2 - code.scrollTop - code.clientHeight / 2;

	check('it is in the middle, or the file ends', Math.abs(away) < 2 || code.scrollTop === 0 || code.scrollTop + code.clientHeight >= code.scrollHeight - 1, away);
	check('lines are listed, the heaviest first', panel.querySelectorAll('.hot-line').length > 2 && panel.querySelector('.hot-line .mono').textContent === placeText([...lineFigures.values()].sort((a, b) => (b.read || 0) - (a.read || 0))[0].place), texts('.source-panel .hot-line'));
	panel.querySelectorAll('.hot-line')[1].click();
	check('one of the list is shown', panel.querySelectorAll('tr.marked').length === 1 && panel.querySelector('tr.marked .n').textContent === panel.querySelectorAll('.hot-line .mono')[1].textContent.split(':')[1]);
	check('markup in a source stays text', one('#sources').textContent.includes('\x3c/script>\x3c!--\x3cscript>'));
	key(panel, 'Escape');
	check('Escape closes it and gives the focus back', !one('.source-panel') && document.activeElement === link);
}

function testDensity() {
	const canvas = one('#density .holder canvas'), bounds = () => all('#density input[type=number]').map(node => Number(node.value));
	const start = picture(canvas), whole = bounds();

	check('the map shows all CTAs', whole.join() === '0,127,0,127', whole);
	check('without focus the wheel scrolls the page', !wheel(canvas, -100) && bounds().join() === whole.join());
	canvas.focus();
	key(canvas, '+');
	const zoomed = bounds();

	check('plus zooms in', zoomed[1] - zoomed[0] === 63 && picture(canvas) !== start, zoomed);
	check('the middle is reported', /block.* → block.*transfer/.test(one('#density .status').textContent), one('#density .status').textContent);
	key(canvas, 'ArrowRight');
	check('arrows move', bounds()[0] > zoomed[0] && bounds()[2] === zoomed[2], bounds());
	key(canvas, 'ArrowUp');
	check('up goes to larger ids', bounds()[2] > zoomed[2], bounds());
	check('with focus the wheel zooms', wheel(canvas, -100) && bounds()[1] - bounds()[0] < 63, bounds());
	key(canvas, '0');
	check('0 shows all again', bounds().join() === whole.join() && picture(canvas) === start);
	const byCount = texts('#density .ramp-ends span');

	one('#density input[value=bytes]').click();
	check('volume has another scale', texts('#density .ramp-ends span').join() !== byCount.join() && /B$/.test(texts('#density .ramp-ends span')[1]), texts('#density .ramp-ends span'));
	one('#density input[value=transfers]').click();
	const first = all('#density input[type=number]');

	first[0].value = 16;
	first[1].value = 31;
	first[0].dispatchEvent(new Event('change'));
	check('a subset can be typed', bounds().join() === '16,31,0,127', bounds());
	all('#density aside button').find(button => button.textContent === 'All').click();
	pointer(canvas, 'pointermove', .5, .5);
	check('the pointer tells what is under it', one('.tip') !== null && /block \d+ → block \d+\n/.test(one('.tip').textContent), one('.tip') && one('.tip').textContent);
	pointer(canvas, 'pointerleave', .5, .5);
	check('and no longer when it is gone', one('.tip') === null);
}

function testViews() {
	const select = one('#density select'), other = one('#distance select'), canvas = one('#density .holder canvas');
	const start = picture(canvas), bars = one('#distance svg').outerHTML;
	const choose = (node, value) => { node.value = value; node.dispatchEvent(new Event('change')); };

	check('all kernel pairs and launches are choices', select.options.length === 1 + views.pairs.length + views.launches.length && views.pairs.length > 1,
		select.options.length);
	choose(select, 'p1');
	check('a pair has a map of its own', picture(canvas) !== start);
	check('and its distances', one('#distance svg').outerHTML !== bars && other.value === 'p1', other.value);
	check('it is said what is shown', /→.*of 9.13.MB of all/.test(one('#density .status').textContent), one('#density .status').textContent);
	const pair = picture(canvas);

	choose(other, 'l2');
	check('the other figure chooses, too', select.value === 'l2' && picture(canvas) !== pair);
	choose(select, '');
	check('all transfers come back', picture(canvas) === start && one('#distance svg').outerHTML === bars && one('#density .status').hidden);
	choose(select, 'p0');
	one('#exchanged-only').click();
	check('exchanged only is of all kernels', select.value === '' && !one('#distance select'), select.value);
	choose(select, 'p0');
	one('#exchanged-only').click();
	check('the switch back offers the choices again', one('#distance select').value === '' && select.value === '');
	choose(select, 'p1');
	check('of the figure that is there', one('#distance select').value === 'p1' && one('#distance svg').outerHTML !== bars);
	choose(select, '');
	check('what is coarser is said', texts('#density .aggregated').some(text => /successive launches share/.test(text)), texts('#density .aggregated'));
}

function testLines() {
	const svg = one('#evolution svg'), before = svg.innerHTML;

	svg.focus();
	key(svg, '+');
	check('a line zooms in by keyboard', svg.innerHTML !== before && /Shown: launches/.test(one('#evolution .status').textContent), one('#evolution .status').textContent);
	key(svg, 'ArrowRight');
	key(svg, '0');
	check('and out', svg.innerHTML === before && one('#evolution .status').hidden);
	const line = one('#timeline svg'), order = line.innerHTML;

	all('#timeline button').find(button => button.textContent === 'by level').click();
	check('the time line goes by level', line.innerHTML !== order);
	all('#timeline button').find(button => button.textContent === 'by order').click();
	check('and by order', line.innerHTML === order);
}

function testExchanged() {
	const box = one('#exchanged-only'), seen = () => ['volume', 'cdf', 'distance'].map(id => one(`#${id} svg`).innerHTML);
	const before = seen(), drawn = drawings.length, degree = one('#degree svg').innerHTML;

	check('all communication is shown at first', box && !box.checked && !/sends itself/.test(one('#cdf .about').textContent));
	box.click();
	const after = seen();

	check('the switch draws volume, sizes and distance anew', after.every((text, i) => text !== before[i]), after.map((text, i) => text === before[i]));
	check('what is shown is reported', all('#volume .about, #cdf .about, #distance .about').every(node => /Without what a block sends itself/.test(node.textContent)));
	check('other figures stay', one('#degree svg').innerHTML === degree && drawings.length === drawn, drawings.length - drawn);
	check('the curve is of fewer transfers', histogramOf('exchanged_transfer_sizes').total < histogramOf('transfer_sizes').total && communication.exchanged.totals.transfers === communication.all.totals.transfers - communication.all.totals.self_transfers);
	box.click();
	check('and back', seen().every((text, i) => text === before[i]));
}

async function testTheme() {
	const select = one('#theme'), light = getComputedStyle(document.body).backgroundColor, canvas = one('#density .holder canvas');
	const before = picture(canvas);

	select.value = 'dark';
	select.dispatchEvent(new Event('change'));
	await frameDone();
	check('dark is dark', getComputedStyle(document.body).backgroundColor !== light && document.documentElement.dataset.theme === 'dark');
	check('the map follows', picture(canvas) !== before);
	select.value = 'light';
	select.dispatchEvent(new Event('change'));
	await frameDone();
	check('light is light', getComputedStyle(document.body).backgroundColor === light);
}

// Returns the contrast of text and what stands behind it, as WCAG 2 has it.
function contrast(front, back) {
	const light = text => {
		const [r, g, b] = text.match(/[\d.]+/g).map(v => v / 255).map(v => v <= .03928 ? v / 12.92 : Math.pow((v + .055) / 1.055, 2.4));

		return .2126 * r + .7152 * g + .0722 * b;
	};
	const [high, low] = [light(front), light(back)].sort((a, b) => b - a);

	return (high + .05) / (low + .05);
}

function testAccess() {
	const controls = all('button, input, select, a[href]');

	check('every control has a name', controls.every(node => node.textContent.trim() || node.getAttribute('aria-label') || node.labels && node.labels.length),
		controls.filter(node => !(node.textContent.trim() || node.getAttribute('aria-label') || node.labels && node.labels.length)).map(node => node.outerHTML));
	check('every chart has a label', all('.chart svg, .holder canvas').every(node => node.getAttribute('aria-label')));
	check('identifiers are unique', new Set(all('[id]').map(node => node.id)).size === all('[id]').length);
	check('links in the page lead somewhere', all('a[href^="#"]').every(node => document.getElementById(node.hash.slice(1))), all('a[href^="#"]').filter(node => !document.getElementById(node.hash.slice(1))).map(node => node.hash));
	for (const name of ['light', 'dark']) {
		document.documentElement.dataset.theme = name;
		const back = getComputedStyle(document.body).backgroundColor;

		for (const selector of ['body', 'p.about', 'button.place', '.fold .count'])
			check(`${name}: ${selector} can be read`, contrast(getComputedStyle(one(selector)).color, back) >= 4.5, contrast(getComputedStyle(one(selector)).color, back));
	}
	theme.apply();
}

function testPage() {
	check('findings are on top', one('main > section').id === 'overview' && all('.findings li').length > 3);
	check('suppressed problems are counted', texts('.suppressed summary').join() === 'Suppressed (1)', texts('.suppressed summary'));
	check('and unfold', texts('.suppressed li').join() === 'stencil.cu:7, step: strided-accesses, by the source: a <small> table', texts('.suppressed li'));
	check('the cut is found', texts('.findings li').some(text => text.startsWith('A cut in y costs 4.0 times one in x')), texts('.findings li'));
	check('the title is text', document.title === 'made-up <&> - cuda-trace report', document.title);
	check('nothing is fetched', performance.getEntriesByType('resource').length === 0, performance.getEntriesByType('resource').map(entry => entry.name));
	check('all figures are there', ['volume', 'cdf', 'degree', 'bisection', 'strides', 'density', 'evolution', 'distance', 'connectivity',
		'crossing', 'predicted'].every(id => one(`#${id} .chart`).innerText.length > 0 || one(`#${id} svg, #${id} canvas`)));
	check('all rows are there', tableOf('supersteps').length === 40 && tableOf('line_pairs').length === 14);
	check('nothing is undefined', !/undefined|NaN|\[object/.test(one('main').innerText), one('main').innerText.match(/.{20}(undefined|NaN|\[object).{20}/));
}

// Parts that are not seen at first are made when they are opened, or when a link leads there.
async function testFolds() {
	check('what is folded is not made', !one('#lines') && !one('#instrumented') && folds.some(own => !own.isMade));
	location.hash = '#lines';
	await frameDone();
	const box = one('#lines').getBoundingClientRect();

	check('a link opens what it leads to', one('#communication details').open && box.height > 0 && Math.abs(box.top) < window.innerHeight, box);
	one('#coverage summary').click();
	await frameDone();
	check('a heading opens its section', one('#instrumented tbody'));
	all('.nav-tools button').find(button => button.textContent === 'Unfold all').click();
	await frameDone();
	check('everything can be unfolded', folds.every(own => own.isMade && own.node.open));
}

async function testAll() {
	for (const test of [testFolds, testPage, testTables, testAnalyses, testSources, testDensity, testViews, testLines, testExchanged, testTheme, testAccess]) {
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
