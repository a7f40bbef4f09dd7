/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Copies that move what is there, or nearly (seed 000, 3.2): by their contents.
 *
 *	repeated	all of it is at the target already
 *	round trip	an earlier copy brought the same bytes from the side that they go to, and
 *			put them where this one takes them from
 *	reused		an earlier copy put the same bytes elsewhere on that side
 *	partly		some blocks of it are at the target already
 *
 * A copy is the first of these that it can be. What is at a target that no copy or memset has
 * written since it was allocated is there by accident (memory is zero at first), unless one has
 * moved the same bytes from there; in pageable memory, of whose allocation nothing is known, unless
 * one has moved them at all, as the seed asks for (4.3.2).
 */
#ifndef CT_POSTPROC_ANALYSIS_FFM_COPIES_H
#define CT_POSTPROC_ANALYSIS_FFM_COPIES_H

#include "postproc/analysis/ffm/memory.h"

enum ct_ffm_copy_kind {
	CT_FFM_COPY_NEW,
	CT_FFM_COPY_REPEATED,
	CT_FFM_COPY_ROUND_TRIP,
	CT_FFM_COPY_REUSED,
	CT_FFM_COPY_PARTLY
};

struct ct_ffm_found {
	uint8_t kind;   /* enum ct_ffm_copy_kind */
	bool is_held;   /* of ROUND_TRIP and REUSED: nothing can have changed the bytes there since;
			   false: kernels, or the CPU, may have */
	uint32_t first; /* copy that moved the bytes before; CT_FFM_NONE: none that is known */
};

/* found: of each copy. 0 or -ENOMEM */
int ct_ffm_find_copies(const struct ct_ffm_memory *memory, struct ct_ffm_found *found);

#endif
