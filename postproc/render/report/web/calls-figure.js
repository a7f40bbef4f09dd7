// SPDX-License-Identifier: Apache-2.0
// The figure of calls and activities: its parts, keys, pointer, and what is said of it.
'use strict';

// A canvas whose pixels are those of the screen.
function sharpen(canvas, width, height) {
	const ratio = window.devicePixelRatio || 1, context = canvas.getContext('2d');

	if (canvas.width !== Math.round(width * ratio) || canvas.height !== Math.round(height * ratio)) {
		canvas.width = Math.round(width * ratio);
		canvas.height = Math.round(height * ratio);
		canvas.style.width = width + 'px';
		canvas.style.height = height + 'px';
	}
	context.setTransform(ratio, 0, 0, ratio, 0, 0);
	return context;
}

class CallsFigure {
	constructor(parts) {
		this.parts = parts;
		this.spans = new Spans();
		this.layout = layTracks(this.spans);
		this.view = new Window(0, this.spans.runNs, Math.min(FINEST_NS, this.spans.runNs));
		this.selected = this.hovered = -1;
		this.row = 0;
		this.names = kernelColours(this.spans);
		this.frame = 0;
		this.build();
	}

	laneOf(i) {
		return this.spans.lanes[firstWhere(0, this.spans.lanes.length - 1, lane => this.spans.lanes[lane].last > i)];
	}

	build() {
		const {parts} = this, height = Math.min(TRACKS_HEIGHT, this.layout.height);

		this.axis = el('canvas', {class: 'tracks-axis', 'aria-hidden': 'true'});
		this.canvas = el('canvas', {class: 'tracks-canvas', role: 'application', 'aria-label': `time line of ${plural(this.spans.count, 'call and activity', 'calls and activities')} in ${plural(tableOf('page_tracks').length, 'row')}; ` +
			'arrow keys move, plus and minus zoom, n and p go from one to the next in a row, up and down change the row, c follows to what is caused', 'aria-describedby': 'calls-detail'});
		this.labels = tableOf('page_tracks').list().map((row, i) => {
			const label = el('div', {class: 'track-name', title: `${trackName(row)}: ${plural(row.spans, isKnown(row.stream) ? 'activity' : 'call', isKnown(row.stream) ? 'activities' : 'calls and ranges')}`}, trackName(row));

			label.style.top = this.layout.rows[i].top + this.layout.rows[i].ranges + 'px';
			return label;
		});
		this.space = el('div', {class: 'tracks-space'}, this.labels, this.canvas);
		this.space.style.height = this.layout.height + 'px';
		this.scroller = el('div', {class: 'tracks-scroll', onscroll: () => this.update()}, this.space);
		this.scroller.style.height = height + 'px';
		this.detail = el('div', {class: 'span-detail', id: 'calls-detail', role: 'region', 'aria-label': 'Selected call or activity', 'aria-live': 'polite'});
		this.detail.hidden = true;
		parts.chart.append(this.axis, this.scroller, this.detail);
		this.buildTools();
		this.listen();
		draw(parts.chart, width => this.resize(width));
	}

	buildTools() {
		const {parts, view} = this;
		const button = (text, title, act) => el('button', {type: 'button', title, onclick: () => { act(); this.update(); }}, text);

		this.search = el('input', {type: 'search', placeholder: 'find by name', 'aria-label': 'Find a call, kernel or range by name', onkeydown: event => {
			if (event.key === 'Enter')
				this.find(event.target.value, event.shiftKey ? -1 : 1);
		}});
		parts.tools.hidden = false;
		parts.tools.append(button('+', 'Zoom in', () => view.zoom(.5)), button('−', 'Zoom out', () => view.zoom(2)), button('All', 'The whole run', () => view.reset()),
			this.search, el('span', {class: 'none'}, keysHint('Focus it:'), ', ', el('kbd', {}, 'n'), ' ', el('kbd', {}, 'p'), ' next, previous, ', el('kbd', {}, '↑'), ' ', el('kbd', {}, '↓'), ' row, ',
				el('kbd', {}, 'c'), ' caused, ', el('kbd', {}, 'Enter'), ' zoom to it'));
	}

	resize(width) {
		this.width = Math.max(80, width - GUTTER - (this.scroller.offsetWidth - this.scroller.clientWidth));
		this.palette = null;
		this.drawNow();
	}

	update() {
		if (!this.frame)
			this.frame = requestAnimationFrame(() => this.drawNow());
	}

	drawNow() {
		cancelAnimationFrame(this.frame);
		this.frame = 0;
		if (!this.width)
			return;
		const height = this.scroller.clientHeight, context = sharpen(this.canvas, this.width, height), axis = sharpen(this.axis, this.width + GUTTER, AXIS);

		this.palette = this.palette || new Palette(context, this.names);
		new TracksDrawing(this, context, this.palette, this.width, height, this.scroller.scrollTop).all();
		axis.clearRect(0, 0, this.width + GUTTER, AXIS);
		drawTimeAxis(axis, this.palette, this.view, GUTTER, this.width);
	}

