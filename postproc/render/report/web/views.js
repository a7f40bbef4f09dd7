// SPDX-License-Identifier: Apache-2.0
// Which transfers the density map and the distances are of: all, those that end in some launches, or
// those between two kernels. One choice for both figures.
'use strict';

const views = {
	figures: [],

	of(key) {
		return key === '' ? null : key[0] === 'l' ? data.views.launches[key.slice(1)] : data.views.pairs[key.slice(1)];
	},

	// show is called with a view, or null for all transfers.
	add(parts, show) {
		if (!data.views.launches.length && !data.views.pairs.length)
			return;
		const select = el('select', {'aria-label': 'transfers shown', onchange: () => this.choose(select.value)}, this.choices());

		parts.tools.hidden = false;
		parts.tools.append(el('label', {class: 'view'}, 'Transfers ', select));
		this.figures.push({parts, select, show});
	},

	choices() {
		const group = (label, letter, rows, name) => rows.length
			? el('optgroup', {label}, rows.map((row, i) => el('option', {value: letter + i}, `${name(row)}: ${round(size(row.total_bytes))}`))) : null;

		return [el('option', {value: ''}, 'all'),
			group('from one kernel to another', 'p', data.views.pairs, row => `${kernelName(row.from)} → ${kernelName(row.to)}`),
			group('to a launch', 'l', data.views.launches, row => viewLaunches(row))];
	},

	choose(key) {
		const view = this.of(key);

		// The switch to what is exchanged only makes figures anew.
		this.figures = this.figures.filter(figure => figure.parts.node.isConnected);
		for (const {parts, select, show} of this.figures) {
			select.value = key;
			show(view);
			if (view)
				say(parts, `Shown: ${select.selectedOptions[0].textContent}, of ${size(data.volume.transferred_bytes)} of all transfers.` + (parts.node.querySelector('details') ? ' The numbers below are of all.' : ''));
			else
				parts.status.hidden = true;
		}
	},
};

function viewLaunches(row) {
	return row.count > 1 ? `${count(row.count)} launches from ${count(row.first)} to ${count(row.last)}` : `launch ${count(row.first)}, ${kernelName(row.kernel)}`;
}

// What of the choices is coarser than the whole, and what there is none of.
function viewsNote() {
	const {pairs, launches, ctas_per_bin: per} = data.views, shared = d3.max(launches, row => row.count) || 1;
	const missing = data.volume.transferred_bytes - d3.sum(pairs, row => row.total_bytes);

	if (!pairs.length && !launches.length)
		return null;
	return [
		'of one pair of kernels or launch, distances are in bins from one power of two to the next',
		per > data.density.ctas_per_bin ? `a cell of the map stands for ${count(per)} by ${count(per)} CTAs` : null,
		shared > 1 ? `up to ${count(shared)} successive launches share a choice` : null,
		missing > 0 ? `${size(missing)} are between kernels whose pair is no choice` : null,
	].filter(Boolean).join('; ') + '.';
}
