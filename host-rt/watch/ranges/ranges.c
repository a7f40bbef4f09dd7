/* SPDX-License-Identifier: Apache-2.0 */
/* Ranges, from the first to the last of their states, and the waits that own them. */
#include "host-rt/watch/ranges/ranges.h"
#include "host-rt/watch/ranges/finished.h"
#include "host-rt/watch/ranges/tree.h"
#include <errno.h>

struct ct_range *ct_ranges;
struct ct_wait *ct_waits;

static uint32_t root, known_ranges, free_range; /* free ones are linked by `left` */
static uint32_t known_waits, free_wait;         /* by `live` */
static uint32_t *live;                          /* indices */
static uint32_t live_count, armed_count;

static const struct ct_range_listener *listeners;
static size_t listener_count;

int ct_ranges_init(const struct ct_range_listener *all, size_t count)
{
	listeners = all;
	listener_count = count;
	ct_ranges = ct_finished_memory((CT_RANGES_MAX + 1) * sizeof(*ct_ranges));
	ct_waits = ct_finished_memory((CT_WAITS_MAX + 1) * sizeof(*ct_waits));
	live = ct_finished_memory(CT_RANGES_MAX * sizeof(*live));
	return ct_ranges && ct_waits && live ? ct_finished_init() : -ENOMEM;
}

uint32_t ct_ranges_live(void)
{
	return live_count;
}

uint32_t ct_ranges_at(uint32_t place)
{
	return live[place];
}

uint32_t ct_ranges_armed(void)
{
	return armed_count;
}

uint32_t ct_ranges_add(const struct ct_range *like)
{
	uint32_t index = free_range;

	if (index)
		free_range = ct_ranges[index].left;
	else if (known_ranges < CT_RANGES_MAX)
		index = ++known_ranges;
	if (!index) {
		ct_finished_lose();
		return 0;
	}
	ct_ranges[index] = *like;
	ct_ranges[index].state = CT_RANGE_PENDING;
	ct_ranges[index].wait = 0;
	ct_ranges[index].place = live_count;
	live[live_count++] = index;
	ct_tree_insert(&root, index);
	return index;
}

uint32_t ct_ranges_find(uint64_t start, uint64_t end, uint32_t *indices, uint32_t room)
{
	uint32_t count = ct_tree_find(root, start, end, indices, room), kept = 0;

	for (uint32_t i = 0; i < count; i++)
		if (ct_range_has(&ct_ranges[indices[i]], start, end))
			indices[kept++] = indices[i];
	return kept;
}

void ct_ranges_lose_all(const char *reason)
{
	for (uint32_t i = 0; i < live_count; i++)
		if (ct_ranges[live[i]].state == CT_RANGE_ARMED)
			ct_ranges[live[i]].lost = reason;
}

bool ct_range_has(const struct ct_range *range, uint64_t start, uint64_t end)
{
	uint64_t row, in_row;

	if (start >= range->end || end <= range->start)
		return false;
	if (!range->pitch || start <= range->start)
		return true;
	row = (start - range->start) / range->pitch;
	in_row = (start - range->start) % range->pitch;
	return in_row < range->width ||
	       (row + 1 < range->rows && range->start + (row + 1) * range->pitch < end);
}

bool ct_range_counts(const struct ct_range *range, bool writes)
{
	return range->state == CT_RANGE_ARMED && (writes || range->origin != CT_PROTECTS_FROM_HOST);
}

bool ct_range_is_early(const struct ct_range *range, bool writes)
{
	return range->is_early && (writes || range->origin != CT_PROTECTS_FROM_HOST);
}

void ct_range_watch(uint32_t index)
{
	ct_ranges[index].is_early = true;
	for (size_t i = 0; i < listener_count; i++)
		listeners[i].arm(&ct_ranges[index]);
}

void ct_range_unwatch(uint32_t index)
{
	if (!ct_ranges[index].is_early)
		return;
	for (size_t i = 0; i < listener_count; i++)
		listeners[i].disarm(&ct_ranges[index]);
	ct_ranges[index].is_early = false;
}

uint32_t ct_waits_add(const struct ct_row_wait *row)
{
	uint32_t index = free_wait;

	if (index)
		free_wait = ct_waits[index].live;
	else if (known_waits < CT_WAITS_MAX)
		index = ++known_waits;
	if (index)
		ct_waits[index] = (struct ct_wait){*row, 0};
	else
		ct_finished_lose();
	return index;
}

void ct_wait_finish(uint32_t index)
{
	struct ct_wait *wait = &ct_waits[index];

	if (wait->live)
		return;
	ct_finished_wait(&wait->row);
	wait->live = free_wait;
	free_wait = index;
}

static void forget(uint32_t index)
{
	struct ct_range *range = &ct_ranges[index];

	ct_range_unwatch(index);
	if (range->state == CT_RANGE_ARMED) {
		armed_count--;
		for (size_t i = 0; i < listener_count; i++)
			listeners[i].disarm(range);
	}
	ct_tree_remove(&root, index);
	live[range->place] = live[--live_count];
	ct_ranges[live[range->place]].place = range->place;
	range->state = CT_RANGE_FREE;
	range->left = free_range;
	free_range = index;
}

