// SPDX-License-Identifier: Apache-2.0
// Figures of communication between thread blocks, one function each.
'use strict';

// How something is spread: {total, distinct, width, bins: [[first, last, count], ...]}.
function histogramOf(name) {
	const head = tableOf('page_histograms').list().find(one => one.histogram === name) || {};

	return {total: head.count_total || 0, distinct: head.distinct || 0, width: head.bin_width,
		bins: tableOf('page_bins').list().filter(bin => bin.histogram === name).map(bin => [bin.first_key, bin.last_key, bin.count])};
}

// Its bins as a table; unit: of the keys.
function binsTable(names, unit, keys = ['first_key', 'last_key', 'count', 'count_share']) {
	const of = tableOf('page_bins').column('histogram');

	return title => describedTable(tableOf('page_bins'), title, {keys, units: {first_key: unit, last_key: unit}, rows: d3.range(of.length).filter(i => names.includes(of[i]))});
}

// Communication: all of it, or what blocks exchange with others.
const communication = {
	all: {totals: tableOf('comm_totals').list()[0], kernels: tableOf('kernel_volumes').list(), sizes: 'transfer_sizes', distances: 'distances'},
	exchanged: {totals: tableOf('exchanged_totals').list()[0], kernels: tableOf('exchanged_kernel_volumes').list(), sizes: 'exchanged_transfer_sizes', distances: 'exchanged_distances'},
};

// Points of a line: a number each, or [mean, least, greatest] of what it stands for.
function pointsOf(table, key) {
	const [mean, least, greatest] = ['', '_least', '_greatest'].map(end => table.column(key + end));

	return mean.map((value, i) => least[i] === null ? value : [value, least[i], greatest[i]]);
}

const GAPS_MOST = 128;

// [first, last] of the bins of these histograms; of single keys those that do not occur, too.
function binsOf(...histograms) {
	const bins = [...new Map(histograms.flatMap(histogram => histogram.bins).map(bin => [bin[0] + ':' + bin[1], [bin[0], bin[1]]])).values()]
		.sort((a, b) => a[0] - b[0] || a[1] - b[1]);
	const last = bins.length ? bins[bins.length - 1][1] : 0;

	if (bins.some(bin => bin[0] !== bin[1]) || last > GAPS_MOST || !bins.length)
		return bins;
	return d3.range(0, last + 1).map(key => [key, key]);
}

// The histogram's counts in these bins.
function countsIn(histogram, bins) {
	const found = new Map(histogram.bins.map(bin => [bin[0] + ':' + bin[1], bin[2]]));

	return bins.map(bin => found.get(bin[0] + ':' + bin[1]) || 0);
}

// Says which of a histogram's bins stand for several keys.
function binName(bin, format) {
	return bin[0] === bin[1] ? format(bin[0]) : `${format(bin[0])}–${format(bin[1])}`;
}

function binsNote(histogram, what) {
	return histogram.width === 1 ? null : histogram.width === 0
		? `${count(histogram.distinct)} different ${what} in bins from one power of two to the next.`
		: `${count(histogram.distinct)} different ${what} in bins of ${count(histogram.width)}.`;
}

function pointsNote(total, per, what, more) {
	return per > 1 ? `each point stands for ${count(per)} successive ${what} of ${count(total)}: ${more || 'their mean, the band from the least to the greatest'}.` : null;
}

// of: what the switch chose, all communication or what is exchanged between blocks.
const exchangedNote = of => of === communication.exchanged ? ' Without what a block sends itself.' : '';

function volumeFigureOf(of) {
	const row = (name, of) => ({name, load: of.load_bytes, loadPart: of.communicated_load_bytes, store: of.store_bytes, storePart: of.communicated_store_bytes});
	const list = of.kernels.slice().sort((a, b) => b.load_bytes + b.store_bytes - a.load_bytes - a.store_bytes);
	const rows = [row('all kernels', of.totals)].concat(list.length > 1 ? list.slice(0, 8).map(kernel => row(shortName(kernel.kernel), kernel)) : []);
	const parts = figure({id: 'volume', title: 'Volume and communication fraction', wide: true,
		about: 'What all threads load and store, and how much of it is communication: stores whose bytes a block reads in a later superstep, and loads of such bytes. The percentage beside a bar is that part of it.' + exchangedNote(of),
		aggregated: [list.length > 8 ? `the 8 kernels with most bytes of ${count(list.length)}; all are in the table of kernels.` : null]});

	volumeFigure(parts, {rows, what: 'load and store volume and the part that communicates'});
	return parts.node;
}

