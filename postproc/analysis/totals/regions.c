/* SPDX-License-Identifier: Apache-2.0 */
/* What was launched in each of the program's regions. */
#include "postproc/analysis/totals/regions.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>

static struct ct_region *find_region(struct ct_regions *regions, const char *path)
{
	struct ct_region *bigger;

	/* The latest is the likeliest. */
	for (size_t i = regions->count; i-- > 0;)
		if (!strcmp(regions->list[i].path, path))
			return &regions->list[i];
	bigger = realloc(regions->list, (regions->count + 1) * sizeof(*bigger));
	if (!bigger)
		return NULL;
	regions->list = bigger;
	bigger[regions->count] = (struct ct_region){.path = path};
	return &bigger[regions->count++];
}

static void add_launch(struct ct_region *region, const struct ct_launch_info *launch,
		       const struct ct_launch_totals *totals)
{
	region->launches++;
	region->traced += (launch->event->flags & CT_LAUNCH_TRACED) != 0;
	for (int class = 0; class < CT_ACCESS_CLASSES; class ++) {
		region->accesses += totals->global.of[class].threads;
		region->bytes += totals->global.of[class].bytes;
	}
}

int ct_regions_init(struct ct_regions *regions, const struct ct_trace *trace,
		    const struct ct_totals *totals)
{
	const struct ct_launch_info *launches;
	const struct ct_host_event *marks;
	size_t count = ct_trace_events(trace, CT_EVENT_REGION, &marks), named = 0;

	memset(regions, 0, sizeof(*regions));
	for (size_t i = 0; i < count; i++) {
		named += marks[i].region->phase == CT_REGION_BEGIN;
		regions->pauses += marks[i].region->phase == CT_REGION_PAUSE;
	}
	count = ct_trace_launches(trace, &launches);
	for (size_t i = 0; i < count && !named; i++)
		named += *launches[i].region != '\0';
	for (size_t i = 0; i < count && named; i++) {
		struct ct_region *region = find_region(regions, launches[i].region);

		if (!region) {
			ct_regions_fini(regions);
			return -ENOMEM;
		}
		add_launch(region, &launches[i], ct_totals_launch(totals, i));
	}
	return 0;
}

void ct_regions_fini(struct ct_regions *regions)
{
	free(regions->list);
	memset(regions, 0, sizeof(*regions));
}
