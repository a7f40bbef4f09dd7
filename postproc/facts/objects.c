/* SPDX-License-Identifier: Apache-2.0 */
/* Objects in groups, sorted by address. */
#include "postproc/facts/objects.h"
#include "postproc/facts/lifetimes.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* A process: objects first to first + count, by begin. */
struct part {
	uint32_t part;
	uint32_t first, count;
	struct ct_lifetimes lifetimes;
};

struct group {
	const struct ct_object_info *first;
	uint64_t count;
	bool passes;
};

struct ct_objects {
	struct ct_lifetime *lifetime; /* by part, then begin, then allocated_at */
	uint32_t *group_of;           /* likewise */
	uint32_t count;
	struct part *part; /* ascending */
	uint32_t parts;
	struct group *group; /* one more than there are: no known object */
	uint32_t groups;
	bool all_pass;
};

struct placed {
	const struct ct_object_info *info;
	uint32_t group;
};

static int compare_name(const void *a, const void *b)
{
	const struct ct_object_info *x = ((const struct placed *)a)->info;
	const struct ct_object_info *y = ((const struct placed *)b)->info;
	int by_name = strcmp(x->name, y->name), by_site;

	if (by_name)
		return by_name;
	by_site = strcmp(x->site, y->site);
	if (by_site)
		return by_site;
	return x < y ? -1 : x > y;
}

static int compare_place(const void *a, const void *b)
{
	const struct ct_object_info *x = ((const struct placed *)a)->info;
	const struct ct_object_info *y = ((const struct placed *)b)->info;

	if (x->part != y->part)
		return x->part < y->part ? -1 : 1;
	if (x->event->address != y->event->address)
		return x->event->address < y->event->address ? -1 : 1;
	return x->allocated_at < y->allocated_at ? -1 : x->allocated_at > y->allocated_at;
}

static void add_group(struct ct_objects *objects, const struct ct_object_info *first)
{
	objects->group[objects->groups++] =
	    (struct group){.first = first, .passes = objects->all_pass};
}

static void make_groups(struct ct_objects *objects, struct placed *sorted,
			const struct ct_filter *filter)
{
	for (uint32_t i = 0; i < objects->count; i++) {
		const struct ct_object_info *info = sorted[i].info;
		struct group *group;

		if (!i || strcmp(info->name, sorted[i - 1].info->name) ||
		    strcmp(info->site, sorted[i - 1].info->site))
			add_group(objects, info);
		group = &objects->group[objects->groups - 1];
		group->count++;
		group->passes |= !filter || ct_filter_object(filter, info);
		sorted[i].group = objects->groups - 1;
	}
	add_group(objects, NULL);
}

static uint32_t count_parts(const struct placed *sorted, uint32_t count)
{
	uint32_t parts = 0;

	for (uint32_t i = 0; i < count; i++)
		parts += !i || sorted[i].info->part != sorted[i - 1].info->part;
	return parts;
}

static int add_part(struct ct_objects *objects, uint32_t number, uint32_t first, uint32_t count)
{
	struct part *part = &objects->part[objects->parts];
	int err;

	*part = (struct part){.part = number, .first = first, .count = count};
	err = ct_lifetimes_init(&part->lifetimes, objects->lifetime + first, count);
	if (err == 0)
		objects->parts++;
	return err;
}

static int make_places(struct ct_objects *objects, const struct placed *sorted)
{
	uint32_t first = 0;
	int err = 0;

	objects->part = calloc(count_parts(sorted, objects->count) + 1, sizeof(*objects->part));
	if (!objects->part)
		return -ENOMEM;
	for (uint32_t i = 0; i < objects->count; i++) {
		const struct ct_object_info *info = sorted[i].info;
		uint64_t begin = info->event->address, room = UINT64_MAX - begin;

		objects->lifetime[i] = (struct ct_lifetime){
		    .begin = begin,
		    .end = begin + (info->event->bytes < room ? info->event->bytes : room),
		    .allocated_at = info->allocated_at,
		    .freed_at = info->freed_at,
		};
		objects->group_of[i] = sorted[i].group;
	}
	for (uint32_t i = 1; err == 0 && i <= objects->count; i++) {
		if (i < objects->count && sorted[i].info->part == sorted[first].info->part)
			continue;
		err = add_part(objects, sorted[first].info->part, first, i - first);
		first = i;
	}
	return err;
}

