// SPDX-License-Identifier: Apache-2.0
// The time line of calls and activities: a row for each thread and stream, drawn on a canvas.
'use strict';

const LANE = 19, RANGE_LANE = 15, ROW_GAP = 7, GUTTER = 172, AXIS = 26, TRACKS_HEIGHT = 560;
const PROBLEM_HEIGHT = 4; // of the mark below a call that is not needed
const FINEST_NS = 20, LABEL_LEAST = 34, SLACK = 3, ARROWS_MAX = 200;

// Where each row and lane is, from the top.
function layTracks(spans) {
	let top = 0;
	const rows = tableOf('page_tracks').list().map(row => {
		const ranges = row.range_levels * RANGE_LANE, place = {top, ranges, height: ranges + Math.max(1, row.call_levels) * LANE};

		top += place.height + ROW_GAP;
		return place;
	});

	for (const lane of spans.lanes) {
		const row = rows[lane.row];

		lane.top = row.top + (lane.ranges ? lane.level * RANGE_LANE : row.ranges + lane.level * LANE);
		lane.height = (lane.ranges ? RANGE_LANE : LANE) - 2;
	}
	return {rows, height: top};
}

// Kernels have the colours that they have elsewhere in the page; those that are only here the next.
function kernelColours(spans) {
	const time = new Map();

	for (let i = 0; i < spans.count; i++)
		if (spans.kind[i] === KIND.kernel || spans.kind[i] === KIND.traced)
			time.set(spans.name[i], (time.get(spans.name[i]) || 0) + spans.end[i] - spans.begin[i]);
	return new Map([...time.keys()].sort((a, b) => time.get(b) - time.get(a)).map(name => {
		if (rankOf(name) === undefined)
			kernelRank.set(kernelKey(name), kernelRank.size);
		return [name, rankOf(name) < KERNEL_COLOURS ? 'k' + rankOf(name) : 'other'];
	}));
}

function stripes(context, base, line, gap) {
	const tile = document.createElement('canvas'), pen = tile.getContext('2d');

	tile.width = tile.height = gap;
	pen.fillStyle = base;
	pen.fillRect(0, 0, gap, gap);
	pen.strokeStyle = line;
	pen.lineWidth = 1.4;
	pen.beginPath();
	for (const shift of [-gap, 0, gap]) {
		pen.moveTo(shift, gap);
		pen.lineTo(shift + gap, 0);
	}
	pen.stroke();
	return context.createPattern(tile, 'repeat');
}

// The canvas is filled with these, of this theme.
class Palette {
	constructor(context, names) {
		const plain = Object.fromEntries(['surface', 'raised', 'line', 'faint', 'text', 'quiet', 'focus', 'call', 'call-inner', 'wait', 'copy', 'set', 'range', 'region', 'failed', 'problem', 'other',
			...d3.range(KERNEL_COLOURS).map(k => 'k' + k)].map(name => [name, colour(name)]));

		Object.assign(this, {plain, names, ink: isDark() ? '#10141a' : '#ffffff'});
		this.pixel = Object.fromEntries(Object.entries(plain).map(([name, hex]) => [name, pixelOf(hex)]));
		this.waiting = stripes(context, plain.wait, isDark() ? '#0007' : '#fff8', 5);
		this.traced = new Map([...new Set(names.values())].map(name => [name, stripes(context, plain[name], isDark() ? '#000a' : '#fffc', 6)]));
	}

	// The name of its colour.
	named(spans, i) {
		switch (spans.kind[i]) {
		case KIND.range: return 'range';
		case KIND.mark: return 'text';
		case KIND.region: return 'region';
		case KIND.kernel:
		case KIND.traced: return this.names.get(spans.name[i]);
		case KIND.copy: return 'copy';
		case KIND.set: return 'set';
		default: return spans.hasFailed(i) ? 'failed' : spans.isInner[i] ? 'call-inner' : 'call';
		}
	}

	of(spans, i) {
		const name = this.named(spans, i);

		return spans.kind[i] === KIND.traced ? this.traced.get(name) : this.plain[name];
	}

