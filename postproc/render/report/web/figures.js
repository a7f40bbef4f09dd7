// SPDX-License-Identifier: Apache-2.0
// The thesis' figures of this trace, one function each.
'use strict';

const bytesColumn = (title, value, more) => Object.assign({title, value, unit: 'bytes'}, more);
const countColumn = (title, value, more) => Object.assign({title, value, unit: 'count'}, more);

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

// What of a histogram's bins stands for several keys.
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

// of: what the switch chose, all communication or what is exchanged between CTAs.
const exchangedNote = of => of === data.exchanged ? ' Without what a CTA sends itself.' : '';

function volumeFigureOf(of) {
	const row = (name, of) => ({name, load: of.load_bytes, loadPart: of.communicated_load_bytes, store: of.store_bytes, storePart: of.communicated_store_bytes});
	const kernels = data.kernels.map((kernel, i) => Object.assign({}, kernel, of === data.exchanged ? of.kernels[i] : {})).sort((a, b) => b.load_bytes + b.store_bytes - a.load_bytes - a.store_bytes);
	const rows = [row('all kernels', of.volume)].concat(kernels.length > 1 ? kernels.slice(0, 8).map(kernel => row(shortName(kernel.name), kernel)) : []);
	const parts = figure({id: 'volume', title: 'Volume and communication fraction', thesis: 'figure 6.1', wide: true,
		about: 'What all threads load and store, and how much of it is communication: stores whose bytes a CTA reads in a later superstep, and loads of such bytes. The percentage beside a bar is that part of it.' + exchangedNote(of),
		aggregated: [kernels.length > 8 ? `the 8 kernels with most bytes of ${count(kernels.length)}; all are in the table of kernels.` : null]});

	volumeFigure(parts, {rows, what: 'load and store volume and the part that communicates'});
	return parts.node;
}

function cdfFigureOf(of) {
	const cdf = of.transfer_size_cdf;
	const parts = figure({id: 'cdf', title: 'Sizes of transfers', thesis: 'figure 6.2',
		about: 'How many of the transfers are of at most this size. A transfer is what one CTA wrote in one superstep and one CTA reads in a later one.' + exchangedNote(of),
		aggregated: [cdf.shown < cdf.distinct ? `${count(cdf.shown)} of ${count(cdf.distinct)} points of the curve; large steps are all there.` : null],
		table: () => ({columns: [bytesColumn('size up to', point => point[0]), countColumn('transfers', point => point[1]),
			{title: 'part', value: point => point[1] / cdf.total, unit: 'percent'}], rows: cdf.points, falling: false})});

	if (!cdf.total) {
		parts.chart.append(el('p', {class: 'none'}, 'There are no transfers.'));
		return parts.node;
	}
	draw(parts.chart, width => {
		const f = frame(parts.chart, width, 230, {left: 58, right: 14, top: 26, bottom: 38}, 'cumulative distribution of transfer sizes');
		const x = logScale(cdf.points[0][0], cdf.points[cdf.points.length - 1][0], [0, f.width]).nice();
		const y = d3.scaleLinear().domain([0, 1]).range([f.height, 0]);
		const points = [[x.domain()[0], 0]].concat(cdf.points, [[x.domain()[1], cdf.total]]);

		yAxis(f, y, {title: 'part of transfers', format: percent});
		xAxis(f, x, {title: 'size of a transfer, distinct bytes', format: size, values: decades(x)});
		f.plot.append('path').attr('fill', 'none').attr('stroke', 'var(--load)').attr('stroke-width', 1.8)
			.attr('d', d3.line().curve(d3.curveStepAfter).x(point => x(point[0])).y(point => y(point[1] / cdf.total))(points));
		const bisect = d3.bisector(point => point[0]).right;

		f.plot.append('rect').attr('width', f.width).attr('height', f.height).attr('fill', 'transparent').each(function () {
			this.addEventListener('pointermove', event => {
				const box = this.getBoundingClientRect();
				const at = bisect(cdf.points, x.invert((event.clientX - box.left) * f.width / box.width)) - 1;

				tip.show(event, at < 0 ? 'smaller than all' : `${percent(cdf.points[at][1] / cdf.total)} of transfers have at most ${size(cdf.points[at][0])} (${count(cdf.points[at][0])} bytes)`);
			});
			this.addEventListener('pointerleave', () => tip.hide());
		});
	});
	return parts.node;
}

