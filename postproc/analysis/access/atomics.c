/* SPDX-License-Identifier: Apache-2.0 */
/* Advises on atomics that meet. */
#include "postproc/analysis/access/atomics.h"

bool ct_access_is_combined(const struct ct_access_row *row)
{
	const struct ct_unit_site *site = &row->unit->sites[row->site];

	return row->figures.contended == row->figures.lanes && site->bytes == 4 &&
	       site->scalar == CT_SCALAR_INTEGER && site->flags & CT_SITE_REDUCTION &&
	       site->operation != CT_OP_ATOMIC_INC && site->operation != CT_OP_ATOMIC_DEC;
}

const char *ct_access_fix_of_atomics(const struct ct_access_results *results,
				     const struct ct_access_row *row)
{
	if (ct_access_is_combined(row))
		return "Combine within the thread block, in shared memory, and let one thread do "
		       "the atomic; those of a warp the assembler combines itself, where it sees "
		       "that they have one address";
	if (ct_access_space(results, row->group) == CT_SPACE_SHARED)
		return "Combine within the warp first (__reduce_add_sync, __match_any_sync) and "
		       "let one lane do the atomic, or give each warp, or some lanes of it, a "
		       "copy of its own";
	return "Combine within the warp first (__reduce_add_sync, __match_any_sync), or in shared "
	       "memory, and let one lane do the atomic";
}
