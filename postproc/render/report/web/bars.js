// SPDX-License-Identifier: Apache-2.0
// Bars: groups standing beside each other, and volumes of which a part communicates.
'use strict';

// options: {groups: [{name, title}], series: [{name, colour, values}], format, yTitle, xTitle, what}
// Draws again, with what the options are then, when what it returns is called.
function barFigure(parts, options) {
	if (options.series.length > 1)
		parts.chart.before(legend(options.series));
	const paint = width => {
		const f = frame(parts.chart, width, options.height || 210, {left: 58, right: 10, top: 26, bottom: 38},
			`${options.what}: ${options.series.map(series => series.name).join(', ')}`);
		const x = d3.scaleBand().domain(d3.range(options.groups.length)).range([0, f.width])
			.paddingInner(options.groups.length > 60 ? 0 : .25).paddingOuter(.1);
		const inner = d3.scaleBand().domain(d3.range(options.series.length)).range([0, x.bandwidth()]);
		const y = d3.scaleLinear().domain([0, d3.max(options.series, series => d3.max(series.values)) * (options.labels ? 1.08 : 1) || 1]).range([f.height, 0]).nice(5);
		const every = Math.ceil(options.groups.length / Math.max(2, f.width / (14 + 7 * d3.max(options.groups.map(group => group.name.length).concat(1)))));

		yAxis(f, y, {title: options.yTitle, format: options.format});
		f.plot.append('g').attr('class', 'axis').attr('transform', `translate(0,${f.height})`)
			.call(d3.axisBottom(x).tickSizeOuter(0).tickValues(d3.range(0, options.groups.length, every))
				.tickFormat(i => options.groups[i].name));
		f.plot.append('text').attr('class', 'axis-title').attr('x', f.width / 2).attr('y', f.height + 32)
			.attr('text-anchor', 'middle').text(options.xTitle);
		options.series.forEach((series, s) => {
			f.plot.append('g').attr('fill', series.colour).selectAll('rect').data(series.values).enter().append('rect')
				.attr('x', (value, i) => x(i) + inner(s)).attr('width', Math.max(.7, inner.bandwidth() - (inner.bandwidth() > 6 ? 1 : 0)))
				.attr('y', value => value > 0 ? Math.min(y(value), f.height - 1) : f.height)
				.attr('height', value => value > 0 ? Math.max(1, f.height - y(value)) : 0);
			if (options.labels && x.bandwidth() > 50)
				f.plot.append('g').selectAll('text').data(series.values).enter().append('text').attr('class', 'value')
					.attr('text-anchor', 'middle').attr('x', (value, i) => x(i) + inner(s) + inner.bandwidth() / 2)
					.attr('y', value => y(value) - 4).text(value => options.format(value));
		});
		hover(f, x, options);
	};

	draw(parts.chart, paint);
	return () => paint(parts.chart.clientWidth);
}

function hover(f, x, options) {
	f.plot.append('g').selectAll('rect').data(options.groups).enter().append('rect').attr('fill', 'transparent')
		.attr('x', (group, i) => x(i)).attr('width', x.step()).attr('height', f.height)
		.call(hoverable, (group, i) => [group.title || group.name]
			.concat(options.series.map(series => `${series.name}: ${options.format(series.values[i])}`)).join('\n'));
}

// Rows of horizontal bars: {name, cell, all, part, colour}; part is drawn over all.
function volumeFigure(parts, options) {
	parts.chart.before(legend([
		{name: 'loads that communicate', colour: 'var(--load)'}, {name: 'all loads', colour: 'var(--load)', faint: true},
		{name: 'stores that communicate', colour: 'var(--store)'}, {name: 'all stores', colour: 'var(--store)', faint: true}]));
	draw(parts.chart, width => {
		const rowHeight = 40, left = Math.min(190, width * .3);
		const f = frame(parts.chart, width, options.rows.length * rowHeight + 52, {left, right: 76, top: 6, bottom: 38}, options.what);
		const x = d3.scaleLinear().domain([0, d3.max(options.rows, row => Math.max(row.load, row.store)) || 1]).range([0, f.width]).nice(5);

		f.plot.append('g').attr('class', 'grid').attr('transform', `translate(0,${f.height})`)
			.call(d3.axisBottom(x).ticks(Math.max(2, Math.floor(f.width / 90))).tickSize(-f.height).tickFormat(''));
		xAxis(f, x, {title: 'bytes that threads ask for', format: size, ticks: Math.max(2, Math.floor(f.width / 90))});
		options.rows.forEach((row, i) => volumeRow(f, x, row, i * rowHeight, left));
	});
}

function volumeRow(f, x, row, top, left) {
	const bar = (value, offset, fill, opacity) => f.plot.append('rect').attr('x', 0).attr('y', top + offset)
		.attr('width', value ? Math.max(1, x(value)) : 0).attr('height', 13).attr('fill', fill).attr('opacity', opacity);
	const label = f.plot.append('text').attr('x', -8).attr('y', top + 18).attr('text-anchor', 'end').text(row.name);

	// Cut from the end until it fits.
	for (let n = row.name.length; n > 4 && label.node().getComputedTextLength() > left - 12; n -= 2)
		label.text(row.name.slice(0, n) + '…');
	bar(row.load, 4, 'var(--load)', .3);
	bar(row.loadPart, 4, 'var(--load)', 1);
	bar(row.store, 19, 'var(--store)', .3);
	bar(row.storePart, 19, 'var(--store)', 1);
	for (const [value, part, offset] of [[row.load, row.loadPart, 14], [row.store, row.storePart, 29]])
		f.plot.append('text').attr('class', 'value').attr('x', x(value) + 5).attr('y', top + offset + 1)
			.text(value ? percent(part / value) : '–');
	f.plot.append('rect').attr('x', 0).attr('y', top).attr('width', f.width).attr('height', 36).attr('fill', 'transparent')
		.call(hoverable, () => `${row.name}\nloads: ${size(row.load)}, ${size(row.loadPart)} of communicated data\n` +
			`stores: ${size(row.store)}, ${size(row.storePart)} read later`);
}
