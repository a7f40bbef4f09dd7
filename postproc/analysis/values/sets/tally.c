/* SPDX-License-Identifier: Apache-2.0 */
/* How many elements of a set have each value. */
#include "postproc/analysis/values/sets/tally.h"
#include "postproc/analysis/values/scan/entries.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define LEAST ((size_t)256)

int ct_value_tally_init(struct ct_value_tally *tally, size_t memory_bytes)
{
	*tally = (struct ct_value_tally){.entries = LEAST, .most = LEAST};
	while (2 * tally->most * 2 * sizeof(*tally->entry) <= memory_bytes)
		tally->most *= 2;
	/* Pages that are not reached are not there. */
	tally->entry = calloc(tally->most, sizeof(*tally->entry));
	tally->spare = calloc(tally->most, sizeof(*tally->spare));
	return tally->entry && tally->spare ? 0 : -ENOMEM;
}

void ct_value_tally_fini(struct ct_value_tally *tally)
{
	free(tally->entry);
	free(tally->spare);
}

void ct_value_tally_begin(struct ct_value_tally *tally, uint32_t level, uint32_t part,
			  size_t values)
{
	if (tally->count)
		memset(tally->entry, 0, tally->entries * sizeof(*tally->entry));
	tally->entries = LEAST;
	while (tally->entries < values && 2 * tally->entries <= tally->most)
		tally->entries *= 2;
	tally->count = 0;
	tally->level = level;
	tally->part = part;
}

void ct_value_tally_grow(struct ct_value_tally *tally)
{
	struct ct_value_tally_entry *from = tally->entry;
	size_t entries = tally->entries;

	if (2 * entries <= tally->most)
		tally->entries = 4 * entries <= tally->most ? 4 * entries : 2 * entries;
	else
		tally->level++;
	tally->entry = tally->spare;
	tally->spare = from;
	tally->count = 0;
	for (size_t i = 0; i < entries; i++) {
		uint64_t hash = ct_value_hash(from[i].value);

		if (!from[i].elements || !ct_value_tally_takes(tally, hash))
			continue;
		*ct_value_tally_at(tally, hash, from[i].value) = from[i];
		tally->count++;
	}
	memset(from, 0, entries * sizeof(*from));
}
