// SPDX-License-Identifier: Apache-2.0
// The density map: writers from left to right, readers from bottom to top, on a canvas.
'use strict';

const DENSITY_MARGIN = {left: 62, right: 8, top: 8, bottom: 44};
const LEVEL_BINS_LEAST = 32;

// Level n has 2^n bins of the data per cell: what fits the pixels is drawn, nothing is skipped.
function densityLevel(density, level) {
	const bins = Math.ceil(density.bins / (1 << level));
	const cells = new Map();

	for (let i = 0; i < density.source.length; i++) {
		const key = (density.source[i] >> level) * bins + (density.target[i] >> level);
		const cell = cells.get(key);

		if (cell) {
			cell.transfers += density.transfers[i];
			cell.bytes += density.cell_bytes[i];
		} else {
			cells.set(key, {transfers: density.transfers[i], bytes: density.cell_bytes[i]});
		}
	}
	return {bins, cells, per: density.ctas_per_bin << level, images: {}};
}

// Levels 0, 1, … are made when they are first looked at.
function densityLevels(density) {
	const levels = [];

	for (let bins = density.bins; ; bins = Math.ceil(bins / 2)) {
		levels.push(null);
		if (bins <= LEVEL_BINS_LEAST)
			return levels;
	}
}

const ramp = part => (isDark() ? d3.interpolateViridis(.12 + .88 * part) : d3.interpolateYlGnBu(.2 + .8 * part));

function levelRange(level, measure) {
	let low = Infinity, high = 0;

	for (const cell of level.cells.values()) {
		low = Math.min(low, cell[measure]);
		high = Math.max(high, cell[measure]);
	}
	return high ? [low, high] : [1, 1];
}

// One pixel per cell; drawn scaled, without smoothing.
function levelImage(level, measure) {
	const key = measure + isDark();

	if (level.images[key])
		return level.images[key];
	const canvas = el('canvas', {width: level.bins, height: level.bins});
	const context = canvas.getContext('2d');
	const pixels = context.createImageData(level.bins, level.bins);
	const [low, high] = levelRange(level, measure);
	const words = new Uint32Array(pixels.data.buffer);
	const palette = d3.range(256).map(i => {
		const shade = d3.rgb(ramp(i / 255));

		return new Uint32Array(new Uint8Array([shade.r, shade.g, shade.b, 255]).buffer)[0];
	});
	const scale = high > low ? 255 / Math.log(high / low) : 0;

	for (const [cell, sums] of level.cells) {
		const x = Math.floor(cell / level.bins), y = level.bins - 1 - cell % level.bins;

		words[y * level.bins + x] = palette[scale ? Math.round(scale * Math.log(sums[measure] / low)) : 255];
	}
	context.putImageData(pixels, 0, 0);
	level.images[key] = {canvas, low, high};
	return level.images[key];
}

class DensityMap {
	constructor(density, parts) {
		const ctas = density.last_cta - density.first_cta + 1;

		this.density = density;
		this.levels = densityLevels(density);
		this.measure = 'transfers';
		const least = Math.min(ctas, 4 * density.ctas_per_bin);

		this.x = new Window(density.first_cta, density.first_cta + ctas, least);
		this.y = new Window(density.first_cta, density.first_cta + ctas, least);
		this.status = parts.status;
		this.canvas = el('canvas', {tabindex: 0, role: 'img', 'aria-label':
			'Density map of blocks that write against blocks that read. Arrow keys move, plus and minus zoom, 0 shows all.'});
		this.holder = el('div', {class: 'holder'}, this.canvas);
		this.side = this.buildSide();
		parts.chart.append(el('div', {class: 'density'}, this.holder, this.side));
		this.listen();
		draw(this.holder, () => this.paint());
	}

