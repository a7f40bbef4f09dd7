// SPDX-License-Identifier: Apache-2.0
// The first screen: where the run's time went, what is wrong, the kernels that matter.
'use strict';

// On a low screen fewer problems leave room for kernels.
const PROBLEMS_SHOWN = window.innerHeight < 700 ? 2 : 4, KERNELS_SHOWN = 6;

// The bar of the run's time; null: no times are recorded.
function timeBar() {
	const of = side => timeParts(tableOf('page_run_time').list().filter(row => row.side === side)), host = of('host'), device = of('device'), seconds = d3.sum(host, part => part.row.seconds), calls = onlyRow('page_calls');
	const notes = [
		device.some(part => part.row.kind === 'traced') ? 'Striped kernels ran instrumented: their time is not the program’s own.' : null,
		!device.length ? 'What the devices did is not recorded; the host waited at most so long.' : null,
		tableOf('devices').list().some(one => one.is_cpu_target) ? 'Kernels ran on CPU threads.' : null,
		calls.parts > 1 ? `Times of ${plural(calls.parts, 'process', 'processes')} together.` : null,
	].filter(Boolean);

	if (!host.length)
		return null;
	return el('div', {class: 'time-bar', id: 'time-bar', role: 'group', 'aria-label': 'Where the time of the run went'},
		el('h3', {}, `Where the time went: ${round(duration(seconds))}`),
		timeLane('Host', host, 'Of each process the thread that is in CUDA calls longest.'), timeKey(host),
		device.length ? [timeLane('Device', device, 'Each moment once: a kernel, else a copy, else a memset.'), timeKey(device)] : null,
		notes.length ? el('p', {class: 'none note'}, notes.join(' ')) : null);
}

// "about 9.5 ms, 1.8 %"
function problemWorth(problem) {
	const {worth_seconds: seconds, run_share: share, bound_seconds: bound} = problem;

	if (!isKnown(seconds))
		return ['wrong', el('strong', {}, isKnown(problem.run_share) ? percent(problem.run_share) : 'check')];
	return ['worth', el('strong', {}, round(duration(seconds))), el('span', {class: 'none'}, isKnown(share) ? percent(share) : '', problem.is_estimate ? '' : ' at most',
		problem.is_estimate && bound > 1.005 * seconds ? el('span', {class: 'bound'}, `at most ${round(duration(bound))}`) : null)];
}

// Returns what a problem is made of, the finding that is worth most first.
function findingsOf(problem) {
	const numbers = tableOf('problem_parts').list().filter(part => part.problem_number === problem.problem_number).map(part => part.finding_number);

	return numbers.map(number => tableOf('findings').list().find(one => one.number === number)).filter(Boolean);
}

function problemItem(problem) {
	const place = problem.file && problem.line ? placeNamed(`${problem.file}:${problem.line}`) : null, [kind, ...worth] = problemWorth(problem);
	const [first, ...parts] = findingsOf(problem);

	const more = el('div', {class: 'more', id: `problem-${problem.problem_number}-more`, hidden: true},
		problem.evidence ? el('p', {class: 'evidence'}, linkedText(problem.evidence)) : null,
		parts.map(part => el('p', {}, 'Also: ', linkedText(part.text), part.fix ? [' → ', linkedText(part.fix)] : null)),
		el('p', {class: 'none'}, first && first.section && hasPart(first.section) ? [el('a', {href: '#' + first.section}, 'the table'), ', '] : null, el('code', {}, `ctpost explain ${problem.problem_number}`)));
	const button = el('button', {type: 'button', class: 'evidence-button', 'aria-expanded': 'false', 'aria-controls': more.id, onclick: () => {
		more.hidden = !more.hidden;
		button.setAttribute('aria-expanded', String(!more.hidden));
	}}, 'evidence');

	return el('li', {id: 'problem-' + problem.problem_number, class: kind},
		el('div', {class: 'amounts'}, worth),
		el('div', {class: 'what'},
			el('p', {class: 'head'}, el('span', {class: 'title'}, problem.title), ' ', place ? placeLink(place, null, problem.kernel ? {kernel: problem.kernel} : undefined) : null,
				problem.kernel ? [place ? ' in ' : '', el('span', {class: 'mono', title: problem.kernel}, nameText(problem.kernel))] : null, ' ', button),
			el('p', {}, linkedText(problem.text), ' ', el('span', {class: 'fix'}, linkedText(problem.fix))), more));
}

function problemsList() {
	const problems = tableOf('problems').list(), large = problems.filter(problem => !problem.is_small), shown = large.slice(0, PROBLEMS_SHOWN), rest = problems.filter(problem => !shown.includes(problem));
	const list = (of, start) => el('ol', {class: 'problems', start}, of.map(problemItem));

	return el('div', {class: 'problems-box'}, el('h3', {}, problems.length ? 'What is wrong, and what fixing it saves' : 'What is wrong'),
		problems.length ? list(shown, 1) : el('p', {class: 'none'}, 'No problem stands out.'),
		rest.length ? el('details', {}, el('summary', {}, `${count(rest.length)} more`), list(rest, shown.length + 1)) : null, suppressedList());
}

