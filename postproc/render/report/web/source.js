// SPDX-License-Identifier: Apache-2.0
// The source view: files with what is known of each line, lines to jump to, and links that lead there.
'use strict';

const LISTED_LINES = 60;

// Says of a file that it is not any more what was compiled.
function stateOf(source) {
	if (source.state === 'changed since')
		return 'The file has changed since: these are the lines of when the program ran.';
	if (source.state)
		return 'The file was modified after the program was built: its lines may be others than the program has.';
	return source.found ? null : 'The trace has no lines of it, and the source was not at hand when the report was made. ctpost report --source-root=DIR looks for it under DIR.';
}

function problemMarks(of) {
	return of ? of.problems.map(problem => el('a', {class: 'problem-mark', href: `#problem-${problem.problem_number}`, title: `${problem.text} → ${problem.fix}`}, String(problem.problem_number))) : null;
}

function figureCell(column, of) {
	const value = of ? column.value(of) : null, cell = el('td', {class: 'figure-cell'}, value === null ? null : column.format(value));

	if (column.bar && value)
		cell.style.setProperty('--part', (100 * value / column.most).toFixed(1) + '%');
	return cell;
}

// Files with lines, one at a time, beside a list of lines. first: a place; null: the first line of the list.
// study: of two, the only one whose files are shown, without a list
class SourceView {
	constructor(first, study) {
		const at = first ? lineFigures.get(first[0] + ':' + first[1]) : null;

		this.study = study;
		this.by = (at && lineColumns.find(column => column.sort(at) > 0)) || lineColumns[0] || null;
		this.file = -1;
		this.marked = null;
		this.files = el('select', {'aria-label': 'File', onchange: () => this.show([Number(this.files.value), 0])},
			sources.map((source, i) => study && source.study !== study ? null : el('option', {value: i, title: source.path}, source.shown + (source.found ? '' : ' (not at hand)'))));
		this.note = el('p', {class: 'none'});
		this.code = el('div', {class: 'code', tabindex: 0, role: 'region', 'aria-label': 'source'});
		this.list = el('ol', {class: 'hot-lines'});
		this.chosen = el('select', {'aria-label': 'Lines by', onchange: () => { this.by = lineColumns[this.chosen.value]; this.update(); }},
			lineColumns.map((column, i) => el('option', {value: i, selected: column === this.by}, column.title)));
		this.node = el('div', {class: 'source-view' + (lineColumns.length && !study ? '' : ' plain')},
			lineColumns.length && !study ? el('div', {class: 'hot'}, el('label', {}, 'Lines by ', this.chosen), this.list) : null,
			el('div', {class: 'file'}, el('div', {class: 'file-head'}, this.files), this.note, this.code));
		this.update();
		this.show(first || (this.listed()[0] || {place: [Math.max(0, sources.findIndex(source => !study || source.study === study)), 0]}).place);
	}

	listed() {
		return this.by ? [...lineFigures.values()].filter(of => this.by.sort(of) > 0 && !isSystem(of.place[0]) && (!this.study || sources[of.place[0]].study === this.study)).sort((a, b) => this.by.sort(b) - this.by.sort(a)).slice(0, LISTED_LINES) : [];
	}

	update() {
		this.list.replaceChildren(...this.listed().map(of => el('li', {}, el('button', {type: 'button', class: 'hot-line', onclick: () => this.show(of.place)},
			el('span', {class: 'amount'}, this.by.format(this.by.value(of))), el('span', {class: 'mono'}, placeText(of.place)), el('span', {class: 'text'}, lineText(of.place).trim())))));
	}

	rows(file) {
		const isNarrow = column => this.study && (column.key === 'requests' || column.key === 'waited');
		const columns = this.columns = lineColumns.filter(column => !isNarrow(column) && [...lineFigures.values()].some(of => of.place[0] === file && column.value(of) !== null));
		const {excerpts} = sources[file];

		return excerpts.flatMap((excerpt, e) => (e ? [el('tr', {class: 'gap'}, el('td', {colspan: columns.length + 3}, '⋯'))] : []).concat(excerpt.slice(1).map((text, i) => {
			const of = lineFigures.get(file + ':' + (excerpt[0] + i)), row = el('tr', {'data-line': excerpt[0] + i},
				el('td', {class: 'n'}, String(excerpt[0] + i)), el('td', {class: 'marks'}, problemMarks(of)), columns.map(column => figureCell(column, of)), el('td', {class: 'text'}, text));

			return row;
		})));
	}

	heads() {
		return el('thead', {}, el('tr', {}, el('th', {class: 'n'}, 'line'), el('th', {}, ''), this.columns.map(column => el('th', {class: 'figure-cell', title: column.help}, column.title)), el('th', {}, 'source')));
	}

