/* SPDX-License-Identifier: Apache-2.0 */
/* Sites and objects of tier counts, by kernel: sorted, and equal ones added up. */
#include "postproc/facts/counted.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>

const char *ct_counted_tier(const struct ct_launch_info *launch)
{
	if (!(launch->event->flags & CT_LAUNCH_TRACED))
		return NULL;
	return launch->event->tier == CT_TIER_COUNTS   ? "counts"
	       : launch->event->tier == CT_TIER_VALUES ? "values"
	       : launch->event->tier == CT_TIER_BLOCKS ? "blocks"
						       : NULL;
}

const char *ct_counted_tier_of_trace(const struct ct_trace *trace)
{
	const struct ct_launch_info *launches;
	size_t count = ct_trace_launches(trace, &launches);

	for (size_t i = 0; i < count; i++)
		if (ct_counted_tier(&launches[i]))
			return ct_counted_tier(&launches[i]);
	return NULL;
}

size_t ct_counted_launches(const struct ct_trace *trace)
{
	const struct ct_launch_info *launches;
	size_t count = ct_trace_launches(trace, &launches), found = 0;

	for (size_t i = 0; i < count; i++)
		found += ct_counted_tier(&launches[i]) != NULL;
	return found;
}

const char *const ct_counted_tiers[] = {"counts", "values", "blocks", NULL};

size_t ct_counted_launches_of(const struct ct_trace *trace, const char *tier)
{
	const struct ct_launch_info *launches;
	size_t count = ct_trace_launches(trace, &launches), found = 0;

	for (size_t i = 0; i < count; i++) {
		const char *own = ct_counted_tier(&launches[i]);

		found += own && strcmp(own, tier) == 0;
	}
	return found;
}

int ct_counted_has_others(const struct ct_trace *trace)
{
	const struct ct_launch_info *launches;
	size_t count = ct_trace_launches(trace, &launches);

	for (size_t i = 0; i < count; i++)
		if (launches[i].event->flags & CT_LAUNCH_TRACED && !ct_counted_tier(&launches[i]))
			return 1;
	return 0;
}

/* The first launch of each kernel, in the order of the trace. */
struct kernels {
	const struct ct_launch_info **first;
	size_t count;
};

/* That stands for all launches of the kernel; NULL without memory. */
static const struct ct_launch_info *kernel_of(struct kernels *kernels,
					      const struct ct_launch_info *launch)
{
	const struct ct_launch_info **grown;

	for (size_t i = 0; i < kernels->count; i++)
		if (kernels->first[i]->kernel_name == launch->kernel_name ||
		    !strcmp(kernels->first[i]->kernel_name, launch->kernel_name))
			return kernels->first[i];
	grown = realloc(kernels->first, (kernels->count + 1) * sizeof(*grown));
	if (!grown)
		return NULL;
	kernels->first = grown;
	return kernels->first[kernels->count++] = launch;
}

static int compare_pointers(const void *a, const void *b)
{
	return a < b ? -1 : a > b;
}

static int compare_sites(const void *a, const void *b)
{
	const struct ct_counted_site *x = a, *y = b;
	int order = compare_pointers(x->launch, y->launch);

	if (order == 0)
		order = compare_pointers(x->unit, y->unit);
	if (order == 0)
		order = x->site < y->site ? -1 : x->site > y->site;
	return order;
}

static int compare_objects(const void *a, const void *b)
{
	const struct ct_counted_object *x = a, *y = b;
	int order = compare_pointers(x->launch, y->launch);

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

static int gather_sites(struct ct_counted *counted, const struct ct_trace *trace,
			const struct ct_filter *filter, struct kernels *kernels)
{
	const struct ct_count_info *counts;
	size_t count = ct_trace_counts(trace, &counts);

	counted->site = calloc(count + 1, sizeof(*counted->site));
	for (size_t i = 0; counted->site && i < count; i++) {
		const struct ct_event_count *event = counts[i].event;
		struct ct_counted_site *site = &counted->site[counted->sites];

		if (!counts[i].launch || !ct_filter_passes_count(filter, &counts[i]))
			continue;
		*site = (struct ct_counted_site){
		    kernel_of(kernels, counts[i].launch),
		    counts[i].unit,
		    event->site,
		    1,
		    event->warps,
		    event->lanes,
		    event->sectors,
		    event->bytes,
		};
		if (!site->launch)
			return -ENOMEM;
		counted->sites++;
	}
	return counted->site ? 0 : -ENOMEM;
}

/* Maps of what is touched tell objects apart, but neither CTAs nor sites. */
static bool touched_passes(const struct ct_filter *filter, const struct ct_touched_info *touched)
{
	if (!filter)
		return true;
	return ct_filter_launch(filter, touched->launch) && !ct_filter_sites(filter) &&
	       !ct_filter_has_ctas(filter) && ct_filter_object(filter, touched->object);
}

static int gather_objects(struct ct_counted *counted, const struct ct_trace *trace,
			  const struct ct_filter *filter, struct kernels *kernels)
{
	const struct ct_touched_info *touched;
	size_t count = ct_trace_touched(trace, &touched);

	counted->object = calloc(count + 1, sizeof(*counted->object));
	for (size_t i = 0; counted->object && i < count; i++) {
		const struct ct_event_touched *event = touched[i].event;
		struct ct_counted_object *object = &counted->object[counted->objects];

		if (!touched[i].launch || !touched_passes(filter, &touched[i]))
			continue;
		*object = (struct ct_counted_object){
		    kernel_of(kernels, touched[i].launch),
		    touched[i].object,
		    1,
		    event->read,
		    event->written,
		    event->read,
		    event->written,
		};
		if (!object->launch)
			return -ENOMEM;
		counted->objects++;
	}
	return counted->object ? 0 : -ENOMEM;
}

int ct_counted_init(struct ct_counted *counted, const struct ct_trace *trace,
		    const struct ct_filter *filter)
{
	struct kernels kernels = {0};
	int err;

	memset(counted, 0, sizeof(*counted));
	err = gather_sites(counted, trace, filter, &kernels);
	if (err == 0)
		err = gather_objects(counted, trace, filter, &kernels);
	free(kernels.first);
	if (err < 0) {
		ct_counted_fini(counted);
		return err;
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
