/* SPDX-License-Identifier: Apache-2.0 */
/* Objects in groups, sorted by address. */
#include "postproc/facts/objects.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>

struct object {
	uint64_t begin, end;
	uint64_t reach; /* the greatest end of this and all before */
	uint64_t born, died;
	uint32_t part;
	uint32_t group;
};

struct group {
	const struct ct_object_info *first;
	uint64_t count;
	bool passes;
};

struct ct_objects {
	struct object *object; /* by part, then begin */
	uint32_t count;
	struct group *group; /* one more than there are: no known object */
	uint32_t groups;
	bool all_pass;
};

static int compare_name(const void *a, const void *b)
{
	const struct ct_object_info *x = *(const struct ct_object_info *const *)a;
	const struct ct_object_info *y = *(const struct ct_object_info *const *)b;
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
	const struct object *x = a, *y = b;

	if (x->part != y->part)
		return x->part < y->part ? -1 : 1;
	if (x->begin != y->begin)
		return x->begin < y->begin ? -1 : 1;
	return x->born < y->born ? -1 : x->born > y->born;
}

static void add_group(struct ct_objects *objects, const struct ct_object_info *first)
{
	objects->group[objects->groups++] =
	    (struct group){.first = first, .passes = objects->all_pass};
}

static void fill(struct ct_objects *objects, const struct ct_object_info **sorted,
		 const struct ct_filter *filter)
{
	for (uint32_t i = 0; i < objects->count; i++) {
		const struct ct_object_info *info = sorted[i];
		struct group *group;

		if (!i || strcmp(info->name, sorted[i - 1]->name) ||
		    strcmp(info->site, sorted[i - 1]->site))
			add_group(objects, info);
		group = &objects->group[objects->groups - 1];
		group->count++;
		group->passes |= !filter || ct_filter_object(filter, info);
		objects->object[i] = (struct object){
		    .begin = info->event->address,
		    .end = info->event->address + info->event->bytes,
		    .born = info->born,
		    .died = info->died,
		    .part = info->part,
		    .group = objects->groups - 1,
		};
	}
	add_group(objects, NULL);
	qsort(objects->object, objects->count, sizeof(*objects->object), compare_place);
	for (uint32_t i = 0; i < objects->count; i++) {
		struct object *object = &objects->object[i];

		object->reach = object->end;
		if (i && object[-1].part == object->part && object[-1].reach > object->reach)
			object->reach = object[-1].reach;
	}
}

int ct_objects_open(struct ct_objects **out, const struct ct_trace *trace,
		    const struct ct_filter *filter)
{
	struct ct_objects *objects = calloc(1, sizeof(*objects));
	const struct ct_object_info *infos, **sorted;
	size_t count = ct_trace_objects(trace, &infos);
	int err = -ENOMEM;

	*out = NULL;
	sorted = malloc((count + 1) * sizeof(*sorted));
	if (!objects || !sorted)
		goto free_sorted;
	objects->count = (uint32_t)count;
	objects->all_pass = !filter || ct_filter_all_objects(filter);
	objects->object = malloc((count + 1) * sizeof(*objects->object));
	objects->group = malloc((count + 1) * sizeof(*objects->group));
	if (!objects->object || !objects->group)
		goto free_sorted;
	for (size_t i = 0; i < count; i++)
		sorted[i] = &infos[i];
	qsort(sorted, count, sizeof(*sorted), compare_name);
	fill(objects, sorted, filter);
	*out = objects;
	objects = NULL;
	err = 0;

free_sorted:
	free(sorted);
	ct_objects_close(objects);
	return err;
}

void ct_objects_close(struct ct_objects *objects)
{
	if (!objects)
		return;
	free(objects->object);
	free(objects->group);
	free(objects);
}

static bool holds(const struct object *object, uint32_t part, uint64_t address,
		  uint64_t event_index)
{
	return object->part == part && address >= object->begin && address < object->end &&
	       event_index >= object->born && event_index < object->died;
}

/* The first object that begins after the address; the number of all if there is none. */
static uint32_t first_behind(const struct ct_objects *objects, uint32_t part, uint64_t address)
{
	uint32_t low = 0, high = objects->count;

	while (low < high) {
		uint32_t middle = low + (high - low) / 2;
		const struct object *object = &objects->object[middle];

		if (object->part < part || (object->part == part && object->begin <= address))
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

uint32_t ct_objects_find(const struct ct_objects *objects, uint32_t part, uint64_t address,
			 uint64_t event_index, uint32_t *hint)
{
	uint32_t low;

	if (*hint < objects->count && holds(&objects->object[*hint], part, address, event_index))
		return objects->object[*hint].group;
	low = first_behind(objects, part, address);
	while (low-- > 0) {
		const struct object *object = &objects->object[low];

		if (object->part != part || object->reach <= address)
			break;
		if (holds(object, part, address, event_index)) {
			*hint = low;
			return object->group;
		}
	}
	return objects->groups - 1;
}

struct ct_object_range ct_objects_range(const struct ct_objects *objects, uint32_t part,
					uint64_t address, uint64_t event_index, uint32_t *hint)
{
	struct ct_object_range range = {.begin = address, .end = UINT64_MAX};
	uint32_t next;

	range.group = ct_objects_find(objects, part, address, event_index, hint);
	range.is_known = range.group != objects->groups - 1;
	if (range.is_known) {
		range.begin = objects->object[*hint].begin;
		range.end = objects->object[*hint].end;
		return range;
	}
	next = first_behind(objects, part, address);
	if (next < objects->count && objects->object[next].part == part)
		range.end = objects->object[next].begin;
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