	shade(shade) {
		return {[SHADE.ranges]: 'range', [SHADE.calls]: 'call', [SHADE.waiting]: 'wait', [SHADE.inner]: 'call-inner', [SHADE.kernels]: 'k0', [SHADE.traced]: 'k0', [SHADE.copies]: 'copy'}[shade];
	}

	// Text on what is filled.
	label(spans, i) {
		return spans.kind[i] === KIND.range || spans.kind[i] === KIND.region || (spans.isInner[i] && spans.isCall(i)) ? this.plain.text : this.ink;
	}
}

// Draws what is in the window into a canvas of this width and height, scrolled down.
class TracksDrawing {
	constructor(state, context, palette, width, height, scroll) {
		const {view} = state;

		Object.assign(this, {state, spans: state.spans, context, palette, width, height, scroll, from: view.from, to: view.to, scale: width / (view.to - view.from)});
		context.textBaseline = 'middle';
		context.font = '11px ' + getComputedStyle(document.body).fontFamily;
	}

	x(time) {
		return (time - this.from) * this.scale;
	}

	isSeen(top, height) {
		return top + height >= this.scroll && top <= this.scroll + this.height;
	}

	all() {
		const {context, palette, state} = this;

		this.pixels = state.pixels = state.pixels && state.pixels.fits(context) ? state.pixels : new Pixels(context);
		this.wide = [];
		this.pixels.rect(0, 0, this.width, this.height, palette.pixel.surface);
		state.layout.rows.forEach((row, number) => {
			if (!this.isSeen(row.top, row.height))
				return;
			this.pixels.rect(0, row.top - this.scroll - 2, this.width, row.height + 2, palette.pixel.raised);
			this.bins(row, number);
		});
		for (const lane of this.spans.lanes)
			if (this.isSeen(lane.top, lane.height))
				this.lane(lane);
		context.putImageData(this.pixels.image, 0, 0);
		for (const [i, low, high, lane] of this.wide)
			this.span(i, low, high, lane.top - this.scroll, lane.height);
		this.marked(state.hovered, false);
		this.marked(state.selected, true);
	}

	// Draws what is not shown one by one: how much of each pixel's time it fills, one shade
	// above the other.
	bins(row, number) {
		const bins = this.spans.bins[number];

		if (!bins)
			return;
		const isStream = isKnown(tableOf('page_tracks').list()[number].stream);
		const lanes = isStream ? [[[SHADE.kernels, SHADE.traced, SHADE.copies], row.ranges, LANE]]
			: [[[SHADE.ranges], 0, RANGE_LANE], [[SHADE.waiting, SHADE.calls], row.ranges, LANE], [[SHADE.inner], row.ranges + LANE, LANE]];
		const edges = this.edges();

		for (const [shades, offset, height] of lanes) {
			const bottom = new Float64Array(edges.length).fill(row.top + offset + height - 2 - this.scroll);

			for (const shade of shades.filter(one => bins.sums[one]))
				this.area(number, shade, edges, bottom, height - 2);
		}
	}

	// Where columns begin and end: every other pixel, or bins where these are wider.
	edges() {
		const step = Math.max(2, this.spans.bin_ns * this.scale), first = step > 2 ? -(this.from / this.spans.bin_ns % 1) * step : 0;

		return d3.range(Math.ceil((this.width - first) / step) + 1).map(i => first + i * step);
	}

	// Columns of a shade on top of what is there, those of one height as one.
	area(number, shade, edges, bottom, height) {
		const pixel = this.palette.pixel[this.palette.shade(shade)];
		let before = this.spans.before(number, shade, this.from + edges[0] / this.scale), begun = 0, tall = 0, top = 0;
		const flush = i => {
			if (tall)
				this.pixels.rect(edges[begun], top, edges[i] - edges[begun], tall, pixel, 128);
			begun = i;
		};

		for (let i = 0; i + 1 < edges.length; i++) {
			const until = this.spans.before(number, shade, this.from + edges[i + 1] / this.scale);
			const part = (until - before) * this.scale / (edges[i + 1] - edges[i]), now = part > 1e-9 ? Math.max(2, Math.round(Math.min(1, part) * height)) : 0;

			if (now !== tall || bottom[i] - now !== top)
				flush(i);
			before = until;
			tall = now;
			bottom[i] -= now;
			top = bottom[i];
		}
		flush(edges.length - 1);
	}

