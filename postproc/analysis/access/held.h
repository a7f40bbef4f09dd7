/* SPDX-License-Identifier: Apache-2.0 */
/* Atomics on their way to their shuffle (engine.h): lanes of one launch and address that come soon
 * after one another are joined before they go there. Of one thread. */
#ifndef CT_ACCESS_HELD_H
#define CT_ACCESS_HELD_H

#include "postproc/analysis/access/engine.h"

struct ct_access_held;

int ct_access_held_open(struct ct_access_held **out, struct ct_shuffle *atomics, uint32_t writer);
void ct_access_held_close(struct ct_access_held *held); /* NULL is allowed */
/* Sites of which addresses rarely meet others are not held. 0, or an error of the shuffle. */
int ct_access_held_add(struct ct_access_held *held, uint32_t launch, uint64_t address,
		       uint64_t lanes, uint32_t site);
/* Passes on what is held. */
int ct_access_held_finish(struct ct_access_held *held);

/* Values of entries with one key: sums of the first words and the least of the second ones. */
static inline void ct_access_join_lanes(uint64_t to[2], const uint64_t from[2])
{
	to[0] += from[0];
	to[1] = from[1] < to[1] ? from[1] : to[1];
}

#endif
