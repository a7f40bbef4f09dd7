/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Values on their way to their sets (facts.h): each with how many elements have it. Those that come
 * again soon are counted together before they go to the shuffle.
 */
#ifndef CT_VALUES_ENTRIES_H
#define CT_VALUES_ENTRIES_H

#include "postproc/analysis/values/engine.h"

struct ct_value_entry {
	uint64_t set;   /* ct_value_set_id, and what it counts */
	uint64_t value; /* bits, zero-extended; of slopes a difference */
	uint32_t step;
	uint32_t elements;
};

/* In the set's word: values of elements, differences of neighbours, and neighbours that differ by
 * another amount than most of their record. */
#define CT_VALUE_ENTRY_SLOPE ((uint64_t)1 << 62)
#define CT_VALUE_ENTRY_IRREGULAR ((uint64_t)1 << 61)
#define CT_VALUE_ENTRY_KINDS (CT_VALUE_ENTRY_SLOPE | CT_VALUE_ENTRY_IRREGULAR)

struct ct_value_entries;

int ct_value_entries_open(struct ct_value_entries **out, struct ct_shuffle *shuffle,
			  uint32_t writer);
void ct_value_entries_close(struct ct_value_entries *entries); /* NULL is allowed */
int ct_value_entries_add(struct ct_value_entries *entries, const struct ct_value_entry *entry);
/* Passes on what is held. */
int ct_value_entries_finish(struct ct_value_entries *entries);

#endif
