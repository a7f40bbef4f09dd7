// SPDX-License-Identifier: Apache-2.0
// The frame of a page: parts that fold and are made when they are first seen, navigation, the theme switch.
'use strict';

const folds = [];

// A part with a heading that folds. more: {open, level, note, holds: ids in it that links may name}
function fold(id, title, make, more = {}) {
	const body = el('div', {class: 'fold-body'}), heading = el(more.level || 'h3', {id: id + '-title'}, title);
	const node = el('details', {class: 'fold ' + (more.level || 'h3')}, el('summary', {}, heading, more.note ? el('span', {class: 'count'}, more.note) : null), body);
	const own = {node, isMade: false, make() {
		if (own.isMade)
			return;
		own.isMade = true;
		body.append(...[make()].flat(Infinity).filter(Boolean));
	}};

	if (id && !more.isInner)
		node.id = id;
	node.addEventListener('toggle', () => {
		if (node.open && node.isConnected) {
			own.make();
			redraw(false);
		}
	});
	folds.push(own);
	if (more.open) {
		own.make();
		node.open = true;
	}
	return node;
}

function openFold(own) {
	own.make();
	own.node.open = true;
}

// Everything is there, as for a search in all of the page.
function unfoldAll() {
	for (let i = 0; i < folds.length; i++)
		openFold(folds[i]);
	redraw(false);
}

// Reveals what an address names, which may be in a part that is not made yet; null: there is no
// such thing.
function reveal(id) {
	for (let i = 0; i < folds.length && !document.getElementById(id); i++)
		folds[i].make();
	const target = document.getElementById(id);

	for (let node = target; node; node = node.parentElement)
		if (node.tagName === 'DETAILS') {
			const own = folds.find(one => one.node === node);

			if (own)
				openFold(own);
			else
				node.open = true;
		}
	redraw(false);
	return target;
}

function themeSwitch() {
	const select = el('select', {id: 'theme', onchange: event => theme.choose(event.target.value)},
		['auto', 'light', 'dark'].map(name => el('option', {value: name, selected: name === theme.choice}, name)));

	return el('label', {}, 'Colours ', select);
}

// Names of kernels with parameters and all template arguments; null: none is longer than it is shown.
function namesSwitch() {
	const button = shortNames.size ? el('button', {type: 'button', id: 'full-names', 'aria-pressed': 'false', title: 'Names of kernels with parameters and all template arguments', onclick: () => {
		showFullNames(!namesAreFull);
		button.setAttribute('aria-pressed', String(namesAreFull));
	}}, 'Whole names') : null;

	return button;
}

function navigation(shown) {
	const links = shown.map(section => el('a', {href: '#' + section.id}, section.title));
	const follow = new IntersectionObserver(entries => {
		for (const entry of entries)
			if (entry.isIntersecting)
				links.forEach(link => link.setAttribute('aria-current', String(link.hash === '#' + entry.target.id)));
	}, {rootMargin: '0px 0px -75% 0px'});

	return {node: el('nav', {'aria-label': 'Sections'}, el('div', {class: 'nav-tools'}, themeSwitch(), el('button', {type: 'button', title: 'Open all sections, as for a search in the page', onclick: unfoldAll}, 'Unfold all'), namesSwitch()), el('ul', {}, links.map(link => el('li', {}, link)))), follow};
}

// Makes what the address names, after the browser has looked for it.
function followLink() {
	const target = location.hash.length > 1 && reveal(decodeURIComponent(location.hash.slice(1)));

	if (target)
		target.scrollIntoView({behavior: 'instant'});
}

function sectionNode(section) {
	const title = el('h2', {id: section.id + '-title'}, section.title);

	if (section.isFixed)
		return el('section', {id: section.id, class: 'fixed', 'aria-labelledby': section.id + '-title'}, title, section.make());
	return el('section', {id: section.id, 'aria-labelledby': section.id + '-title'}, fold(section.id, section.title, section.make, {open: section.isOpen, level: 'h2', isInner: true}));
}

// sections: {id, title, make: () => nodes, isOpen, isFixed}; head: below the title; whenShown: called when it is there
function buildPage(sections, head, whenShown = () => {}) {
	theme.init();
	const nav = navigation(sections), main = el('main', {id: 'main'}, el('header', {}, el('h1', {}, page.title), head));

	for (const section of sections) {
		const node = sectionNode(section);

		main.append(node);
		nav.follow.observe(node);
	}
	main.append(el('footer', {}, el('p', {class: 'none'}, 'Sizes are in powers of 1000. Made by ctpost report (cuda-trace); plots by D3.')));
	document.body.prepend(el('a', {class: 'skip', href: '#main'}, 'Skip to the report'), el('div', {class: 'page'}, nav.node, main));
	redraw(true);
	whenShown();
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

