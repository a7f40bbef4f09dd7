/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What waits that are not needed keep in order beside: work of other streams, asked for behind the
 * wait, that nothing but the wait keeps behind what it waits for. That matters where both touch the
 * same memory: by the addresses that kernels were given (GIVEN), of copies and memsets by both
 * sides. What kernels reach otherwise, as __device__ variables, is not known.
 */
#ifndef CT_POSTPROC_ANALYSIS_FFM_CROSSINGS_H
#define CT_POSTPROC_ANALYSIS_FFM_CROSSINGS_H

#include "postproc/analysis/ffm/memory.h"

struct ct_ffm_touch {
	uint32_t step, object;
	bool writes;
};

/* Zeroed: nothing is known. */
struct ct_ffm_touched {
	struct ct_ffm_touch *touch; /* by step, then by object */
	size_t touches;
	bool *is_known; /* by step: all that its work touches is in the list */
};

/* memory: of the program. 0 or a negative error; fini is allowed in either case. */
int ct_ffm_touched_init(struct ct_ffm_touched *touched, const struct ct_ffm_program *program,
			const struct ct_ffm_memory *memory, struct ct_trace *trace, uint32_t part);
void ct_ffm_touched_fini(struct ct_ffm_touched *touched);

/* Whether the order of two steps' works matters: both touch an object, and one of them writes it.
 */
enum ct_ffm_sharing { CT_FFM_SHARES_NOTHING, CT_FFM_SHARES_PERHAPS, CT_FFM_SHARES };

/* Returns how steps of the program share memory; CT_FFM_NONE: nothing is known of it. */
enum ct_ffm_sharing ct_ffm_share(const struct ct_ffm_touched *touched, uint32_t a, uint32_t b);

struct ct_ffm_crossing {
	uint32_t step; /* that waits */
	uint32_t before,
	    behind;      /* works: the last one of a stream that it waits for, a later one */
	uint8_t sharing; /* enum ct_ffm_sharing; not NOTHING */
};

struct ct_ffm_crossings {
	struct ct_ffm_crossing *crossing; /* by step */
	size_t count;
};

/* Makes the crossings of the program's steps with problems. in_uses: by step, the same of the
 * program that `touched` is of; NULL: it is the same. 0 or -ENOMEM; fini is allowed in either
 * case. */
int ct_ffm_crossings_init(struct ct_ffm_crossings *crossings, const struct ct_ffm_program *program,
			  const struct ct_ffm_gap *gap, const struct ct_ffm_touched *touched,
			  const uint32_t *in_uses);
void ct_ffm_crossings_fini(struct ct_ffm_crossings *crossings);

/* Where the wait goes an event takes its place: works follow what they share memory with. 0 or
 * -ENOMEM */
int ct_ffm_keep_order(struct ct_ffm_graph *graph, const struct ct_ffm_crossings *crossings);

#endif
