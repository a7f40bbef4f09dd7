/* SPDX-License-Identifier: Apache-2.0 */
/* From supersteps: what comes right behind what, and what crosses over between CTAs. */
#include "postproc/analysis/comm/findings/fuse.h"
#include <string.h>

#define ALL_KINDS (CT_KIND_LOAD | CT_KIND_STORE | CT_KIND_ATOMIC)

/* All that it accesses in global memory is recorded. */
static bool is_whole(const struct ct_launch_info *launch)
{
	const struct ct_event_launch *event = launch->event;

	return event->flags & CT_LAUNCH_TRACED && event->tier == CT_TIER_FULL &&
	       event->block_period <= 1 && launch->unit &&
	       (launch->unit->header->kinds & ALL_KINDS) == ALL_KINDS &&
	       launch->unit->header->sample_sites <= 1;
}

/* CTAs of a cooperative launch, or of clusters, wait for one another. */
static bool has_free_ctas(const struct ct_launch_info *launch)
{
	const uint32_t *cluster = launch->event->cluster;

	return !(launch->event->flags & CT_LAUNCH_COOPERATIVE) && cluster[0] <= 1 &&
	       cluster[1] <= 1 && cluster[2] <= 1;
}

/* A single CTA's bytes are all local, whatever more of them would exchange. */
static bool has_several_ctas(const struct ct_launch_info *launch)
{
	const uint32_t *grid = launch->event->grid;

	return grid[0] > 1 || grid[1] > 1 || grid[2] > 1;
}

static bool are_alike(const struct ct_launch_info *a, const struct ct_launch_info *b)
{
	return !memcmp(a->event->grid, b->event->grid, sizeof(a->event->grid)) &&
	       !memcmp(a->event->block, b->event->block, sizeof(a->event->block)) &&
	       a->event->stream == b->event->stream && a->event->device == b->event->device;
}

static bool is_of(const struct ct_launch_info *launch, const struct ct_comm_kernel *kernel)
{
	return launch && !strcmp(launch->kernel_name, kernel->symbol);
}

/* The launch of a superstep and that of the one before it. */
static bool can_join(const struct ct_comm_figures *figures, size_t step,
		     const struct ct_comm_kernel *source)
{
	const struct ct_superstep *own = &figures->superstep[step], *before = own - 1;

	return step && before->part == own->part && is_of(before->launch, source) &&
	       !figures->of_superstep[step].crossed_bytes && is_whole(before->launch) &&
	       is_whole(own->launch) && has_free_ctas(before->launch) &&
	       has_free_ctas(own->launch) && has_several_ctas(own->launch) &&
	       are_alike(before->launch, own->launch);
}

bool ct_comm_can_fuse(const struct ct_comm_figures *figures, const struct ct_comm_kernel_pair *pair)
{
	const struct ct_comm_kernel *target = &figures->kernel[pair->target];
	bool is_launched = false;

	if (pair->pattern != CT_PATTERN_LOCAL || pair->source == pair->target ||
	    figures->lost_chunks || figures->damaged_chunks)
		return false;
	for (size_t i = 0; i < figures->supersteps; i++) {
		if (!is_of(figures->superstep[i].launch, target))
			continue;
		is_launched = true;
		if (!can_join(figures, i, &figures->kernel[pair->source]))
			return false;
	}
	return is_launched;
}
