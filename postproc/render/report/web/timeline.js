// SPDX-License-Identifier: Apache-2.0
// The time line: what each stream runs, in the order of calls, by level, or by time.
'use strict';

const ROW_HEIGHT = 22;

function streamName(stream) {
	if (stream.has_others)
		return 'other streams';
	return (tableOf('page_streams').list().some(other => other.part !== stream.part) ? `process ${stream.part + 1}, ` : '') +
		(tableOf('page_streams').list().some(other => other.device !== stream.device) ? `device ${stream.device}, ` : '') +
		(stream.stream ? 'stream ' + stream.stream : 'default stream');
}

// By mode, what an item covers on the axis.
const spans = {
	order: item => [item.slot * run.supersteps_per_slot, (item.slot + 1) * run.supersteps_per_slot],
	level: item => [item.level, item.level + 1],
	time: item => [item.called_ns / 1e9, item.done_ns / 1e9],
};

function timelineMode(mode) {
	const items = tableOf('page_slots').list().map(item => ({item, span: spans[mode](item)}));
	const most = d3.max(items, entry => entry.span[1]) || 1;

	return {items, view: new Window(0, most, mode === 'time' ? most / 1e5 : Math.min(most, 4 * (mode === 'order' ? run.supersteps_per_slot : 1)))};
}

function describeItem(item) {
	const parts = [streamName(tableOf('page_streams').list()[item.row])];

	if (item.launches)
		parts.push(item.launches > 1 ? `${plural(item.launches, 'launch', 'launches')}, the largest of ${kernelName(item.kernel)}`
			: kernelName(item.kernel), `loads ${size(item.load_bytes)}, stores ${size(item.store_bytes)}`);
	if (item.transfers)
		parts.push(plural(item.transfers, 'copy or memset', 'copies and memsets'));
	if (item.untraced_launches)
		parts.push(`${count(item.untraced_launches)} not traced`);
	parts.push(`level ${count(item.level)}, called ${duration(item.called_ns / 1e9)} after the first`);
	return parts.join('\n');
}

function timelineFigure(parts) {
	const streams = tableOf('page_streams').list();
	const titles = {order: 'superstep, in the order of calls', level: 'level: launches that must come before', time: 'time of the call to its end, seconds'};
	let mode = 'order', state = timelineMode(mode), geometry = null;

	const buttons = Object.keys(titles).map(name => el('button', {type: 'button', 'aria-pressed': String(name === mode), onclick: event => {
		mode = name;
		state = timelineMode(mode);
		Object.assign(view, state.view);
		buttons.forEach(button => button.setAttribute('aria-pressed', String(button === event.currentTarget)));
		update();
	}}, 'by ' + name));
	const view = state.view;

	parts.tools.hidden = false;
	parts.tools.append(...buttons, el('button', {type: 'button', onclick: () => { view.reset(); update(); }}, 'All'), keysHint('Focus it:'));
	const shown = [...new Set(tableOf('page_slots').list().map(item => item.kernel).filter(Boolean))]
		.sort((a, b) => rankOf(a) - rankOf(b));
	const named = shown.filter(kernel => rankOf(kernel) < KERNEL_COLOURS);

	parts.chart.before(legend(named.map(kernel => ({name: kernelName(kernel), title: kernel, colour: kernelColour(kernel)}))
		.concat(shown.length > named.length ? [{name: plural(shown.length - named.length, 'other kernel'), colour: 'var(--other)'}] : [])
		.concat([{name: 'copy or memset (low), not traced (hollow)', colour: 'var(--quiet)'}])));

	function update() {
		const left = Math.min(150, 20 + 7 * d3.max(streams, stream => streamName(stream).length));
		const f = frame(parts.chart, parts.chart.clientWidth, streams.length * ROW_HEIGHT + 62, {left, right: 14, top: 10, bottom: 40},
			'time line of ' + plural(run.supersteps, 'superstep') + ' in ' + plural(streams.length, 'stream'));
		const x = d3.scaleLinear().domain([view.from, view.to]).range([0, f.width]);
		const paths = new Map();

		for (const {item, span} of state.items) {
			if (span[1] < view.from || span[0] > view.to)
				continue;
			const low = Math.max(0, x(span[0])), high = Math.min(f.width, x(span[1]));
			const isCopy = !item.launches, isHollow = item.untraced_launches && item.untraced_launches === item.launches;
			const key = isCopy ? 'copy' : (isHollow ? 'hollow ' : '') + kernelColour(item.kernel);
			const gap = high - low > 4 ? 1 : 0;
			const y = item.row * ROW_HEIGHT + (isCopy ? 13 : 3), height = isCopy ? 6 : 16;
			const inset = isHollow ? .75 : 0;

			if (!paths.has(key))
				paths.set(key, []);
			paths.get(key).push(`M${(low + inset).toFixed(2)},${y + inset}h${Math.max(.6, high - low - gap - 2 * inset).toFixed(2)}v${height - 2 * inset}H${(low + inset).toFixed(2)}z`);
		}
		streams.forEach((stream, row) => {
			f.plot.append('text').attr('x', -8).attr('y', row * ROW_HEIGHT + 15).attr('text-anchor', 'end').text(streamName(stream));
			f.plot.append('line').attr('stroke', 'var(--faint)').attr('x2', f.width).attr('y1', (row + 1) * ROW_HEIGHT).attr('y2', (row + 1) * ROW_HEIGHT);
		});
		for (const [key, path] of paths)
			f.plot.append('path').attr('d', path.join('')).attr('fill', key === 'copy' ? 'var(--quiet)' : key.startsWith('hollow') ? 'none' : key)
				.attr('stroke', key.startsWith('hollow') ? key.slice(7) : 'none').attr('stroke-width', 1.5);
		if (mode === 'time')
			xAxis(f, x, {title: titles[mode]});
		else
			numberAxis(f, view, mode === 'order' ? run.supersteps_per_slot : 1, titles[mode]);
		geometry = {f, x};
	}

	function under(event) {
		const box = geometry.f.svg.getBoundingClientRect();

		return geometry.x.invert((event.clientX - box.left) * (parts.chart.clientWidth / box.width) - geometry.f.margin.left);
	}

	function itemAt(event) {
		const box = geometry.f.svg.getBoundingClientRect();
		const row = Math.floor((event.clientY - box.top - geometry.f.margin.top) / ROW_HEIGHT), at = under(event);
		const slack = 2 * (view.to - view.from) / geometry.f.width;

		return state.items.find(({item, span}) => item.row === row && at >= span[0] - (mode === 'time' ? slack : 0) &&
			at < span[1] + (mode === 'time' ? slack : 0));
	}

	draw(parts.chart, () => {
		const isFirst = !geometry;

		update();
		if (!isFirst)
			return;
		zoomable(geometry.f.svg, view, under, update);
		geometry.f.svg.addEventListener('pointermove', event => {
			const entry = itemAt(event);

			if (entry)
				tip.show(event, describeItem(entry.item));
			else
				tip.hide();
		});
		geometry.f.svg.addEventListener('pointerleave', () => tip.hide());
	});
}
