/* SPDX-License-Identifier: Apache-2.0 */
/* XXH3 of each block where it lies, if it lies in one piece; that of all is of those of the blocks.
 * Kernels hash likewise (cudatrace/digest.h). */
#include "host-rt/content/blocks.h"
#include "host-rt/content/hash.h"
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

struct ct_blocks {
	ct_hash_fn *hash_of;
	uint64_t bytes, done;
	unsigned char begun[CT_BLOCK_BYTES]; /* of a block that comes in pieces */
	uint64_t hash[][2];                  /* behind the last one: bytes */
};

struct ct_blocks *ct_blocks_new(uint64_t bytes)
{
	size_t room = (size_t)ct_blocks_count(bytes) + 1;
	struct ct_blocks *blocks = malloc(sizeof(*blocks) + room * sizeof(blocks->hash[0]));

	if (!blocks)
		return NULL;
	blocks->hash_of = ct_hash_best();
	blocks->bytes = bytes;
	blocks->done = 0;
	blocks->hash[room - 1][0] = bytes;
	blocks->hash[room - 1][1] = 0;
	return blocks;
}

void ct_blocks_free(struct ct_blocks *blocks)
{
	free(blocks);
}

/* A part of a block at most. */
static void add_part(struct ct_blocks *blocks, const unsigned char *from, size_t count)
{
	size_t begun = (size_t)(blocks->done % CT_BLOCK_BYTES);
	uint64_t *hash = blocks->hash[blocks->done / CT_BLOCK_BYTES];
	bool is_last = blocks->done + count == blocks->bytes;
	bool is_whole = begun + count == CT_BLOCK_BYTES || is_last;

	blocks->done += count;
	if (count == CT_BLOCK_BYTES) {
		blocks->hash_of(from, count, hash);
		return;
	}
	memcpy(blocks->begun + begun, from, count);
	if (!is_whole)
		return;
	memset(blocks->begun + begun + count, 0, CT_BLOCK_BYTES - begun - count);
	blocks->hash_of(blocks->begun, CT_BLOCK_BYTES, hash);
}

void ct_blocks_add(struct ct_blocks *blocks, const void *bytes, size_t count)
{
	const unsigned char *from = bytes;

	while (count > 0) {
		size_t room = CT_BLOCK_BYTES - (size_t)(blocks->done % CT_BLOCK_BYTES);
		size_t some = count < room ? count : room;

		add_part(blocks, from, some);
		from += some;
		count -= some;
	}
}

void ct_blocks_take(struct ct_blocks *blocks, const uint64_t (*hash)[2])
{
	memcpy(blocks->hash, hash,
	       (size_t)ct_blocks_count(blocks->bytes) * sizeof(blocks->hash[0]));
	blocks->done = blocks->bytes;
}

void ct_blocks_hash(const struct ct_blocks *blocks, uint64_t hash[2])
{
	blocks->hash_of(blocks->hash,
			((size_t)ct_blocks_count(blocks->bytes) + 1) * sizeof(blocks->hash[0]),
			hash);
}

uint64_t ct_blocks_same(const struct ct_blocks *a, const struct ct_blocks *b)
{
	uint64_t same = 0;

	for (uint64_t at = 0; at < a->bytes; at += CT_BLOCK_BYTES) {
		uint64_t left = a->bytes - at;
		uint64_t block = at / CT_BLOCK_BYTES;

		if (memcmp(a->hash[block], b->hash[block], sizeof(a->hash[block])) == 0)
			same += left < CT_BLOCK_BYTES ? left : CT_BLOCK_BYTES;
	}
	return same;
}
