/* SPDX-License-Identifier: Apache-2.0 */
/* From how many CTAs each CTA of a superstep reads: counted here, added up with its volumes. */
#ifndef CT_POSTPROC_ANALYSIS_COMM_FLOWS_SENDERS_H
#define CT_POSTPROC_ANALYSIS_COMM_FLOWS_SENDERS_H

#include "postproc/analysis/comm/base/engine.h"

struct ct_senders_slot {
	uint64_t who; /* superstep << 32 | CTA */
	uint64_t senders;
};

/* One thread has this. Counts wait in a slot until another CTA needs it. */
struct ct_senders {
	struct ct_engine *engine;
	uint32_t writer; /* of the engine's volumes */
	struct ct_senders_slot *slot;
	uint64_t mask; /* number of slots less one */
};

/* -ENOMEM */
int ct_senders_init(struct ct_senders *senders, struct ct_engine *engine, uint32_t writer);
void ct_senders_fini(struct ct_senders *senders);

/* That many more CTAs, none of them counted before, send to a CTA of the superstep. 0 or the
 * error of a put. */
int ct_senders_add(struct ct_senders *senders, uint32_t superstep, uint32_t cta, uint64_t count);
/* One of them is about to be added. Inlined by force: GCC drops calls of functions that do
 * nothing but prefetch. */
static inline __attribute__((always_inline)) void
ct_senders_expect(const struct ct_senders *senders, uint32_t superstep, uint32_t cta)
{
	uint64_t at = senders->engine->step[superstep].first_cta + cta;

	__builtin_prefetch(&senders->slot[at & senders->mask], 1);
}
/* Everything that waits. */
int ct_senders_flush(struct ct_senders *senders);

#endif