	// Returns what is under the pointer: {span} or {row, time}.
	under(event) {
		const box = this.canvas.getBoundingClientRect(), time = this.timeAt(event), y = event.clientY - box.top + this.scroller.scrollTop;
		const slack = SLACK * (this.view.to - this.view.from) / this.width;
		const lane = this.spans.lanes.find(one => y >= one.top && y < one.top + one.height + 2), span = lane ? this.spans.at(lane, time, slack) : -1;

		return {span, row: this.layout.rows.findIndex(row => y >= row.top && y < row.top + row.height), time};
	}

	timeAt(event) {
		const box = this.canvas.getBoundingClientRect();

		return this.view.from + (event.clientX - box.left) / box.width * (this.view.to - this.view.from);
	}

	listen() {
		const {canvas} = this;
		let pressed = null;

		zoomable(canvas, this.view, event => this.timeAt(event), () => this.update());
		canvas.addEventListener('keydown', event => this.key(event));
		canvas.addEventListener('pointerdown', event => { pressed = {x: event.clientX, y: event.clientY}; });
		canvas.addEventListener('pointerup', event => {
			if (pressed && Math.abs(event.clientX - pressed.x) < 3 && Math.abs(event.clientY - pressed.y) < 3)
				this.select(this.under(event).span);
			pressed = null;
		});
		canvas.addEventListener('pointermove', event => this.hover(event));
		canvas.addEventListener('pointerleave', () => this.hover(null));
	}

	hover(event) {
		const {span, row, time} = event && event.buttons === 0 ? this.under(event) : {span: -1, row: -1};
		const text = span >= 0 ? tipOfSpan(this.spans, span) : row >= 0 ? tipOfBin(this.spans, row, time) : null;

		if (span !== this.hovered) {
			this.hovered = span;
			this.update();
		}
		this.canvas.style.cursor = span >= 0 ? 'pointer' : '';
		if (text)
			tip.show(event, text);
		else
			tip.hide();
	}

	key(event) {
		const keys = {
			n: () => this.step(1), p: () => this.step(-1), ArrowDown: () => this.stepRow(1), ArrowUp: () => this.stepRow(-1),
			c: () => this.follow(), Enter: () => this.selected >= 0 && this.zoomTo(this.selected), Escape: () => this.select(-1),
		};

		if (!keys[event.key] || event.ctrlKey || event.metaKey || event.altKey)
			return;
		event.preventDefault();
		keys[event.key]();
		this.update();
	}

	// The next or previous span of the row that begins elsewhere; without a selection the first that is seen.
	step(way) {
		const {spans} = this, row = this.selected >= 0 ? spans.row[this.selected] : this.row, from = this.selected >= 0 ? spans.begin[this.selected] : this.view.from;
		const isNew = this.selected < 0;
		let best = -1;

		for (const lane of spans.lanes) {
			if (lane.row !== row)
				continue;
			const after = firstWhere(lane.first, lane.last, i => way > 0 && !isNew ? spans.begin[i] > from : spans.begin[i] >= from), i = way > 0 ? after : after - 1;

			if (i >= lane.first && i < lane.last && (best < 0 || (spans.begin[i] - spans.begin[best]) * way < 0))
				best = i;
		}
		if (best >= 0)
			this.go(best);
	}

	stepRow(way) {
		const rows = tableOf('page_tracks').length, from = this.selected >= 0 ? this.spans.row[this.selected] : this.row;

		this.row = Math.max(0, Math.min(rows - 1, from + way));
		const lanes = this.spans.lanes.filter(lane => lane.row === this.row), time = this.selected >= 0 ? this.spans.begin[this.selected] : this.view.from;
		const next = lanes.map(lane => Math.min(lane.last - 1, firstWhere(lane.first, lane.last, i => this.spans.end[i] >= time)));

		if (next.length)
			this.go(next.reduce((a, b) => Math.abs(this.spans.begin[b] - time) < Math.abs(this.spans.begin[a] - time) ? b : a));
	}

	follow() {
		const caused = this.spans.caused.get(this.selected), cause = this.spans.cause[this.selected] - 1;

		if (caused)
			this.go(caused[0]);
		else if (cause >= 0)
			this.go(cause);
	}

	find(text, way) {
		const wanted = text.trim().toLowerCase(), {spans} = this;

		if (!wanted || !spans.count)
			return;
		if (this.found === undefined || this.found.wanted !== wanted)
			this.found = {wanted, list: d3.range(spans.count).filter(i => spans.title(i).toLowerCase().includes(wanted)).sort((a, b) => spans.begin[a] - spans.begin[b])};
		const {list} = this.found, at = list.indexOf(this.selected);

		if (!list.length) {
			say(this.parts, `Nothing that is shown one by one is called “${text}”.`);
			return;
		}
		const next = at < 0 ? 0 : (at + way + list.length) % list.length;

		this.go(list[next]);
		say(this.parts, `${count(next + 1)} of ${count(list.length)} found; Enter goes on.`);
	}

