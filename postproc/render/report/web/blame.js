// SPDX-License-Identifier: Apache-2.0
// Blame: the flame graph and the tree of variables, each telling of what is chosen in the other.
'use strict';

const BLAME_ROWS = 30;

// Variables, each with what it has below it.
function blameVariables(blame) {
	const list = blame.list().map((row, i) => ({i, parent: null, above: row.parent_variable, name: row.name, type: row.type || '', context: row.function || '', place: row.place || null,
		inclusive: row.blame_weight, exclusive: row.exclusive_weight, reads: row.reads_weight, children: []}));

	for (const variable of list)
		if (variable.above) {
			variable.parent = list[variable.above - 1];
			variable.parent.children.push(variable);
		}
	return list;
}

// By variable, how much of a frame is blamed on it.
function blamedIn(frames, top, variables) {
	const sums = new Array(variables.length).fill(0), below = new Set([top]);

	for (const frame of frames.slice(top.id)) {
		if (frame !== top && !below.has(frame.parent))
			continue;
		below.add(frame);
		frame.all.forEach(v => { sums[v] += frame.weight; });
		frame.some.forEach((weight, v) => { sums[v] += weight; });
	}
	return sums;
}

// The table; onChoose(variable), null to let it go.
class VariableTree {
	constructor(variables, total, onChoose) {
		Object.assign(this, {variables, total, onChoose, open: new Set(), chosen: null, frame: null, inside: null, filter: '', shown: BLAME_ROWS, sorted: 'inclusive'});
		this.search = el('input', {type: 'search', placeholder: 'filter', 'aria-label': 'Filter variables',
			oninput: event => { this.filter = event.target.value.toLowerCase(); this.update(); }});
		this.all = el('button', {type: 'button', onclick: () => { this.shown = variables.length; this.update(); }}, 'All');
		this.status = el('span', {class: 'count', role: 'status'});
		this.head = el('tr');
		this.body = el('tbody');
		this.node = el('div', {class: 'variable-tree'}, el('div', {class: 'tools'}, this.search, this.all, this.status),
			el('div', {class: 'scroll', tabindex: 0, role: 'region', 'aria-label': 'Variables'}, el('table', {}, el('caption', {class: 'sr'}, 'Variables'),
				el('thead', {}, this.head), this.body)));
		this.update();
	}

	figures() {
		const list = [['inclusive', 'blame', 'Of all that was executed, what flows into it.'], ['exclusive', 'exclusive', 'What flows into it before any other variable.'],
			['reads', 'reads', 'The instructions that load it.']];

		return this.inside ? [['inside', 'of ' + shortName(this.frame.name), 'Of what is executed there, what flows into it.'], ...list] : list;
	}

	figure(variable, key) {
		return key === 'inside' ? this.inside[variable.i] / this.frame.weight : variable[key] / this.total;
	}

	// Only variables that the frame is blamed on; null: all.
	within(frame, inside) {
		Object.assign(this, {frame, inside, sorted: inside ? 'inside' : 'inclusive'});
		this.update();
	}

	choose(variable) {
		this.chosen = variable;
		for (let above = variable && variable.parent; above; above = above.parent)
			this.open.add(above);
		this.update();
	}

	isShown(variable) {
		const text = `${variable.name} ${variable.type} ${variable.context}`.toLowerCase();
		const self = (!this.inside || this.inside[variable.i] > 0) && this.filter.split(/\s+/).every(word => text.includes(word));

		return self || variable.children.some(child => this.isShown(child));
	}

	row(variable, depth) {
		const isOpen = this.isOpen(variable), pressed = this.chosen === variable;
		const expand = el('button', {type: 'button', class: 'expand', 'aria-label': `Parts of ${variable.name}`, 'aria-expanded': String(isOpen), onclick: () => {
			if (!this.open.delete(variable))
				this.open.add(variable);
			this.update();
		}}, isOpen ? '▾' : '▸');
		const name = el('button', {type: 'button', class: 'variable', 'aria-pressed': String(pressed), onclick: () => this.onChoose(pressed ? null : variable)}, variable.name);
		const cell = el('td', {}, variable.children.length ? expand : el('span', {class: 'expand'}), name);

		cell.style.paddingLeft = .4 + 1.2 * depth + 'rem';
		return el('tr', {class: pressed ? 'chosen' : null, 'data-variable': variable.i}, cell, el('td', {}, el('span', {class: 'cut mono', title: variable.type}, variable.type)),
			el('td', {}, variable.context ? el('span', {class: 'cut', title: variable.context}, nameText(variable.context)) : el('span', {class: 'none'}, 'global')),
			el('td', {}, placeLink(variable.place)), this.figures().map(([key]) => {
				const share = this.figure(variable, key), node = el('td', {class: 'number share'}, percent(share));

				node.style.setProperty('--share', (100 * share).toFixed(1) + '%');
				return node;
			}));
	}

