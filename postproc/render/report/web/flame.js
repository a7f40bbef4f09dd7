// SPDX-License-Identifier: Apache-2.0
// A flame graph of paths of calls, from the run on top to lines of the source.
'use strict';

const FLAME_ROW = 19, FLAME_LETTER = 6.3;
const FLAME_KIND = ['on the host', 'kernel', 'device function', 'inlined device function', 'line', 'lighter ones together'];
const FLAME_KINDS = ['host', 'kernel', 'function', 'inlined', 'line', 'rest'], FLAME_LINE = 4, FLAME_REST = 5;
const FLAME_LEAST = .001; // of all weight: lighter frames are one in what calls them

// The frames as a tree below the run; callers come before what they call.
function flameTree() {
	const frames = [{id: 0, parent: null, kind: -1, name: 'the run', place: null, weight: onlyRow('page_blame').flame_weight, all: [], some: new Map(), children: [], depth: 0}];
	const blamed = new Map();

	for (const {flame, variable_number: variable, flame_weight: weight} of tableOf('page_flame_blame').list())
		addTo(blamed, flame, [variable, isKnown(weight) ? weight : null]);
	tableOf('page_flame').list().forEach(row => {
		const above = frames[row.parent_flame], kind = FLAME_KINDS.indexOf(row.kind), of = blamed.get(row.flame) || [], {flame_weight: weight, name} = row, place = row.place || null;
		const frame = {id: row.flame, parent: above, kind, weight, place, all: of.filter(([, part]) => part === null).map(([variable]) => variable),
			some: new Map(of.filter(([, part]) => part !== null)), children: [], depth: above.depth + 1,
			name: kind === FLAME_LINE ? placeText(place) || 'unknown line' : kind === FLAME_REST ? 'other lines and calls' : name};

		frames.push(frame);
		above.children.push(frame);
	});
	frames.forEach(frame => frame.children.sort((a, b) => (a.kind === FLAME_REST) - (b.kind === FLAME_REST) || b.weight - a.weight));
	return frames;
}

// By frame, the weight of what is in it, summed from lines to the run.
function flameSums(frames, of) {
	const sums = frames.map(of);

	for (let i = frames.length - 1; i > 0; i--)
		sums[frames[i].parent.id] += sums[i];
	return sums;
}

function sourceLine(place) {
	const excerpt = place && excerptOf(place);

	return excerpt ? excerpt[1 + place[1] - excerpt[0]].trim() : '';
}

// Draws frames; onChoose(frame) when one is zoomed to, the run itself to let it go.
class FlameGraph {
	constructor(parts, frames, onChoose) {
		Object.assign(this, {parts, frames, onChoose, zoomed: frames[0], current: frames[0], words: '', found: null, part: null, width: 0});
		this.search = el('input', {type: 'search', placeholder: 'find a function, file or line', 'aria-label': 'Find in the flame graph',
			oninput: event => this.find(event.target.value)});
		this.matched = el('span', {class: 'count', role: 'status'});
		this.back = el('button', {type: 'button', onclick: () => this.reset()}, 'Reset');
		parts.tools.hidden = false;
		parts.tools.append(this.search, this.back, el('span', {class: 'none hint'}, 'click or ', el('kbd', {}, 'Enter'), ' zooms, ', el('kbd', {}, '↑'), ' ', el('kbd', {}, '↓'),
			' ', el('kbd', {}, '←'), ' ', el('kbd', {}, '→'), ' move, ', el('kbd', {}, 'Esc'), ' resets'), this.matched);
		parts.node.addEventListener('keydown', event => {
			if (event.key === 'Escape')
				this.reset();
		});
		draw(parts.chart, width => { this.width = width; this.draw(); });
		this.tell();
	}

	share(weight, of = this.frames[0]) {
		return of.weight > 0 ? weight / of.weight : 0;
	}

	// Returns what stands in it.
	label(frame) {
		return frame.kind === FLAME_LINE ? `${frame.name} ${sourceLine(frame.place)}` : frame.kind < FLAME_LINE ? shortName(frame.name) : frame.name;
	}

	text(frame) {
		const call = frame.kind >= 0 && frame.kind < FLAME_LINE && frame.place ? ', called at ' + placeText(frame.place) : '';
		const zoomed = this.zoomed.id && frame !== this.zoomed ? `, ${percent(this.share(frame.weight, this.zoomed))} of ${this.zoomed.name}` : '';
		const part = this.part ? `\n${percent(this.share(this.part.sums[frame.id], frame))} of it flows into ${this.part.name}` : '';
		const line = frame.kind === FLAME_LINE && sourceLine(frame.place) ? '\n' + sourceLine(frame.place) : '';

		return `${frame.name}${frame.kind < 0 || frame.kind === FLAME_REST ? '' : ', ' + FLAME_KIND[frame.kind]}${call}\n` +
			`${percent(this.share(frame.weight))} of all${zoomed}; weight ${count(Math.round(frame.weight))}${line}${part}`;
	}

