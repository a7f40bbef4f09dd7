/* SPDX-License-Identifier: Apache-2.0 */
/* XXH3 of each block, and of all. */
#include "host-rt/content/blocks.h"
#include <stdlib.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

struct ct_blocks {
	XXH3_state_t all, block;
	uint64_t bytes, done;
	uint64_t hash[];
};

struct ct_blocks *ct_blocks_new(uint64_t bytes)
{
	size_t count = (size_t)((bytes + CT_BLOCK_BYTES - 1) / CT_BLOCK_BYTES);
	struct ct_blocks *blocks;
	size_t room = sizeof(*blocks) + count * sizeof(blocks->hash[0]);

	/* The states ask for more than malloc's alignment. */
	room = (room + _Alignof(struct ct_blocks) - 1) / _Alignof(struct ct_blocks) *
	       _Alignof(struct ct_blocks);
	blocks = aligned_alloc(_Alignof(struct ct_blocks), room);
	if (!blocks)
		return NULL;
	XXH3_128bits_reset(&blocks->all);
	XXH3_64bits_reset(&blocks->block);
	blocks->bytes = bytes;
	blocks->done = 0;
	return blocks;
}

void ct_blocks_free(struct ct_blocks *blocks)
{
	free(blocks);
}

void ct_blocks_add(struct ct_blocks *blocks, const void *bytes, size_t count)
{
	const unsigned char *from = bytes;

	XXH3_128bits_update(&blocks->all, bytes, count);
	while (count > 0) {
		size_t room = CT_BLOCK_BYTES - (size_t)(blocks->done % CT_BLOCK_BYTES);
		size_t some = count < room ? count : room;

		XXH3_64bits_update(&blocks->block, from, some);
		from += some;
		count -= some;
		blocks->done += some;
		if (some == room || blocks->done == blocks->bytes) {
			blocks->hash[(blocks->done - 1) / CT_BLOCK_BYTES] =
			    XXH3_64bits_digest(&blocks->block);
			XXH3_64bits_reset(&blocks->block);
		}
	}
}

void ct_blocks_hash(const struct ct_blocks *blocks, uint64_t hash[2])
{
	XXH128_hash_t all = XXH3_128bits_digest(&blocks->all);

	hash[0] = all.low64;
	hash[1] = all.high64;
}

uint64_t ct_blocks_same(const struct ct_blocks *a, const struct ct_blocks *b)
{
	uint64_t same = 0;

	for (uint64_t at = 0; at < a->bytes; at += CT_BLOCK_BYTES) {
		uint64_t left = a->bytes - at;

		if (a->hash[at / CT_BLOCK_BYTES] == b->hash[at / CT_BLOCK_BYTES])
			same += left < CT_BLOCK_BYTES ? left : CT_BLOCK_BYTES;
	}
	return same;
}