	load(file) {
		const rows = this.rows(file), state = stateOf(sources[file]);

		this.file = file;
		this.files.value = String(file);
		this.note.hidden = !state;
		this.note.textContent = state || '';
		this.code.replaceChildren(el('table', {}, el('caption', {class: 'sr'}, sources[file].path), this.heads(), el('tbody', {}, rows)));
	}

	// The line in the middle, marked.
	show(place) {
		if (!sources.length)
			return;
		if (place[0] !== this.file)
			this.load(place[0]);
		this.place = place;
		if (this.marked)
			this.marked.classList.remove('marked');
		this.marked = place[1] ? this.code.querySelector(`tr[data-line="${place[1]}"]`) : null;
		if (this.marked)
			this.marked.classList.add('marked');
		else if (place[1] && sources[place[0]].found) {
			this.note.hidden = false;
			this.note.textContent = 'The source is known, but not this line: the file has fewer lines, or more lines were named than are kept.';
		}
		this.centre();
	}

	centre() {
		if (this.marked)
			this.code.scrollTop = this.marked.offsetTop - (this.code.clientHeight - this.marked.offsetHeight) / 2;
	}
}

// Returns what the panel shows of a place; of two studies both.
let viewsOf = place => {
	const view = new SourceView(place);

	return {node: view.node, centre: () => view.centre()};
};

const sourcePanel = {
	node: null,
	from: null,
	close() {
		if (!this.node)
			return;
		this.node.remove();
		this.node = null;
		if (this.from && this.from.isConnected)
			this.from.focus({preventScroll: true});
	},
	open(place, from, host) {
		this.close();
		const close = el('button', {type: 'button', onclick: () => this.close()}, 'Close'), view = viewsOf(place);

		this.from = from;
		this.node = el('aside', {class: 'source-panel', role: 'dialog', 'aria-label': 'Source ' + placeText(place)},
			el('header', {}, el('strong', {class: 'mono', title: sources[place[0]].path}, sources[place[0]].shown + ':' + place[1]), close), view.node, hostPathsOf(host));
		this.node.addEventListener('keydown', event => {
			if (event.key === 'Escape')
				this.close();
		});
		this.node.addEventListener('click', event => {
			if (event.target.closest('a[href^="#"]'))
				this.close();
		});
		document.body.append(this.node);
		view.centre();
		close.focus({preventScroll: true});
	},
};

// Paths of the host, outermost frame first: [[function, place], ...].
const hostPaths = (() => {
	const paths = new Map();

	for (const {host_path: path, function: name, place} of tableOf('host_path_frames').list())
		addTo(paths, path, [name, place]);
	return paths;
})();

// From where the host launched what stands at a place: a kernel, on any of its paths, or a launch, on its own.
function hostPathsOf(host) {
	if (!host)
		return null;
	const paths = (host.path ? [[host.path, 0]] : tableOf('launch_paths').list().filter(row => kernelKey(row.kernel) === kernelKey(host.kernel)).map(row => [row.host_path, row.launches]))
		.filter(([path]) => hostPaths.has(path));

	if (!paths.length)
		return null;
	return el('div', {class: 'host-paths'}, el('h4', {}, 'Launched from'), el('ul', {}, paths.slice(0, 50).map(([path, launches]) => el('li', {},
		hostPaths.get(path).map(([name, place], i) => [i ? ' → ' : '', el('span', {class: 'frame'}, name), ' ', place ? placeLink(place) : null]),
		' → launch', launches ? el('span', {class: 'none'}, ` (${plural(launches, 'launch', 'launches')})`) : null)),
		paths.length > 50 ? el('li', {class: 'none'}, `and ${count(paths.length - 50)} more paths`) : null));
}

// A link to a source line, or a dash. host: {kernel} or {path} that is launched there or holds it.
function placeLink(place, text, host) {
	if (!place)
		return el('span', {class: 'none'}, text || '–');
	const button = el('button', {type: 'button', class: 'place', title: [sources[place[0]].path, ...place.slice(1, place[2] ? 3 : 2)].join(':')},
		text || placeText(place));

	button.addEventListener('click', () => sourcePanel.open(place, button, host));
	return button;
}

function kernelLink(name) {
	const {place} = kernelOf(name) || {};

	if (!place)
		return el('span', {class: 'cut mono', title: name}, nameText(name));
	const link = placeLink(place, nameText(name), {kernel: name});

	link.classList.add('cut');
	link.title = name + ' at ' + placeText(place);
	return link;
}

// A sentence whose places are links. study: whose they are, of two
const PLACES_IN_TEXT = /([\w.+-]+\.(?:cu|cuh|c|cc|cpp|cxx|h|hh|hpp|hxx|inl|py):\d+(?::\d+)?)/;

function linkedText(text, study) {
	return text.split(PLACES_IN_TEXT).map((part, i) => {
		const place = i % 2 ? placeNamed(part, study) : null;

		return place ? placeLink(place, part) : part;
	});
}
