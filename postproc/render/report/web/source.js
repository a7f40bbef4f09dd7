// SPDX-License-Identifier: Apache-2.0
// Source lines: links to them, excerpts, and what flows through each line.
'use strict';

// "file:line" -> bytes that the line writes for others, and reads of them
const flow = new Map();

function addFlow(place, field, bytes) {
	if (!place)
		return;
	const key = place[0] + ':' + place[1];
	const entry = flow.get(key) || {written: 0, read: 0};

	entry[field] += bytes;
	flow.set(key, entry);
}

tableOf('line_pairs').column('bytes').forEach((bytes, i) => {
	addFlow(tableOf('line_pairs').column('source')[i], 'written', bytes);
	addFlow(tableOf('line_pairs').column('target')[i], 'read', bytes);
});

// Files, each with its excerpts: [number of the first line, text of it, of the next, ...].
const sources = tableOf('page_sources').list().map(source => ({path: source.file, found: source.is_found, state: source.source_state, excerpts: []}));

for (const {file_number: file, line, text} of tableOf('page_lines').list()) {
	const {excerpts} = sources[file], last = excerpts[excerpts.length - 1];

	if (last && last[0] + last.length - 1 === line)
		last.push(text || '');
	else
		excerpts.push([line, text || '']);
}

function placeText(place) {
	return place ? [sources[place[0]].path.replace(/^.*\//, ''), ...place.slice(1, place[2] ? 3 : 2)].join(':') + (place[3] ? ' (the kernel)' : '') : '';
}

function excerptOf(place) {
	return sources[place[0]].excerpts.find(excerpt =>
		place[1] >= excerpt[0] && place[1] < excerpt[0] + excerpt.length - 1);
}

// What is to be said of a file that is not any more what was compiled.
function stateOf(source) {
	if (source.state === 'changed since')
		return el('p', {class: 'none'}, 'The file has changed since: these are the lines of when the program ran.');
	if (source.state)
		return el('p', {class: 'none'}, 'The file was modified after the program was built: its lines may be others than the program has.');
	return null;
}

function codeTable(file, excerpt, marked) {
	const rows = excerpt.slice(1).map((text, i) => {
		const line = excerpt[0] + i;
		const at = flow.get(file + ':' + line);
		const words = [];

		if (at && at.written)
			words.push('writes ' + size(at.written));
		if (at && at.read)
			words.push('reads ' + size(at.read));
		return el('tr', {class: line === marked ? 'marked' : null},
			el('td', {class: 'n'}, String(line)), el('td', {class: 'flow'}, words.join(', ')),
			el('td', {}, text));
	});

	return el('div', {class: 'code', tabindex: 0, role: 'region', 'aria-label': 'source excerpt'},
		el('table', {}, el('tbody', {}, rows)));
}

const sourcePanel = {
	node: null,
	from: null,
	close() {
		if (!this.node)
			return;
		this.node.remove();
		this.node = null;
		if (this.from && this.from.isConnected)
			this.from.focus();
	},
	open(place, from, host) {
		this.close();
		const source = sources[place[0]];
		const excerpt = excerptOf(place);
		const close = el('button', {type: 'button', onclick: () => this.close()}, 'Close');

		this.from = from;
		this.node = el('aside', {class: 'source-panel', role: 'dialog', 'aria-label': 'Source ' + placeText(place)},
			el('header', {}, el('strong', {class: 'mono'}, source.path + ':' + place[1]), close),
			stateOf(source),
			excerpt ? codeTable(place[0], excerpt, place[1]) : el('p', {}, source.found
				? 'The source is known, but not this line: the file has fewer lines, or more lines were named than are kept.'
				: 'The trace has no lines of it, and the source was not at hand when the report was made. ctpost report --source-root=DIR looks for it under DIR.'),
			hostPathsOf(host),
			el('p', {class: 'none'}, 'Bytes beside a line: communicated through it, of the line pairs in this report.'));
		this.node.addEventListener('keydown', event => {
			if (event.key === 'Escape')
				this.close();
		});
		document.body.append(this.node);
		const marked = this.node.querySelector('.marked');

		if (marked)
			marked.scrollIntoView({block: 'nearest'});
		close.focus();
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
	const paths = (host.path ? [[host.path, 0]] : tableOf('launch_paths').list().filter(row => row.kernel === host.kernel).map(row => [row.host_path, row.launches]))
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
	const {place} = kernels.get(name), link = placeLink(place, shortName(name), {kernel: name});

	link.classList.add('cut');
	link.title = name + (place ? ' at ' + placeText(place) : '');
	return link;
}

function sourcesSection() {
	const files = sources.map((source, file) => el('details', {},
		el('summary', {}, el('code', {}, source.path), source.found ? '' : ' (not at hand)'),
		source.excerpts.map(excerpt => codeTable(file, excerpt, 0))));

	return files.length ? files : [el('p', {class: 'none'}, 'The trace names no source lines.')];
}