function cdfFigureOf(of) {
	const cdf = histogramOf(of.sizes), points = cdf.bins.map(([bytes, , transfers]) => [bytes, transfers]);
	const parts = figure({id: 'cdf', title: 'Sizes of transfers',
		about: 'How many of the transfers are of at most this size. A transfer is what one block wrote in one superstep and one block reads in a later one.' + exchangedNote(of),
		aggregated: [points.length < cdf.distinct ? `${count(points.length)} of ${count(cdf.distinct)} points of the curve; large steps are all there.` : null],
		table: binsTable([of.sizes], 'bytes', ['last_key', 'count', 'count_share'])});

	if (!cdf.total) {
		parts.chart.append(el('p', {class: 'none'}, 'There are no transfers.'));
		return parts.node;
	}
	draw(parts.chart, width => {
		const f = frame(parts.chart, width, 230, {left: 58, right: 14, top: 26, bottom: 38}, 'cumulative distribution of transfer sizes');
		const x = logScale(points[0][0], points[points.length - 1][0], [0, f.width]).nice();
		const y = d3.scaleLinear().domain([0, 1]).range([f.height, 0]);
		const curve = [[x.domain()[0], 0]].concat(points, [[x.domain()[1], cdf.total]]);

		yAxis(f, y, {title: 'part of transfers', format: percent});
		xAxis(f, x, {title: 'size of a transfer, distinct bytes', format: size, values: decades(x)});
		f.plot.append('path').attr('fill', 'none').attr('stroke', 'var(--load)').attr('stroke-width', 1.8)
			.attr('d', d3.line().curve(d3.curveStepAfter).x(point => x(point[0])).y(point => y(point[1] / cdf.total))(curve));
		const bisect = d3.bisector(point => point[0]).right;

		f.plot.append('rect').attr('width', f.width).attr('height', f.height).attr('fill', 'transparent').each(function () {
			this.addEventListener('pointermove', event => {
				const box = this.getBoundingClientRect();
				const at = bisect(points, x.invert((event.clientX - box.left) * f.width / box.width)) - 1;

				tip.show(event, at < 0 ? 'smaller than all' : `${percent(points[at][1] / cdf.total)} of transfers have at most ${size(points[at][0])} (${count(points[at][0])} bytes)`);
			});
			this.addEventListener('pointerleave', () => tip.hide());
		});
	});
	return parts.node;
}

// Both histograms on one axis: the bins of either.
function degreeFigureOf() {
	const ins = histogramOf('in_degrees'), outs = histogramOf('out_degrees'), keys = binsOf(ins, outs);
	const values = histogram => countsIn(histogram, keys).map(ctas => ctas / Math.max(1, histogram.total));
	const parts = figure({id: 'degree', title: 'Partners of blocks',
		about: `How many blocks receive from, and send to, so many different blocks in the whole run${run.self ? ', themselves included' : ', themselves left out'}.`,
		aggregated: [binsNote(ins, 'in-degrees and ' + count(outs.distinct) + ' out-degrees')],
		table: binsTable(['in_degrees', 'out_degrees'], '', ['histogram', 'first_key', 'last_key', 'count', 'count_share'])});

	barFigure(parts, {what: 'in- and out-degree of blocks', format: percent, yTitle: 'part of blocks', xTitle: 'communication partners',
		groups: keys.map(bin => ({name: binName(bin, count), title: plural(bin[1], 'partner').replace(/^\S+/, binName(bin, count))})),
		series: [{name: 'in-degree', colour: 'var(--load)', values: values(ins)},
			{name: 'out-degree', colour: 'var(--store)', values: values(outs)}]});
	return parts.node;
}

function bisectionFigureOf() {
	const cuts = tableOf('bisection').list(), names = cuts.map(cut => cut.dimension);
	const parts = figure({id: 'bisection', title: 'Bisection volume',
		about: 'Bytes of transfers whose ends lie on different sides of a cut through the middle of the grid in this dimension, and their part of the bytes between blocks.',
		table: title => describedTable(tableOf('bisection'), title, {units: {relative: 'share'}})});
	const charts = [el('div', {class: 'chart'}), el('div', {class: 'chart'})];
	const pair = el('div', {class: 'figures'}, charts);

	pair.style.margin = '0';
	pair.style.gridTemplateColumns = 'repeat(2, minmax(0, 1fr))';
	parts.chart.append(pair);
	barFigure({chart: charts[0]}, {what: 'bisection volume', format: size, yTitle: 'bytes', xTitle: 'cut in', labels: true,
		groups: names.map(name => ({name})), series: [{name: 'bytes', colour: 'var(--k2)', values: cuts.map(cut => cut.bytes)}]});
	barFigure({chart: charts[1]}, {what: 'relative bisection volume', format: percent, yTitle: 'of bytes between blocks', xTitle: 'cut in', labels: true,
		groups: names.map(name => ({name})), series: [{name: 'relative', colour: 'var(--k3)', values: cuts.map(cut => cut.relative)}]});
	return parts.node;
}

