/* SPDX-License-Identifier: Apache-2.0 */
/* Sites and objects of tier counts, by kernel: sorted, and equal ones added up. */
#include "counted.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>

size_t ct_counted_launches(const struct ct_trace *trace)
{
	const struct ct_launch_info *launches;
	size_t count = ct_trace_launches(trace, &launches), found = 0;

	for (size_t i = 0; i < count; i++)
		found += launches[i].event->flags & CT_LAUNCH_TRACED &&
			 launches[i].event->tier == CT_TIER_COUNTS;
	return found;
}

int ct_counted_has_others(const struct ct_trace *trace)
{
	const struct ct_launch_info *launches;
	size_t count = ct_trace_launches(trace, &launches);

	for (size_t i = 0; i < count; i++)
		if (launches[i].event->flags & CT_LAUNCH_TRACED &&
		    launches[i].event->tier != CT_TIER_COUNTS)
			return 1;
	return 0;
}

/* Kernels by name, and the first launch of equal ones first. */
static int compare_kernels(const struct ct_launch_info *a, const struct ct_launch_info *b)
{
	return strcmp(a->kernel_name, b->kernel_name);
}

static int compare_pointers(const void *a, const void *b)
{
	return a < b ? -1 : a > b;
}

static int compare_sites(const void *a, const void *b)
{
	const struct ct_counted_site *x = a, *y = b;
	int order = compare_kernels(x->launch, y->launch);

	if (order == 0)
		order = compare_pointers(x->unit, y->unit);
	if (order == 0)
		order = x->site < y->site ? -1 : x->site > y->site;
	return order;
}

static int compare_objects(const void *a, const void *b)
{
	const struct ct_counted_object *x = a, *y = b;
	int order = compare_kernels(x->launch, y->launch);

	return order ? order : compare_pointers(x->object, y->object);
}

static void join_sites(struct ct_counted *counted)
{
	size_t kept = 0;

	qsort(counted->site, counted->sites, sizeof(*counted->site), compare_sites);
	for (size_t i = 0; i < counted->sites; i++) {
		struct ct_counted_site *to = &counted->site[kept], *from = &counted->site[i];

		if (kept && compare_sites(to - 1, from) == 0) {
			to--;
			to->launches++;
			to->warps += from->warps;
			to->lanes += from->lanes;
			to->sectors += from->sectors;
			to->bytes += from->bytes;
		} else {
			*to = *from;
			kept++;
		}
	}
	counted->sites = kept;
}

static void join_objects(struct ct_counted *counted)
{
	size_t kept = 0;

	qsort(counted->object, counted->objects, sizeof(*counted->object), compare_objects);
	for (size_t i = 0; i < counted->objects; i++) {
		struct ct_counted_object *to = &counted->object[kept], *from = &counted->object[i];

		if (kept && compare_objects(to - 1, from) == 0) {
			to--;
			to->launches++;
			to->read += from->read;
			to->written += from->written;
			if (to->most_read < from->read)
				to->most_read = from->read;
			if (to->most_written < from->written)
				to->most_written = from->written;
		} else {
			*to = *from;
			kept++;
		}
	}
	counted->objects = kept;
}

static int is_meant(const struct ct_launch_info *launch, uint32_t number)
{
	return launch && (!number || launch->event->launch == number);
}

int ct_counted_init(struct ct_counted *counted, const struct ct_trace *trace, uint32_t launch)
{
	const struct ct_touched_info *touched;
	const struct ct_count_info *counts;
	size_t sites = ct_trace_counts(trace, &counts);
	size_t objects = ct_trace_touched(trace, &touched);

	memset(counted, 0, sizeof(*counted));
	counted->site = calloc(sites + 1, sizeof(*counted->site));
	counted->object = calloc(objects + 1, sizeof(*counted->object));
	if (!counted->site || !counted->object) {
		ct_counted_fini(counted);
		return -ENOMEM;
	}
	for (size_t i = 0; i < sites; i++) {
		const struct ct_event_count *event = counts[i].event;

		if (is_meant(counts[i].launch, launch))
			counted->site[counted->sites++] = (struct ct_counted_site){
			    counts[i].launch, counts[i].unit, event->site,    1,
			    event->warps,     event->lanes,   event->sectors, event->bytes};
	}
	for (size_t i = 0; i < objects; i++) {
		const struct ct_event_touched *event = touched[i].event;

		if (is_meant(touched[i].launch, launch))
			counted->object[counted->objects++] = (struct ct_counted_object){
			    touched[i].launch, touched[i].object, 1, event->read, event->written,
			    event->read,       event->written};
	}
	join_sites(counted);
	join_objects(counted);
	return 0;
}

void ct_counted_fini(struct ct_counted *counted)
{
	free(counted->site);
	free(counted->object);
	memset(counted, 0, sizeof(*counted));
}
