/* SPDX-License-Identifier: Apache-2.0 */
/* An analysis that keeps everything it is handed. */
#include "tests/unit/postproc/scan_log.h"
#include "base/array.h"

#include <errno.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct state {
	struct scan_log *log;
	struct ct_trace *trace;
	struct scan_item *item;
	size_t count, room;
};

static uint64_t mix(uint64_t hash, uint64_t number)
{
	hash = (hash ^ number) * 0x9e3779b97f4a7c15u;
	return hash ^ hash >> 29;
}

static uint64_t hash_at(struct state *state, const struct ct_access *at, uint64_t kind)
{
	uint64_t hash = mix(kind, at->sm);

	hash = mix(mix(hash, at->sequence), at->mask);
	hash = mix(mix(hash, at->site), at->unit->header->unit_id);
	hash = mix(mix(hash, at->info->line), at->depth);
	for (uint32_t i = 0; i < at->depth; i++)
		hash = mix(mix(hash, at->path[i].site), at->path[i].unit->header->unit_id);
	for (uint32_t lane = 0; kind == 0 && lane < CT_WARP_LANES; lane++) {
		const struct ct_object_info *object;

		if (!(at->mask >> lane & 1))
			continue;
		object = ct_trace_object_at(state->trace, at->launch, at->address[lane]);
		hash = mix(mix(hash, at->address[lane]), at->range ? at->range[lane] : 0);
		hash = mix(hash, object ? object->event->object : 0);
	}
	return kind == 0 ? mix(hash, at->is_linear ? 1 + (uint64_t)at->stride : 0) : hash;
}

static int note(struct state *state, const struct ct_access *at, uint64_t what, bool is_value)
{
	struct scan_log *log = state->log;
	int err =
	    ct_array_reserve(&state->item, &state->room, state->count + 1, sizeof(*state->item));

	if (err < 0)
		return err;
	if (at->by_path != ((log->wants & CT_WANT_PATHS) != 0))
		return -EPROTO;
	state->item[state->count] = (struct scan_item){
	    .device = (uint64_t)at->launch->part << 32 | at->launch->event->device,
	    .warp = (uint64_t)at->launch->event->launch << 40 | at->cta << 8 | at->warp,
	    .segment = at->segment,
	    .number = is_value ? 0 : at->number,
	    .order = state->count,
	    .what = what,
	};
	state->count++;
	return log->fail_at && state->count == (size_t)log->fail_at ? -ERANGE : 0;
}

static int on_access(void *user, const struct ct_access *access)
{
	struct state *state = user;

	return note(state, access, hash_at(state, access, 0), false);
}

static int on_event(void *user, const struct ct_event *event)
{
	struct state *state = user;

	return note(state, event->at, hash_at(state, event->at, 1 + event->phase), false);
}

static int on_value(void *user, const struct ct_value *value)
{
	struct state *state = user;
	uint64_t hash = hash_at(state, value->at, 5 + value->part), word;

	hash = mix(hash, value->bytes);
	for (uint32_t lane = 0; lane < CT_WARP_LANES; lane++) {
		if (!(value->at->mask >> lane & 1))
			continue;
		for (size_t i = 0; i < CT_VALUE_BYTES_MAX; i += sizeof(word)) {
			memcpy(&word, value->data[lane] + i, sizeof(word));
			hash = mix(hash, word);
		}
	}
	return note(state, value->at, hash, true);
}

static int wants(void *job, struct ct_wants *wants)
{
	const struct scan_log *log = job;

	*wants = (struct ct_wants){log->wants, log->launches, log->sites};
	return 0;
}

static int begin(void *job, const struct ct_room *room)
{
	struct scan_log *log = job;

	log->begun++;
	return room->memory_bytes ? 0 : -EINVAL;
}

static int open(void **state, void *job, const struct ct_worker *worker)
{
	struct state *new = calloc(1, sizeof(*new));

	*state = new;
	if (!new)
		return -ENOMEM;
	new->log = job;
	new->trace = worker->trace;
	return 0;
}

static int append(struct state *state, const struct scan_item *item, size_t count)
{
	int err = ct_array_reserve(&state->item, &state->room, state->count + count,
				   sizeof(*state->item));

	if (err == 0 && count)
		memcpy(state->item + state->count, item, count * sizeof(*item));
	if (err == 0)
		state->count += count;
	return err;
}

static int join(void *state, void *from)
{
	const struct state *other = from;

	return append(state, other->item, other->count);
}

static int pack(const void *state, struct ct_buffer *bytes)
{
	const struct state *own = state;

	return ct_buffer_append(bytes, own->item, own->count * sizeof(*own->item)) ? 0 : -ENOMEM;
}

