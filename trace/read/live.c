/* SPDX-License-Identifier: Apache-2.0 */
/* The objects alive at one point in time, found by address. */
#include "trace/read/live.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#define BLOCK_RANGES 256u

struct ct_live_block {
	uint32_t count;
	struct ct_live_range range[BLOCK_RANGES];
};

static struct ct_live_block **blocks_of(const struct ct_live *live)
{
	return (struct ct_live_block **)(void *)live->blocks.bytes;
}

static size_t count_of(const struct ct_live *live)
{
	return live->blocks.size / sizeof(struct ct_live_block *);
}

/* Index of the first block whose last range ends after address. */
static size_t find_block(const struct ct_live *live, uint64_t address)
{
	struct ct_live_block **blocks = blocks_of(live);
	size_t low = 0, high = count_of(live);

	while (low < high) {
		size_t middle = low + (high - low) / 2;
		const struct ct_live_block *block = blocks[middle];

		if (block->range[block->count - 1].end > address)
			high = middle;
		else
			low = middle + 1;
	}
	return low;
}

/* Index of the first range of the block that ends after address. */
static uint32_t find_in(const struct ct_live_block *block, uint64_t address)
{
	uint32_t low = 0, high = block->count;

	while (low < high) {
		uint32_t middle = low + (high - low) / 2;

		if (block->range[middle].end > address)
			high = middle;
		else
			low = middle + 1;
	}
	return low;
}

/* The first range that ends after address, or NULL. */
static const struct ct_live_range *first_after(const struct ct_live *live, uint64_t address)
{
	size_t b = find_block(live, address);

	return b < count_of(live) ? &blocks_of(live)[b]->range[find_in(blocks_of(live)[b], address)]
				  : NULL;
}

const struct ct_live_range *ct_live_find(struct ct_live *live, uint64_t address)
{
	const struct ct_live_range *range = live->last;

	if (!range || address < range->begin || address >= range->end)
		range = first_after(live, address);
	if (!range || address < range->begin)
		return NULL;
	live->last = range;
	return range;
}

const struct ct_live_range *ct_live_overlap(struct ct_live *live, uint64_t begin, uint64_t end)
{
	const struct ct_live_range *range = first_after(live, begin);

	return range && range->begin < end ? range : NULL;
}

/* A new block at that index, empty for now. NULL: memory is short. */
static struct ct_live_block *add_block(struct ct_live *live, size_t at)
{
	struct ct_live_block *block = malloc(sizeof(*block)), **blocks;
	size_t count = count_of(live);

	if (!block || !ct_buffer_append(&live->blocks, NULL, sizeof(block))) {
		free(block);
		return NULL;
	}
	blocks = blocks_of(live);
	memmove(blocks + at + 1, blocks + at, (count - at) * sizeof(*blocks));
	live->moved += count - at;
	block->count = 0;
	return blocks[at] = block;
}

/* The upper half of a full block goes to one of its own; of the last block nothing does, as objects
 * mostly come with ascending addresses. */
static int split(struct ct_live *live, size_t at, bool is_behind)
{
	struct ct_live_block *block, *upper = add_block(live, at + 1);
	uint32_t kept = is_behind ? BLOCK_RANGES : BLOCK_RANGES / 2;

	if (!upper)
		return -ENOMEM;
	block = blocks_of(live)[at];
	upper->count = BLOCK_RANGES - kept;
	memcpy(upper->range, block->range + kept, upper->count * sizeof(*upper->range));
	live->moved += upper->count;
	block->count = kept;
	return 0;
}

int ct_live_insert(struct ct_live *live, const struct ct_live_range *range)
{
	size_t b = find_block(live, range->begin);
	bool is_behind = b == count_of(live);
	struct ct_live_block *block;
	uint32_t i;
	int err = 0;

	live->last = NULL;
	if (count_of(live) == 0) {
		if (!add_block(live, 0))
			return -ENOMEM;
	} else {
		b -= is_behind;
		if (blocks_of(live)[b]->count == BLOCK_RANGES)
			err = split(live, b, is_behind);
		if (err < 0)
			return err;
		block = blocks_of(live)[b];
		b += is_behind ? b + 1 < count_of(live)
			       : block->range[block->count - 1].end <= range->begin;
	}
	block = blocks_of(live)[b];
	i = find_in(block, range->begin);
	memmove(block->range + i + 1, block->range + i, (block->count - i) * sizeof(*range));
	live->moved += block->count - i;
	block->range[i] = *range;
	block->count++;
	return 0;
}

void ct_live_remove(struct ct_live *live, uint64_t begin, uint32_t object)
{
	size_t b = find_block(live, begin), count = count_of(live);
	struct ct_live_block **blocks = blocks_of(live), *block;
	uint32_t i;

	if (b == count)
		return;
	block = blocks[b];
	i = find_in(block, begin);
	if (block->range[i].begin != begin || block->range[i].object != object)
		return;
	live->last = NULL;
	block->count--;
	memmove(block->range + i, block->range + i + 1, (block->count - i) * sizeof(*block->range));
	live->moved += block->count - i;
	if (block->count > 0)
		return;
	free(block);
	memmove(blocks + b, blocks + b + 1, (count - b - 1) * sizeof(*blocks));
	live->moved += count - b - 1;
	live->blocks.size -= sizeof(*blocks);
}

void ct_live_fini(struct ct_live *live)
{
	for (size_t i = 0; i < count_of(live); i++)
		free(blocks_of(live)[i]);
	ct_buffer_fini(&live->blocks);
	live->last = NULL;
}
