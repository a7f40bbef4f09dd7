/* SPDX-License-Identifier: Apache-2.0 */
/* The expected benefit of seed 000, Figure 5.1. */
#include "base/map.h"
#include "postproc/analysis/ffm/graph.h"
#include <errno.h>

static uint64_t least(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

/* The wait's duration, with what those before it have left to it. */
static uint64_t wait_of(const struct ct_ffm_graph *graph, const struct ct_map *left, uint32_t step)
{
	const union ct_map_value *more = ct_map_find(left, step, 0);

	return graph->step[step].wait_ns + (more ? more->number : 0);
}

/* RemoveSynchronization: lines 14 to 22. */
static int remove_wait(const struct ct_ffm_graph *graph, const struct ct_ffm_gap *gap,
		       struct ct_map *left, uint32_t step, uint64_t *benefit_ns)
{
	uint64_t wait = wait_of(graph, left, step), benefit = least(gap[step].idle_ns, wait);
	union ct_map_value *more;

	*benefit_ns += benefit;
	if ((graph->step[step].problem | graph->step[step].latent) & CT_FFM_CALL)
		*benefit_ns += graph->step[step].launch_ns;
	if (wait == benefit || gap[step].next == CT_FFM_NONE)
		return 0;
	more = ct_map_put(left, gap[step].next, 0);
	if (!more)
		return -ENOMEM;
	more->number += wait - benefit;
	return 0;
}

int ct_ffm_expect(const struct ct_ffm_graph *graph, const struct ct_ffm_gap *gap,
		  const uint32_t *chosen, size_t count, uint64_t *benefit_ns)
{
	struct ct_map left = {0};
	int err = 0;

	*benefit_ns = 0;
	for (size_t i = 0; i < count && err == 0; i++) {
		const struct ct_ffm_step *step = &graph->step[chosen[i]];

		if ((step->problem | step->latent) & CT_FFM_UNNECESSARY)
			err = remove_wait(graph, gap, &left, chosen[i], benefit_ns);
		else if (step->problem & CT_FFM_MISPLACED)
			*benefit_ns += least(step->first_use_ns, wait_of(graph, &left, chosen[i]));
		if (step->problem & CT_FFM_TRANSFER &&
		    !((step->problem | step->latent) & CT_FFM_CALL))
			*benefit_ns += step->launch_ns;
	}
	ct_map_fini(&left);
	return err;
}