	buildSide() {
		const radio = (measure, text) => el('label', {}, el('input', {type: 'radio', name: 'density-measure', value: measure,
			checked: measure === this.measure, onchange: () => { this.measure = measure; this.paint(); }}), text);
		const bound = (axis, end, text) => {
			const input = el('input', {type: 'number', min: this.x.min, max: this.x.max - 1, 'aria-label': text,
				onchange: () => this.choose()});

			this.bounds.push({axis, end, input});
			return input;
		};
		const button = (text, label, fn) => el('button', {type: 'button', 'aria-label': label, onclick: () => { fn(); this.paint(); }}, text);

		this.bounds = [];
		this.rampNode = el('canvas', {class: 'ramp', width: 256, height: 1, 'aria-hidden': 'true'});
		this.rampEnds = el('div', {class: 'ramp-ends'});
		this.scaleText = el('p', {class: 'none'});
		return el('aside', {},
			el('fieldset', {}, el('legend', {}, 'Shade by'), radio('transfers', 'number of transfers'), radio('bytes', 'volume')),
			el('div', {}, this.rampNode, this.rampEnds, this.scaleText),
			el('fieldset', {}, el('legend', {}, 'blocks shown'),
				el('label', {}, 'writers', bound('x', 'from', 'first writing block'), '–', bound('x', 'to', 'last writing block')),
				el('label', {}, 'readers', bound('y', 'from', 'first reading block'), '–', bound('y', 'to', 'last reading block'))),
			el('div', {class: 'tools'}, button('+', 'zoom in', () => this.zoom(.5)), button('−', 'zoom out', () => this.zoom(2)),
				button('All', 'show all blocks', () => this.reset())),
			el('p', {class: 'none hint'}, 'Focus the map: ', el('kbd', {}, '+'), ' ', el('kbd', {}, '−'), ' zoom, arrows move, ',
				el('kbd', {}, '0'), ' all; or wheel and drag.'));
	}

	// Shows the same blocks.
	show(density) {
		this.density = density;
		this.levels = densityLevels(density);
		this.paint();
	}

	choose() {
		for (const axis of ['x', 'y']) {
			const [from, to] = ['from', 'to'].map(end => Number(this.bounds.find(bound => bound.axis === axis && bound.end === end).input.value));

			if (to >= from)
				this[axis].set(from, to + 1);
		}
		this.paint();
	}

	reset() {
		this.x.reset();
		this.y.reset();
	}

	zoom(factor, at) {
		this.x.zoom(factor, at && at[0]);
		this.y.zoom(factor, at && at[1]);
	}

	listen() {
		const keys = {
			'+': () => this.zoom(.5), '=': () => this.zoom(.5), '-': () => this.zoom(2), '0': () => this.reset(),
			ArrowLeft: () => this.x.pan(-.1), ArrowRight: () => this.x.pan(.1), ArrowDown: () => this.y.pan(-.1), ArrowUp: () => this.y.pan(.1),
		};

		this.canvas.addEventListener('keydown', event => {
			if (!keys[event.key] || event.ctrlKey || event.metaKey || event.altKey)
				return;
			event.preventDefault();
			keys[event.key]();
			this.paint();
			this.tell(this.describe((this.x.from + this.x.to) / 2, (this.y.from + this.y.to) / 2, 'In the middle: '));
		});
		this.canvas.addEventListener('wheel', event => {
			if (document.activeElement !== this.canvas && !event.ctrlKey)
				return;
			event.preventDefault();
			this.zoom(event.deltaY < 0 ? .8 : 1.25, this.under(event));
			this.paint();
		}, {passive: false});
		drag(this.canvas, (dx, dy, event, start) => {
			this.x.set(start.x - dx * start.perX, start.x + start.spanX - dx * start.perX);
			this.y.set(start.y + dy * start.perY, start.y + start.spanY + dy * start.perY);
			this.paint();
		}, () => ({x: this.x.from, y: this.y.from, spanX: this.x.to - this.x.from, spanY: this.y.to - this.y.from,
			perX: (this.x.to - this.x.from) / this.extent, perY: (this.y.to - this.y.from) / this.extent}));
		this.canvas.addEventListener('pointermove', event => {
			const at = this.under(event);
			const text = at && this.describe(at[0], at[1], '');

			if (text)
				tip.show(event, text);
			else
				tip.hide();
		});
		this.canvas.addEventListener('pointerleave', () => tip.hide());
	}

	tell(text) {
		this.status.hidden = false;
		this.status.textContent = text;
	}

	// block ids at a pointer, null outside the plot.
	under(event) {
		const box = this.canvas.getBoundingClientRect();
		const x = (event.clientX - box.left - DENSITY_MARGIN.left) / this.extent;
		const y = 1 - (event.clientY - box.top - DENSITY_MARGIN.top) / this.extent;

		if (x < 0 || x >= 1 || y < 0 || y >= 1)
			return null;
		return [this.x.from + x * (this.x.to - this.x.from), this.y.from + y * (this.y.to - this.y.from)];
	}

	describe(x, y, before) {
		const level = this.level, first = this.density.first_cta;
		const bin = at => Math.floor((at - first) / level.per);
		const cell = level.cells.get(bin(x) * level.bins + bin(y));
		const range = at => {
			const low = first + bin(at) * level.per, high = Math.min(low + level.per - 1, this.density.last_cta);

			return low === high ? 'block ' + count(low) : `blocks ${count(low)}–${count(high)}`;
		};

		return `${before}${range(x)} → ${range(y)}` + (before ? ': ' : '\n') + (cell
			? `${plural(cell.transfers, 'transfer')}, ${size(cell.bytes)}` : 'no transfer');
	}

