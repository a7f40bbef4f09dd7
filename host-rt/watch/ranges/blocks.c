/* SPDX-License-Identifier: Apache-2.0 */
/* Blocks in the order of their addresses. */
#include "host-rt/watch/ranges/blocks.h"
#include "host-rt/watch/ranges/finished.h"
#include <string.h>

#define BLOCKS_MAX CT_BLOCK_NUMBERS

static struct ct_block *blocks;
static uint32_t count;
static uint32_t *free_numbers; /* a stack */
static uint32_t free_count, known_numbers;

/* How many begin at or before the address. */
static uint32_t before(uint64_t address)
{
	uint32_t low = 0, high = count;

	while (low < high) {
		uint32_t middle = low + (high - low) / 2;

		if (blocks[middle].address <= address)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

static bool has_room(void)
{
	if (!blocks)
		blocks = ct_finished_memory(BLOCKS_MAX * sizeof(*blocks));
	if (!free_numbers)
		free_numbers = ct_finished_memory(BLOCKS_MAX * sizeof(*free_numbers));
	return blocks && free_numbers && count < BLOCKS_MAX;
}

void ct_block_add(uint64_t address, uint64_t bytes, enum ct_watch_memory kind)
{
	struct ct_block block = {address, bytes, 0, (uint8_t)kind};
	uint32_t at;

	if (!has_room())
		return;
	ct_block_remove(address);
	if (kind == CT_WATCH_DEVICE_MEMORY)
		block.number = free_count ? free_numbers[--free_count] : ++known_numbers;
	at = before(address);
	memmove(&blocks[at + 1], &blocks[at], (count - at) * sizeof(*blocks));
	blocks[at] = block;
	count++;
}

void ct_block_remove(uint64_t address)
{
	uint32_t at = before(address);

	if (!at || blocks[at - 1].address != address)
		return;
	if (blocks[at - 1].number)
		free_numbers[free_count++] = blocks[at - 1].number;
	memmove(&blocks[at - 1], &blocks[at], (count - at) * sizeof(*blocks));
	count--;
}

const struct ct_block *ct_block_find(uint64_t address)
{
	uint32_t at = before(address);

	return at && address - blocks[at - 1].address < blocks[at - 1].bytes ? &blocks[at - 1]
									     : NULL;
}

const struct ct_block *ct_block_find_shared(uint64_t address)
{
	const struct ct_block *block = ct_block_find(address);

	return block && block->kind != CT_WATCH_DEVICE_MEMORY ? block : NULL;
}

const struct ct_block *ct_block_find_device(uint64_t address)
{
	const struct ct_block *block = ct_block_find(address);

	return block && block->kind == CT_WATCH_DEVICE_MEMORY ? block : NULL;
}
