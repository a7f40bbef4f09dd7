/* SPDX-License-Identifier: Apache-2.0 */
/* Lists what was launched in each of the program's regions. */
#include "postproc/analysis/totals/regions.h"
#include "base/array.h"
#include "base/intern.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>

static struct ct_region *find_region(struct ct_regions *regions, struct ct_intern *paths,
				     const char *path)
{
	bool is_new = false;
	uint32_t number = ct_intern_add(paths, path, strlen(path), &is_new);

	if (!number)
		return NULL;
	if (is_new) {
		if (ct_array_grow(&regions->list, regions->count, sizeof(*regions->list)) < 0)
			return NULL;
		regions->list[regions->count++] = (struct ct_region){.path = path};
	}
	return &regions->list[number - 1];
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
	struct ct_intern paths = {0};
	int err = 0;

	memset(regions, 0, sizeof(*regions));
	for (size_t i = 0; i < count; i++) {
		named += marks[i].region->phase == CT_REGION_BEGIN;
		regions->pauses += marks[i].region->phase == CT_REGION_PAUSE;
	}
	count = ct_trace_launches(trace, &launches);
	for (size_t i = 0; i < count && !named; i++)
		named += *launches[i].region != '\0';
	for (size_t i = 0; i < count && named && err == 0; i++) {
		struct ct_region *region = find_region(regions, &paths, launches[i].region);

		if (region)
			add_launch(region, &launches[i], ct_totals_launch(totals, i));
		else
			err = -ENOMEM;
	}
	ct_intern_fini(&paths);
	if (err < 0)
		ct_regions_fini(regions);
	return err;
}

void ct_regions_fini(struct ct_regions *regions)
{
	free(regions->list);
	memset(regions, 0, sizeof(*regions));
}
