// SPDX-License-Identifier: Apache-2.0
// Elements, numbers with units, the theme, redrawing, kernels.
'use strict';

// el('div', {class: 'x', onclick: f}, child, 'text')
function el(tag, properties, ...children) {
	const node = document.createElement(tag);

	for (const [name, value] of Object.entries(properties || {})) {
		if (value === null || value === undefined || value === false)
			continue;
		if (name.startsWith('on'))
			node.addEventListener(name.slice(2), value);
		else
			node.setAttribute(name, value === true ? '' : value);
	}
	for (const child of children.flat(Infinity))
		if (child !== null && child !== undefined)
			node.append(child);
	return node;
}

const THIN = '\u202f';

// 1 204 331; fractions with three digits that count
function count(value) {
	if (value === null || value === undefined)
		return '–';
	if (!Number.isInteger(value))
		value = Math.abs(value) >= 1000 ? Math.round(value) : Number(value.toPrecision(3));
	const [whole, fraction] = String(value).split('.');
	const grouped = whole.replace(/\B(?=(\d{3})+(?!\d))/g, THIN);

	return fraction === undefined || fraction.includes('e') ? grouped : grouped + '.' + fraction;
}

function scaled(value, steps) {
	let unit = 0;

	while (unit + 1 < steps.length && Math.abs(value) >= 999.5) {
		value /= 1000;
		unit++;
	}
	return (unit || !Number.isInteger(value) ? value.toPrecision(3) : String(value)) + THIN + steps[unit];
}

// 3.1 MB, in powers of 1000
function size(bytes) {
	if (bytes === null || bytes === undefined)
		return '–';
	return scaled(bytes, ['B', 'kB', 'MB', 'GB', 'TB', 'PB']);
}

function duration(seconds) {
	return scaled(seconds * 1e9, ['ns', 'µs', 'ms', 's']);
}

// On axes and in sentences: 6 MB for 6.00 MB.
function round(text) {
	return text.replace(/(\.\d*?)0+(?=\D)/, '$1').replace(/\.(?=\D)/, '');
}

function percent(part) {
	const value = 100 * part;

	return (value > 0 && value < 0.1 ? '< 0.1' : value.toFixed(1)) + THIN + '%';
}

function plural(number, one, many) {
	return count(number) + ' ' + (number === 1 ? one : many || one + 's');
}

// A name without parameters and long template arguments, as the page has it of each.
const shortNames = new Map((page.names || []).map(([full, short]) => [page.texts[full], page.texts[short]]));

let namesAreFull = false;

function shortName(name) {
	return namesAreFull ? name : shortNames.get(name) || name;
}

// A name in the page, whole while it is wanted so.
function nameText(name) {
	return el('span', {class: 'name-text', 'data-name': name}, shortName(name));
}

// Elements that hold a name are notified; what is drawn is drawn again.
function showFullNames(full) {
	namesAreFull = full;
	document.documentElement.dataset.names = full ? 'full' : 'short';
	for (const node of document.querySelectorAll('[data-name]'))
		node.textContent = shortName(node.dataset.name);
	redraw(true);
}

// Figures that are drawn in pixels are drawn again when the width or the theme changes.
const drawings = [];

function draw(container, fn) {
	drawings.push({container, fn, width: 0});
}

// A figure that a container in the page no longer holds is not drawn again.
function forget(node) {
	for (let i = drawings.length - 1; i >= 0; i--)
		if (node.contains(drawings[i].container))
			drawings.splice(i, 1);
}

// Widths are asked for before anything is drawn, for each answer lays out all that has changed.
function redraw(force) {
	const widths = drawings.map(drawing => Math.round(drawing.container.clientWidth));

	for (const [i, drawing] of drawings.slice().entries()) {
		const width = widths[i];

		if (width && (force || width !== drawing.width)) {
			drawing.width = width;
			drawing.fn(width);
		}
	}
}

// Colours of the style sheet.
function colour(name) {
	return getComputedStyle(document.documentElement).getPropertyValue('--' + name).trim();
}

function isDark() {
	return document.documentElement.dataset.theme === 'dark';
}

const theme = {
	media: window.matchMedia('(prefers-color-scheme: dark)'),
	choice: 'auto',
	apply() {
		const dark = this.choice === 'dark' || (this.choice === 'auto' && this.media.matches);

		document.documentElement.dataset.theme = dark ? 'dark' : 'light';
		redraw(true);
	},
	choose(choice) {
		this.choice = choice;
		try {
			localStorage.setItem('ctpost-theme', choice);
		} catch (e) {
			// Without storage the choice holds for this page.
		}
		this.apply();
	},
	init() {
		try {
			this.choice = localStorage.getItem('ctpost-theme') || 'auto';
		} catch (e) {
			this.choice = 'auto';
		}
		this.media.addEventListener('change', () => this.apply());
		this.apply();
	},
};

// Kernels, by name. Tables of times have their parameters, others may not: what is before them is the key.
const KERNEL_COLOURS = 7;

// void f<int>(int*, float) -> f<int>
function kernelKey(name) {
	let depth = 0, end = name.length;

	if (name.endsWith(')'))
		for (let i = name.length - 1; i > 0; i--) {
			depth += name[i] === ')' ? 1 : name[i] === '(' ? -1 : 0;
			if (depth === 0) {
				end = i;
				break;
			}
		}
	return name.slice(0, end).replace(/^void /, '');
}

const kernels = new Map(tableOf('kernel_volumes').list().map(kernel => [kernelKey(kernel.kernel), kernel]));
const kernelOf = name => name ? kernels.get(kernelKey(name)) : undefined;

// Those of the most time, else of the most bytes, have a colour of their own.
const kernelSeconds = new Map();

for (const {kernel, seconds} of tableOf('kernel_times').list())
	kernelSeconds.set(kernelKey(kernel), (kernelSeconds.get(kernelKey(kernel)) || 0) + (seconds || 0));
for (const {kernel, seconds_before: before, seconds_after: after} of tableOf('compared_kernels').list())
	kernelSeconds.set(kernelKey(kernel), Math.max(before || 0, after || 0));
const kernelRank = new Map([...new Set([...kernels.keys(), ...kernelSeconds.keys()])].map(key => [key, kernelSeconds.get(key) || 0, kernels.has(key) ? kernels.get(key).load_bytes + kernels.get(key).store_bytes : 0])
	.sort((a, b) => b[1] - a[1] || b[2] - a[2]).map(([key], rank) => [key, rank]));
const rankOf = name => name ? kernelRank.get(kernelKey(name)) : undefined;

function kernelColour(name) {
	return rankOf(name) < KERNEL_COLOURS ? `var(--k${rankOf(name)})` : 'var(--other)';
}

function kernelName(name) {
	return name ? shortName(name) : 'several kernels';
}
