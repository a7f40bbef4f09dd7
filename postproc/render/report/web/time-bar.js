// SPDX-License-Identifier: Apache-2.0
// Bars of a run's time: what the host and the devices did, each moment once.
'use strict';

const NAMED_LEAST = .06; // of the bar's width, to hold a name

const TIME_KINDS = {
	code: ['the program’s own code', 'var(--call-inner)', '#steps'], calls: ['CUDA calls', 'var(--call)', '#waiting'], waiting: ['waiting for the device', 'var(--wait)', '#waiting'],
	copy: ['copies', 'var(--copy)', '#waiting'], set: ['memsets', 'var(--set)', '#waiting'], tracer: ['the tracer itself', 'var(--other)', '#steps'], idle: ['idle', 'var(--faint)', '#steps'],
};

function timePart(row) {
	const [name, colour, href] = TIME_KINDS[row.kind] || [shortName(row.kernel), kernelColour(row.kernel), '#kernels'];

	return {name, colour, href, row, full: row.kernel || name};
}

// Kernels beyond those with a colour of their own are one part. rows: of page_run_time, of one side
function timeParts(rows) {
	const parts = rows.map(timePart);
	const isRest = part => part.colour === 'var(--other)' && part.row.kernel, rest = parts.filter(isRest);

	if (rest.length < 2)
		return parts;
	const row = {seconds: d3.sum(rest, part => part.row.seconds), run_share: d3.sum(rest, part => part.row.run_share)};

	parts.splice(parts.indexOf(rest[0]), rest.length, {name: plural(rest.length, 'other kernel'), full: plural(rest.length, 'other kernel'), colour: 'var(--other)', href: '#kernels', row});
	return parts;
}

function timeLane(name, parts, what) {
	const bar = el('div', {class: 'time-parts'}, parts.map(part => {
		const {seconds, run_share: share, kind} = part.row;
		const node = el('a', {href: part.href, class: 'time-part' + (kind === 'waiting' || kind === 'traced' ? ' striped' : ''), title: `${part.full}: ${duration(seconds)}, ${percent(share)} of the run`,
			'aria-label': `${name}, ${part.name}: ${duration(seconds)}, ${percent(share)}`}, share >= NAMED_LEAST ? el('span', {}, part.name) : null);

		node.style.flexGrow = share;
		node.style.setProperty('--colour', part.colour);
		return node;
	}));

	return el('div', {class: 'time-lane'}, el('div', {class: 'time-name', title: what}, name), bar);
}

function timeKey(parts) {
	return el('ul', {class: 'legend time-key'}, parts.map(part => {
		const swatch = el('span', {class: 'swatch' + (part.row.kind === 'waiting' || part.row.kind === 'traced' ? ' striped' : ''), 'aria-hidden': 'true'});

		swatch.style.setProperty('--colour', part.colour);
		return el('li', {title: part.full}, swatch, el('span', {class: 'name'}, part.row.kernel ? nameText(part.row.kernel) : part.name), el('span', {class: 'value'}, `${round(duration(part.row.seconds))}, ${percent(part.row.run_share)}`));
	}));
}