	// Selects a span and brings it into view.
	go(i) {
		const {view, spans} = this, lane = this.laneOf(i), seen = this.scroller;

		this.select(i);
		if (spans.end[i] < view.from || spans.begin[i] > view.to || (spans.end[i] - spans.begin[i]) * this.width < 2 * (view.to - view.from))
			this.zoomTo(i);
		if (lane.top < seen.scrollTop || lane.top + lane.height > seen.scrollTop + seen.clientHeight)
			seen.scrollTop = lane.top - 30;
		this.update();
	}

	zoomTo(i) {
		const {spans, view} = this, span = Math.max(spans.end[i] - spans.begin[i], 8 * FINEST_NS);

		view.set(spans.begin[i] - 3 * span, spans.begin[i] + 5 * span);
		this.update();
	}

	select(i) {
		this.selected = i;
		if (i >= 0)
			this.row = this.spans.row[i];
		this.detail.hidden = i < 0;
		this.detail.replaceChildren(...(i < 0 ? [] : spanDetail(this.spans, i, to => this.go(to), () => { this.select(-1); this.canvas.focus(); })).filter(Boolean));
		this.update();
	}
}

function callsLegend(names, spans) {
	const kinds = new Set(spans.kind), has = (...of) => of.some(kind => kinds.has(kind));
	const kernels = [...names].filter(([, name]) => name !== 'other').map(([number, name]) => ({name: shortName(number), title: number, colour: `var(--${name})`}));
	const striped = (base, gap) => `repeating-linear-gradient(135deg, var(--${base}) 0 ${gap}px, var(--surface) ${gap}px ${gap + 2}px)`;

	return legend([
		has(KIND.runtime, KIND.driver) ? {name: 'call', colour: 'var(--call)'} : null,
		tableOf('page_waits').length ? {name: 'of it, waiting for a device', colour: striped('wait', 3)} : null,
		tableOf('page_problems').length ? {name: 'not needed, or not here', colour: 'var(--problem)'} : null,
		has(KIND.range) ? {name: 'range', colour: 'var(--range)'} : null,
		has(KIND.region) ? {name: 'region', colour: 'var(--region)'} : null,
		...kernels,
		names.size > kernels.length ? {name: plural(names.size - kernels.length, 'other kernel'), colour: 'var(--other)'} : null,
		has(KIND.traced) ? {name: 'striped: traced, not the program’s time', colour: striped('other', 4)} : null,
		has(KIND.copy) ? {name: 'copy', colour: 'var(--copy)'} : null,
		has(KIND.set) ? {name: 'memset', colour: 'var(--set)'} : null,
		spans.result.some(value => value && value !== NOT_READY) ? {name: 'failed call', colour: 'var(--failed)'} : null,
	].filter(Boolean));
}

function callsNotes() {
	const calls = onlyRow('page_calls'), shown = tableOf('page_spans').length, parts = tableOf('call_parts').list(), missing = [...new Set(parts.map(part => part.missing).filter(Boolean))];
	const error = Math.max(0, ...parts.map(part => part.clock_error_seconds));

	return [
		shown < calls.all_spans ? `${count(shown)} of ${count(calls.all_spans)} calls and activities are here one by one: failed ones, the first of each name, the longest ranges, the longest in each place of each row, ` +
			`the longest of all, and what they caused. Faint columns say how much of the time the others fill, in steps of ${duration(calls.bin_ns / 1e9)}.` : null,
		calls.left_rows ? `${plural(calls.left_rows, 'thread or stream', 'threads and streams')} with the least time have no row; ${plural(calls.left_spans, 'call or activity', 'calls and activities')} are in them.` : null,
	].concat(missing.map(text => ({text: `Not recorded: ${text}.`})),
		calls.waits_are_bounds ? {text: 'What the devices did is not recorded: calls that only synchronise are shown as waiting all of the time, which is the most it can be.'} : null,
		error ? {text: `Devices’ times agree with the host’s to ${duration(error)}.`} : null).filter(Boolean);
}

function callsSection() {
	const notes = callsNotes();
	const parts = figure({id: 'calls', title: 'Calls and activities', wide: true,
		about: 'What each host thread called and waited for, and what each stream of the devices did. Point at something for its stack; click to keep it and to see what it caused.',
		aggregated: notes.filter(note => typeof note === 'string')});

	notes.filter(note => note.text).forEach(note => parts.node.append(el('p', {class: 'none note'}, note.text)));
	if (tableOf('page_spans').length) {
		const shown = new CallsFigure(parts);

		parts.chart.before(callsLegend(shown.names, shown.spans));
		parts.node.calls = shown;
	} else {
		parts.chart.append(el('p', {class: 'none'}, 'Nothing was called.'));
	}
	return parts.node;
}