// Both histograms on one axis: the bins of either.
function degreeFigureOf() {
	const keys = binsOf(data.in_degree, data.out_degree);
	const values = histogram => countsIn(histogram, keys).map(ctas => ctas / Math.max(1, histogram.total));
	const parts = figure({id: 'degree', title: 'Partners of CTAs', thesis: 'figure 6.3',
		about: `How many CTAs receive from, and send to, so many different CTAs in the whole run${data.options.self ? ', themselves included' : ', themselves left out'}.`,
		aggregated: [binsNote(data.in_degree, 'in-degrees and ' + count(data.out_degree.distinct) + ' out-degrees')],
		table: () => ({columns: [countColumn('partners', i => keys[i][0], {cell: i => binName(keys[i], count)}),
			{title: 'CTAs that receive', value: i => values(data.in_degree)[i], unit: 'percent'},
			{title: 'CTAs that send', value: i => values(data.out_degree)[i], unit: 'percent'}], rows: d3.range(keys.length), falling: false})});

	barFigure(parts, {what: 'in- and out-degree of CTAs', format: percent, yTitle: 'part of CTAs', xTitle: 'communication partners',
		groups: keys.map(bin => ({name: binName(bin, count), title: plural(bin[1], 'partner').replace(/^\S+/, binName(bin, count))})),
		series: [{name: 'in-degree', colour: 'var(--load)', values: values(data.in_degree)},
			{name: 'out-degree', colour: 'var(--store)', values: values(data.out_degree)}]});
	return parts.node;
}

function bisectionFigureOf() {
	const names = ['x', 'y', 'z'], cuts = names.map(name => data.bisection[name]);
	const parts = figure({id: 'bisection', title: 'Bisection volume', thesis: 'figure 6.4',
		about: 'Bytes of transfers whose ends lie on different sides of a cut through the middle of the grid in this dimension, and their part of the bytes between CTAs.',
		table: () => ({columns: [{title: 'dimension', value: i => names[i]}, bytesColumn('bytes', i => cuts[i].bytes),
			{title: 'relative', value: i => cuts[i].relative, unit: 'percent'}], rows: [0, 1, 2]})});
	const charts = [el('div', {class: 'chart'}), el('div', {class: 'chart'})];
	const pair = el('div', {class: 'figures'}, charts);

	pair.style.margin = '0';
	pair.style.gridTemplateColumns = 'repeat(2, minmax(0, 1fr))';
	parts.chart.append(pair);
	barFigure({chart: charts[0]}, {what: 'bisection volume', format: size, yTitle: 'bytes', xTitle: 'cut in', labels: true,
		groups: names.map(name => ({name})), series: [{name: 'bytes', colour: 'var(--k2)', values: cuts.map(cut => cut.bytes)}]});
	barFigure({chart: charts[1]}, {what: 'relative bisection volume', format: percent, yTitle: 'of bytes between CTAs', xTitle: 'cut in', labels: true,
		groups: names.map(name => ({name})), series: [{name: 'relative', colour: 'var(--k3)', values: cuts.map(cut => cut.relative)}]});
	return parts.node;
}

function spreadText(what, spread) {
	return spread.count ? `${what}: median ${size(spread.median)}, half of them ${size(spread.p25)} to ${size(spread.p75)}, 90 % ${size(spread.p5)} to ${size(spread.p95)}; mean ${size(spread.mean)}, greatest ${size(spread.max)}.` : null;
}

