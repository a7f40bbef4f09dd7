/* SPDX-License-Identifier: Apache-2.0 */
/* Everything that was done to some addresses, in the order of supersteps (seed 001, B.3). */
#include "postproc/analysis/comm/history/history.h"
#include "postproc/analysis/comm/history/bytes.h"
#include "postproc/facts/lanes.h"
#include "postproc/facts/operation.h"
#include "postproc/shuffle/shuffle.h"
#include "trace/read/work.h"
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PARTITIONS 64u
#define NO_UNIT UINT32_MAX
#define LANE_BITS 5
#define POSITION_BITS 59
#define POSITION_MASK ((UINT64_C(1) << POSITION_BITS) - 1)
#define ADDRESS_END (UINT64_C(1) << 47) /* of global memory */

struct record {
	uint64_t superstep_cta; /* superstep << 32 | cta */
	uint64_t warp_position; /* warp << 59 | number of the access << 5 | lane */
	uint64_t address, bytes;
	uint32_t unit, site;
	uint32_t sm;
	uint8_t lane, reads, writes, reserved;
};

struct ct_history {
	struct ct_comm *comm;
	const struct ct_order *order;
	const struct ct_unit *units;
	const struct ct_superstep *superstep;
	size_t supersteps;
	uint64_t first, last;
	struct ct_shuffle *records;
	struct ct_ranks *ranks;
	unsigned number_bits; /* of a position: what the number of its chunk leaves */
	/* ct_history_each: */
	struct ct_history_bytes *bytes;
	int (*fn)(void *user, const struct ct_history_entry *operation);
	void *user;
};

/* One worker of the pass. */
struct state {
	struct ct_history *history;
	uint32_t writer;
};

/* All partitions are rank 0's; those of later supersteps come later. position: ascends with the
 * accesses of a warp. */
static int put(const struct state *state, struct record *record, uint64_t position,
	       uint64_t address, uint64_t bytes)
{
	struct ct_history *history = state->history;
	uint64_t superstep = record->superstep_cta >> 32, partition, last;

	if (!bytes || address > history->last || address + bytes <= history->first)
		return 0;
	last = address + bytes - 1 < history->last ? address + bytes - 1 : history->last;
	record->address = address > history->first ? address : history->first;
	record->bytes = last - record->address + 1;
	record->warp_position =
	    (record->warp_position & ~POSITION_MASK) | position << LANE_BITS | record->lane;
	partition = superstep * PARTITIONS / history->supersteps;
	return ct_shuffle_put(history->records, state->writer,
			      (uint32_t)partition * history->ranks->size, record);
}

static int add_access(void *user, const struct ct_access *access)
{
	const struct state *state = user;
	struct ct_history *history = state->history;
	enum ct_class class = ct_operation_class(access->info->operation);
	uint32_t lanes = ct_lanes_in(access, CT_SPACE_GLOBAL);
	struct record record = {
	    .warp_position = (uint64_t)access->warp << 59,
	    .unit = (uint32_t)(access->unit - history->units),
	    .site = access->site,
	    .sm = access->sm,
	    .reads = class != CT_CLASS_STORE,
	    .writes = class != CT_CLASS_LOAD,
	};
	uint32_t superstep =
	    ct_order_of_launch(history->order, access->launch->part, access->launch->event->launch);
	uint64_t position =
	    access->segment >> CT_SEGMENT_IN_CHUNK_BITS << history->number_bits | access->number;

	if (superstep == CT_NO_SUPERSTEP)
		return 0;
	if (access->number >> history->number_bits)
		return -EOVERFLOW;
	record.superstep_cta = (uint64_t)superstep << 32 | (uint32_t)access->cta;
	for (; lanes; lanes &= lanes - 1) {
		uint32_t lane = (uint32_t)__builtin_ctz(lanes);
		int err;

		record.lane = (uint8_t)lane;
		err = put(state, &record, position, access->address[lane],
			  ct_lane_bytes(access, lane));
		if (err < 0)
			return err;
	}
	return 0;
}

static int add_rows(const struct state *state, struct record *record, uint64_t *position,
		    const struct ct_event_transfer *event, uint64_t address, uint64_t row,
		    uint64_t slice)
{
	int err = 0;

	for (uint64_t z = 0; z < event->depth; z++)
		for (uint64_t y = 0; err == 0 && y < event->height; y++)
			err = put(state, record, (*position)++, address + z * slice + y * row,
				  event->width);
	return err;
}

static int add_transfers(struct ct_history *history)
{
	const struct state first = {.history = history};
	uint64_t position = 0;
	int err = ct_trace_transfers_work(ct_comm_trace(history->comm));

	for (size_t s = 0; err == 0 && s < history->supersteps; s++) {
		const struct ct_transfer_info *transfer = history->superstep[s].transfer;
		struct record record = {.superstep_cta = (uint64_t)s << 32, .unit = NO_UNIT};

		if (!transfer || !ct_transfer_is_sound(transfer->event))
			continue;
		record.reads = transfer->event->kind == CT_TRANSFER_COPY;
		if (record.reads)
			err = add_rows(&first, &record, &position, transfer->event,
				       transfer->event->source, transfer->event->source_row,
				       transfer->event->source_slice);
		record.reads = 0;
		record.writes = 1;
		if (err == 0)
			err = add_rows(&first, &record, &position, transfer->event,
				       transfer->event->target, transfer->event->target_row,
				       transfer->event->target_slice);
	}
	return err;
}