	// Spans too short for a pixel share one, which has the colour of the longest, without stripes.
	lane(lane) {
		const {spans, palette, pixels} = this, top = lane.top - this.scroll;
		let column = -1, taken = 0, longest = -1, hasProblem = false;
		const flush = () => {
			if (longest < 0)
				return;
			pixels.rect(column, top, 1, lane.height, palette.pixel[this.fillOf(longest)], Math.round(256 * Math.max(.45, Math.min(1, taken * this.scale))));
			if (hasProblem)
				pixels.rect(column, top + lane.height - PROBLEM_HEIGHT, 1, PROBLEM_HEIGHT, palette.pixel.problem);
			longest = -1;
			hasProblem = false;
		};

		for (let i = spans.firstOf(lane, this.from); i < lane.last && spans.begin[i] <= this.to; i++) {
			const low = this.x(spans.begin[i]), high = this.x(spans.end[i]);

			if (high - low >= 2) {
				flush();
				this.wide.push([i, Math.max(-2, low), Math.min(this.width + 2, high), lane]);
				continue;
			}
			if (Math.floor(low) !== column) {
				flush();
				column = Math.floor(low);
				taken = 0;
			}
			taken += spans.end[i] - spans.begin[i];
			hasProblem = hasProblem || spans.problem[i] > 0;
			if (longest < 0 || spans.hasFailed(i) || spans.end[i] - spans.begin[i] > spans.end[longest] - spans.begin[longest])
				longest = i;
		}
		flush();
	}

	fillOf(i) {
		return 2 * this.spans.waited[i] > this.spans.end[i] - this.spans.begin[i] ? 'wait' : this.palette.named(this.spans, i);
	}

	span(i, low, high, top, height) {
		const {spans, context, palette} = this;

		const wide = high - low > 3 ? high - low - .7 : high - low;

		context.fillStyle = palette.of(spans, i);
		context.fillRect(low, top, wide, height);
		context.fillStyle = palette.waiting;
		for (const wait of spans.waits.get(i) || []) {
			const from = Math.max(low, this.x(wait.from)), to = Math.min(low + wide, this.x(wait.to));

			if (to > from)
				context.fillRect(from, top, Math.max(1, to - from), height);
		}
		if (spans.problem[i]) {
			context.fillStyle = palette.plain.problem;
			context.fillRect(low, top + height - PROBLEM_HEIGHT, wide, PROBLEM_HEIGHT);
		}
		if (high - low >= LABEL_LEAST)
			this.label(i, Math.max(0, low), Math.min(this.width, low + wide), top, height);
	}

	label(i, low, high, top, height) {
		const {context} = this, room = high - low - 8;
		let text = this.spans.shortTitle(i);

		if (room < LABEL_LEAST - 8)
			return;
		if (context.measureText(text).width > room)
			text = text.replace(/^cuda?(?=[A-Z])/, '');
		const full = context.measureText(text).width;

		if (full > room)
			text = text.slice(0, Math.floor(text.length * room / full) - 1) + '…';
		if (text.length < 3)
			return;
		context.fillStyle = this.palette.label(this.spans, i);
		if (this.spans.kind[i] === KIND.traced || this.spans.waited[i]) {
			// On stripes letters need ground of their own.
			const wide = Math.min(room, context.measureText(text).width) + 4;

			context.fillStyle = this.palette.plain.surface;
			context.globalAlpha = .85;
			context.fillRect(low + 2, top + 2, wide, height - 4);
			context.globalAlpha = 1;
			context.fillStyle = this.palette.plain.text;
		}
		context.fillText(text, low + 4, top + height / 2 + .5);
	}