function strideFigureOf() {
	const ctas = data.ctas, points = ctas.points;
	const parts = figure({id: 'strides', title: 'Strides in communication, by CTA', thesis: 'figure 6.5', wide: true,
		about: 'Distances between successive communicated elements of one object in address order: mean and greatest of each CTA. A few large ones make a mean large; ' +
			'over all CTAs: ' + [spreadText('loads', data.load_stride_spread), spreadText('stores', data.store_stride_spread)].filter(Boolean).join(' '),
		aggregated: [ctas.stride_step > 1 ? `strides of every ${count(ctas.stride_step)}th CTA, from 0 on, were looked at.` : null, pointsNote(ctas.count, ctas.per_point, 'CTAs'), binsNote(data.load_stride, 'load strides'), binsNote(data.store_stride, 'store strides')],
		table: () => ({columns: [{title: 'access', value: row => row.access}, bytesColumn('stride', row => row.bin[0], {cell: row => binName(row.bin, size)}), countColumn('times', row => row.bin[2])],
			rows: data.load_stride.bins.map(bin => ({access: 'load', bin})).concat(data.store_stride.bins.map(bin => ({access: 'store', bin}))), sort: 2})});

	if (!data.load_stride.total && !data.store_stride.total) {
		parts.chart.append(el('p', {class: 'none'}, 'No CTA communicates more than one element.'));
		return parts.node;
	}
	lineFigure(parts, {what: 'strides by CTA', count: ctas.count, per: ctas.per_point, unit: 'CTAs', log: true, format: size,
		xTitle: 'CTA', yTitle: 'stride (logarithmic)',
		describe: i => ctas.per_point > 1 ? `CTAs ${count(i * ctas.per_point)}–${count(Math.min(ctas.count, (i + 1) * ctas.per_point) - 1)}` : 'CTA ' + count(i),
		series: [{name: 'loads, mean', colour: 'var(--load)', points: points.load_stride_mean},
			{name: 'loads, greatest', colour: 'var(--k5)', points: points.load_stride_max, dashed: true},
			{name: 'stores, mean', colour: 'var(--store)', points: points.store_stride_mean},
			{name: 'stores, greatest', colour: 'var(--k4)', points: points.store_stride_max, dashed: true}]});
	return parts.node;
}

function densityFigureOf() {
	const density = data.density;
	const parts = figure({id: 'density', title: 'Density map', thesis: 'figure 6.6', wide: true,
		about: 'Which CTA writes what which CTA reads, all supersteps and kernels together unless fewer are chosen; CTAs are named by their linear id, x fastest.',
		aggregated: [density.ctas_per_bin > 1 ? `a cell stands for ${count(density.ctas_per_bin)} by ${count(density.ctas_per_bin)} CTAs at the finest. ctpost report --density=FIRST-LAST looks closer at some.` : null, viewsNote()]});

	if (density.source.length) {
		const map = new DensityMap(density, parts);
		const coarse = {first_cta: density.first_cta, last_cta: density.last_cta, ctas_per_bin: data.views.ctas_per_bin, bins: data.views.bins};

		views.add(parts, view => map.show(view ? Object.assign({}, coarse, view) : density));
	} else
		parts.chart.append(el('p', {class: 'none'}, 'There are no transfers.'));
	return parts.node;
}

function launchText(i) {
	const steps = data.supersteps, many = Math.min(steps.per_point, steps.count - i * steps.per_point);

	return (many > 1 ? `${count(many)} launches from ${count(steps.launch[i])}` : 'launch ' + count(steps.launch[i])) + ', ' + kernelName(steps.kernel[i]);
}

function evolutionFigureOf() {
	const steps = data.supersteps;
	const parts = figure({id: 'evolution', title: 'Communication volume by superstep', thesis: 'figure 6.7', wide: true,
		about: 'Stores of a launch that are read later, and loads of a launch of what was written earlier.',
		aggregated: [pointsNote(steps.count, steps.per_point, 'launches')]});

	lineFigure(parts, {what: 'communicated volume by superstep', count: steps.count, per: steps.per_point, unit: 'launches', format: size,
		xTitle: 'launch, in the order of calls', from: 1, yTitle: 'bytes', describe: launchText,
		series: [{name: 'communicated loads', colour: 'var(--load)', points: steps.communicated_load_bytes},
			{name: 'communicated stores', colour: 'var(--store)', points: steps.communicated_store_bytes},
			{name: 'all loads', colour: 'var(--load)', points: steps.load_bytes, faint: true, dashed: true},
			{name: 'all stores', colour: 'var(--store)', points: steps.store_bytes, faint: true, dashed: true}]});
	return parts.node;
}

