/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Numbers in the order of 64-bit keys: times of many events, mostly. Sorted digit by digit, so that
 * it takes as long per element for many as for few; nothing is done where they stand in order.
 */
#ifndef CT_BASE_KEYED_H
#define CT_BASE_KEYED_H

#include <stddef.h>
#include <stdint.h>

/* Arrays of base/large.h; those who add count. Not synchronised. */
struct ct_keyed {
	uint64_t *key;
	uint32_t *number;
	size_t count;
};

/* Room for so many elements; none yet. 0 or -ENOMEM; fini is allowed in either case. */
int ct_keyed_init(struct ct_keyed *keyed, size_t room);
void ct_keyed_fini(struct ct_keyed *keyed);

/* There is room. */
static inline void ct_keyed_add(struct ct_keyed *keyed, uint64_t key, uint32_t number)
{
	keyed->key[keyed->count] = key;
	keyed->number[keyed->count++] = number;
}

/* By key; those of equal keys stay in the order in which they were. The room is `count` then. 0 or
 * -ENOMEM */
int ct_keyed_sort(struct ct_keyed *keyed);

#endif
