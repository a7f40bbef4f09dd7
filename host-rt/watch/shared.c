/* SPDX-License-Identifier: Apache-2.0 */
/* Blocks in the order of their addresses. */
#include "host-rt/watch/shared.h"
#include "host-rt/watch/settled.h"
#include <string.h>

#define BLOCKS_MAX (1u << 20)

static struct ct_shared *blocks;
static uint32_t count;

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

void ct_shared_add(const struct ct_shared *block)
{
	uint32_t at;

	if (!blocks)
		blocks = ct_settled_memory(BLOCKS_MAX * sizeof(*blocks));
	if (!blocks || count == BLOCKS_MAX)
		return;
	at = before(block->address);
	memmove(&blocks[at + 1], &blocks[at], (count - at) * sizeof(*blocks));
	blocks[at] = *block;
	count++;
}

void ct_shared_remove(uint64_t address)
{
	uint32_t at = before(address);

	if (!at || blocks[at - 1].address != address)
		return;
	memmove(&blocks[at - 1], &blocks[at], (count - at) * sizeof(*blocks));
	count--;
}

const struct ct_shared *ct_shared_find(uint64_t address)
{
	uint32_t at = before(address);

	return at && address - blocks[at - 1].address < blocks[at - 1].bytes ? &blocks[at - 1]
									     : NULL;
}
