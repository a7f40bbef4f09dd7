// SPDX-License-Identifier: Apache-2.0
// The roofline with its ceilings and what kernels achieve, and what would help each kernel, above the
// tables of the analysis "model" (docs/model.md).
'use strict';

const levelColours = {requested: 'var(--k0)', l2: 'var(--k1)', dram: 'var(--k2)', compulsory: 'var(--k3)'};

function rooflinePoints(table) {
	return table.list().map(row => ({kernel: row.kernel, level: row.level, intensity: row.intensity, flops: row.flops_per_second, roof: row.roof}));
}

function ceilings() {
	return tableOf('model_ceilings').list().map(row => ({what: row.what, flops: row.flops_per_second ?? null, bandwidth: row.bytes_per_second}));
}

const flopRate = value => scaled(value, ['flop/s', 'kflop/s', 'Mflop/s', 'Gflop/s', 'Tflop/s', 'Pflop/s']);
const decadeText = value => value >= .001 && value < 1e4 ? String(value) : value.toExponential(0).replace('e+', 'e');

// Flop/s that a ceiling allows at so many operations per byte.
function ceilingAt(ceiling, intensity) {
	return ceiling.flops === null ? ceiling.bandwidth * intensity : ceiling.flops;
}

function drawRoofline(chart, points, lines) {
	const peak = d3.max(lines, line => line.flops || 0), levels = [...new Set(points.map(point => point.level))];

	chart.before(legend(levels.map(level => ({name: level, colour: levelColours[level]}))));
	draw(chart, width => {
		const f = frame(chart, width, 340, {left: 58, right: 14, top: 26, bottom: 38}, 'Roofline: operations per second over operations per byte');
		const knees = lines.filter(line => line.flops === null).map(line => peak / line.bandwidth);
		const x = logScale(d3.min(points, point => point.intensity) / 2, d3.max(points.map(point => point.intensity).concat(knees)) * 4, [0, f.width]);
		const y = logScale(d3.min(points, point => point.flops) / 2, peak * 2, [f.height, 0]);
		const clip = value => Math.max(y.domain()[0], Math.min(value, peak));

		yAxis(f, y, {title: 'flop/s', values: decades(y), format: decadeText});
		xAxis(f, x, {title: 'flop per byte', values: decades(x), format: decadeText});
		for (const line of lines) {
			// Straight lines in these axes: from where they come in to where the roof begins.
			const ends = line.flops === null
				? [Math.max(x.domain()[0], y.domain()[0] / line.bandwidth), Math.min(x.domain()[1], peak / line.bandwidth)] : x.domain();

			if (ends[0] >= ends[1])
				continue;
			f.plot.append('line').attr('class', 'ceiling').attr('stroke', 'currentColor').attr('stroke-opacity', line.flops === peak ? .9 : .4)
				.attr('x1', x(ends[0])).attr('x2', x(ends[1])).attr('y1', y(clip(ceilingAt(line, ends[0])))).attr('y2', y(clip(ceilingAt(line, ends[1]))));
			f.plot.append('text').attr('class', 'axis-title').attr('x', line.flops === null ? x(ends[0]) + 4 : f.width).attr('text-anchor', line.flops === null ? 'start' : 'end')
				.attr('y', y(clip(ceilingAt(line, line.flops === null ? ends[0] : ends[1]))) - 4).text(line.what);
		}
		f.plot.append('g').selectAll('circle').data(points).enter().append('circle').attr('class', 'achieved').attr('r', 4.5)
			.attr('fill', point => levelColours[point.level]).attr('cx', point => x(point.intensity)).attr('cy', point => y(point.flops))
			.call(hoverable, point => `${shortName(point.kernel)}, by bytes ${point.level}\n${point.intensity.toPrecision(3)} flop per byte: ` +
				`${flopRate(point.flops)} of ${flopRate(point.roof)}, ${percent(point.flops / point.roof)}`);
	});
}

function rooflineFigure(section) {
	const points = rooflinePoints(section).filter(point => point.intensity > 0 && point.flops > 0), lines = ceilings();

	if (!points.length || !lines.length)
		return null;
	const parts = figure({id: 'roofline-chart', title: 'Achieved and possible', wide: true,
		about: 'Each kernel by the bytes of each level; lines are what the device can do at most.'});

	drawRoofline(parts.chart, points, lines);
	return parts.node;
}

// The guidance chart: what each kind of change saves of each kernel, in cycles of an SM.
function guidanceFigure(section) {
	const rows = section.list().slice(0, 12);
	const kinds = [['memlp_cycles', 'memory at full bandwidth', 'var(--k0)'], ['itilp_cycles', 'more independent instructions', 'var(--k1)'],
		['fp_cycles', 'floating-point instructions alone', 'var(--k2)'], ['serial_cycles', 'no barriers, conflicts, special functions', 'var(--k3)']];
	const parts = figure({id: 'guidance-chart', title: 'What would help', wide: true,
		about: 'Benefits by GPUPerf (B_memlp, B_itilp, B_fp, B_serial), as parts of the time that it predicts without any.'});

	barFigure(parts, {what: 'benefits', format: percent, yTitle: 'of the greater of T_mem and T_comp', xTitle: 'kernel',
		groups: rows.map(row => ({name: shortName(row.kernel), title: row.kernel})),
		series: kinds.map(([key, name, colour]) => ({name, colour, values: rows.map(row => row[key] / (Math.max(row.memory_cycles, row.computation_cycles) || 1))}))});
	return parts.node;
}

// Figures above the table of a section, by its name.
const sectionFigures = {model_points: rooflineFigure, model_kernels: guidanceFigure};
