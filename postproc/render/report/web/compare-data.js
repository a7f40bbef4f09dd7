// SPDX-License-Identifier: Apache-2.0
// Two studies side by side: their problems, and which lines of both belong together.
'use strict';

const STUDIES = ['before', 'after'], compared = onlyRow('compared_runs'), hasBoth = tableOf('compared_runs').length > 0;

const comparedProblems = (() => {
	const words = new Map(tableOf('page_compared_words').list().filter(row => isKnown(row.compared_problem)).map(row => [row.compared_problem, row]));

	return tableOf('compared_problems').list().map(problem => {
		const {title, sentence: said, text: advice} = words.get(problem.number) || {};

		return Object.assign({}, problem, {title, said, advice});
	});
})();

// Sentences about both studies as a whole.
const comparedLines = tableOf('page_compared_words').list().filter(row => !isKnown(row.compared_problem)).map(row => row.sentence);

// Lines that are matched: of each file of one study [line, place in the other], in order.
const partners = (() => {
	const pairs = new Map();

	for (const name of ['compared_line_figures', 'compared_problems'])
		for (const {before, after} of tableOf(name).list())
			if (before && after) {
				addTo(pairs, before[0], [before[1], after]);
				addTo(pairs, after[0], [after[1], before]);
			}
	for (const list of pairs.values())
		list.sort((a, b) => a[0] - b[0]);
	return pairs;
})();

// Where a line of one study is in the other: itself if it is matched, else as far from the nearest line that is.
function partnerOf(place) {
	const list = partners.get(place[0]), other = sources[place[0]].study === 'after' ? 'before' : 'after';

	if (list) {
		const [line, [file, found]] = list.reduce((best, pair) => Math.abs(pair[0] - place[1]) < Math.abs(best[0] - place[1]) ? pair : best);

		return [file, Math.max(1, found + place[1] - line)];
	}
	const named = i => sources[i].study === other && sources[i].name === sources[place[0]].name, file = d3.range(sources.length).find(named);

	return file === undefined ? null : [file, place[1]];
}

// Both studies' files, side by side: one line of one of them, and its partner.
function pairOfViews(place) {
	const partner = place && partnerOf(place), isAfter = place && sources[place[0]].study === 'after';
	const views = STUDIES.filter(study => sources.some(source => source.study === study))
		.map(study => new SourceView(study === (isAfter ? 'after' : 'before') ? place : partner, study));

	return {node: el('div', {class: 'source-pair'}, views.map(view => view.node)), centre: () => views.forEach(view => view.centre())};
}

if (hasBoth)
	viewsOf = pairOfViews;
