// SPDX-License-Identifier: Apache-2.0
// Calls and activities as the page holds them: spans in lanes, waits, what is only counted, stacks.
'use strict';

const KIND = {runtime: 0, driver: 1, range: 2, mark: 3, region: 4, kernel: 5, traced: 6, copy: 7, set: 8};
const KIND_NAMES = ['call of the runtime', 'call of the driver', 'range', 'mark', 'region', 'kernel', 'kernel, traced', 'copy', 'memset'];
const COPY_NAMES = ['', 'host to device', 'device to host', 'device to device', 'host to host', 'peer to peer'];
const SHADE = {ranges: 0, calls: 1, waiting: 2, inner: 3, kernels: 4, traced: 5, copies: 6};
const SPAN_OPEN = 1, SPAN_INNER = 2, SPAN_PAGEABLE = 4, NOT_READY = 600;

// A column in which most are 0.
function sparse(list, count) {
	const column = new Float64Array(count);

	for (let i = 0; i < list.length; i += 2)
		column[list[i]] = list[i + 1];
	return column;
}

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
	constructor(calls) {
		const columns = calls.spans;

		this.runNs = Math.max(1, calls.run_ns);
		this.count = columns.begin.length;
		this.begin = new Float64Array(this.count);
		this.end = new Float64Array(this.count);
		this.latest = new Float64Array(this.count); // end of it and of all before it in its lane
		this.row = new Uint16Array(this.count);
		this.kind = columns.kind;
		this.name = columns.name;
		this.stack = columns.stack;
		this.launch = columns.launch;
		for (const name of ['cause', 'waited', 'bytes', 'stream', 'result', 'flags', 'copy', 'problem'])
			this[name] = sparse(columns[name], this.count);
		this.lanes = calls.lanes.map(([row, ranges, level, count]) => ({row, ranges: Boolean(ranges), level, count}));
		this.layOut(columns);
		this.caused = new Map();
		for (let i = 0; i < columns.cause.length; i += 2) {
			const from = columns.cause[i + 1] - 1;

			if (!this.caused.has(from))
				this.caused.set(from, []);
			this.caused.get(from).push(columns.cause[i]);
		}
		this.waits = new Map();
		for (const [span, from, length, name, forSpan, waited, activities, longest] of calls.waits) {
			if (!this.waits.has(span))
				this.waits.set(span, []);
			this.waits.get(span).push({from: this.begin[span] + from, to: this.begin[span] + from + length, name, forSpan: forSpan - 1, waited, activities, longest});
		}
		this.bins = calls.rows.map(() => null);
		for (const bin of calls.bins)
			this.addBin(calls, bin);
		this.bins.forEach(bins => bins && bins.sums.forEach(sums => sums && sums.forEach((value, i) => { sums[i] = i ? sums[i - 1] + value : value; })));
	}

	// Begins are told from that before in the lane.
	layOut(columns) {
		let at = 0;

		for (const lane of this.lanes) {
			lane.first = at;
			lane.last = at + lane.count;
			for (let before = 0, latest = 0; at < lane.last; at++) {
				before += columns.begin[at];
				this.begin[at] = before;
				this.end[at] = before + columns.duration[at];
				latest = Math.max(latest, this.end[at]);
				this.latest[at] = latest;
				this.row[at] = lane.row;
			}
		}
	}

	// By shade, sums over all bins before each.
	addBin(calls, [row, bin, count, name, longest, ...shades]) {
		if (!this.bins[row])
			this.bins[row] = {count: Math.ceil(this.runNs / calls.bin_ns), sums: [], of: new Map()};
		const bins = this.bins[row];

		bins.of.set(bin, {count, name, longest});
		for (let i = 0; i < shades.length; i += 2) {
			bins.sums[shades[i]] = bins.sums[shades[i]] || new Float64Array(bins.count + 2);
			bins.sums[shades[i]][bin + 1] += shades[i + 1];
		}
	}

	// Nanoseconds of a shade before a time, in a row's bins.
	before(row, shade, time) {
		const sums = this.bins[row].sums[shade], at = Math.max(0, time) / data.calls.bin_ns;
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
		const list = [];

		for (let at = stack; at; at = data.calls.stack_callers[at - 1])
			list.push(data.calls.frames[data.calls.stack_frames[at - 1]]);
		return list;
	}

	// As the table of names has it: kernels with their number among those of the page.
	nameOf(name) {
		const entry = data.calls.names[name];

		return Array.isArray(entry) ? entry[0] : entry;
	}

	title(i) {
		if (this.kind[i] === KIND.set)
			return 'memset';
		if (this.kind[i] === KIND.copy)
			return 'copy' + (this.copy[i] ? ' ' + COPY_NAMES[this.copy[i]] : '');
		return this.nameOf(this.name[i]) || KIND_NAMES[this.kind[i]];
	}

	shortTitle(i) {
		return this.kind[i] === KIND.kernel || this.kind[i] === KIND.traced ? shortName(this.title(i)) : this.title(i);
	}
}

function trackName(row) {
	const rows = data.calls.rows;
	const which = rows.some(other => other.part !== row.part) ? (row.rank === undefined ? `process ${row.part + 1}` : `rank ${row.rank}`) + ', ' : '';

	if (row.thread !== undefined)
		return which + (row.name ? `${row.name} (${row.thread})` : `thread ${row.thread}`);
	const device = rows.some(other => other.device !== undefined && other.device !== row.device) ? `device ${row.device}, ` : '';

	return which + device + (row.stream === 0 ? 'default stream' : row.stream >= 4294967296 ? `stream no. ${row.stream - 4294967296} of the device` : `stream ${row.stream}`);
}
