/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Which objects the work of each call touches: by the addresses that kernels were given (GIVEN), of
 * copies and memsets by both sides. What kernels reach otherwise, as __device__ variables, is not
 * known.
 */
#ifndef CT_FFM_TOUCHED_H
#define CT_FFM_TOUCHED_H

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

/* Of steps of the program; CT_FFM_NONE: nothing is known of it. */
enum ct_ffm_sharing ct_ffm_share(const struct ct_ffm_touched *touched, uint32_t a, uint32_t b);

#endif
