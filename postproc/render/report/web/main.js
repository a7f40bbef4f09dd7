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

// Figures that can be of all communication, or only of what blocks exchange with others.
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
		' exchanged only'), ` – volume, sizes and distance without what a block sends itself (${plural(v.self_transfers, 'transfer')}, ${size(v.self_bytes)})`);
}

// Without traced launches nothing is known of what blocks read and write.
const isTraced = () => run.traced_launches > 0;

// Between thread blocks: its words are explained here and used here alone.
function communicationWords() {
	return el('p', {class: 'about'}, 'A thread block (CTA) communicates with another one if it stores bytes that the other one loads in a later launch. A superstep is a launch, a copy or a memset, ' +
		'in the order of the program’s calls; the bisection volume is what crosses the middle of the grid. docs/communication.md defines each figure.');
}

const hasTransfers = () => isTraced() && communication.all.totals.transfers > 0;

function communicationParts() {
	const part = (id, title, make, open) => fold(id, title, make, {open});

	return [communicationWords(), tiles(),
		hasTransfers() ? part('between', 'Between thread blocks', () => [exchangedSwitch(), el('div', {class: 'figures'},
			switched(volumeFigureOf), switched(cdfFigureOf), degreeFigureOf(), d3.sum(tableOf('bisection').column('bytes')) ? bisectionFigureOf() : null, switched(distanceFigureOf), densityFigureOf(), strideFigureOf())], true)
			: el('p', {class: 'none'}, 'No thread block loads what one of another launch has stored, as far as launches are traced.'),
		hasTransfers() ? part('over-launches', 'Over launches', () => el('div', {class: 'figures'}, evolutionFigureOf(), connectivityFigureOf())) : null,
		hasTransfers() ? part('who', 'Kernels, lines, objects', () => el('div', {class: 'figures'}, tableSection('pairs', 'kernel_pairs'), tableSection('lines', 'line_pairs'))) : null,
		part('volumes', 'Volumes of kernels and objects', () => el('div', {class: 'figures'}, hasTransfers() ? null : volumeFigureOf(communication.all), tableSection('kernel-volumes', 'kernel_volumes'), tableSection('objects', 'object_flows'))),
		tableOf('scaling').length && hasTransfers() ? part('devices', 'Several devices', () => el('div', {class: 'figures'}, scalingFigureOf(), tableSection('scaling', 'scaling'))) : null,
		part('by-stream', 'Supersteps by stream', timelineSection),
		part('lists', 'Launches and thread blocks', () => el('div', {class: 'figures'}, tableSection('launches', 'supersteps', {title: 'Launches', about: 'Every kernel launch is a superstep of its stream.'}), tableSection('ctas', 'cta_figures', {title: 'Thread blocks'}))),
	].filter(Boolean);
}

// What a trace has nothing for is not there; groups of analyses come by what their problems are worth.
function sectionList() {
	return [
		{id: 'overview', title: 'Overview', make: overviewSection, isOpen: true, isFixed: true},
		{id: 'steps', title: 'Time line', when: () => tableOf('page_calls').length > 0, make: () => el('div', {class: 'figures'}, callsSection()), isOpen: true},
		{id: 'sources', title: 'Source', when: () => sources.length > 0, make: () => inlineSource().node, isOpen: true},
		...analysisGroups().map(group => Object.assign(group, {isOpen: true})),
		{id: 'communication', title: 'Communication', when: isTraced, make: communicationParts, isOpen: !tables.some(table => table.analysis)},
		{id: 'coverage', title: 'What was recorded', make: coverageSection},
	].filter(section => !section.when || section.when());
}

// The source view of the page itself; links open one of their own above it.
let ownSource = null;

function inlineSource() {
	ownSource = ownSource || new SourceView(null);
	return ownSource;
}

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

	return {node: el('nav', {'aria-label': 'Sections'}, el('div', {class: 'nav-tools'}, themeSwitch(), el('button', {type: 'button', title: 'Open all sections, as for a search in the page', onclick: unfoldAll}, 'Unfold all')), el('ul', {}, links.map(link => el('li', {}, link)))), follow};
}

// What the address names is made here, after the browser has looked for it.
function followLink() {
	const target = location.hash.length > 1 && reveal(decodeURIComponent(location.hash.slice(1)));

	if (target)
		target.scrollIntoView({behavior: 'instant'});
}

// What the run was, in a line.
function runLine() {
	const devices = [...new Set(tableOf('devices').list().map(device => device.name || 'device ' + device.device))];

	return [devices.join(', '), plural(run.launches, 'launch', 'launches') + (run.launches ? ` of ${plural(kernelRank.size, 'kernel')}` : ''),
		run.traced_launches < run.launches ? `${count(run.traced_launches)} with accesses` : null, run.started].filter(Boolean).join(' · ');
}

function sectionNode(section) {
	const title = el('h2', {id: section.id + '-title'}, section.title);

	if (section.isFixed)
		return el('section', {id: section.id, class: 'fixed', 'aria-labelledby': section.id + '-title'}, title, section.make());
	return el('section', {id: section.id, 'aria-labelledby': section.id + '-title'}, fold(section.id, section.title, section.make, {open: section.isOpen, level: 'h2', isInner: true}));
}

function build() {
	theme.init();
	const shown = sectionList(), nav = navigation(shown);
	const main = el('main', {id: 'main'}, el('header', {}, el('h1', {}, page.title), el('p', {}, runLine())));

	for (const section of shown) {
		const node = sectionNode(section);

		main.append(node);
		nav.follow.observe(node);
	}
	main.append(el('footer', {}, el('p', {class: 'none'}, 'Sizes are in powers of 1000. Made by ctpost report (cuda-trace); plots by D3.')));
	document.body.prepend(el('a', {class: 'skip', href: '#main'}, 'Skip to the report'), el('div', {class: 'page'}, nav.node, main));
	redraw(true);
	if (ownSource)
		ownSource.centre();
	followLink();
	window.addEventListener('load', followLink);
	window.addEventListener('hashchange', followLink);
	document.addEventListener('click', event => {
		const link = event.target.closest('a[href^="#"]');

		// The address may be the same as before.
		if (link && link.hash === location.hash)
			followLink();
	});
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
