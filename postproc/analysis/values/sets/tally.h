/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How many elements of a set have each value: a table in bounded memory. Where there are more
 * values than it holds, it keeps those of a part, which is halved as often as needed; the caller
 * counts the other parts later.
 */
#ifndef CT_POSTPROC_ANALYSIS_VALUES_SETS_TALLY_H
#define CT_POSTPROC_ANALYSIS_VALUES_SETS_TALLY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct ct_value_tally_entry {
	uint64_t value, elements; /* 0 elements: free */
	uint32_t last;            /* superstep, plus one */
	uint32_t launches;        /* that have it */
};

struct ct_value_tally {
	struct ct_value_tally_entry *entry, *spare;
	size_t entries, count; /* a power of two; used ones, at most half */
	size_t most;           /* entries that there is memory for */
	/* Values count whose hash has `part` in `level` bits from 44 on. */
	uint32_t level, part;
};

/* memory_bytes: of the table at its largest; it takes no less than a few pages. 0 or -ENOMEM */
int ct_value_tally_init(struct ct_value_tally *tally, size_t memory_bytes);
void ct_value_tally_fini(struct ct_value_tally *tally);
/* Empty, for values of that part; about so many are expected. */
void ct_value_tally_begin(struct ct_value_tally *tally, uint32_t level, uint32_t part,
			  size_t values);
/* Twice the room, or half of the values: level has grown by one then. */
void ct_value_tally_grow(struct ct_value_tally *tally);

static inline bool ct_value_tally_takes(const struct ct_value_tally *tally, uint64_t hash)
{
	return (hash >> 44 & (((uint64_t)1 << tally->level) - 1)) == tally->part;
}

static inline struct ct_value_tally_entry *ct_value_tally_at(const struct ct_value_tally *tally,
							     uint64_t hash, uint64_t value)
{
	size_t mask = tally->entries - 1, i = hash & mask;

	while (tally->entry[i].elements && tally->entry[i].value != value)
		i = (i + 1) & mask;
	return &tally->entry[i];
}

#endif
