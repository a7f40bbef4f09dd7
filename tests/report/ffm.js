// SPDX-License-Identifier: Apache-2.0
// Appended to the report of the study made by hand (tests/unit/trace/trace_ffm.c).
'use strict';

const results = [];

function check(name, condition, found) {
	results.push(`${condition ? 'PASS' : 'FAIL'} ${name}${condition || found === undefined ? '' : ': found ' + JSON.stringify(found)}`);
}

const plain = text => text.replace(/\u202f/g, ' ');
const figureOf = () => document.querySelector('#calls').calls, canvas = document.querySelector('.tracks-canvas');

// The spans that are problem number n.
const spansOf = number => [...Array(figureOf().spans.count).keys()].filter(i => figureOf().spans.problem[i] === number);

// How many pixels of a picture of the time line have the colour of problems.
function problemPixels() {
	figureOf().drawNow();
	const probe = document.createElement('canvas').getContext('2d', {willReadFrequently: true}), hex = colour('problem');

	probe.canvas.width = canvas.width;
	probe.canvas.height = canvas.height;
	probe.drawImage(canvas, 0, 0);
	const {data: bytes} = probe.getImageData(0, 0, canvas.width, canvas.height), wanted = [1, 3, 5].map(at => parseInt(hex.slice(at, at + 2), 16));
	let count = 0;

	for (let i = 0; i < bytes.length; i += 4)
		count += wanted.every((value, c) => bytes[i + c] === value);
	return count;
}

// The first screen: all of the run's time on each side, problems by what they are worth, links to both.
function testOverview() {
	const rows = tableOf('page_run_time').list(), lanes = [...document.querySelectorAll('.time-lane .time-parts')], items = [...document.querySelectorAll('.problems > li')];
	const sum = side => d3.sum(rows.filter(row => row.side === side), row => row.run_share), width = node => node.getBoundingClientRect().width;
	const problems = tableOf('problems').list(), wait = document.querySelector('.time-part[aria-label*="waiting"]');

	check('the bar has all of the run on each side', lanes.length === 2 && Math.abs(sum('host') - 1) < 1e-6 && Math.abs(sum('device') - 1) < 1e-6, [sum('host'), sum('device')]);
	check('parts are as wide as they last', lanes.every((lane, i) => [...lane.children].every((part, k) => Math.abs(width(part) / width(lane) - rows.filter(row => row.side === ['host', 'device'][i])[k].run_share) < .02)));
	check('the host waited', wait && wait.tabIndex === 0 && wait.hash === '#waiting', wait && wait.outerHTML);
	check('problems come by what they are worth', items.length === problems.length && items.length > 1 && problems.every((one, i) => !i || one.worth_seconds <= problems[i - 1].worth_seconds), problems);
	check('each says what to do', items.every((item, i) => item.id === `problem-${i + 1}` && item.querySelector('.fix').textContent === problems[i].fix), items.map(item => item.textContent));
	const more = items[0].querySelector('.more'), button = items[0].querySelector('.evidence-button');

	button.click();
	check('evidence comes on demand', !more.hidden && button.getAttribute('aria-expanded') === 'true' && more.textContent.includes(problems[0].evidence), more.textContent);
	button.click();
	check('and goes', more.hidden);
}

setTimeout(() => {
	testOverview();
	const overview = plain(document.querySelector('#overview').textContent), section = plain(document.querySelector('#needless_calls').textContent), table = document.querySelectorAll('#needless_calls tbody tr');

	check('a finding', overview.includes('cudaFree at solver: the CPU accesses nothing of what it waits for.'));
	check('what it is worth', /144 µs.*lets 156 µs be saved/.test(overview), overview);
	check('a row for each problem', table.length === 4, table.length);
	check('kinds and benefits', /misplaced-synchronization/.test(section) && /78(\.0+)? µs/.test(section), section.slice(0, 400));
	check('calls of each problem', [1, 2, 3, 4].map(number => spansOf(number).length).join() === '3,3,1,2', [1, 2, 3, 4].map(number => spansOf(number).length));
	check('marks', problemPixels() > 100, problemPixels());
	figureOf().select(spansOf(4)[0]);
	const detail = plain(document.querySelector('#calls-detail').textContent);

	check('which problem a call is', detail.includes('4, unnecessary-transfer in 2 of 3 calls from here'), detail);
	check('what that is worth', /8(\.0+)? µs, by replay 20(\.0+)? µs/.test(detail), detail);
	document.body.append(el('pre', {id: 'results'}, '\n' + results.join('\n') + '\nDONE\n'));
}, 300);