	isOpen(variable) {
		return variable.children.length > 0 && (this.open.has(variable) || this.filter !== '');
	}

	// In the order of the sorted column, parts below what they are parts of.
	listed(variables, depth = 0) {
		const shown = variables.filter(variable => this.isShown(variable)).sort((a, b) => this.figure(b, this.sorted) - this.figure(a, this.sorted) || a.i - b.i);

		return shown.flatMap(variable => [[variable, depth], ...(this.isOpen(variable) ? this.listed(variable.children, depth + 1) : [])]);
	}

	update() {
		const rows = this.listed(this.variables.filter(variable => !variable.parent));
		const focused = this.node.contains(document.activeElement) && document.activeElement.closest('[data-variable]');
		const again = focused && [focused.dataset.variable, document.activeElement.className];

		this.head.replaceChildren(...['variable', 'type', 'context', 'declared'].map(title => el('th', {scope: 'col'}, title)),
			...this.figures().map(([key, title, help]) => el('th', {scope: 'col', class: 'number', 'aria-sort': key === this.sorted ? 'descending' : null},
				el('button', {type: 'button', title: help, onclick: () => { this.sorted = key; this.update(); }}, title))));
		this.body.replaceChildren(...rows.slice(0, this.shown).map(([variable, depth]) => this.row(variable, depth)));
		if (!rows.length)
			this.body.replaceChildren(el('tr', {}, el('td', {class: 'none', colspan: 4 + this.figures().length}, 'No variable.')));
		this.all.hidden = rows.length <= this.shown;
		this.status.textContent = (this.inside ? `blamed in ${shortName(this.frame.name)}: ` : '') + (rows.length > this.shown ? `${count(this.shown)} of ` : '') + plural(rows.length, 'row');
		if (again)
			[...this.body.querySelectorAll(`[data-variable="${again[0]}"] button`)].filter(button => button.className === again[1]).forEach(button => button.focus());
	}
}

// The section's figure, and the table below it.
function blameFigure(section) {
	const blame = onlyRow('page_blame'), least = percent(FLAME_LEAST), frames = flameTree(), variables = blameVariables(tableOf('page_variables'));
	const parts = figure({id: 'blame-flame', title: 'Paths of calls', wide: true, about: 'What is executed, from the host’s functions through kernels and device functions to lines; as wide as ' +
		'the weight. A frame that is chosen leaves in the table the variables that it is blamed on; a variable that is chosen marks how much of each frame flows into it.',
		aggregated: [frames.some(frame => frame.kind === FLAME_REST) ? `lines and calls of less than ${least} of all weight are one in each function, with what has no line.` : null]});
	const sumsOf = variable => flameSums(frames, frame => frame.all.includes(variable.i) ? frame.weight : frame.some.get(variable.i) || 0);
	const table = new VariableTree(variables, blame.flame_weight, variable => {
		table.choose(variable);
		graph.mark(variable && {name: variable.name, sums: sumsOf(variable)});
	});
	const graph = new FlameGraph(parts, frames, frame => {
		if (!graph.part && table.chosen)
			table.choose(null);
		table.within(frame, frame.id ? blamedIn(frames, frame, variables) : null);
	});

	parts.node.blame = {graph, table, frames, variables};
	return [parts.node, el('div', {class: 'figure wide table', id: 'blame-variables'}, el('div', {class: 'figure-head'}, el('h3', {}, 'Variables')),
		el('p', {class: 'about'}, section.about), table.node,
		variables.length < blame.variables ? el('p', {class: 'aggregated'}, `${count(variables.length)} of ${count(blame.variables)} variables are in this report, those with most blame.`) : null)];
}

if (tableOf('page_blame').length)
	sectionFigures.blame_variables = blameFigure;
