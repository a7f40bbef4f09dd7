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

setTimeout(() => {
	const overview = plain(document.body.textContent), section = plain(document.querySelector('#needless_calls').textContent), table = document.querySelectorAll('#needless_calls tbody tr');

	check('a finding', overview.includes('cudaFree at solver: the CPU accesses nothing of what it waits for.'));
	check('what it is worth', /worth up to 156 µs/.test(overview));
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