// Lists what limits the figures, and facts: findings that are no problem.
function limitsList() {
	const parts = new Set(tableOf('problem_parts').list().map(part => part.finding_number));
	const findings = tableOf('findings').list().filter(one => !parts.has(one.number) && !one.suppressed_by), limits = findings.filter(one => one.kind === 'limit' || one.kind === 'problem');
	const group = (list, title) => list.length ? el('details', {class: 'findings-fold'}, el('summary', {}, `${title} (${count(list.length)})`), el('ul', {class: 'findings'}, list.map(findingItem))) : null;

	return el('div', {class: 'other-findings'}, group(limits, 'What limits these figures'), group(findings.filter(one => !limits.includes(one)), 'Facts beside them'));
}

function suppressedItem(problem) {
	return el('li', {}, problem.file ? `${problem.file.split('/').pop()}:${problem.line}, ` : null, problem.function ? problem.function + ': ' : null,
		problem.finding, problem.suppressed_by === 'file' ? `, by line ${problem.suppression_line} of the file` : ', by the source', problem.reason ? ': ' + problem.reason : null);
}

// Problems that the source or a file expects.
function suppressedList() {
	const suppressed = tableOf('suppressed_problems').list();

	return suppressed.length ? el('details', {class: 'suppressed'}, el('summary', {}, `Suppressed (${count(suppressed.length)})`), el('ul', {}, suppressed.map(suppressedItem))) : null;
}

// Kernels with what tables of times, model and accesses say of each, by key.
function kernelRows() {
	const rows = new Map(), row = name => {
		const key = kernelKey(name);

		if (!rows.has(key))
			rows.set(key, {key, name, launches: null, seconds: null, predicted: null, bound: null, sectors: 0, ideal: 0, traced: false});
		return rows.get(key);
	};

	for (const kernel of kernels.values())
		Object.assign(row(kernel.kernel), {launches: kernel.launches, bytes: kernel.load_bytes + kernel.store_bytes});
	for (const one of tableOf('kernel_times').list()) {
		const at = row(one.kernel);

		if (isKnown(one.seconds) && one.seconds > (at.seconds || 0))
			Object.assign(at, {name: one.kernel, seconds: one.seconds, launches: Math.max(at.launches || 0, one.launches), traced: one.is_traced});
	}
	for (const one of tableOf('model_kernels').list())
		Object.assign(row(one.kernel), {bound: one.bound, predicted: one.all_seconds});
	for (const one of tableOf('accesses').list()) {
		row(one.kernel).sectors += one.sectors;
		row(one.kernel).ideal += one.ideal_sectors;
	}
	return [...rows.values()].sort((a, b) => (b.seconds || 0) - (a.seconds || 0) || (b.predicted || 0) - (a.predicted || 0) || (b.bytes || 0) - (a.bytes || 0));
}

function kernelsBox() {
	const rows = kernelRows(), shown = rows.slice(0, KERNELS_SHOWN), all = d3.sum(rows, row => row.seconds || 0), has = key => shown.some(row => row[key]);
	const problems = row => tableOf('problems').list().filter(problem => problem.kernel && kernelKey(problem.kernel) === row.key && !problem.is_small);
	const columns = [
		['kernel', '', row => [el('span', {class: 'swatch dot'}), kernelLink(row.name), row.bound ? el('small', {}, 'bound by ' + row.bound) : null]],
		shown.some(row => problems(row).length) ? ['wrong', '', row => problems(row).map(problem => [el('a', {class: 'problem-mark', href: '#problem-' + problem.problem_number, title: problem.text}, String(problem.problem_number)), ' '])] : null,
		has('seconds') ? ['time', 'number', row => isKnown(row.seconds) ? [round(duration(row.seconds)), el('small', {}, ' ' + percent(row.seconds / all))] : '–']
			: has('predicted') ? ['predicted', 'number', row => isKnown(row.predicted) ? round(duration(row.predicted)) : '–'] : null,
		['launches', 'number', row => count(row.launches)],
		has('sectors') ? ['efficiency', 'number', row => row.sectors ? percent(row.ideal / row.sectors) : '–'] : null,
	].filter(Boolean);

	if (!rows.length)
		return null;
	return el('div', {class: 'kernels-box'}, el('h3', {}, 'The kernels that matter'), el('div', {class: 'scroll', tabindex: 0, role: 'region', 'aria-label': 'The kernels that matter'},
		el('table', {}, el('caption', {class: 'sr'}, 'The kernels that matter'), el('thead', {}, el('tr', {}, columns.map(([title, kind]) => el('th', {scope: 'col', class: kind || null}, title)))),
			el('tbody', {}, shown.map(row => el('tr', {}, columns.map(([, kind, cell], i) => {
				const node = el('td', {class: kind || null}, cell(row));

				if (!i)
					node.querySelector('.swatch').style.background = kernelColour(row.name);
				return node;
			})))))),
	rows.length > shown.length ? el('p', {class: 'none'}, el('a', {href: '#kernels'}, `all ${count(rows.length)} kernels`)) : null);
}

function overviewSection() {
	return [timeBar(), el('div', {class: 'first'}, problemsList(), kernelsBox(), limitsList()), el('details', {class: 'run-facts'}, el('summary', {}, 'This run and its trace'), traceFacts())];
}
