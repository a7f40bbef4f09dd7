/* SPDX-License-Identifier: Apache-2.0 */
/* Warps whose first segment was seen. */
#include "postproc/analysis/verify/tally_warps.h"

#include <errno.h>
#include <stdlib.h>

void ct_tally_warps_fini(struct ct_tally_warps *warps)
{
	for (struct ct_map_entry *e = ct_map_next(&warps->block, NULL); e;
	     e = ct_map_next(&warps->block, e))
		free(e->value.pointer);
	ct_map_fini(&warps->block);
}

static struct ct_tally_warps_block *block_of(struct ct_tally_warps *warps, uint32_t launch,
					     uint64_t cta)
{
	union ct_map_value *at = ct_map_put(&warps->block, launch, cta / CT_TALLY_WARPS_CTAS);

	if (at && !at->pointer)
		at->pointer = calloc(1, sizeof(struct ct_tally_warps_block));
	return at ? at->pointer : NULL;
}

int ct_tally_warps_add(struct ct_tally_warps *warps, uint32_t launch, uint64_t cta, uint32_t warp)
{
	struct ct_tally_warps_block *block = block_of(warps, launch, cta);
	uint32_t bit = 1u << warp, *at;

	if (!block)
		return -ENOMEM;
	at = &block->warps[cta % CT_TALLY_WARPS_CTAS];
	if (*at & bit)
		return 0;
	*at |= bit;
	return 1;
}

bool ct_tally_warps_has(const struct ct_tally_warps *warps, uint32_t launch, uint64_t cta,
			uint32_t warp)
{
	const union ct_map_value *at =
	    ct_map_find(&warps->block, launch, cta / CT_TALLY_WARPS_CTAS);
	const struct ct_tally_warps_block *block = at ? at->pointer : NULL;

	return block && block->warps[cta % CT_TALLY_WARPS_CTAS] >> warp & 1;
}

int ct_tally_warps_each(const struct ct_tally_warps *warps,
			int (*fn)(void *user, uint32_t launch, uint64_t first_cta,
				  const struct ct_tally_warps_block *block),
			void *user)
{
	int err = 0;

	for (const struct ct_map_entry *e = ct_map_next(&warps->block, NULL); e && err >= 0;
	     e = ct_map_next(&warps->block, e))
		if (e->value.pointer)
			err = fn(user, (uint32_t)ct_map_key(e, 0),
				 ct_map_key(e, 1) * CT_TALLY_WARPS_CTAS, e->value.pointer);
	return err < 0 ? err : 0;
}

int ct_tally_warps_join(struct ct_tally_warps *into, uint32_t launch, uint64_t first_cta,
			const struct ct_tally_warps_block *block,
			int (*twice)(void *user, uint32_t launch, uint64_t cta, uint32_t warp),
			void *user)
{
	struct ct_tally_warps_block *to = block_of(into, launch, first_cta);
	int err = to ? 0 : -ENOMEM;

	for (uint32_t i = 0; i < CT_TALLY_WARPS_CTAS && err == 0; i++) {
		uint32_t both = to->warps[i] & block->warps[i];

		to->warps[i] |= block->warps[i];
		for (; both && err == 0; both &= both - 1)
			err = twice(user, launch, first_cta + i, (uint32_t)__builtin_ctz(both));
	}
	return err;
}
