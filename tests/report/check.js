// SPDX-License-Identifier: Apache-2.0
// Checks what every page must have at every size, light and dark: a function for each question,
// whose answer is a list of what is wrong. The page's keys are pressed from outside (pages.sh).
'use strict';

// Changes by media queries are there with the next frame.
const frames = () => new Promise(resolve => requestAnimationFrame(() => requestAnimationFrame(() => resolve(true))));

const seen = node => node.checkVisibility({visibilityProperty: true, opacityProperty: true}) && node.getClientRects().length > 0;

// Returns a colour as computed: [red, green, blue, opacity], 0 to 255 and 0 to 1.
function colourOf(text) {
	const numbers = text.match(/[\d.]+/g).map(Number);

	return text.startsWith('color(') ? [...numbers.slice(-4).slice(0, 3).map(part => part * 255), 1] : [...numbers.slice(0, 3), numbers.length > 3 ? numbers[3] : 1];
}

function over([r, g, b, opacity], below) {
	return [r, g, b].map((part, i) => part * opacity + below[i] * (1 - opacity));
}

// Behind a node: all backgrounds, from the page's on; null: a picture or a pattern is there.
function backgroundOf(node) {
	const layers = [];

	for (let at = node; at; at = at.parentElement) {
		const style = getComputedStyle(at), colour = colourOf(style.backgroundColor);

		if (style.backgroundImage !== 'none')
			return null;
		layers.push(colour);
		if (colour[3] === 1)
			break;
	}
	return layers.reverse().reduce((below, layer) => over(layer, below), [255, 255, 255]);
}

function luminance(colour) {
	const [r, g, b] = colour.map(part => part / 255).map(part => part <= .03928 ? part / 12.92 : Math.pow((part + .055) / 1.055, 2.4));

	return .2126 * r + .7152 * g + .0722 * b;
}

function contrastOf(front, back) {
	const [high, low] = [luminance(front), luminance(back)].sort((a, b) => b - a);

	return (high + .05) / (low + .05);
}

// A name that people find it by.
const nameOf = node => node.tagName.toLowerCase() + (node.id ? '#' + node.id : '') + (typeof node.className === 'string' && node.className ? '.' + node.className.trim().replace(/ +/g, '.') : '');

// Texts that are too pale, each kind of element once.
function paleTexts() {
	const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT), wrong = new Map();

	for (let text = walker.nextNode(); text; text = walker.nextNode()) {
		const node = text.parentElement;

		if (!text.data.trim() || /^(SCRIPT|STYLE|TEMPLATE|NOSCRIPT|OPTION|PRE)$/.test(node.tagName) || node.closest('[aria-hidden], :disabled, .sr, svg [opacity]') || !seen(node))
			continue;
		const style = getComputedStyle(node), back = backgroundOf(node), front = back && over(colourOf(node.closest('svg') ? style.fill : style.color), back);
		const ratio = back ? contrastOf(front, back) : 21;

		if (ratio < 4.5)
			wrong.set(nameOf(node), `${nameOf(node)} "${text.data.trim().slice(0, 20)}" ${ratio.toFixed(2)}`);
	}
	return [...wrong.values()];
}

function overflow() {
	const width = document.documentElement.scrollWidth;

	return width > window.innerWidth ? [`${width} of ${window.innerWidth}: ${[...document.querySelectorAll('main *')].filter(node => seen(node) && !node.closest('.scroll, .code, .hot-lines') && node.getBoundingClientRect().right > window.innerWidth + 1).slice(0, 3).map(nameOf)}`] : [];
}

// Bar and problems, as far as the page has them: those that have to be on the first screen, and are not.
function belowFirstScreen(selectors) {
	return selectors.filter(selector => {
		const node = document.querySelector(selector);

		return !node || !seen(node) || node.getBoundingClientRect().bottom > window.innerHeight;
	});
}

// Lists what Tab goes to, in the order of the page.
function tabbable() {
	return [...document.querySelectorAll('a[href], button, input, select, summary, [tabindex]')]
		.filter(node => !node.disabled && node.tabIndex >= 0 && (seen(node) || node.matches('.skip')));
}

// Names of what takes the focus from now on, and whether it can be seen that it has it.
const focused = [];

document.addEventListener('focusin', event => {
	const style = getComputedStyle(event.target);

	focused.push(event.target);
	event.target.showsFocus = style.outlineStyle !== 'none' && parseFloat(style.outlineWidth) >= 1 && event.target.getBoundingClientRect().right > 0;
});

function startFocus() {
	focused.length = 0;
	if (document.activeElement)
		document.activeElement.blur();
	window.scrollTo(0, 0);
	getSelection().removeAllRanges();
}

// After so many times Tab from the top.
function wrongFocus(times) {
	const wanted = tabbable().slice(0, times), wrong = [];

	if (focused.length !== times)
		wrong.push(`${focused.length} of ${times} took the focus`);
	wanted.forEach((node, i) => {
		if (focused[i] && focused[i] !== node)
			wrong.push(`${nameOf(focused[i])} has the focus in place of ${nameOf(node)}`);
		else if (!node.showsFocus)
			wrong.push(`${nameOf(node)} does not show that it has the focus`);
	});
	return wrong.slice(0, 3);
}

// The marked lines of a source panel are in the middle of its views.
function wrongPanel() {
	const panel = document.querySelector('.source-panel'), wrong = [];

	if (!panel)
		return ['there is no panel'];
	if (!panel.contains(document.activeElement))
		wrong.push('the focus is elsewhere');
	const views = [...panel.querySelectorAll('.code')];

	for (const code of views) {
		const row = code.querySelector('tr.marked'), most = code.scrollHeight - code.clientHeight;
		const middle = row ? row.offsetTop + row.offsetHeight / 2 - code.clientHeight / 2 : NaN;

		// As near to the middle as the beginning and the end of the file let it be.
		if (!(Math.abs(code.scrollTop - Math.min(most, Math.max(0, middle))) < 2))
			wrong.push(`the line is not in the middle: ${[code.scrollTop, middle, most]}`);
	}
	return views.length ? wrong : ['no source'];
}

// Words of communication alone, and those that are nowhere on a page. Sources, and what the program names, are its own.
const OF_COMMUNICATION = /\bsupersteps?\b|\btiers?\b|\bbisections?\b/i, NOWHERE = /\bthes[ie]s\b|\bseed \d|\bchapter \d|\b[Ff]igure \d/;

function wrongWords() {
	const walker = document.createTreeWalker(document.querySelector('.page'), NodeFilter.SHOW_ELEMENT | NodeFilter.SHOW_TEXT), wrong = new Map();
	const look = (text, node) => {
		const isThere = node.closest('#communication'), found = [/\bCTAs?\b/, NOWHERE, isThere ? /(?!)/ : OF_COMMUNICATION].map(is => is.exec(text)).find(Boolean);

		if (found)
			wrong.set(found[0] + nameOf(node), `${nameOf(node)}: ${text.slice(Math.max(0, found.index - 30), found.index + 40)}`);
	};

	for (let node = walker.nextNode(); node; node = walker.nextNode()) {
		const element = node.nodeType === Node.TEXT_NODE ? node.parentElement : node;

		if (element.closest('.code, .hot, .run-facts, [data-name], .mono'))
			continue;
		if (node === element)
			[node.title, node.getAttribute('aria-label')].filter(Boolean).forEach(text => look(text, element));
		else
			look(node.data, element);
	}
	return [...wrong.values()];
}