int ct_objects_open(struct ct_objects **out, const struct ct_trace *trace,
		    const struct ct_filter *filter)
{
	struct ct_objects *objects = calloc(1, sizeof(*objects));
	const struct ct_object_info *infos;
	size_t count = ct_trace_objects(trace, &infos);
	struct placed *sorted = malloc((count + 1) * sizeof(*sorted));
	int err = -ENOMEM;

	*out = NULL;
	if (!objects || !sorted)
		goto free_sorted;
	objects->count = (uint32_t)count;
	objects->all_pass = !filter || ct_filter_all_objects(filter);
	objects->lifetime = malloc((count + 1) * sizeof(*objects->lifetime));
	objects->group_of = malloc((count + 1) * sizeof(*objects->group_of));
	objects->group = malloc((count + 1) * sizeof(*objects->group));
	if (!objects->lifetime || !objects->group_of || !objects->group)
		goto free_sorted;
	for (size_t i = 0; i < count; i++)
		sorted[i].info = &infos[i];
	qsort(sorted, count, sizeof(*sorted), compare_name);
	make_groups(objects, sorted, filter);
	qsort(sorted, count, sizeof(*sorted), compare_place);
	err = make_places(objects, sorted);
	if (err < 0)
		goto free_sorted;
	*out = objects;
	objects = NULL;

free_sorted:
	free(sorted);
	ct_objects_close(objects);
	return err;
}

void ct_objects_close(struct ct_objects *objects)
{
	if (!objects)
		return;
	for (uint32_t i = 0; i < objects->parts; i++)
		ct_lifetimes_fini(&objects->part[i].lifetimes);
	free(objects->part);
	free(objects->lifetime);
	free(objects->group_of);
	free(objects->group);
	free(objects);
}

static const struct part *find_part(const struct ct_objects *objects, uint32_t number)
{
	uint32_t low = 0, high = objects->parts;

	while (low < high) {
		uint32_t middle = low + (high - low) / 2;

		if (objects->part[middle].part < number)
			low = middle + 1;
		else
			high = middle;
	}
	return low < objects->parts && objects->part[low].part == number ? &objects->part[low]
									 : NULL;
}

/* Where the first object of the part begins that begins after the address; UINT64_MAX: none. */
static uint64_t next_begin(const struct ct_objects *objects, const struct part *part,
			   uint64_t address)
{
	uint32_t low = part->first, high = part->first + part->count;

	while (low < high) {
		uint32_t middle = low + (high - low) / 2;

		if (objects->lifetime[middle].begin <= address)
			low = middle + 1;
		else
			high = middle;
	}
	return low < part->first + part->count ? objects->lifetime[low].begin : UINT64_MAX;
}

/* Index of the object, or CT_NO_LIFETIME. */
static uint32_t find(const struct ct_objects *objects, const struct part *part, uint64_t address,
		     uint64_t event_index, uint32_t *hint)
{
	uint64_t steps = 0;
	uint32_t found;

	if (!part)
		return CT_NO_LIFETIME;
	if (*hint - part->first < part->count &&
	    ct_lifetime_holds(&objects->lifetime[*hint], address, event_index))
		return *hint;
	found = ct_lifetimes_find(&part->lifetimes, address, event_index, &steps);
	if (found == CT_NO_LIFETIME)
		return found;
	*hint = part->first + found;
	return *hint;
}

uint32_t ct_objects_find(const struct ct_objects *objects, uint32_t part, uint64_t address,
			 uint64_t event_index, uint32_t *hint)
{
	uint32_t found = find(objects, find_part(objects, part), address, event_index, hint);

	return found == CT_NO_LIFETIME ? objects->groups - 1 : objects->group_of[found];
}

struct ct_object_range ct_objects_range(const struct ct_objects *objects, uint32_t number,
					uint64_t address, uint64_t event_index, uint32_t *hint)
{
	const struct part *part = find_part(objects, number);
	struct ct_object_range range = {
	    .begin = address, .end = UINT64_MAX, .group = objects->groups - 1};
	uint32_t found = find(objects, part, address, event_index, hint);

	if (found != CT_NO_LIFETIME) {
		range.is_known = true;
		range.group = objects->group_of[found];
		range.begin = objects->lifetime[found].begin;
		range.end = objects->lifetime[found].end;
	} else if (part) {
		range.end = next_begin(objects, part, address);
	}
	return range;
}

uint32_t ct_objects_groups(const struct ct_objects *objects)
{
	return objects->groups;
}

const struct ct_object_info *ct_objects_of_group(const struct ct_objects *objects, uint32_t group,
						 uint64_t *count)
{
	*count = objects->group[group].count;
	return objects->group[group].first;
}

bool ct_objects_passes(const struct ct_objects *objects, uint32_t group)
{
	return objects->group[group].passes;
}

bool ct_objects_all_pass(const struct ct_objects *objects)
{
	return objects->all_pass;
}
