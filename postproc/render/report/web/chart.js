// SPDX-License-Identifier: Apache-2.0
// All figures share this: frame, axes, legend, tooltip, a window that zooms and pans.
'use strict';

const tip = {
	node: null,
	show(event, text) {
		if (!this.node) {
			this.node = el('div', {class: 'tip', 'aria-hidden': 'true'});
			document.body.append(this.node);
		}
		this.node.textContent = text;
		const box = this.node.getBoundingClientRect();

		this.node.style.left = Math.max(4, Math.min(event.clientX + 14, window.innerWidth - box.width - 4)) + 'px';
		this.node.style.top = Math.max(4, event.clientY + 16 + box.height > window.innerHeight
			? event.clientY - box.height - 10 : event.clientY + 16) + 'px';
	},
	hide() {
		if (this.node)
			this.node.remove();
		this.node = null;
	},
};

// A figure with its heading. Returns {node, chart, status, tools}.
function figure(options) {
	const chart = el('div', {class: 'chart'});
	const tools = el('div', {class: 'tools'});
	const status = el('p', {class: 'status', 'aria-live': 'polite'});
	const node = el('section', {class: 'figure' + (options.wide ? ' wide' : ''), id: options.id, 'aria-label': options.title},
		el('div', {class: 'figure-head'}, el('h3', {}, options.title)),
		options.about ? el('p', {class: 'about'}, options.about) : null,
		tools, chart, status,
		(options.aggregated || []).filter(Boolean).map(text => el('p', {class: 'aggregated'}, text)),
		options.table ? dataToggle(options.title, options.table) : null);

	status.hidden = true;
	tools.hidden = true;
	return {node, chart, status, tools};
}

// The figure's numbers as a table, made when asked for.
function dataToggle(title, table) {
	const details = el('details', {}, el('summary', {}, 'Numbers'));

	details.addEventListener('toggle', () => {
		if (details.open && details.childElementCount === 1)
			details.append(table(title + ', numbers'));
	});
	return details;
}

function say(parts, text) {
	parts.status.hidden = false;
	parts.status.textContent = text;
}

function legend(entries) {
	return el('ul', {class: 'legend'}, entries.map(entry => {
		const swatch = el('span', {class: 'swatch', 'aria-hidden': 'true'});

		swatch.style.background = entry.colour;
		if (entry.faint)
			swatch.style.opacity = .35;
		return el('li', {title: entry.title}, swatch, el('span', {class: 'name'}, entry.name));
	}));
}

// An SVG of this width and height; plot is moved to its margin.
function frame(chart, width, height, margin, label) {
	let svg = chart.querySelector('svg');

	if (!svg) {
		svg = document.createElementNS('http://www.w3.org/2000/svg', 'svg');
		chart.append(svg);
		svg.setAttribute('role', 'img');
	}
	svg.setAttribute('aria-label', label);
	svg.setAttribute('viewBox', `0 0 ${width} ${height}`);
	svg.setAttribute('height', height);
	const root = d3.select(svg);

	root.selectAll('*').remove();
	return {
		svg,
		plot: root.append('g').attr('transform', `translate(${margin.left},${margin.top})`),
		width: Math.max(40, width - margin.left - margin.right),
		height: height - margin.top - margin.bottom,
		margin,
	};
}

function xAxis(f, scale, options) {
	const axis = d3.axisBottom(scale).ticks(options.ticks || Math.max(2, Math.min(10, Math.floor(f.width / 75)))).tickSizeOuter(0);

	if (options.format)
		axis.tickFormat(value => round(options.format(value)));
	if (options.values)
		axis.tickValues(options.values);
	f.plot.append('g').attr('class', 'axis').attr('transform', `translate(0,${f.height})`).call(axis);
	f.plot.append('text').attr('class', 'axis-title').attr('x', f.width / 2).attr('y', f.height + 32)
		.attr('text-anchor', 'middle').text(options.title);
}

function yAxis(f, scale, options) {
	const axis = d3.axisLeft(scale).ticks(options.ticks || 5).tickSizeOuter(0);

	if (options.format)
		axis.tickFormat(value => round(options.format(value)));
	if (options.values)
		axis.tickValues(options.values);
	f.plot.append('g').attr('class', 'grid').call(d3.axisLeft(scale).ticks(options.ticks || 5)
		.tickValues(options.values || null).tickSize(-f.width).tickFormat(''));
	f.plot.append('g').attr('class', 'axis').call(axis);
	f.plot.append('text').attr('class', 'axis-title').attr('x', -f.margin.left).attr('y', -13).text(options.title);
}