static int wants(void *job, struct ct_wants *wants)
{
	(void)job;
	*wants = (struct ct_wants){.what = CT_WANT_ACCESSES};
	return 0;
}

static int begin(void *job, const struct ct_room *room)
{
	struct ct_history *history = job;
	const struct ct_shuffle_options shuffle = {
	    .record_bytes = sizeof(struct record),
	    .partitions = PARTITIONS * room->ranks->size,
	    .writers = room->threads,
	    .readers = 1,
	    .memory_bytes = room->memory_bytes,
	    .key_mask = {UINT64_MAX, UINT64_MAX},
	    .directory = room->directory,
	    .ranks = room->ranks,
	};
	int err;

	ct_shuffle_close(history->records);
	history->records = NULL;
	history->ranks = room->ranks;
	err = ct_shuffle_open(&history->records, &shuffle);
	return err == 0 && room->ranks->rank == 0 ? add_transfers(history) : err;
}

static void close_state(void *state)
{
	free(state);
}

static int open_state(void **state, void *job, const struct ct_worker *worker)
{
	struct state *new = malloc(sizeof(*new));

	*state = new;
	if (!new)
		return -ENOMEM;
	*new = (struct state){job, worker->number};
	return 0;
}

/* Everything is in the shuffle. */
static int join(void *state, void *from)
{
	(void)state;
	(void)from;
	return 0;
}

static int conclude(void *job, void **state, const struct ct_scanned *scanned)
{
	(void)state;
	(void)scanned;
	return ct_shuffle_finish(((struct ct_history *)job)->records);
}

const struct ct_analysis ct_history_analysis = {
    .name = "history",
    .memory = 1,
    .wants = wants,
    .begin = begin,
    .open = open_state,
    .access = add_access,
    .join = join,
    .close = close_state,
    .conclude = conclude,
};

int ct_history_open(struct ct_history **out, struct ct_comm *comm, uint64_t first, uint64_t last,
		    char *why, size_t why_bytes)
{
	struct ct_history *history;
	uint64_t chunks;
	uint32_t words;

	*out = NULL;
	if (last >= ADDRESS_END || last - first >= CT_HISTORY_BYTES_MAX) {
		snprintf(why, why_bytes,
			 last >= ADDRESS_END ? "0x%llx is no address of global memory"
					     : "0x%llx-0x%llx is longer than %u bytes",
			 (unsigned long long)(last >= ADDRESS_END ? last : first),
			 (unsigned long long)last, CT_HISTORY_BYTES_MAX);
		return -EINVAL;
	}
	history = calloc(1, sizeof(*history));
	if (!history)
		return -ENOMEM;
	history->comm = comm;
	history->order = ct_comm_order(comm);
	history->supersteps = ct_order_supersteps(history->order, &history->superstep);
	history->first = first;
	history->last = last;
	ct_trace_units(ct_comm_trace(comm), &history->units);
	ct_trace_record_limits(ct_comm_trace(comm), &chunks, &words);
	history->number_bits = POSITION_BITS - LANE_BITS - ct_key_bits(chunks);
	*out = history;
	return 0;
}

void ct_history_close(struct ct_history *history)
{
	if (!history)
		return;
	ct_shuffle_close(history->records);
	ct_history_bytes_close(history->bytes);
	free(history);
}

static int hand_out(void *user, void *records, size_t count)
{
	struct ct_history *history = user;
	const struct record *record = records;

	for (size_t i = 0; i < count; i++) {
		uint32_t superstep = (uint32_t)(record[i].superstep_cta >> 32);
		bool is_host = record[i].unit == NO_UNIT;
		struct ct_history_entry operation = {
		    .superstep = superstep,
		    .warp = (uint32_t)(record[i].warp_position >> 59),
		    .sm = record[i].sm,
		    .lane = record[i].lane,
		    .cta = (uint32_t)record[i].superstep_cta,
		    .access = (record[i].warp_position & POSITION_MASK) >> LANE_BITS,
		    .address = record[i].address,
		    .bytes = record[i].bytes,
		    .reads = record[i].reads,
		    .writes = record[i].writes,
		    .unit = is_host ? NULL : &history->units[record[i].unit],
		    .site = record[i].site,
		};
		int stop;

		ct_history_bytes_take(history->bytes, &operation);
		if (!is_host && !ct_filter_passes_at(ct_comm_filter(history->comm),
						     history->superstep[superstep].launch,
						     operation.cta, operation.unit, operation.site))
			continue;
		stop = history->fn(history->user, &operation);
		if (stop)
			return stop;
	}
	return 0;
}

int ct_history_each(struct ct_history *history,
		    int (*fn)(void *user, const struct ct_history_entry *operation), void *user)
{
	int err;

	ct_history_bytes_close(history->bytes);
	err = ct_history_bytes_open(&history->bytes, history->order, history->first, history->last);
	history->fn = fn;
	history->user = user;
	for (uint32_t p = 0; err == 0 && p < PARTITIONS; p++)
		err =
		    ct_shuffle_each(history->records, p * history->ranks->size, hand_out, history);
	return err;
}
