// SPDX-License-Identifier: Apache-2.0
// The tables: kernels, kernel pairs, objects, line pairs, CTAs, launches, devices.
'use strict';

// What the table says, the table.
function tableParts(title, about, options, notes) {
	return [el('p', {class: 'about'}, about), new DataTable(Object.assign({name: title}, options)).node,
		notes.filter(Boolean).map(text => el('p', {class: 'aggregated'}, text))];
}

// With a heading.
function tableSection(id, title, about, options, notes) {
	return el('section', {class: 'figure wide table', id, 'aria-label': title},
		el('div', {class: 'figure-head'}, el('h3', {}, title), options.thesis ? el('span', {class: 'thesis'}, 'thesis, ' + options.thesis) : null),
		tableParts(title, about, options, notes || []));
}

const fractionColumn = (title, part, whole) => ({title, unit: 'percent', value: row => whole(row) ? part(row) / whole(row) : null});

function kernelTable() {
	return tableSection('kernels', 'Kernels', 'All launches of a kernel together.', {sort: 2, columns: [
		{title: 'kernel', value: row => shortName(row.name), text: row => row.name, cell: row => kernelLink(data.kernels.indexOf(row))},
		countColumn('launches', row => row.launches),
		bytesColumn('loaded', row => row.load_bytes, {share: true}),
		bytesColumn('stored', row => row.store_bytes, {share: true}),
		bytesColumn('communicated loads', row => row.communicated_load_bytes),
		bytesColumn('communicated stores', row => row.communicated_store_bytes),
		fractionColumn('of stores', row => row.communicated_store_bytes, row => row.store_bytes),
		{title: 'where', value: row => placeText(row.place), cell: row => placeLink(row.place)},
	], rows: data.kernels});
}

function pairTable() {
	const block = data.kernel_pairs;

	return tableSection('pairs', 'Kernel pairs and their patterns', 'What one kernel writes and another, or the same, reads in a later launch; the collective operation it looks like, and why.', {sort: 3, thesis: 'section 4.2.2', columns: [
		{title: 'writer', value: row => kernelName(row.source), cell: row => kernelLink(row.source)},
		{title: 'reader', value: row => kernelName(row.target), cell: row => kernelLink(row.target)},
		{title: 'pattern', value: row => row.pattern},
		bytesColumn('bytes', row => row.bytes, {share: true}),
		bytesColumn('to itself', row => row.self_bytes, {help: 'of these, from a CTA to the CTA of the same id'}),
		countColumn('transfers', row => row.transfers),
		{title: 'readers per byte', unit: 'count', value: row => row.distinct_bytes ? row.bytes / row.distinct_bytes : null},
		countColumn('senders', row => row.sources),
		countColumn('receivers', row => row.targets),
		countColumn('most out', row => row.out_degree_max, {help: 'largest number of receivers of one CTA'}),
		countColumn('most in', row => row.in_degree_max, {help: 'largest number of senders to one CTA'}),
		{title: 'evidence', value: row => row.evidence, wrap: true},
	], rows: block.rows}, [rowsNote(block, 'bytes')]);
}

function objectTable() {
	const block = data.objects;

	return tableSection('objects', 'Data objects', 'By allocation site and variable: what is loaded from and stored to it, and what travels through it.', {sort: 6, columns: [
		{title: 'object', value: row => row.name},
		{title: 'kind', value: row => row.kind},
		countColumn('allocations', row => row.objects),
		bytesColumn('size', row => row.bytes, {help: 'of the first allocation'}),
		bytesColumn('loaded', row => row.load_bytes),
		bytesColumn('stored', row => row.store_bytes),
		bytesColumn('transferred', row => row.transferred_bytes, {share: true}),
		bytesColumn('communicated loads', row => row.communicated_load_bytes),
		fractionColumn('stores that communicate', row => row.communicated_store_bytes, row => row.store_bytes),
		{title: 'size as written', value: row => row.size, cell: row => el('code', {}, row.size)},
		{title: 'allocated at', value: row => placeText(row.place), cell: row => placeLink(row.place)},
	], rows: block.rows}, [rowsNote(block, 'transferred bytes')]);
}

const siteText = site => site ? `${placeText(site.place)} ${site.operation} ${site.type} ${site.variable} ${site.function}` : '';
const siteCell = site => site ? [placeLink(site.place, site.place ? null : 'unknown line', {kernel: site.kernel}), el('span', {class: 'none'}, `${site.exact ? '' : ' (the kernel)'} ${site.operation} ${site.type}${site.variable ? ' ' + site.variable : ''}`)] : el('span', {class: 'none'}, 'unknown');

