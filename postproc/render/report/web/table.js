// SPDX-License-Identifier: Apache-2.0
// Tables that sort and filter. All rows are searched; a page of them is in the document.
'use strict';

const PAGE_ROWS = 15;

function classesOf(column, names) {
	return names.filter(name => name === 'number' ? column.unit : column[name]).join(' ') || null;
}

// columns: {title, value: row => number or string, cell: row => node or text (default: value as text),
// unit: 'bytes' | 'count' | 'percent' of numbers, share: true, wrap: true, detail: true: not on narrow screens}
// sort: number of a column, -1: rows come as they are
class DataTable {
	constructor(options) {
		this.columns = options.columns;
		this.rows = options.rows;
		this.name = options.name;
		this.shown = PAGE_ROWS;
		this.sorted = options.sort;
		this.falling = options.falling;
		this.texts = null;
		this.filter = '';
		this.maxima = this.columns.map(column => column.share
			? Math.max(1, ...this.rows.map(row => column.value(row) || 0)) : 0);
		this.node = this.build();
		this.update();
	}

	build() {
		this.status = el('span', {class: 'count', role: 'status'});
		this.more = el('button', {type: 'button', onclick: () => { this.shown += 10 * PAGE_ROWS; this.update(); }}, 'More rows');
		this.all = el('button', {type: 'button', onclick: () => { this.shown = this.rows.length; this.update(); }}, 'All');
		this.search = el('input', {type: 'search', placeholder: 'filter', 'aria-label': 'Filter ' + this.name,
			oninput: event => { this.filter = event.target.value; this.shown = PAGE_ROWS; this.update(); }});
		this.heads = this.columns.map((column, i) => el('th', {scope: 'col', class: classesOf(column, ['number', 'detail'])},
			el('button', {type: 'button', title: column.help, onclick: () => this.sortBy(i)}, column.title)));
		this.body = el('tbody');
		const details = this.columns.filter(column => column.detail).length;
		const wider = details ? el('button', {type: 'button', class: 'wider', 'aria-pressed': 'false', onclick: event => {
			event.currentTarget.setAttribute('aria-pressed', String(this.node.classList.toggle('all-columns')));
		}}, plural(details, 'more column')) : null;

		return el('div', {class: 'data-table'},
			el('div', {class: 'tools'}, this.search, this.more, this.all, wider, this.status),
			el('div', {class: 'scroll', tabindex: 0, role: 'region', 'aria-label': this.name},
				el('table', {}, el('caption', {class: 'sr'}, this.name),
					el('thead', {}, el('tr', {}, this.heads)), this.body)));
	}

	sortBy(column) {
		if (column === this.sorted)
			this.falling = !this.falling;
		else
			this.falling = Boolean(this.columns[column].unit);
		this.sorted = column;
		this.update();
	}

	// A filter is looked for in this, in lower case.
	textOf(row) {
		return this.columns.map(column => {
			const value = column.text ? column.text(row) : column.value(row);

			return value === null || value === undefined ? '' : String(value);
		}).join('\u0001').toLowerCase();
	}

	filtered() {
		const words = this.filter.toLowerCase().split(/\s+/).filter(Boolean);

		if (!words.length)
			return this.rows.slice();
		this.texts = this.texts || this.rows.map(row => this.textOf(row));
		return this.rows.filter((row, i) => words.every(word => this.texts[i].includes(word)));
	}

	ordered(rows) {
		if (this.sorted < 0)
			return rows;
		const value = this.columns[this.sorted].value;
		const sign = this.falling ? -1 : 1;

		return rows.sort((a, b) => {
			const x = value(a), y = value(b);

			if (x === y)
				return 0;
			if (x === null || x === undefined || y === null || y === undefined)
				return x === null || x === undefined ? 1 : -1;
			return (x < y ? -1 : 1) * sign;
		});
	}

	cell(column, row, i) {
		const value = column.value(row);
		let content = column.cell ? column.cell(row) : value;

		if (!column.cell && column.unit)
			content = column.unit === 'bytes' ? size(value) : column.unit === 'percent' ? (value === null ? '–' : percent(value)) : count(value);
		const cell = el('td', {class: classesOf(column, ['number', 'wrap', 'share', 'detail']),
			title: column.unit === 'bytes' && value !== null ? count(value) + ' bytes' : null}, content);

		if (column.share)
			cell.style.setProperty('--share', (100 * (value || 0) / this.maxima[i]).toFixed(1) + '%');
		return cell;
	}

	update() {
		const rows = this.ordered(this.filtered());
		const page = rows.slice(0, this.shown);

		this.body.replaceChildren(...page.map(row => el('tr', {}, this.columns.map((column, i) => this.cell(column, row, i)))));
		if (!rows.length)
			this.body.replaceChildren(el('tr', {}, el('td', {class: 'none', colspan: this.columns.length},
				this.rows.length ? 'No row has this.' : 'None.')));
		this.heads.forEach((head, i) => {
			if (i === this.sorted)
				head.setAttribute('aria-sort', this.falling ? 'descending' : 'ascending');
			else
				head.removeAttribute('aria-sort');
		});
		this.more.hidden = this.all.hidden = rows.length <= this.shown;
		this.search.hidden = this.rows.length <= 5;
		this.status.textContent = page.length < rows.length || rows.length < this.rows.length
			? `${count(page.length)} of ${count(rows.length)}${rows.length < this.rows.length ? ' found in ' + count(this.rows.length) : ''} rows`
			: plural(rows.length, 'row');
	}
}
