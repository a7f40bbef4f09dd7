/* SPDX-License-Identifier: Apache-2.0 */
/* A warp's access, block by block. */
#include "postproc/analysis/races/entries.h"
#include "postproc/analysis/access/request.h"
#include "postproc/facts/values.h"

#include "base/map.h"
#include <errno.h>
#include <stdlib.h>

struct ct_races_entries {
	struct ct_shuffle *shuffle;
	uint32_t writer;
	bool has_values, is_held;
	struct ct_access access; /* what is held: its lanes, */
	uint32_t lanes;
	struct ct_races_entry entry;
	struct ct_values values; /* and those of its values that have come */
};

int ct_races_entries_open(struct ct_races_entries **out, struct ct_shuffle *shuffle,
			  uint32_t writer, bool has_values)
{
	struct ct_races_entries *entries = calloc(1, sizeof(*entries));

	*out = entries;
	if (!entries)
		return -ENOMEM;
	entries->shuffle = shuffle;
	entries->writer = writer;
	entries->has_values = has_values;
	return 0;
}

void ct_races_entries_close(struct ct_races_entries *entries)
{
	free(entries);
}

/* The values of the bytes in the block, if all lanes have theirs. */
static enum ct_races_valued read_values(struct ct_races_entry *entry, uint64_t block,
					const struct ct_access *access, uint32_t lanes,
					const struct ct_values *values)
{
	uint64_t filled = 0, size = access->info->bytes;

	if (values->bytes[CT_ROLE_VALUE] != size || lanes & ~values->mask[CT_ROLE_VALUE])
		return CT_RACES_UNVALUED;
	for (uint32_t rest = lanes; rest; rest &= rest - 1) {
		uint32_t lane = (uint32_t)__builtin_ctz(rest);
		const uint8_t *data = values->data[CT_ROLE_VALUE][lane];

		for (uint64_t b = 0; b < size; b++) {
			uint64_t at = access->address[lane] + b, byte = at % CT_RACES_BLOCK_BYTES;

			if (at / CT_RACES_BLOCK_BYTES != block)
				continue;
			if (filled >> byte & 1 && entry->value[byte] != data[b])
				return CT_RACES_AT_ODDS;
			entry->value[byte] = data[b];
			filled |= (uint64_t)1 << byte;
		}
	}
	return CT_RACES_VALUED;
}

static int put(struct ct_races_entries *entries, struct ct_races_entry *entry, uint64_t block)
{
	uint32_t partition = (uint32_t)(ct_map_hash(block, 0) >> 32) % CT_RACES_PARTITIONS;

	entry->key[0] = block;
	entry->is_valued = entries->is_held
			       ? (uint16_t)read_values(entry, block, &entries->access,
						       entries->lanes, &entries->values)
			       : CT_RACES_UNVALUED;
	return ct_shuffle_put(entries->shuffle, entries->writer, partition, entry);
}

static int put_blocks(struct ct_races_entries *entries, const struct ct_access *access,
		      uint32_t lanes, struct ct_races_entry *entry)
{
	struct ct_access_request request;
	uint64_t held = UINT64_MAX;
	int err = 0;

	ct_access_request_make(&request, access->address, lanes, access->info->bytes,
			       access->range);
	/* Extents ascend and do not touch. */
	for (uint32_t i = 0; i < request.extents; i++) {
		uint64_t at = request.extent[i].begin, end = request.extent[i].end;

		while (at < end && err == 0) {
			uint64_t block = at / CT_RACES_BLOCK_BYTES,
				 from = at % CT_RACES_BLOCK_BYTES;
			uint64_t room = CT_RACES_BLOCK_BYTES - from;
			uint64_t count = end - at < room ? end - at : room;

			if (block != held && held != UINT64_MAX)
				err = put(entries, entry, held);
			if (block != held)
				entry->bytes = 0;
			held = block;
			entry->bytes |= UINT64_MAX >> (64 - count) << from;
			at += count;
		}
	}
	return err < 0 || held == UINT64_MAX ? err : put(entries, entry, held);
}

int ct_races_entries_next(struct ct_races_entries *entries, const struct ct_access *access,
			  uint32_t lanes, const struct ct_races_entry *like)
{
	struct ct_races_entry entry;
	int err = entries->is_held
		      ? put_blocks(entries, &entries->access, entries->lanes, &entries->entry)
		      : 0;

	entries->is_held = false;
	if (!access || err < 0)
		return err;
	if (entries->has_values && !access->range) {
		entries->is_held = true;
		entries->access = *access;
		entries->lanes = lanes;
		entries->entry = *like;
		ct_values_clear(&entries->values);
		return 0;
	}
	entry = *like;
	return put_blocks(entries, access, lanes, &entry);
}

void ct_races_entries_value(struct ct_races_entries *entries, const struct ct_value *value)
{
	const struct ct_access *access = &entries->access;

	if (entries->is_held && value->at->site == access->site && value->at->unit == access->unit)
		ct_values_add(&entries->values, value);
}