	// Cells of at least a device pixel each.
	chooseLevel(pixels) {
		const span = Math.max(this.x.to - this.x.from, this.y.to - this.y.from);
		let chosen = 0;

		while (chosen + 1 < this.levels.length && (this.density.ctas_per_bin << chosen) * pixels / span < 1)
			chosen++;
		this.levels[chosen] = this.levels[chosen] || densityLevel(this.density, chosen);
		return this.levels[chosen];
	}

	paint() {
		const width = this.holder.clientWidth, ratio = window.devicePixelRatio || 1;
		const side = Math.max(60, width - DENSITY_MARGIN.left - DENSITY_MARGIN.right);
		const height = side + DENSITY_MARGIN.top + DENSITY_MARGIN.bottom;
		const context = this.canvas.getContext('2d');

		this.extent = side;
		this.canvas.width = Math.round(width * ratio);
		this.canvas.height = Math.round(height * ratio);
		this.canvas.style.height = height + 'px';
		context.setTransform(ratio, 0, 0, ratio, 0, 0);
		context.clearRect(0, 0, width, height);
		this.level = this.chooseLevel(side * ratio);
		this.paintCells(context, side);
		this.paintAxes(context, side);
		this.paintSide();
	}

	paintCells(context, side) {
		const {canvas, low, high} = levelImage(this.level, this.measure);
		const first = this.density.first_cta, whole = this.level.bins * this.level.per;
		const sx = side / (this.x.to - this.x.from), sy = side / (this.y.to - this.y.from);

		context.save();
		context.beginPath();
		context.rect(DENSITY_MARGIN.left, DENSITY_MARGIN.top, side, side);
		context.clip();
		context.imageSmoothingEnabled = false;
		context.drawImage(canvas, DENSITY_MARGIN.left + (first - this.x.from) * sx,
			DENSITY_MARGIN.top + side - (first + whole - this.y.from) * sy, whole * sx, whole * sy);
		context.restore();
		this.ends = [low, high];
	}

	paintAxes(context, side) {
		const left = DENSITY_MARGIN.left, bottom = DENSITY_MARGIN.top + side;
		const shift = this.level.per === 1 ? .5 : 0;
		const ticks = view => d3.scaleLinear().domain([view.from, view.to]).ticks(Math.max(2, Math.min(8, side / 80)))
			.filter(tick => Number.isInteger(tick) && tick + shift < view.to);

		context.strokeStyle = colour('line');
		context.strokeRect(left - .5, DENSITY_MARGIN.top - .5, side + 1, side + 1);
		context.fillStyle = colour('quiet');
		context.font = '11.5px ' + getComputedStyle(document.body).fontFamily;
		context.textAlign = 'center';
		for (const tick of ticks(this.x)) {
			const at = left + (tick + shift - this.x.from) / (this.x.to - this.x.from) * side;

			context.fillRect(at, bottom + 1, 1, 4);
			context.fillText(count(tick), at, bottom + 17);
		}
		context.fillText('block that writes', left + side / 2, bottom + 36);
		context.textAlign = 'right';
		for (const tick of ticks(this.y)) {
			const at = bottom - (tick + shift - this.y.from) / (this.y.to - this.y.from) * side;

			context.fillRect(left - 5, at, 4, 1);
			context.fillText(count(tick), left - 8, at + 4);
		}
		context.save();
		context.translate(11, DENSITY_MARGIN.top + side / 2);
		context.rotate(-Math.PI / 2);
		context.textAlign = 'center';
		context.fillText('block that reads', 0, 0);
		context.restore();
	}

	paintSide() {
		const context = this.rampNode.getContext('2d');
		const unit = this.measure === 'bytes' ? size : value => plural(value, 'transfer');

		for (let i = 0; i < 256; i++) {
			context.fillStyle = ramp(i / 255);
			context.fillRect(i, 0, 1, 1);
		}
		this.rampEnds.replaceChildren(el('span', {}, unit(this.ends[0])), el('span', {}, unit(this.ends[1])));
		this.scaleText.textContent = `logarithmic; empty: none. A cell is ${this.level.per === 1 ? 'one block by one block'
			: `${count(this.level.per)} by ${count(this.level.per)} blocks`}.`;
		for (const {axis, end, input} of this.bounds)
			input.value = end === 'from' ? Math.floor(this[axis].from) : Math.ceil(this[axis].to) - 1;
	}
}
