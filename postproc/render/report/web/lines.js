// SPDX-License-Identifier: Apache-2.0
// Lines over supersteps or blocks. A point may stand for several: then it has mean, least and greatest.
'use strict';

const meanOf = point => Array.isArray(point) ? point[0] : point;
const leastOf = point => Array.isArray(point) ? point[1] : point;
const greatestOf = point => Array.isArray(point) ? point[2] : point;

// options: {count, per, xTitle, yTitle, format, log, what, describe: i => text,
// series: [{name, colour, points, band: i => [low, high] or null, faint, dashed}]}
function lineFigure(parts, options) {
	const view = new Window(0, options.count, Math.min(options.count, 4 * options.per));
	const last = options.series[0].points.length - 1;
	let geometry = null;

	parts.chart.before(legend(options.series));
	parts.tools.hidden = false;
	parts.tools.append(el('button', {type: 'button', onclick: () => { view.reset(); update(); }}, 'All'), keysHint('Focus the chart:'));

	function visible() {
		return [Math.max(0, Math.floor(view.from / options.per) - 1), Math.min(last, Math.ceil(view.to / options.per) + 1)];
	}

	function extent(first, end) {
		let low = Infinity, high = 0;

		for (const series of options.series)
			for (let i = first; i <= end; i++) {
				const band = series.band && series.band(i);
				const point = series.points[i];

				if (point === null || point === undefined)
					continue;
				high = Math.max(high, band ? band[1] : greatestOf(point));
				if (leastOf(point) > 0)
					low = Math.min(low, leastOf(point));
			}
		return [low, high];
	}

	function path(series, x, y, first, end, shape) {
		return shape.defined(i => series.points[i] !== null && series.points[i] !== undefined)
			.x(i => x((i + .5) * options.per))(d3.range(first, end + 1));
	}

	function plotSeries(f, series, x, y, first, end) {
		const clamp = value => y(Math.max(value, y.domain()[0]));
		const band = series.band || (options.per > 1 ? i => [leastOf(series.points[i]), greatestOf(series.points[i])] : null);

		if (band)
			f.inner.append('path').attr('fill', series.colour).attr('opacity', .18)
				.attr('d', path(series, x, y, first, end, d3.area()
					.y0(i => clamp(band(i)[0])).y1(i => clamp(band(i)[1]))));
		f.inner.append('path').attr('fill', 'none').attr('stroke', series.colour)
			.attr('stroke-width', series.faint ? 1 : 1.6).attr('opacity', series.faint ? .6 : 1)
			.attr('stroke-dasharray', series.dashed ? '4 3' : null)
			.attr('d', path(series, x, y, first, end, d3.line().y(i => clamp(meanOf(series.points[i])))));
		const has = i => series.points[i] !== null && series.points[i] !== undefined;

		// Where there are few points each has a dot, else those that no line leads to.
		f.inner.append('path').attr('stroke', series.colour).attr('stroke-width', 4).attr('stroke-linecap', 'round')
			.attr('d', d3.range(first, end + 1).filter(i => has(i) && (end - first < 80 || (!has(i - 1) && !has(i + 1))))
				.map(i => `M${x((i + .5) * options.per).toFixed(1)},${clamp(meanOf(series.points[i])).toFixed(1)}h0`).join(''));
	}

	function update() {
		const [first, end] = visible();
		const [low, high] = extent(first, end);
		const f = frame(parts.chart, parts.chart.clientWidth, options.height || 230, {left: 58, right: 14, top: 26, bottom: 38},
			`${options.what}: ${options.series.map(series => series.name).join(', ')}`);
		const x = d3.scaleLinear().domain([view.from, view.to]).range([0, f.width]);
		const y = options.log && high > 0 ? logScale(low, high, [f.height, 0]).nice()
			: d3.scaleLinear().domain([0, high || 1]).range([f.height, 0]).nice(5);
		const id = 'clip-' + parts.node.id;

		yAxis(f, y, {title: options.yTitle, format: options.format, values: options.log && high > 0 ? decades(y) : null});
		numberAxis(f, view, options.per, options.xTitle, options.from);
		f.plot.append('clipPath').attr('id', id).append('rect').attr('y', -4).attr('width', f.width).attr('height', f.height + 8);
		f.inner = f.plot.append('g').attr('clip-path', `url(#${id})`);
		options.series.forEach(series => plotSeries(f, series, x, y, first, end));
		f.cross = f.plot.append('line').attr('class', 'cross').attr('y2', f.height).style('display', 'none');
		geometry = {f, x};
		if (!view.isWhole)
			say(parts, `Shown: ${options.unit} ${count(Math.floor(view.from) + (options.from || 0))} to ${count(Math.ceil(view.to) - 1 + (options.from || 0))} of ${count(options.count)}.`);
		else
			parts.status.hidden = true;
	}

	function under(event) {
		const box = geometry.f.svg.getBoundingClientRect();

		return geometry.x.invert((event.clientX - box.left) * (parts.chart.clientWidth / box.width) - geometry.f.margin.left);
	}

	function describe(i) {
		const text = [options.describe(i)];

		for (const series of options.series) {
			const point = series.points[i];

			if (point !== null && point !== undefined)
				text.push(`${series.name}: ${options.format(meanOf(point))}` + (Array.isArray(point) && options.per > 1
					? ` (${options.format(leastOf(point))} … ${options.format(greatestOf(point))})` : ''));
		}
		return text.join('\n');
	}

	draw(parts.chart, width => {
		const isFirst = !geometry;

		update();
		if (!isFirst)
			return;
		zoomable(geometry.f.svg, view, under, update);
		geometry.f.svg.addEventListener('pointermove', event => {
			const i = Math.floor(under(event) / options.per);

			if (i < 0 || i > last)
				return;
			geometry.f.cross.style('display', null).attr('x1', geometry.x((i + .5) * options.per)).attr('x2', geometry.x((i + .5) * options.per));
			tip.show(event, describe(i));
		});
		geometry.f.svg.addEventListener('pointerleave', () => {
			geometry.f.cross.style('display', 'none');
			tip.hide();
		});
	});
	return view;
}