// Ticks for things that are numbered: below each of them, not between two.
// The first has the number `from`.
function numberAxis(f, view, per, title, from = 0) {
	const whole = d3.scaleLinear().domain([view.from, view.to]).range([0, f.width]);
	const shift = per === 1 ? .5 : 0;

	xAxis(f, whole, {title, format: value => count(value - shift + from), values: whole.ticks(Math.max(2, Math.min(10, Math.floor(f.width / 75))))
		.filter(value => Number.isInteger(value) && value + shift < view.to).map(value => value + shift)});
}

// A logarithmic axis from 1 or least to greatest; few ticks, each a power of ten.
function logScale(least, greatest, range) {
	const low = Math.pow(10, Math.floor(Math.log10(Math.max(1e-9, least))));
	const high = Math.max(greatest, low * 10);

	return d3.scaleLog().domain([low, high]).range(range);
}

function decades(scale) {
	const [low, high] = scale.domain();
	const all = d3.range(Math.ceil(Math.log10(low) - 1e-9), Math.floor(Math.log10(high) + 1e-9) + 1).map(e => Math.pow(10, e));
	const step = Math.ceil(all.length / 6);

	return all.filter((value, i) => i % step === 0);
}

// A part [from, to] of [min, max] that is looked at.
class Window {
	constructor(min, max, least) {
		Object.assign(this, {min, max, from: min, to: max, least: Math.min(least, max - min)});
	}

	set(from, to) {
		const span = Math.max(this.least, Math.min(to - from, this.max - this.min));

		this.from = Math.max(this.min, Math.min(from, this.max - span));
		this.to = this.from + span;
	}

	zoom(factor, at) {
		const fixed = at === undefined ? (this.from + this.to) / 2 : at;

		// Both ends keep their proportion to the fixed point.
		this.set(fixed - (fixed - this.from) * factor, fixed + (this.to - fixed) * factor);
	}

	pan(part) {
		const step = part * (this.to - this.from);

		this.set(this.from + step, this.to + step);
	}

	reset() {
		this.set(this.min, this.max);
	}

	get isWhole() {
		return this.from === this.min && this.to === this.max;
	}
}

// Keys, wheel and dragging for a node over a horizontal window. at(event) is the value under it.
function zoomable(node, view, at, update) {
	node.setAttribute('tabindex', 0);
	node.addEventListener('keydown', event => {
		const keys = {
			'+': () => view.zoom(.5), '=': () => view.zoom(.5), '-': () => view.zoom(2), '0': () => view.reset(),
			ArrowLeft: () => view.pan(-.1), ArrowRight: () => view.pan(.1), Home: () => view.set(view.min, view.min + view.to - view.from),
			End: () => view.set(view.max - (view.to - view.from), view.max),
		};

		if (!keys[event.key] || event.ctrlKey || event.metaKey || event.altKey)
			return;
		event.preventDefault();
		keys[event.key]();
		update();
	});
	node.addEventListener('wheel', event => {
		if (document.activeElement !== node && !event.ctrlKey)
			return;
		event.preventDefault();
		view.zoom(event.deltaY < 0 ? .8 : 1.25, at(event));
		update();
	}, {passive: false});
	drag(node, (dx, dy, event, start) => {
		view.set(start.from - dx * start.scale, start.to - dx * start.scale);
		update();
	}, () => ({from: view.from, to: view.to, scale: (view.to - view.from) / node.getBoundingClientRect().width}));
}

// Pointer moves with the button held; begin() is kept and handed to each move.
function drag(node, move, begin) {
	let from = null;

	node.addEventListener('pointerdown', event => {
		if (event.button !== 0)
			return;
		from = {x: event.clientX, y: event.clientY, start: begin()};
		node.setPointerCapture(event.pointerId);
		node.focus({preventScroll: true});
	});
	node.addEventListener('pointermove', event => {
		if (from && (Math.abs(event.clientX - from.x) > 2 || Math.abs(event.clientY - from.y) > 2))
			move(event.clientX - from.x, event.clientY - from.y, event, from.start);
	});
	for (const end of ['pointerup', 'pointercancel'])
		node.addEventListener(end, () => { from = null; });
}

function keysHint(what) {
	return el('span', {class: 'none'}, what, ' ', el('kbd', {}, '+'), ' ', el('kbd', {}, '−'), ' zoom, ',
		el('kbd', {}, '←'), ' ', el('kbd', {}, '→'), ' move, ', el('kbd', {}, '0'), ' all; or wheel and drag');
}

// text(datum, i) is shown beside the pointer. Works the same in all versions of D3.
function hoverable(selection, text) {
	selection.each(function (datum, i) {
		this.addEventListener('pointermove', event => tip.show(event, text(datum, i)));
		this.addEventListener('pointerleave', () => tip.hide());
	});
}
