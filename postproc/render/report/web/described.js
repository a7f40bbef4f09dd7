// SPDX-License-Identifier: Apache-2.0
// Tables of the page as they are described: titles, units, order, what a narrow screen leaves out.
'use strict';

const WRAPPED_LEAST = 40, CUT_LEAST = 200; // letters of a text that is broken into lines, or cut

const noCell = text => el('span', {class: 'none'}, text || '–');

// The kernel that a line belongs to, among the names beside it: behind it, else before it.
function kernelBeside(table, column) {
	const at = table.columns.indexOf(column), names = table.columns.filter(one => one.type === 'name');
	const beside = names.find(one => table.columns.indexOf(one) > at) || names[names.length - 1];

	return beside ? table.column(beside.key) : null;
}

function placeCell(table, column) {
	const places = table.column(column.key), beside = column.type === 'line' ? kernelBeside(table, column) : null;
	const paths = column.type === 'place' && table.has('host_path') ? table.column('host_path') : null;

	return i => placeLink(places[i], null, paths ? {path: paths[i]} : beside && kernelOf(beside[i]) ? {kernel: beside[i]} : undefined);
}

function nameCell(name) {
	if (!name)
		return noCell();
	return kernelOf(name) && kernelOf(name).place ? kernelLink(name) : el('span', {class: 'cut', title: name}, nameText(name));
}

// By unit, how the page writes numbers; unit: of the table's parts in table.js.
const numberUnits = {
	bytes: {unit: 'bytes'},
	share: {unit: 'percent'},
	seconds: {unit: 'count', cell: value => value === null ? '–' : duration(value)},
	ns: {unit: 'count', cell: value => value === null ? '–' : duration(value / 1e9)},
};

function numberColumn(head, cells, unit) {
	const how = numberUnits[unit] || {unit: 'count'};

	return Object.assign(head, {unit: how.unit}, how.cell ? {cell: i => how.cell(cells[i])} : {});
}

function textColumn(head, cells) {
	const longest = d3.max(cells, text => text.length) || 0;

	if (longest > CUT_LEAST)
		return Object.assign(head, {cell: i => cells[i] ? el('span', {class: 'cut', title: cells[i]}, linkedText(cells[i])) : noCell()});
	return Object.assign(head, {wrap: longest > WRAPPED_LEAST, cell: i => cells[i] ? linkedText(cells[i]) : noCell()});
}

// A column of a DataTable, whose rows are numbers of rows. unit: its, or what the caller knows of it.
function describedColumn(table, column, unit) {
	const cells = table.column(column.key), by = (table.heaviest || table.order || '').split(' ');
	const head = {title: column.title || column.key.replace(/_/g, ' '), help: column.help, detail: column.detail, value: i => cells[i]};

	switch (column.type) {
	case 'name':
		return Object.assign(head, {value: i => cells[i] && shortName(cells[i]), text: i => cells[i], cell: i => nameCell(cells[i])});
	case 'line':
	case 'place':
		return Object.assign(head, {value: i => placeText(cells[i]), cell: placeCell(table, column)});
	case 'bool':
		return Object.assign(head, {value: i => cells[i] ? 'yes' : 'no'});
	case 'uint':
	case 'real':
		return numberColumn(Object.assign(head, {share: unit === 'bytes' && by.includes(column.key)}), cells, unit);
	default:
		return textColumn(head, cells);
	}
}

// Said where a table has more rows than the page holds.
function rowsNote(table) {
	const by = (table.heaviest || table.order || '').split(' ').filter(Boolean).map(key => (table.columns.find(column => column.key === key) || {}).title || key);

	return table.length < table.count ? `${count(table.length)} of ${count(table.count)} rows are in this report, ${by.length ? 'those with most ' + by.join(' and ') : 'the first ones'}.` : null;
}

// options: {keys: of columns (all), rows: numbers of rows (all), units: by key, of columns whose keys say
// no unit}
function describedTable(table, title, options = {}) {
	const columns = table.columns.filter(column => !options.keys || options.keys.includes(column.key));
	const sort = columns.findIndex(column => column.key === table.order);

	return new DataTable({name: title, sort, falling: sort >= 0, rows: options.rows || d3.range(table.length),
		columns: columns.map(column => describedColumn(table, column, (options.units || {})[column.key] || column.unit))}).node;
}

// Returns what the table says, the table, what of it is not there.
function tableParts(table, about) {
	return [el('p', {class: 'about'}, about || table.about), describedTable(table, table.title || table.name),
		rowsNote(table) ? el('p', {class: 'aggregated'}, rowsNote(table)) : null].filter(Boolean);
}

// A table with a heading. more: {title, about}: what its description does not say
function tableSection(id, name, more = {}) {
	const table = tableOf(name), title = more.title || table.title || name;

	return el('section', {class: 'figure wide table', id, 'aria-label': title},
		el('div', {class: 'figure-head'}, el('h3', {}, title)),
		tableParts(table, more.about));
}

// A section of the page: a figure if it has one, and the table unless the figure has one of its own.
function analysisSection(table) {
	const figureOf = sectionFigures[table.name] || (() => null), hasTable = table.name !== 'blame_variables' || !tableOf('page_blame').length;

	return {id: table.name, title: table.title, make: () => [figureOf(table), hasTable && el('div', {class: 'figure wide table'}, tableParts(table))].flat().filter(Boolean)};
}