function spreadText(what, spread) {
	return spread && spread.times ? `${what}: median ${size(spread.median)}, half of them ${size(spread.percentile_25)} to ${size(spread.percentile_75)}, 90 % ${size(spread.percentile_5)} to ${size(spread.percentile_95)}; mean ${size(spread.mean)}, greatest ${size(spread.most)}.` : null;
}

function strideFigureOf() {
	const points = tableOf('page_cta_points'), loads = histogramOf('load_strides'), stores = histogramOf('store_strides');
	const spread = of => tableOf('stride_spreads').list().find(one => one.class === of);
	const parts = figure({id: 'strides', title: 'Strides in communication, by block', wide: true,
		about: 'Distances between successive communicated elements of one object in address order: mean and greatest of each block. A few large ones make a mean large; ' +
			'over all blocks: ' + [spreadText('loads', spread('load')), spreadText('stores', spread('store'))].filter(Boolean).join(' '),
		aggregated: [run.stride_step > 1 ? `strides of every ${count(run.stride_step)}th block, from 0 on, were looked at.` : null, pointsNote(run.ctas, run.ctas_per_point, 'blocks'), binsNote(loads, 'load strides'), binsNote(stores, 'store strides')],
		table: binsTable(['load_strides', 'store_strides'], 'bytes', ['histogram', 'first_key', 'last_key', 'count', 'count_share'])});

	if (!loads.total && !stores.total) {
		parts.chart.append(el('p', {class: 'none'}, 'No block communicates more than one element.'));
		return parts.node;
	}
	lineFigure(parts, {what: 'strides by block', count: run.ctas, per: run.ctas_per_point, unit: 'blocks', log: true, format: size,
		xTitle: 'block', yTitle: 'stride (logarithmic)',
		describe: i => run.ctas_per_point > 1 ? `blocks ${count(i * run.ctas_per_point)}–${count(Math.min(run.ctas, (i + 1) * run.ctas_per_point) - 1)}` : 'block ' + count(i),
		series: [{name: 'loads, mean', colour: 'var(--load)', points: pointsOf(points, 'load_stride_mean')},
			{name: 'loads, greatest', colour: 'var(--k5)', points: pointsOf(points, 'load_stride_max'), dashed: true},
			{name: 'stores, mean', colour: 'var(--store)', points: pointsOf(points, 'store_stride_mean')},
			{name: 'stores, greatest', colour: 'var(--k4)', points: pointsOf(points, 'store_stride_max'), dashed: true}]});
	return parts.node;
}

function densityFigureOf() {
	const density = views.whole;
	const parts = figure({id: 'density', title: 'Density map', wide: true,
		about: 'Which block writes what which block reads, all supersteps and kernels together unless fewer are chosen; blocks are named by their linear id, x fastest.',
		aggregated: [density.ctas_per_bin > 1 ? `a cell stands for ${count(density.ctas_per_bin)} by ${count(density.ctas_per_bin)} blocks at the finest. ctpost report --density=FIRST-LAST looks closer at some.` : null, viewsNote()]});

	if (density.source.length) {
		const map = new DensityMap(density, parts);

		views.add(parts, view => map.show(view || density));
	} else
		parts.chart.append(el('p', {class: 'none'}, 'There are no transfers.'));
	return parts.node;
}

function launchText(i) {
	const points = tableOf('page_launch_points'), many = Math.min(run.launches_per_point, run.passing_launches - i * run.launches_per_point), first = count(points.column('launch')[i]);

	return (many > 1 ? `${count(many)} launches from ${first}` : 'launch ' + first) + ', ' + kernelName(points.column('kernel')[i]);
}

function evolutionFigureOf() {
	const steps = tableOf('page_launch_points'), points = key => pointsOf(steps, key);
	const parts = figure({id: 'evolution', title: 'Communication volume by superstep', wide: true,
		about: 'Stores of a launch that are read later, and loads of a launch of what was written earlier.',
		aggregated: [pointsNote(run.passing_launches, run.launches_per_point, 'launches')]});

	lineFigure(parts, {what: 'communicated volume by superstep', count: run.passing_launches, per: run.launches_per_point, unit: 'launches', format: size,
		xTitle: 'launch, in the order of calls', from: 1, yTitle: 'bytes', describe: launchText,
		series: [{name: 'communicated loads', colour: 'var(--load)', points: points('communicated_load_bytes')},
			{name: 'communicated stores', colour: 'var(--store)', points: points('communicated_store_bytes')},
			{name: 'all loads', colour: 'var(--load)', points: points('load_bytes'), faint: true, dashed: true},
			{name: 'all stores', colour: 'var(--store)', points: points('store_bytes'), faint: true, dashed: true}]});
	return parts.node;
}