static int unpack(void *state, const void *bytes, size_t count)
{
	return append(state, bytes, count / sizeof(struct scan_item));
}

static void close(void *state)
{
	struct state *own = state;

	if (own)
		free(own->item);
	free(own);
}

static int conclude(void *job, void **state, const struct ct_scanned *scanned)
{
	struct scan_log *log = job;
	struct state *own = *state;

	log->damaged = scanned->damaged_chunks;
	log->chunks = scanned->chunks;
	free(log->item);
	log->item = own->item;
	log->count = own->count;
	own->item = NULL;
	return 0;
}

static int again(void *job, int err)
{
	struct scan_log *log = job;

	if (err != -ERANGE)
		return 0;
	log->fail_at = 0;
	log->again++;
	return 1;
}

const struct ct_analysis scan_log_analysis = {
    .name = "log",
    .memory = 1,
    .wants = wants,
    .begin = begin,
    .open = open,
    .access = on_access,
    .event = on_event,
    .value = on_value,
    .join = join,
    .pack = pack,
    .unpack = unpack,
    .close = close,
    .conclude = conclude,
    .again = again,
};

int scan_log_read(struct scan_log *log, struct ct_trace *trace)
{
	struct state state = {.log = log, .trace = trace};
	const struct ct_scan request = {
	    .access = on_access,
	    .event = log->wants & CT_WANT_EVENTS ? on_event : NULL,
	    .value = log->wants & CT_WANT_VALUES ? on_value : NULL,
	    .user = &state,
	    .launches = log->launches,
	    .sites = log->sites,
	    .paths = log->wants & CT_WANT_PATHS ? CT_SCAN_BY_PATH : CT_SCAN_NO_PATHS,
	};
	int err = ct_trace_scan(trace, &request, &log->damaged);

	log->item = state.item;
	log->count = state.count;
	return err;
}

static int compare_numbers(uint64_t a, uint64_t b)
{
	return a < b ? -1 : a > b;
}

static int compare_by_warp(const void *a, const void *b)
{
	const struct scan_item *x = a, *y = b;
	int order = compare_numbers(x->device, y->device);

	order = order ? order : compare_numbers(x->warp, y->warp);
	return order ? order : compare_numbers(x->order, y->order);
}

static int compare_by_segment(const void *a, const void *b)
{
	const struct scan_item *x = a, *y = b;
	int order = compare_numbers(x->device, y->device);

	order = order ? order : compare_numbers(x->segment, y->segment);
	return order ? order : compare_numbers(x->order, y->order);
}

void scan_log_sort(struct scan_log *log)
{
	if (log->wants & CT_WANT_ORDER || !log->count)
		return;
	qsort(log->item, log->count, sizeof(*log->item),
	      log->wants & (CT_WANT_WARPS | CT_WANT_VALUES | CT_WANT_PATHS) ? compare_by_warp
									    : compare_by_segment);
}

void scan_log_fini(struct scan_log *log)
{
	free(log->item);
	log->item = NULL;
	log->count = 0;
}

/* Within the records of a warp in a chunk, numbers ascend; those of a path stay the same. */
static int check_numbers(const struct scan_log *log)
{
	for (size_t i = 1; i < log->count; i++) {
		const struct scan_item *x = &log->item[i - 1], *y = &log->item[i];

		if (x->device == y->device && x->warp == y->warp && x->segment == y->segment &&
		    y->number && x->number > y->number) {
			fprintf(stderr, "item %zu has the number %" PRIu64 " after %" PRIu64 "\n",
				i, y->number, x->number);
			return 1;
		}
	}
	return 0;
}

int scan_log_compare(struct scan_log *a, struct scan_log *b)
{
	scan_log_sort(a);
	scan_log_sort(b);
	if (a->count != b->count || a->damaged != b->damaged) {
		fprintf(stderr, "%zu and %zu items, %" PRIu64 " and %" PRIu64 " damaged chunks\n",
			a->count, b->count, a->damaged, b->damaged);
		return 1;
	}
	for (size_t i = 0; i < a->count; i++) {
		const struct scan_item *x = &a->item[i], *y = &b->item[i];

		if (x->device == y->device && x->warp == y->warp && x->segment == y->segment &&
		    x->what == y->what)
			continue;
		fprintf(stderr,
			"item %zu: %" PRIx64 " %" PRIx64 " %" PRIx64 " %" PRIx64 ", not %" PRIx64
			" %" PRIx64 " %" PRIx64 " %" PRIx64 "\n",
			i, y->device, y->warp, y->segment, y->what, x->device, x->warp, x->segment,
			x->what);
		return 1;
	}
	return check_numbers(a) | check_numbers(b);
}
