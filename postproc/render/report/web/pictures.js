// SPDX-License-Identifier: Apache-2.0
// Pictures above the tables of sections: what flows from whom to whom, and memory over time.
'use strict';

// From nothing redundant to everything.
function redundancyColour(share) {
	return d3.interpolateYlOrRd(.15 + .8 * Math.min(1, Math.max(0, share || 0)));
}

function redundancyLegend() {
	return legend([0, 25, 50, 75, 100].map(percent => ({name: percent + ' %', colour: redundancyColour(percent / 100),
		title: 'of the bytes were there already'})));
}

const FLOWS_SHOWN = 40, NODE_HEIGHT = 24;

// Nodes one below the other, in the order of rows' beginnings; flows are arcs, down on the right and
// up on the left, as wide as they have bytes.
function drawFlow(parts, section, width) {
	const rows = section.list().slice(0, FLOWS_SHOWN);
	const names = [...new Set(rows.flatMap(row => [row.written_by, row.used_by]))].sort((a, b) => (b === 'the allocation') - (a === 'the allocation'));
	const bytes = row => row.read_bytes + row.overwritten_bytes;
	const height = NODE_HEIGHT * (names.length + 1);
	const f = frame(parts.chart, width, height + 24, {left: 8, right: 8, top: 16, bottom: 8}, section.title);
	const middle = f.width / 2, half = Math.min(190, f.width / 5);
	const y = name => NODE_HEIGHT * (names.indexOf(name) + .5);
	const thickness = d3.scaleSqrt().domain([0, d3.max(rows, bytes) || 1]).range([1, 12]);

	for (const row of rows) {
		const from = y(row.written_by), to = y(row.used_by), side = from <= to ? 1 : -1;
		const x = middle + side * half, reach = Math.min(f.width / 2 - half - 8, 24 + Math.abs(to - from) / 2);
		const down = from === to ? 8 : 0;

		f.plot.append('path').attr('class', 'flow').attr('fill', 'none').attr('stroke', redundancyColour(row.same_share))
			.attr('stroke-width', thickness(bytes(row))).attr('stroke-opacity', .75)
			.attr('d', `M${x},${from - down} C${x + side * reach},${from - down} ${x + side * reach},${to + down} ${x},${to + down}`)
			.datum(row).call(hoverable, () => `${row.written_by}\nto ${row.used_by}\n${row.object || 'memory of no known object'}: read ${size(row.read_bytes)}, ` +
				`overwritten ${size(row.overwritten_bytes)}, of these ${percent(row.same_share || 0)} as they were`);
	}
	for (const name of names) {
		f.plot.append('rect').attr('x', middle - half).attr('y', y(name) - 9).attr('width', 2 * half).attr('height', 18)
			.attr('rx', 3).attr('fill', 'var(--raised)').attr('stroke', 'var(--line)');
		f.plot.append('text').attr('class', 'node').attr('x', middle).attr('y', y(name) + 4).attr('text-anchor', 'middle')
			.text(name.length > 52 ? name.slice(0, 51) + '…' : name).append('title').text(name);
	}
}

// How many bytes lie below each object: by address, without the gaps between them, process by process. Returns how many there are.
function placeObjects(objects) {
	let last = null;

	for (const object of [...objects].sort((a, b) => a.part - b.part || a.address - b.address)) {
		const end = object.address + object.bytes;

		if (!last || last.part !== object.part || object.address > last.end)
			last = {part: object.part, address: object.address, end, below: last ? last.below + last.end - last.address : 0};
		last.end = Math.max(last.end, end);
		object.below = last.below + object.address - last.address;
	}
	return last ? last.below + last.end - last.address : 0;
}

// Objects by address over launches, copies and memsets: pale while they are allocated, in colour while they are used.
function drawMemory(parts, section, width) {
	const objects = section.list().map(row => ({row, address: Number(row.address), bytes: row.bytes, part: row.part, allocated_at: row.allocated_at,
		freed_at: Math.max(row.freed_at, row.allocated_at + 1), first: row.first_use ?? null, last: row.last_use ?? null}));
	const most = placeObjects(objects) || 1, processes = new Set(objects.map(object => object.part)).size;
	const f = frame(parts.chart, width, 360, {left: 64, right: 12, top: 24, bottom: 40}, section.title);
	const x = d3.scaleLinear().domain([0, d3.max(objects, object => object.freed_at) || 1]).range([0, f.width]);
	const y = d3.scaleLinear().domain([0, most]).range([f.height, 0]);
	const box = (object, from, to, what) => f.plot.append('rect').attr('class', what).attr('x', x(from)).attr('width', Math.max(1, x(to) - x(from)))
		.attr('y', y(object.below + object.bytes)).attr('height', Math.max(1.5, y(0) - y(object.bytes)))
		.datum(object).call(hoverable, () => `${object.row.name || 'memory of no known object'}, ${size(object.bytes)}${processes > 1 ? ', process ' + object.part : ''}\nlives ${object.allocated_at} to ${object.freed_at}, used ` +
			`${object.first === null ? 'never' : object.first + ' to ' + object.last}\n${percent(object.row.redundant_share || 0)} redundant` +
			(object.row.patterns ? '\n' + object.row.patterns : ''));

	yAxis(f, y, {title: processes > 1 ? 'memory, by process and address' : 'memory, by address', format: size});
	xAxis(f, x, {title: 'launches, copies and memsets, in the order of calls', format: count});
	for (const object of objects) {
		box(object, object.allocated_at, object.freed_at, 'object').attr('fill', 'var(--line)').attr('fill-opacity', .45).attr('stroke', 'var(--surface)');
		if (object.first !== null)
			box(object, object.first, object.last + 1, 'used').attr('fill', redundancyColour(object.row.redundant_share)).attr('stroke', 'var(--surface)');
	}
}

function pictureFigure(section, title, about, make) {
	const parts = figure({id: section.name + '-picture', title, about, wide: true});

	parts.chart.before(redundancyLegend());
	draw(parts.chart, width => make(parts, section, width));
	return parts.node;
}

sectionFigures.value_flows = section => pictureFigure(section, 'Flow of values', 'Arcs on the right go down, on the left up; as wide as the bytes ' +
	'are many, the redder the more of what is overwritten was there already.', drawFlow);
sectionFigures.value_lifetimes = section => pictureFigure(section, 'Objects by address', 'Without the gaps between them, process above process. Pale while they are allocated, ' +
	'in colour from the first to the last use: the redder the more of the accesses move what is there already.', drawMemory);
