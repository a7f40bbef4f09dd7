// SPDX-License-Identifier: Apache-2.0
// Appended to a page: when it was there, and how long frames take while it is zoomed and moved. All of it is done
// before the page has loaded: what waits for a frame would come behind the dump of the page.
'use strict';

const lines = [];

// The median and the worst of what a function takes each time.
function frames(name, times, act) {
	const shown = document.querySelector('#calls').calls, taken = [];

	for (let i = 0; i < times; i++) {
		const start = performance.now();

		act(shown.view);
		shown.drawNow();
		taken.push(performance.now() - start);
	}
	taken.sort((a, b) => a - b);
	lines.push(`TIME ${name} median,${taken[times >> 1].toFixed(1)}`, `TIME ${name} worst,${taken[times - 1].toFixed(1)}`);
}

document.documentElement.getBoundingClientRect();
lines.push(`TIME open: read and drawn,${performance.now().toFixed(0)}`);
frames('zoom in:', 16, view => view.zoom(.5));
frames('zoom out:', 16, view => view.zoom(2));
frames('move:', 30, view => view.pan(.01));
document.body.append(el('pre', {}, '\n' + lines.join('\n') + '\n'));
