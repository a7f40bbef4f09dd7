// SPDX-License-Identifier: Apache-2.0
// Calls and activities as the page holds them: spans in lanes, waits, what is only counted, stacks.
'use strict';

const KIND = {runtime: 0, driver: 1, range: 2, mark: 3, region: 4, kernel: 5, traced: 6, copy: 7, set: 8};
const KIND_NAMES = ['call of the runtime', 'call of the driver', 'range', 'mark', 'region', 'kernel', 'kernel, traced', 'copy', 'memset'];
const SHADE = {ranges: 0, calls: 1, waiting: 2, inner: 3, kernels: 4, traced: 5, copies: 6};
const SHADE_COLUMNS = ['ranges_ns', 'calls_ns', 'waiting_ns', 'inner_ns', 'kernels_ns', 'traced_ns', 'copies_ns'];
const NOT_READY = 600; // cudaErrorNotReady

// The first i from low on below high for which is(i), which holds from there on.
function firstWhere(low, high, is) {
	while (low < high) {
		const middle = (low + high) >> 1;

		if (is(middle))
			high = middle;
		else
			low = middle + 1;
	}
	return low;
}

class Spans {
	constructor() {
		const table = tableOf('page_spans'), tracks = tableOf('page_tracks').length;

		Object.assign(this, onlyRow('page_calls'));
		this.runNs = Math.max(1, this.run_ns);
		this.count = table.length;
		this.begin = new Float64Array(this.count);
		this.end = new Float64Array(this.count);
		this.latest = new Float64Array(this.count); // end of it and of all before it in its lane
		this.row = new Uint16Array(this.count);
		this.kind = table.column('kind').map(kind => KIND[kind]);
		for (const name of ['name', 'stack', 'launch', 'bytes', 'stream', 'direction'])
			this[name] = table.column(name);
		this.cause = table.column('cause_span');
		this.waited = table.column('waited_ns');
		this.result = table.column('result_code');
		this.problem = table.column('problem_number');
		this.isOpen = table.column('is_open');
		this.isInner = table.column('is_inner');
		this.isPageable = table.column('is_pageable');
		this.lanes = tableOf('page_lanes').list().map(lane => ({row: lane.row, ranges: lane.is_of_ranges, level: lane.level, count: lane.spans}));
		this.layOut(table.column('begin_ns'), table.column('duration_ns'));
		this.caused = new Map();
		this.cause.forEach((cause, i) => cause && addTo(this.caused, cause - 1, i));
		this.waits = new Map();
		for (const wait of tableOf('page_waits').list())
			addTo(this.waits, wait.span, {from: this.begin[wait.span] + wait.begin_ns, to: this.begin[wait.span] + wait.begin_ns + wait.duration_ns,
				name: wait.name, forSpan: wait.for_span - 1, waited: wait.waited_ns, activities: wait.activities, longest: wait.longest_ns});
		this.bins = new Array(tracks).fill(null);
		for (const bin of tableOf('page_call_bins').list())
			this.addBin(bin);
		this.bins.forEach(bins => bins && bins.sums.forEach(sums => sums && sums.forEach((value, i) => { sums[i] = i ? sums[i - 1] + value : value; })));
	}

	// Begins are reported from that before in the lane.
	layOut(begins, durations) {
		let at = 0;

		for (const lane of this.lanes) {
			lane.first = at;
			lane.last = at + lane.count;
			for (let before = 0, latest = 0; at < lane.last; at++) {
				before += begins[at];
				this.begin[at] = before;
				this.end[at] = before + durations[at];
				latest = Math.max(latest, this.end[at]);
				this.latest[at] = latest;
				this.row[at] = lane.row;
			}
		}
	}

	// By shade, sums over all bins before each.
	addBin(bin) {
		this.bins[bin.row] = this.bins[bin.row] || {sums: [], of: new Map()};
		const bins = this.bins[bin.row];

		bins.of.set(bin.bin, {count: bin.count, name: bin.name, longest: bin.longest_ns});
		SHADE_COLUMNS.forEach((key, shade) => {
			if (!bin[key])
				return;
			bins.sums[shade] = bins.sums[shade] || new Float64Array(Math.ceil(this.runNs / this.bin_ns) + 2);
			bins.sums[shade][bin.bin + 1] += bin[key];
		});
	}

	// Nanoseconds of a shade before a time, in a row's bins.
	before(row, shade, time) {
		const sums = this.bins[row].sums[shade], at = Math.max(0, time) / this.bin_ns;
		const bin = Math.min(Math.floor(at), sums.length - 2);

		return sums[bin] + (sums[bin + 1] - sums[bin]) * Math.min(1, at - bin);
	}

	isCall(i) {
		return this.kind[i] < KIND.range;
	}

	isActivity(i) {
		return this.kind[i] >= KIND.kernel;
	}

	hasFailed(i) {
		return !this.isActivity(i) && this.result[i] !== 0 && this.result[i] !== NOT_READY;
	}

	// The first span of a lane that ends at a time or later, or what stands before it in the lane does.
	firstOf(lane, time) {
		return firstWhere(lane.first, lane.last, i => this.latest[i] >= time);
	}

	// The span of a lane at a time, or the nearest one that is no further away than slack.
	at(lane, time, slack) {
		let best = -1, distance = Infinity;

		for (let i = this.firstOf(lane, time - slack); i < lane.last && this.begin[i] <= time + slack; i++) {
			const away = Math.max(0, this.begin[i] - time, time - this.end[i]);

			if (away < distance || (away === distance && best >= 0 && this.end[i] - this.begin[i] < this.end[best] - this.begin[best])) {
				best = i;
				distance = away;
			}
		}
		return distance <= slack ? best : -1;
	}

	// Frames of a stack, innermost first.
	frames(stack) {
		const callers = tableOf('page_stacks').column('caller_stack'), frames = tableOf('page_frames').list(), list = [];

		for (let at = stack; at; at = callers[at - 1])
			list.push(frames[tableOf('page_stacks').column('frame')[at - 1]]);
		return list;
	}

	title(i) {
		if (this.kind[i] === KIND.set)
			return 'memset';
		if (this.kind[i] === KIND.copy)
			return 'copy' + (this.direction[i] ? ' ' + this.direction[i] : '');
		return this.name[i] || KIND_NAMES[this.kind[i]];
	}

	shortTitle(i) {
		return this.kind[i] === KIND.kernel || this.kind[i] === KIND.traced ? shortName(this.title(i)) : this.title(i);
	}
}

function trackName(row) {
	const rows = tableOf('page_tracks').list();
	const which = rows.some(other => other.part !== row.part) ? (isKnown(row.rank) ? `rank ${row.rank}` : `process ${row.part + 1}`) + ', ' : '';

	if (isKnown(row.thread))
		return which + (row.name ? `${row.name} (${row.thread})` : `thread ${row.thread}`);
	const device = rows.some(other => isKnown(other.device) && other.device !== row.device) ? `device ${row.device}, ` : '';

	return which + device + (row.stream === 0 ? 'default stream' : row.stream >= 4294967296 ? `stream no. ${row.stream - 4294967296} of the device` : `stream ${row.stream}`);
}