	box(i) {
		const lane = this.state.laneOf(i), low = this.x(this.spans.begin[i]);

		return {low, high: Math.max(low + 1.5, this.x(this.spans.end[i])), top: lane.top - this.scroll, height: lane.height};
	}

	// A span, and arrows between it and what it caused or was caused by.
	marked(i, isSelected) {
		const {spans, context, palette} = this;

		if (i < 0)
			return;
		const cause = spans.cause[i] - 1, from = cause >= 0 ? cause : i, partners = spans.caused.get(from) || [];

		context.strokeStyle = context.fillStyle = palette.plain.focus;
		context.lineWidth = isSelected ? 2 : 1.2;
		for (const one of [i, ...(cause >= 0 ? [cause] : partners.slice(0, ARROWS_MAX))])
			this.outline(one);
		for (const to of cause >= 0 ? [i] : partners.slice(0, ARROWS_MAX))
			this.arrow(from, to);
		context.lineWidth = isSelected ? 2 : 1.2;
		(spans.waits.get(i) || []).filter(wait => wait.forSpan >= 0).slice(0, ARROWS_MAX).forEach(wait => this.outline(wait.forSpan));
	}

	outline(i) {
		const {low, high, top, height} = this.box(i), from = Math.max(-4, low), to = Math.min(this.width + 4, high);

		if (to > from)
			this.context.strokeRect(from - 1, top - 1, to - from + 2, height + 2);
	}

	arrow(from, to) {
		const {context} = this, a = this.box(from), b = this.box(to), clip = x => Math.max(-1e4, Math.min(1e4, x));
		const x0 = clip((a.low + Math.min(a.high, a.low + 8)) / 2), y0 = a.top + a.height, x1 = clip(b.low), y1 = b.top;

		context.lineWidth = 1.2;
		context.beginPath();
		context.moveTo(x0, y0);
		context.bezierCurveTo(x0, (y0 + y1) / 2, x1, (y0 + y1) / 2, x1, y1 - 3);
		context.stroke();
		context.beginPath();
		context.moveTo(x1, y1);
		context.lineTo(x1 - 3.5, y1 - 6);
		context.lineTo(x1 + 3.5, y1 - 6);
		context.fill();
	}
}

// Ticks from the last round time that is seen on: its own, then how much later.
function drawTimeAxis(context, palette, view, left, width) {
	const scale = d3.scaleLinear().domain([view.from, view.to]).range([0, width]), ticks = scale.ticks(Math.max(2, Math.floor(width / 110)));
	const step = ticks.length > 1 ? ticks[1] - ticks[0] : view.to - view.from, unit = step >= 1e8 ? [1e9, 's'] : step >= 1e5 ? [1e6, 'ms'] : step >= 100 ? [1e3, 'µs'] : [1, 'ns'];
	const base = Math.floor(ticks[0] / (unit[0] * 1000)) * unit[0] * 1000, digits = Math.max(0, Math.ceil(Math.log10(unit[0] / step) - 1e-9));

	context.font = '11px ' + getComputedStyle(document.body).fontFamily;
	context.textBaseline = 'middle';
	context.strokeStyle = palette.plain.line;
	context.fillStyle = palette.plain.quiet;
	context.textAlign = 'right';
	context.fillText(base ? round(moment(base)) + ' +' : 'time', left - 8, 9);
	context.textAlign = 'center';
	for (const tick of ticks) {
		const x = left + scale(tick), text = ((tick - base) / unit[0]).toFixed(digits) + THIN + unit[1];

		context.beginPath();
		context.moveTo(x + .5, 17);
		context.lineTo(x + .5, 22);
		context.stroke();
		if (x > left + 10 && x < left + width - 20)
			context.fillText(text, x, 9);
	}
	context.textAlign = 'left';
	// Which part of the run is seen.
	const all = view.max - view.min;

	context.fillStyle = palette.plain.faint;
	context.fillRect(left, 22, width, 3);
	context.fillStyle = palette.plain.quiet;
	context.fillRect(left + (view.from - view.min) / all * width, 22, Math.max(3, (view.to - view.from) / all * width), 3);
}
