// SPDX-License-Identifier: Apache-2.0
// The page: sections in order, navigation, the theme switch.
'use strict';

function timelineSection() {
	const launches = tableOf('supersteps').count, streams = tableOf('page_streams').list();
	const parts = figure({id: 'timeline', title: 'Supersteps by stream', wide: true,
		about: `${plural(launches, 'launch', 'launches')} and ${plural(run.supersteps - launches, 'copy or memset', 'copies and memsets')}, coloured by kernel.`,
		aggregated: [run.supersteps_per_slot > 1 ? `${count(run.supersteps_per_slot)} successive supersteps share a slot; it has the colour of its largest launch.` : null,
			streams.some(stream => stream.has_others) ? `the first ${streams.length - 1} streams have a row; the others share one.` : null]});

	if (run.supersteps)
		timelineFigure(parts);
	return parts.node;
}

// Figures that can be of all communication, or only of what CTAs exchange with others.
const switchable = [];

function switched(make) {
	const node = make(communication.all);

	switchable.push({make, node});
	return node;
}

function showExchanged(only) {
	views.choose('');
	for (const one of switchable) {
		const node = one.make(only ? communication.exchanged : communication.all);

		forget(one.node);
		one.node.replaceWith(node);
		one.node = node;
	}
	redraw(false);
}

function exchangedSwitch() {
	const v = communication.all.totals;

	return el('p', {class: 'switch'}, el('label', {}, el('input', {type: 'checkbox', id: 'exchanged-only', onchange: event => showExchanged(event.target.checked)}),
		' exchanged only'), ` – volume, sizes and distance without what a CTA sends itself (${plural(v.self_transfers, 'transfer')}, ${size(v.self_bytes)})`);
}

// Without traced launches nothing is known of what CTAs read and write.
const isTraced = () => run.traced_launches > 0;

const sections = [
	{id: 'overview', title: 'Overview', make: () => [findingsList(), tiles(), traceFacts()]},
	{id: 'steps', title: 'Time line', make: () => [el('div', {class: 'figures'}, callsSection(), timelineSection())]},
	{id: 'between', title: 'Communication of CTAs', when: isTraced, make: () => [exchangedSwitch(), el('div', {class: 'figures'},
		switched(volumeFigureOf), switched(cdfFigureOf), degreeFigureOf(), bisectionFigureOf(), switched(distanceFigureOf), densityFigureOf(), strideFigureOf())]},
	{id: 'supersteps', title: 'Over supersteps', when: isTraced, make: () => [el('div', {class: 'figures'}, evolutionFigureOf(), connectivityFigureOf())]},
	{id: 'who', title: 'Kernels, lines, objects', when: isTraced, make: () => [el('div', {class: 'figures'}, tableSection('pairs', 'kernel_pairs', {thesis: 'section 4.2.2'}), tableSection('lines', 'line_pairs'),
		tableSection('objects', 'object_flows'), tableSection('kernels', 'kernel_volumes'))]},
	...tables.filter(table => table.analysis).map(analysisSection),
	{id: 'devices', title: 'Several devices', when: () => tableOf('scaling').length && isTraced(), make: () => [el('div', {class: 'figures'}, scalingFigureOf(), tableSection('scaling', 'scaling'))]},
	{id: 'lists', title: 'Launches and CTAs', make: () => [el('div', {class: 'figures'}, tableSection('launches', 'supersteps', {title: 'Launches', about: 'Every kernel launch is a superstep of its stream.'}), tableSection('ctas', 'cta_figures'))]},
	{id: 'coverage', title: 'What was recorded', make: coverageSection},
	{id: 'sources', title: 'Source lines', make: sourcesSection},
];

function themeSwitch() {
	const select = el('select', {id: 'theme', onchange: event => theme.choose(event.target.value)},
		['auto', 'light', 'dark'].map(name => el('option', {value: name, selected: name === theme.choice}, name)));

	return el('label', {}, 'Colours ', select);
}

function navigation(shown) {
	const links = shown.map(section => el('a', {href: '#' + section.id}, section.title));
	const follow = new IntersectionObserver(entries => {
		for (const entry of entries)
			if (entry.isIntersecting)
				links.forEach(link => link.setAttribute('aria-current', String(link.hash === '#' + entry.target.id)));
	}, {rootMargin: '0px 0px -75% 0px'});

	return {node: el('nav', {'aria-label': 'Sections'}, themeSwitch(), el('ul', {}, links.map(link => el('li', {}, link)))), follow};
}

// What the address names is made here, after the browser has looked for it.
function followLink() {
	const target = location.hash.length > 1 && document.getElementById(decodeURIComponent(location.hash.slice(1)));

	if (target)
		target.scrollIntoView({behavior: 'instant'});
}

function build() {
	theme.init();
	const shown = sections.filter(section => !section.when || section.when());
	const nav = navigation(shown);
	const main = el('main', {id: 'main'}, el('header', {}, el('h1', {}, page.title),
		el('p', {}, isTraced() ? 'What is wrong with it and what mending that is worth; where its data goes, when and why.' : 'What the host called, and what the devices did.')));

	for (const section of shown) {
		const node = el('section', {id: section.id, 'aria-labelledby': section.id + '-title'},
			el('h2', {id: section.id + '-title'}, section.title), section.make());

		main.append(node);
		nav.follow.observe(node);
	}
	main.append(el('footer', {}, el('p', {class: 'none'}, 'Figures refer to the thesis of seed 001; docs/communication.md defines each. Sizes are in powers of 1000. Made by ctpost report (cuda-trace); plots by D3.')));
	document.body.prepend(el('a', {class: 'skip', href: '#main'}, 'Skip to the figures'), el('div', {class: 'page'}, nav.node, main));
	redraw(true);
	followLink();
	window.addEventListener('load', followLink);
	new ResizeObserver(() => requestAnimationFrame(() => redraw(false))).observe(main);
	// On paper there are no dark pages.
	window.addEventListener('beforeprint', () => { document.documentElement.dataset.theme = 'light'; redraw(true); });
	window.addEventListener('afterprint', () => theme.apply());
	document.addEventListener('keydown', event => {
		if (event.key === 'Escape')
			sourcePanel.close();
	});
}

build();
