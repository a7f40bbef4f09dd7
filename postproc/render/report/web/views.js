// SPDX-License-Identifier: Apache-2.0
// Which transfers the density map and the distances are of: all, those that end in some launches, or
// those between two kernels. One choice for both figures.
'use strict';

// With their cells and distances; the first is of all transfers.
const allViews = (() => {
	const cells = tableOf('page_cells'), distances = tableOf('page_distances').list();
	const of = cells.column('view'), first = new Map();

	of.forEach((view, i) => first.has(view) || first.set(view, i));
	return tableOf('page_views').list().map(view => {
		const from = first.get(view.view), to = of.lastIndexOf(view.view) + 1;
		const part = key => from === undefined ? [] : cells.column(key).slice(from, to);

		return Object.assign({distances: distances.filter(one => one.view === view.view).map(one => [one.first_key, one.last_key, one.bytes]), source: part('source_bin'), target: part('target_bin'),
			transfers: part('transfers')}, view, {cell_bytes: part('bytes')});
	});
})();

const views = {
	figures: [],
	whole: allViews[0],
	launches: allViews.slice(1).filter(view => !view.source_kernel),
	pairs: allViews.slice(1).filter(view => view.source_kernel),

	of(key) {
		return key === '' ? null : key[0] === 'l' ? this.launches[key.slice(1)] : this.pairs[key.slice(1)];
	},

	// show is called with a view, or null for all transfers.
	add(parts, show) {
		if (!this.launches.length && !this.pairs.length)
			return;
		const select = el('select', {'aria-label': 'transfers shown', onchange: () => this.choose(select.value)}, this.choices());

		parts.tools.hidden = false;
		parts.tools.append(el('label', {class: 'view'}, 'Transfers ', select));
		this.figures.push({parts, select, show});
	},

	choices() {
		const group = (label, letter, rows, name) => rows.length
			? el('optgroup', {label}, rows.map((row, i) => el('option', {value: letter + i}, `${name(row)}: ${round(size(row.bytes))}`))) : null;

		return [el('option', {value: ''}, 'all'),
			group('from one kernel to another', 'p', this.pairs, row => `${kernelName(row.source_kernel)} → ${kernelName(row.target_kernel)}`),
			group('to a launch', 'l', this.launches, row => viewLaunches(row))];
	},

	choose(key) {
		const view = this.of(key);

		// The switch to what is exchanged only makes figures anew.
		this.figures = this.figures.filter(figure => figure.parts.node.isConnected);
		for (const {parts, select, show} of this.figures) {
			select.value = key;
			show(view);
			if (view)
				say(parts, `Shown: ${select.selectedOptions[0].textContent}, of ${size(views.whole.bytes)} of all transfers.` + (parts.node.querySelector('details') ? ' The numbers below are of all.' : ''));
			else
				parts.status.hidden = true;
		}
	},
};

function viewLaunches(row) {
	return row.launches > 1 ? `${count(row.launches)} launches from ${count(row.first_launch)} to ${count(row.last_launch)}` : `launch ${count(row.first_launch)}, ${kernelName(row.target_kernel)}`;
}

// Says which of the choices is coarser than the whole, and what there is none of.
function viewsNote() {
	const {pairs, launches, whole} = views, shared = d3.max(launches, row => row.launches) || 1, per = d3.max(allViews.slice(1), view => view.ctas_per_bin);
	const missing = whole.bytes - d3.sum(pairs, row => row.bytes);

	if (!pairs.length && !launches.length)
		return null;
	return [
		'of one pair of kernels or launch, distances are in bins from one power of two to the next',
		per > whole.ctas_per_bin ? `a cell of the map stands for ${count(per)} by ${count(per)} blocks` : null,
		shared > 1 ? `up to ${count(shared)} successive launches share a choice` : null,
		missing > 0 ? `${size(missing)} are between kernels whose pair is no choice` : null,
	].filter(Boolean).join('; ') + '.';
}