/* Why it is not known what became of it; NULL: it is. */
static const char *doubt(const struct ct_range *range, uint32_t kind)
{
	if (range->lost)
		return range->lost;
	return range->is_shared &&
		       (kind == CT_USE_AGAIN || kind == CT_USE_REPLACED || kind == CT_USE_NONE)
		   ? "other processes, or a file, share its memory"
		   : NULL;
}

static void write_use(const struct ct_range *range, const struct ct_watch_touch *access)
{
	const char *why = doubt(range, access->kind);
	struct ct_watch_use use = {
	    .row = {.time_ns = access->time_ns,
		    .address = range->start,
		    .bytes = range->width,
		    .pitch = range->pitch,
		    .at = access->at,
		    .at_bytes = access->bytes,
		    .rows = range->rows,
		    .wait = ct_waits[range->wait].row.call,
		    .producer = range->producer,
		    .thread = access->thread,
		    .stack = access->stack,
		    .origin = range->origin,
		    .kind = why ? CT_USE_UNKNOWN : access->kind,
		    .means = access->means},
	    .reason = why ? why : access->reason,
	};

	ct_finished_use(&use);
}

static void count_end(struct ct_row_wait *wait, const struct ct_range *range, uint32_t kind)
{
	if (doubt(range, kind) || kind == CT_USE_UNKNOWN)
		wait->unknown++;
	else if (kind == CT_USE_AGAIN)
		wait->again++;
	else if (kind == CT_USE_REPLACED)
		wait->replaced++;
	else if (kind == CT_USE_NONE)
		wait->unused++;
	else
		wait->used++;
}

static void leave_wait(struct ct_range *range, uint32_t kind)
{
	struct ct_wait *wait = &ct_waits[range->wait];

	count_end(&wait->row, range, kind);
	wait->live--;
	ct_wait_finish(range->wait);
}

static void finish_as(uint32_t index, const struct ct_range *piece,
		      const struct ct_watch_touch *access)
{
	struct ct_range *range = &ct_ranges[index];

	if (range->state == CT_RANGE_ARMED) {
		write_use(piece, access);
		leave_wait(range, access->kind);
	}
	forget(index);
}

void ct_range_finish(uint32_t index, const struct ct_watch_touch *access)
{
	finish_as(index, &ct_ranges[index], access);
}

void ct_range_drop(uint32_t index)
{
	if (ct_ranges[index].state == CT_RANGE_ARMED)
		leave_wait(&ct_ranges[index], CT_USE_AGAIN);
	forget(index);
}

static void announce(struct ct_range *range)
{
	range->state = CT_RANGE_ARMED;
	armed_count++;
	for (size_t i = 0; i < listener_count; i++)
		listeners[i].arm(range);
}

void ct_range_arm(uint32_t index, uint32_t wait, uint64_t time_ns)
{
	struct ct_range *range = &ct_ranges[index];

	/* The first wait may have been for the others; of later ones it would never be known. */
	if (range->state == CT_RANGE_ARMED && range->is_shared) {
		ct_range_finish(index,
				&(struct ct_watch_touch){.time_ns = time_ns, .kind = CT_USE_AGAIN});
		return;
	}
	if (range->state == CT_RANGE_ARMED) {
		/* If many wait for the same, only the first one's row says so. */
		if (!range->is_again)
			write_use(range, &(struct ct_watch_touch){.time_ns = time_ns,
								  .kind = CT_USE_AGAIN});
		range->is_again = true;
		leave_wait(range, CT_USE_AGAIN);
		/* Accesses that may have been missed were before this wait. */
		if (!range->stays_open)
			range->lost = NULL;
	} else {
		ct_range_unwatch(index);
		announce(range);
	}
	range->wait = wait;
	ct_waits[wait].live++;
	ct_waits[wait].row.ranges++;
	ct_waits[wait].row.bytes += range->width * range->rows;
}

static void add_part(const struct ct_range *whole, uint64_t start, uint64_t end)
{
	struct ct_range part = *whole;
	uint32_t index;

	part.is_early = false;
	part.start = start;
	part.end = end;
	part.width = end - start;
	index = ct_ranges_add(&part);
	if (!index || whole->state != CT_RANGE_ARMED)
		return;
	ct_ranges[index].wait = whole->wait;
	announce(&ct_ranges[index]);
	ct_waits[whole->wait].live++;
	ct_waits[whole->wait].row.ranges++;
}

/* Bytes that are in rows stay whole if a part of them remains. */
void ct_range_cut(uint32_t index, uint64_t start, uint64_t end, const struct ct_watch_touch *access)
{
	struct ct_range whole = ct_ranges[index], piece = whole;

	if (start <= whole.start && whole.end <= end) {
		ct_range_finish(index, access);
		return;
	}
	if (whole.pitch)
		return;
	if (whole.start < start)
		add_part(&whole, whole.start, start);
	if (end < whole.end)
		add_part(&whole, end, whole.end);
	piece.start = whole.start < start ? start : whole.start;
	piece.end = whole.end < end ? whole.end : end;
	piece.width = piece.end - piece.start;
	finish_as(index, &piece, access);
}
