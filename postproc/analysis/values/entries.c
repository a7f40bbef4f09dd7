/* SPDX-License-Identifier: Apache-2.0 */
/* Values counted together while they come again soon. */
#include "postproc/analysis/values/entries.h"

#include "base/map.h"
#include <errno.h>
#include <stdlib.h>

#define HELD_LOG2 11u
#define HELD (1u << HELD_LOG2)

struct ct_value_entries {
	struct ct_shuffle *shuffle;
	uint32_t writer;
	struct ct_value_entry held[HELD]; /* by hash; without elements: free */
};

int ct_value_entries_open(struct ct_value_entries **out, struct ct_shuffle *shuffle,
			  uint32_t writer)
{
	*out = calloc(1, sizeof(**out));
	if (!*out)
		return -ENOMEM;
	(*out)->shuffle = shuffle;
	(*out)->writer = writer;
	return 0;
}

void ct_value_entries_close(struct ct_value_entries *entries)
{
	free(entries);
}

/* All entries of a value of a set are in one partition. */
static int put(struct ct_value_entries *entries, const struct ct_value_entry *entry)
{
	uint32_t partition =
	    (uint32_t)(ct_map_hash(entry->set, entry->value) >> 32) % CT_VALUE_PARTITIONS;

	return ct_shuffle_put_sized(entries->shuffle, entries->writer, partition, entry,
				    sizeof(*entry));
}

int ct_value_entries_add(struct ct_value_entries *entries, const struct ct_value_entry *entry)
{
	uint64_t hash = (entry->value + (entry->set + entry->step) * 31) * 0x9e3779b97f4a7c15u;
	struct ct_value_entry *held = &entries->held[hash >> (64 - HELD_LOG2)];
	int err = 0;

	if (held->elements && held->set == entry->set && held->value == entry->value &&
	    held->step == entry->step && held->elements < UINT32_MAX - entry->elements) {
		held->elements += entry->elements;
		return 0;
	}
	if (held->elements)
		err = put(entries, held);
	*held = *entry;
	return err;
}

int ct_value_entries_finish(struct ct_value_entries *entries)
{
	int err = 0;

	for (uint32_t i = 0; i < HELD && err == 0; i++) {
		if (entries->held[i].elements)
			err = put(entries, &entries->held[i]);
		entries->held[i].elements = 0;
	}
	return err;
}