	// Those whose names have the words; of what calls one another the outermost counts.
	find(words) {
		const wanted = words.toLowerCase().split(/\s+/).filter(Boolean);
		const has = frame => frame.id && frame.kind !== FLAME_REST && wanted.every(word => frame.name.toLowerCase().includes(word));

		this.words = words;
		this.found = wanted.length ? new Set(this.frames.filter(has)) : null;
		const inside = frame => frame && (this.found.has(frame) || inside(frame.parent));
		const weight = this.found ? d3.sum([...this.found].filter(frame => !inside(frame.parent)), frame => frame.weight) : 0;

		this.matched.textContent = this.found ? `${plural(this.found.size, 'frame')}, ${percent(this.share(weight))} of all` : '';
		this.draw();
	}

	// part: {name, sums: weights by frame} to show how much of each frame it is; null: of none
	mark(part) {
		this.part = part;
		this.draw();
		this.tell();
	}

	zoom(frame) {
		this.zoomed = this.current = frame;
		this.draw();
		this.tell();
		this.onChoose(frame);
	}

	reset() {
		this.search.value = '';
		this.part = null;
		this.find('');
		this.zoom(this.frames[0]);
	}

	tell() {
		say(this.parts, this.text(this.current).replace(/\n/g, '; ') + ' ');
		if (this.current.place)
			this.parts.status.append(placeLink(this.current.place));
	}

	move(frame) {
		if (!frame)
			return;
		this.current = frame;
		if (!this.boxes.has(frame)) {
			this.zoomed = frame;
			this.onChoose(frame);
		}
		this.draw();
		this.tell();
	}

	beside(step) {
		const {parent} = this.current;

		return parent && parent.children[parent.children.indexOf(this.current) + step];
	}

	key(event) {
		const to = {ArrowUp: () => this.move(this.current.parent), ArrowDown: () => this.move(this.current.children[0]),
			ArrowLeft: () => this.move(this.beside(-1)), ArrowRight: () => this.move(this.beside(1)), Enter: () => this.zoom(this.current)}[event.key];

		if (to) {
			event.preventDefault();
			to();
		}
	}

	// Where frames stand: what is zoomed to and what called it all across, below it by weight.
	lay(width) {
		this.boxes = new Map();
		for (let frame = this.zoomed; frame; frame = frame.parent)
			this.boxes.set(frame, {x: 0, width});
		const below = (frame, from, across) => {
			let x = from;

			for (const child of frame.children) {
				const wide = frame.weight > 0 ? across * child.weight / frame.weight : 0;

				if (wide >= .5) {
					this.boxes.set(child, {x, width: wide});
					below(child, x, wide);
				}
				x += wide;
			}
		};

		below(this.zoomed, 0, width);
	}

	draw() {
		if (!this.width)
			return;
		this.lay(this.width);
		const rows = 1 + d3.max([...this.boxes.keys()], frame => frame.depth), f = frame(this.parts.chart, this.width, rows * FLAME_ROW + 2, {left: 0, right: 0, top: 1, bottom: 1}, 'Flame graph of calls');

		if (!f.svg.hasAttribute('tabindex')) {
			f.svg.setAttribute('tabindex', 0);
			f.svg.setAttribute('role', 'tree');
			f.svg.classList.add('flame');
			f.svg.addEventListener('keydown', event => this.key(event));
		}
		f.svg.setAttribute('aria-activedescendant', 'flame-' + this.current.id);
		for (const [of, box] of this.boxes)
			this.box(f.plot, of, box);
		this.back.disabled = !this.zoomed.id && !this.part && !this.found;
	}

	box(plot, of, {x, width}) {
		const part = this.part && this.share(this.part.sums[of.id], of), classes = ['frame', of.kind < 0 ? 'run' : FLAME_KINDS[of.kind]];
		const y = of.depth * FLAME_ROW, label = this.label(of), letters = Math.floor((width - 6) / FLAME_LETTER);

		if (this.found && !this.found.has(of) || this.part && !part)
			classes.push('pale');
		if (this.found && this.found.has(of))
			classes.push('found');
		if (of === this.current)
			classes.push('current');
		const group = plot.append('g').attr('class', classes.join(' ')).attr('id', 'flame-' + of.id).attr('role', 'treeitem').attr('aria-level', of.depth + 1)
			.attr('aria-label', this.text(of)).datum(of).on('click', () => this.zoom(of)).call(hoverable, () => this.text(of));

		group.append('rect').attr('class', 'frame').attr('x', x).attr('y', y).attr('width', width).attr('height', FLAME_ROW - 1);
		if (part)
			group.append('rect').attr('class', 'part').attr('x', x).attr('y', y).attr('width', width * part).attr('height', FLAME_ROW - 1);
		if (letters >= 3)
			group.append('text').attr('x', x + 4).attr('y', y + 13).text(label.length > letters ? label.slice(0, letters - 1) + '…' : label);
	}
}