function distanceFigureOf(of) {
	const histogram = of.superstep_distance;
	const parts = figure({id: 'distance', title: 'Superstep distance', thesis: 'figure 6.8',
		about: 'How many launches happen between the one that writes and the one that reads; 0: the next one reads. What is read several times counts at each distance.' + exchangedNote(of),
		aggregated: [binsNote(histogram, 'distances'), of === data ? viewsNote() : null],
		table: () => ({columns: [countColumn('distance', bin => bin[0], {cell: bin => binName(bin, count)}), bytesColumn('bytes', bin => bin[2]),
			{title: 'part', value: bin => bin[2] / Math.max(1, histogram.total), unit: 'percent'}], rows: histogram.bins, falling: false})});

	const barsOf = part => {
		const bins = binsOf(part), bytes = countsIn(part, bins);

		return {labels: bins.length < 8, series: [{name: 'bytes', colour: 'var(--k2)', values: bytes}],
			groups: bins.map((bin, i) => ({name: binName(bin, count), title: `distance ${binName(bin, count)}: ${percent(bytes[i] / Math.max(1, part.total))}`}))};
	};
	const options = Object.assign({what: 'bytes by superstep distance', format: size, yTitle: 'bytes', xTitle: 'launches in between'}, barsOf(histogram));
	const again = barFigure(parts, options);

	// What a part of the transfers would be without self messages is not in the page.
	if (of === data)
		views.add(parts, view => {
			Object.assign(options, barsOf(view ? {total: view.total_bytes, bins: view.distance} : histogram));
			again();
		});
	return parts.node;
}

function connectivityFigureOf() {
	const steps = data.supersteps;
	const parts = figure({id: 'connectivity', title: 'Connectivity by superstep', thesis: 'figure 6.9', wide: true,
		about: 'Mean number of CTAs that read what a CTA wrote in this launch (out), and of CTAs that wrote what a CTA reads in it (in), each with one standard deviation to either side, over all CTAs of the grid.',
		aggregated: [pointsNote(steps.count, steps.per_point, 'launches', 'mean of the means, and of the deviations')]});

	const series = (name, colour, means, deviations) => ({name: name + ' ± standard deviation', colour, points: means, band: i => {
		const mean = meanOf(means[i]), sd = meanOf(deviations[i]);

		return [Math.max(0, mean - sd), mean + sd];
	}});

	lineFigure(parts, {what: 'mean in- and out-degree by superstep', count: steps.count, per: steps.per_point, unit: 'launches', format: count,
		xTitle: 'launch, in the order of calls', from: 1, yTitle: 'partners',
		describe: i => `${launchText(i)}\nstandard deviation: in ${count(meanOf(steps.in_degree_sd[i]))}, out ${count(meanOf(steps.out_degree_sd[i]))}`,
		series: [series('mean in-degree', 'var(--load)', steps.in_degree_mean, steps.in_degree_sd),
			series('mean out-degree', 'var(--store)', steps.out_degree_mean, steps.out_degree_sd)]});
	return parts.node;
}

function scalingFigureOf() {
	const rows = data.scaling.rows;
	const placements = [...new Set(rows.map(row => row.placement))];
	const devices = [...new Set(rows.map(row => row.devices))];
	const colours = ['var(--k0)', 'var(--k1)', 'var(--k2)'];
	const of = (placement, field) => devices.map(k => rows.find(row => row.placement === placement && row.devices === k)).map(row => row ? row[field] : 0);
	const chart = (id, title, about, field, format, yTitle) => {
		const parts = figure({id, title, about, thesis: 'section 7.1'});

		barFigure(parts, {what: title, format, yTitle, xTitle: 'devices', groups: devices.map(k => ({name: String(k), title: k + ' devices'})),
			series: placements.map((placement, i) => ({name: placement, colour: colours[i % 3], values: of(placement, field)}))});
		return parts.node;
	};

	return [chart('crossing', 'Bytes between devices', 'If each CTA id had a home on one of k devices: bytes that would cross, in all supersteps.', 'crossing_bytes', size, 'bytes'),
		chart('predicted', 'Predicted time of the exchange', `With ${size(data.scaling.bandwidth)}/s per device and direction, and ${duration(data.scaling.latency)} latency per superstep that anything crosses into.`, 'predicted_seconds', duration, 'time')];
}
