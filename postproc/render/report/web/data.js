// SPDX-License-Identifier: Apache-2.0
// The tables of the page: their columns, rows, and what cells refer to (docs/report.md).
'use strict';

const page = JSON.parse(document.getElementById('report-data').textContent);

// The numbers of a column: all, each with how often it comes in turn, or those that are not 0.
function numbersOf(column, rows) {
	if (column.values)
		return column.values;
	const numbers = new Array(rows).fill(0);

	if (column.others)
		for (let i = 0; i < column.others.length; i += 2)
			numbers[column.others[i]] = column.others[i + 1];
	for (let i = 0, at = 0; column.runs && i < column.runs.length; i += 2) {
		numbers.fill(column.runs[i], at, at + column.runs[i + 1]);
		at += column.runs[i + 1];
	}
	return numbers;
}

// A place is [file, line], with the column if it is known; [file, line, column, true]: of what holds it.
function cellsOf(column, rows) {
	const numbers = numbersOf(column, rows);

	switch (column.type) {
	case 'text':
	case 'name':
	case 'address': return numbers.map(number => page.texts[number]);
	case 'line':
	case 'place': return numbers.map(number => number ? page.places[number - 1] : null);
	case 'bool': return numbers.map(Boolean);
	default: return numbers;
	}
}

class Table {
	constructor(of) {
		Object.assign(this, of, {length: of.rows, columns: of.columns, rows: null, cells: new Map()});
	}

	// Its cells; null in each row if no row has one.
	column(key) {
		if (!this.cells.has(key)) {
			const column = this.columns.find(one => one.key === key);

			this.cells.set(key, column ? cellsOf(column, this.length) : new Array(this.length).fill(null));
		}
		return this.cells.get(key);
	}

	has(key) {
		return this.columns.some(one => one.key === key);
	}

	// Rows as objects, of tables that are not long.
	list() {
		this.rows = this.rows || d3.range(this.length).map(i => Object.fromEntries(this.columns.map(column => [column.key, this.column(column.key)[i]])));
		return this.rows;
	}
}

const tables = page.tables.map(of => new Table(of));
const none = new Table({name: '', columns: [], rows: 0, count: 0});

function tableOf(name) {
	return tables.find(table => table.name === name) || none;
}

// Returns the row of a table with one row.
function onlyRow(name) {
	return tableOf(name).list()[0] || {};
}

// Lists by key.
function addTo(map, key, value) {
	if (!map.has(key))
		map.set(key, []);
	map.get(key).push(value);
}

const run = onlyRow('page_trace');
const isKnown = value => value !== undefined && value !== null;