function lineTable() {
	const block = data.line_pairs, all = data.volume.transferred_bytes;

	return tableSection('lines', 'Which line writes what which line reads', 'Bytes count for the first load of a byte by a CTA; all loads in the last column.', {sort: 4, columns: [
		{title: 'written at', value: row => siteText(row.source), cell: row => el('span', {}, siteCell(row.source))},
		{title: 'in', value: row => row.source ? shortName(row.source.function) : '', cell: row => el('span', {class: 'cut', title: row.source ? row.source.function : ''}, row.source ? shortName(row.source.function) : '–')},
		{title: 'read at', value: row => siteText(row.target), cell: row => el('span', {}, siteCell(row.target))},
		{title: 'in', value: row => row.target ? shortName(row.target.function) : '', cell: row => el('span', {class: 'cut', title: row.target ? row.target.function : ''}, row.target ? shortName(row.target.function) : '–')},
		bytesColumn('bytes', row => row.bytes, {share: true}),
		{title: 'of all', unit: 'percent', value: row => all ? row.bytes / all : null},
		bytesColumn('loaded', row => row.loaded_bytes),
	], rows: block.rows}, [rowsNote(block, 'bytes')]);
}

function ctaTable() {
	const ctas = data.ctas, at = i => row => row[i];

	return tableSection('ctas', 'CTAs', 'By linear id, over all supersteps and kernels.', {sort: 3, columns: [
		countColumn('CTA', at(0)), countColumn('in-degree', at(1)), countColumn('out-degree', at(2)),
		bytesColumn('received', at(3), {share: true}), bytesColumn('sent', at(4), {share: true}),
		bytesColumn('load stride, mean', at(5)), bytesColumn('greatest', at(6)),
		bytesColumn('store stride, mean', at(7)), bytesColumn('greatest', at(8)),
	], rows: ctas.rows}, [rowsNote(ctas, 'bytes received and sent')]);
}

function launchTable() {
	const block = data.launches, at = Object.fromEntries(block.columns.map((name, i) => [name, i]));
	const field = name => row => row[at[name]];
	const hasParts = block.rows.some(row => row[at.part]), hasDevices = block.rows.some(row => row[at.device]),
		hasRegions = block.rows.some(row => row[at.region]), hasPaths = data.host_paths && block.rows.some(row => row[at.path]);

	return tableSection('launches', 'Launches', 'Every kernel launch is a superstep of its stream.', {sort: 0, falling: false, columns: [
		countColumn('#', field('launch')),
		hasParts ? countColumn('process', row => row[at.part] + 1) : null,
		{title: 'kernel', value: row => kernelName(row[at.kernel]), text: row => (data.kernels[row[at.kernel]] || {}).name, cell: row => kernelLink(row[at.kernel])},
		hasRegions ? {title: 'region', value: field('region')} : null,
		{title: 'grid', value: field('grid')}, {title: 'block', value: field('block')},
		countColumn('stream', field('stream')),
		hasDevices ? countColumn('device', field('device')) : null,
		countColumn('level', field('level'), {help: 'launches on the longest chain that must come before'}),
		bytesColumn('loaded', field('load_bytes'), {share: true}), bytesColumn('stored', field('store_bytes'), {share: true}),
		bytesColumn('communicated loads', field('communicated_load_bytes')), bytesColumn('communicated stores', field('communicated_store_bytes')),
		countColumn('in-degree', field('in_degree_mean'), {help: 'mean over the CTAs of the grid'}), countColumn('± sd', field('in_degree_sd')),
		countColumn('out-degree', field('out_degree_mean'), {help: 'mean over the CTAs of the grid'}), countColumn('± sd', field('out_degree_sd')),
		{title: 'launched at', value: row => placeText(row[at.site]), cell: row => placeLink(row[at.site], null, {path: row[at.path]})},
		hasPaths ? {title: 'called from', value: row => row[at.path] ? hostPathText(row[at.path]) : '', cell: row => row[at.path] ? el('span', {class: 'cut', title: hostPathText(row[at.path])}, hostPathText(row[at.path])) : el('span', {class: 'none'}, '–')} : null,
		{title: 'traced', value: row => row[at.traced] ? row[at.sample] || 'yes' : 'no: ' + row[at.reason]},
	].filter(Boolean), rows: block.rows}, [rowsNote(block, 'bytes')]);
}

function scalingTable() {
	return tableSection('scaling', 'Placements', 'CTA ids in blocks of successive ones, dealt out in turn, or put together by a graph partitioner. The best of each number of devices is the one of least predicted time.', {sort: 0, falling: false, columns: [
		countColumn('devices', row => row.devices), {title: 'placement', value: row => row.placement},
		{title: 'best', value: row => row.is_best ? 'best' : ''},
		bytesColumn('bytes that cross', row => row.crossing_bytes, {share: true}),
		{title: 'of all', unit: 'percent', value: row => row.crossing_part},
		countColumn('transfers', row => row.crossing_transfers),
		bytesColumn('most into one superstep', row => d3.max(row.superstep_bytes) || 0, {help: data.scaling.rows.length && data.scaling.rows[0].per_point > 1 ? `greatest mean of ${data.scaling.rows[0].per_point} successive supersteps` : null}),
		{title: 'predicted time', unit: 'count', value: row => row.predicted_seconds, cell: row => duration(row.predicted_seconds)},
		{title: 'CTAs of the fullest over the mean', unit: 'count', value: row => row.balance},
	], rows: data.scaling.rows});
}
