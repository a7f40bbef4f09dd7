/* SPDX-License-Identifier: Apache-2.0 */
/* A new object takes what it covers of the ranges of others. */
#include "postproc/analysis/check/owners.h"

#include "base/array.h"
#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>

struct change {
	uint64_t event_index;
	struct ct_live_range range;
	bool is_removal;
};

struct freed {
	uint64_t event_index, bytes; /* of all up to this one */
};

struct part {
	uint32_t number;
	struct freed *freed; /* in the order of events */
	size_t frees, frees_room;
	struct change *change; /* in the order of events */
	size_t count, room;
	size_t done; /* of these, in live */
	struct ct_live live;
};

struct ct_check_owners {
	const struct ct_object_info *object;
	struct part *part;
	size_t parts;
};

static int apply(struct part *part, const struct ct_live_range *range, bool is_removal)
{
	if (!is_removal)
		return ct_live_insert(&part->live, range);
	ct_live_remove(&part->live, range->begin, range->object);
	return 0;
}

static int add(struct part *part, uint64_t event_index, struct ct_live_range range, bool is_removal)
{
	int err =
	    ct_array_reserve(&part->change, &part->room, part->count + 1, sizeof(*part->change));

	if (err < 0)
		return err;
	part->change[part->count++] = (struct change){event_index, range, is_removal};
	part->done = part->count;
	return apply(part, &range, is_removal);
}

/* Cuts [begin, end) out of a range. */
static int cut(struct part *part, uint64_t event_index, struct ct_live_range old, uint64_t begin,
	       uint64_t end)
{
	int err = add(part, event_index, old, true);

	if (err == 0 && old.begin < begin)
		err = add(part, event_index, (struct ct_live_range){old.begin, begin, old.object},
			  false);
	if (err == 0 && old.end > end)
		err =
		    add(part, event_index, (struct ct_live_range){end, old.end, old.object}, false);
	return err;
}

static int add_object(struct part *part, const struct ct_object_info *info, uint32_t number)
{
	uint64_t begin = info->event->address, room = UINT64_MAX - begin;
	uint64_t end = begin + (info->event->bytes < room ? info->event->bytes : room);
	const struct ct_live_range *old;
	int err = 0;

	if (begin == end)
		return 0;
	while (err == 0 && (old = ct_live_overlap(&part->live, begin, end)))
		err = cut(part, info->allocated_at, *old, begin, end);
	return err < 0 ? err
		       : add(part, info->allocated_at, (struct ct_live_range){begin, end, number},
			     false);
}

static struct part *find_part(struct ct_check_owners *owners, uint32_t number)
{
	for (size_t i = 0; i < owners->parts; i++)
		if (owners->part[i].number == number)
			return &owners->part[i];
	return NULL;
}

static struct part *need_part(struct ct_check_owners *owners, uint32_t number)
{
	struct part *part = find_part(owners, number);

	if (part || ct_array_grow(&owners->part, owners->parts, sizeof(*owners->part)) < 0)
		return part;
	part = &owners->part[owners->parts++];
	*part = (struct part){.number = number};
	return part;
}

static int add_free(struct part *part, const struct ct_object_info *info)
{
	int err = info->freed_at == UINT64_MAX
		      ? 0
		      : ct_array_reserve(&part->freed, &part->frees_room, part->frees + 1,
					 sizeof(*part->freed));

	if (err == 0 && info->freed_at != UINT64_MAX)
		part->freed[part->frees++] = (struct freed){info->freed_at, info->event->bytes};
	return err;
}

static int compare_frees(const void *a, const void *b)
{
	const struct freed *x = a, *y = b;

	return (x->event_index > y->event_index) - (x->event_index < y->event_index);
}

static void sum_frees(struct part *part)
{
	if (part->frees)
		qsort(part->freed, part->frees, sizeof(*part->freed), compare_frees);
	for (size_t i = 1; i < part->frees; i++)
		part->freed[i].bytes += part->freed[i - 1].bytes;
}

int ct_check_owners_open(struct ct_check_owners **out, const struct ct_trace *trace)
{
	struct ct_check_owners *owners = calloc(1, sizeof(*owners));
	size_t count;

	*out = owners;
	if (!owners)
		return -ENOMEM;
	count = ct_trace_objects(trace, &owners->object);
	for (size_t i = 0; i < count; i++) {
		struct part *part = need_part(owners, owners->object[i].part);
		int err = part ? add_object(part, &owners->object[i], (uint32_t)i) : -ENOMEM;

		if (err == 0)
			err = add_free(part, &owners->object[i]);
		if (err < 0)
			return err;
	}
	for (size_t i = 0; i < owners->parts; i++)
		sum_frees(&owners->part[i]);
	return 0;
}

void ct_check_owners_close(struct ct_check_owners *owners)
{
	if (!owners)
		return;
	for (size_t i = 0; i < owners->parts; i++) {
		ct_live_fini(&owners->part[i].live);
		free(owners->part[i].change);
		free(owners->part[i].freed);
	}
	free(owners->part);
	free(owners);
}

/* To just before the event of that index. */
static int move_to(struct part *part, uint64_t event_index)
{
	int err = 0;

	while (err == 0 && part->done > 0 &&
	       part->change[part->done - 1].event_index >= event_index) {
		const struct change *change = &part->change[--part->done];

		err = apply(part, &change->range, !change->is_removal);
	}
	while (err == 0 && part->done < part->count &&
	       part->change[part->done].event_index < event_index) {
		const struct change *change = &part->change[part->done++];

		err = apply(part, &change->range, change->is_removal);
	}
	return err;
}

const struct ct_object_info *ct_check_object_at(struct ct_check_owners *owners, uint32_t number,
						uint64_t address, uint64_t index)
{
	struct part *part = find_part(owners, number);
	const struct ct_live_range *range;

	if (!part || move_to(part, index) < 0)
		return NULL;
	range = ct_live_find(&part->live, address);
	return range ? &owners->object[range->object] : NULL;
}

/* Before the event of that index: how many are freed. */
static size_t frees_before(const struct part *part, uint64_t index)
{
	size_t first = 0, end = part->frees;

	while (first < end) {
		size_t middle = first + (end - first) / 2;

		if (part->freed[middle].event_index < index)
			first = middle + 1;
		else
			end = middle;
	}
	return first;
}

uint64_t ct_check_freed_since(struct ct_check_owners *owners, const struct ct_object_info *object,
			      uint64_t index, uint64_t more)
{
	const struct part *part = find_part(owners, object->part);
	size_t from = part ? frees_before(part, object->freed_at) : 0;
	size_t to = part ? frees_before(part, index) : 0;

	if (from >= to)
		return 0;
	return part->freed[to - 1].bytes - (from ? part->freed[from - 1].bytes : 0) +
	       (to - from) * more;
}
