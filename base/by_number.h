/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What is known by number: a 32-bit value for each 32-bit key. Where keys lie close together, as
 * ids do that are counted up, they are places in an array; else in a map. Which one follows from
 * the first and last key and how many there are, which must be known beforehand. Not synchronised.
 */
#ifndef CT_BASE_BY_NUMBER_H
#define CT_BASE_BY_NUMBER_H

#include "base/map.h"

/* Zero-initialised, no key fits. */
struct ct_by_number {
	uint32_t *value; /* of key first + i; NULL: the map's */
	uint32_t first, last;
	struct ct_map others;
};

/* Says what keys are to come: how many, the first, the last. Zero-initialised: none yet. */
struct ct_by_number_range {
	uint64_t count;
	uint32_t first, last;
};

static inline void ct_by_number_expect(struct ct_by_number_range *range, uint32_t key)
{
	range->first = !range->count || key < range->first ? key : range->first;
	range->last = !range->count || key > range->last ? key : range->last;
	range->count++;
}

/* All values are 0. 0 or -ENOMEM; fini is allowed in either case. */
int ct_by_number_init(struct ct_by_number *table, const struct ct_by_number_range *range);
void ct_by_number_fini(struct ct_by_number *table);

/* Sets a key in the range. 0 or -ENOMEM */
int ct_by_number_set(struct ct_by_number *table, uint32_t key, uint32_t value);
/* Looks any key up; 0 if it was not set. */
static inline uint32_t ct_by_number_get(const struct ct_by_number *table, uint32_t key)
{
	const union ct_map_value *value;

	if (table->value)
		return key >= table->first && key <= table->last ? table->value[key - table->first]
								 : 0;
	value = ct_map_find(&table->others, key, 0);
	return value ? (uint32_t)value->number : 0;
}

#endif
