/* SPDX-License-Identifier: Apache-2.0 */
/* Flows of pages to their shuffle; what comes again from other pages is gathered in places of its
 * own, as far as memory allows. */
#include "postproc/analysis/comm/pages/page.h"

static void put_flow(struct ct_pages *pages, const struct ct_flow_piece *flow)
{
	if (flow->supersteps)
		ct_page_fail(pages,
			     ct_shuffle_put_sized(pages->engine->flows, pages->number,
						  ct_flow_partition((uint32_t)(flow->ctas >> 32)),
						  flow, sizeof(*flow)));
}

/* Add a flow to what is kept in its place. */
static void keep_flow(struct ct_pages *pages, const struct ct_flow_piece *flow,
		      struct ct_flow_piece *kept)
{
	if (kept->ctas == flow->ctas && kept->supersteps == flow->supersteps &&
	    kept->bytes <= UINT32_MAX - flow->bytes && kept->loads <= UINT32_MAX - flow->loads) {
		kept->bytes += flow->bytes;
		kept->loads += flow->loads;
	} else {
		put_flow(pages, kept);
		*kept = *flow;
	}
}

static void keep_waiting(struct ct_pages *pages, uint32_t at)
{
	if (pages->flow[at].supersteps)
		keep_flow(pages, &pages->flow[at], pages->place[at]);
}

/* If memory allows, no two of successive supersteps have the same place; those of
 * one target lie close to each other. */
static struct ct_flow_piece *place_of(const struct ct_pages *pages, uint32_t superstep,
				      uint32_t cta, uint32_t target)
{
	const struct ct_step *step = pages->engine->step;
	uint64_t row = (step[pages->superstep].first_cta + target) * pages->engine->ctas;

	return &pages->kept[(row + step[superstep].first_cta + cta) & pages->kept_mask];
}

void ct_page_emit_flow(struct ct_pages *pages, uint32_t superstep, uint32_t cta, uint32_t target,
		       uint64_t bytes, uint64_t loads)
{
	const struct ct_flow_piece flow = {(uint64_t)cta << 32 | target,
					   (uint64_t)superstep << 32 | pages->superstep,
					   (uint32_t)bytes, (uint32_t)loads};

	if (!pages->keeps_flows) {
		put_flow(pages, &flow);
		return;
	}
	pages->newest = (pages->newest + 1) % CT_FLOWS_WAITING;
	keep_waiting(pages, pages->newest);
	pages->flow[pages->newest] = flow;
	pages->place[pages->newest] = place_of(pages, superstep, cta, target);
	__builtin_prefetch(pages->place[pages->newest], 1);
}

void ct_page_emit_kept(struct ct_pages *pages)
{
	for (uint32_t i = 0; i < CT_FLOWS_WAITING; i++)
		keep_waiting(pages, i);
	for (uint64_t i = 0; i <= pages->kept_mask; i++)
		put_flow(pages, &pages->kept[i]);
}

/* The pieces of one have 32 bits for bytes and loads. */
void ct_page_emit_group(struct ct_pages *pages, const struct ct_group_source *source)
{
	uint64_t bytes = source->bytes, loads = source->loads;

	while (bytes || loads) {
		uint64_t some_bytes = bytes < UINT32_MAX ? bytes : UINT32_MAX;
		uint64_t some_loads = loads < UINT32_MAX ? loads : UINT32_MAX;

		ct_page_emit_flow(pages, (uint32_t)(source->who >> 32), (uint32_t)source->who,
				  pages->cta, some_bytes, some_loads);
		bytes -= some_bytes;
		loads -= some_loads;
	}
}

void ct_page_emit_transfer(struct ct_pages *pages, uint32_t superstep, uint32_t source,
			   uint32_t target, uint64_t bytes)
{
	const struct ct_group_source all = {(uint64_t)superstep << 32 | source, bytes, 0};

	pages->cta = target;
	ct_page_emit_group(pages, &all);
}
