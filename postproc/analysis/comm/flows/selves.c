/* SPDX-License-Identifier: Apache-2.0 */
/* Messages of CTAs to themselves, summed. */
#include "postproc/analysis/comm/flows/selves.h"
#include "postproc/analysis/comm/flows/flows.h"
#include <errno.h>
#include <stdlib.h>

int ct_selves_init(struct ct_selves *selves, const struct ct_engine *engine, uint64_t levels)
{
	size_t steps = engine->supersteps + 1;

	*selves = (struct ct_selves){
	    .received = calloc(steps, sizeof(uint64_t)),
	    .sent = calloc(steps, sizeof(uint64_t)),
	    .size = calloc(CT_SMALL_SIZES, sizeof(uint64_t)),
	    .distance = calloc(levels + 1, sizeof(uint64_t)),
	    .levels = levels,
	    .cell = calloc(engine->bins + 1, sizeof(*selves->cell)),
	    .cta_bytes = calloc(engine->ctas + 1, sizeof(uint64_t)),
	};
	return selves->received && selves->sent && selves->size && selves->distance &&
		       selves->cell && selves->cta_bytes
		   ? 0
		   : -ENOMEM;
}

void ct_selves_fini(struct ct_selves *selves)
{
	free(selves->received);
	free(selves->sent);
	free(selves->size);
	free(selves->distance);
	free(selves->cell);
	free(selves->cta_bytes);
}

void ct_selves_count(struct ct_selves *selves, const struct ct_engine *engine,
		     const struct ct_flow *flow, uint64_t transfers)
{
	uint32_t source = (uint32_t)(flow->supersteps >> 32), target = (uint32_t)flow->supersteps;
	uint32_t bin = ct_bin_of(engine, (uint32_t)flow->ctas);

	selves->sent[source] += flow->bytes;
	selves->received[target] += flow->bytes;
	selves->cta_bytes[(uint32_t)flow->ctas] += flow->bytes;
	selves->distance[ct_order_distance(engine->order, source, target)] += flow->bytes;
	if (bin == UINT32_MAX)
		return;
	selves->cell[bin][0] += transfers;
	selves->cell[bin][1] += flow->bytes;
}

int ct_selves_add(const struct ct_selves *selves, const struct ct_engine *engine,
		  struct ct_sums *sums)
{
	int err = 0;

	for (uint64_t i = 0; i < engine->supersteps && err == 0; i++)
		err = ct_fact_add(sums, CT_FACT_STEP_SELF, i, 0, selves->received[i],
				  selves->sent[i]);
	for (uint64_t i = 0; i < CT_SMALL_SIZES && err == 0; i++)
		err = ct_fact_add(sums, CT_FACT_SELF_SIZE, 0, i, selves->size[i], 0);
	for (uint64_t i = 0; i <= selves->levels && err == 0; i++)
		err = ct_fact_add(sums, CT_FACT_SELF_DISTANCE, 0, i, selves->distance[i], 0);
	for (uint64_t i = 0; i < engine->bins && err == 0; i++)
		err = ct_fact_add(sums, CT_FACT_SELF_CELL, 0, i, selves->cell[i][0],
				  selves->cell[i][1]);
	for (uint64_t i = 0; i < engine->ctas && err == 0; i++)
		err = ct_fact_add(sums, CT_FACT_CTA_SELF, 0, i, selves->cta_bytes[i], 0);
	return err;
}
