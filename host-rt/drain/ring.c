/* SPDX-License-Identifier: Apache-2.0 */
/* Look at a ring: what is ready, what is taken. */
#include "host-rt/drain/ring.h"

uint64_t ct_consumers_lowest(const struct ct_consumers *all)
{
	uint64_t lowest = UINT64_MAX;

	for (uint32_t i = 0; i < all->count; i++) {
		uint64_t next =
		    __atomic_load_n(&all->progress[i * CT_PROGRESS_STRIDE], __ATOMIC_ACQUIRE);

		if (next < lowest)
			lowest = next;
	}
	return lowest;
}

uint32_t ct_consumers_hurry(const struct ct_consumers *all)
{
	uint64_t lowest = ct_consumers_lowest(all), chunks = all->ring_mask + 1ull;
	uint32_t bytes;

	if (ct_consumers_is_ready(all, lowest + chunks * 3 / 4, &bytes))
		return 2;
	return ct_consumers_is_ready(all, lowest + chunks / 2, &bytes) ? 1 : 0;
}

bool ct_consumers_is_full(const struct ct_consumers *all, uint64_t lowest)
{
	uint32_t bytes;

	return ct_consumers_is_ready(all, lowest, &bytes) &&
	       ct_consumers_is_ready(all, lowest + all->ring_mask, &bytes);
}
