// SPDX-License-Identifier: Apache-2.0
// What analyses show in sections of their own: a table each, of columns that say what they hold.
'use strict';

function analysisColumn(column, at) {
	const value = row => row[at], head = {title: column.title, help: column.help};

	switch (column.kind) {
	case 'name':
		return Object.assign(head, {value: row => row[at] && shortName(row[at]), text: value,
			cell: row => row[at] ? el('span', {class: 'cut', title: row[at]}, shortName(row[at])) : el('span', {class: 'none'}, '–')});
	case 'line':
		return Object.assign(head, {value: row => placeText(row[at]), cell: row => placeLink(row[at])});
	case 'number':
		switch (column.unit) {
		case 'bytes': return Object.assign(head, {value, unit: 'bytes'});
		case 'share': return Object.assign(head, {value, unit: 'percent'});
		case 'seconds': return Object.assign(head, {value, unit: 'count', cell: row => row[at] === null ? '–' : duration(row[at])});
		default: return Object.assign(head, {value, unit: 'count'});
		}
	default:
		return Object.assign(head, {value, cell: row => row[at] === null ? el('span', {class: 'none'}, '–') : row[at]});
	}
}

// A section of the page: a figure if it has one, and the table unless the figure has one of its own.
function analysisSection(section) {
	const order = section.columns[section.order].title;

	const figureOf = sectionFigures[section.section] || (() => null), hasTable = section.section !== 'blame_variables' || !data.blame;

	return {id: section.section, title: section.title, make: () => [figureOf(section), hasTable && el('div', {class: 'figure wide table'},
		tableParts(section.title, section.about, {sort: section.order, columns: section.columns.map(analysisColumn), rows: section.rows},
			[rowsNote(section, order)]))].flat().filter(Boolean)};
}