function distanceFigureOf(of) {
	const histogram = histogramOf(of.distances);
	const parts = figure({id: 'distance', title: 'Superstep distance',
		about: 'How many launches happen between the one that writes and the one that reads; 0: the next one reads. What is read several times counts at each distance.' + exchangedNote(of),
		aggregated: [binsNote(histogram, 'distances'), of === communication.all ? viewsNote() : null],
		table: title => describedTable(tableOf('page_bins'), title, {keys: ['first_key', 'last_key', 'count', 'count_share'], units: {count: 'bytes'},
			rows: d3.range(tableOf('page_bins').length).filter(i => tableOf('page_bins').column('histogram')[i] === of.distances)})});

	const barsOf = part => {
		const bins = binsOf(part), bytes = countsIn(part, bins);

		return {labels: bins.length < 8, series: [{name: 'bytes', colour: 'var(--k2)', values: bytes}],
			groups: bins.map((bin, i) => ({name: binName(bin, count), title: `distance ${binName(bin, count)}: ${percent(bytes[i] / Math.max(1, part.total))}`}))};
	};
	const options = Object.assign({what: 'bytes by superstep distance', format: size, yTitle: 'bytes', xTitle: 'launches in between'}, barsOf(histogram));
	const again = barFigure(parts, options);

	// The page does not have what a part of the transfers would be without self messages.
	if (of === communication.all)
		views.add(parts, view => {
			Object.assign(options, barsOf(view ? {total: view.bytes, bins: view.distances} : histogram));
			again();
		});
	return parts.node;
}

function connectivityFigureOf() {
	const steps = tableOf('page_launch_points'), points = key => pointsOf(steps, key);
	const parts = figure({id: 'connectivity', title: 'Connectivity by superstep', wide: true,
		about: 'Mean number of blocks that read what a block wrote in this launch (out), and of blocks that wrote what a block reads in it (in), each with one standard deviation to either side, over all blocks of the grid.',
		aggregated: [pointsNote(run.passing_launches, run.launches_per_point, 'launches', 'mean of the means, and of the deviations')]});

	const series = (name, colour, means, deviations) => ({name: name + ' ± standard deviation', colour, points: means, band: i => {
		const mean = meanOf(means[i]), sd = meanOf(deviations[i]);

		return [Math.max(0, mean - sd), mean + sd];
	}});

	lineFigure(parts, {what: 'mean in- and out-degree by superstep', count: run.passing_launches, per: run.launches_per_point, unit: 'launches', format: count,
		xTitle: 'launch, in the order of calls', from: 1, yTitle: 'partners',
		describe: i => `${launchText(i)}\nstandard deviation: in ${count(steps.column('in_degree_sd')[i])}, out ${count(steps.column('out_degree_sd')[i])}`,
		series: [series('mean in-degree', 'var(--load)', points('in_degree_mean'), points('in_degree_sd')),
			series('mean out-degree', 'var(--store)', points('out_degree_mean'), points('out_degree_sd'))]});
	return parts.node;
}

function scalingFigureOf() {
	const rows = tableOf('scaling').list(), links = onlyRow('scaling_totals');
	const placements = [...new Set(rows.map(row => row.placement))];
	const devices = [...new Set(rows.map(row => row.devices))];
	const colours = ['var(--k0)', 'var(--k1)', 'var(--k2)'];
	const of = (placement, field) => devices.map(k => rows.find(row => row.placement === placement && row.devices === k)).map(row => row ? row[field] : 0);
	const chart = (id, title, about, field, format, yTitle) => {
		const parts = figure({id, title, about});

		barFigure(parts, {what: title, format, yTitle, xTitle: 'devices', groups: devices.map(k => ({name: String(k), title: k + ' devices'})),
			series: placements.map((placement, i) => ({name: placement, colour: colours[i % 3], values: of(placement, field)}))});
		return parts.node;
	};

	return [chart('crossing', 'Bytes between devices', 'If each block id had a home on one of k devices: bytes that would cross, in all supersteps.', 'crossing_bytes', size, 'bytes'),
		chart('predicted', 'Predicted time of the exchange', `With ${size(links.bandwidth)}/s per device and direction, and ${duration(links.latency_seconds)} latency per superstep that anything crosses into.`, 'predicted_seconds', duration, 'time')];
}
