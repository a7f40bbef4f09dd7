/* SPDX-License-Identifier: Apache-2.0 */
/* Hashes of the blocks of what comes piece by piece. */
#ifndef CT_HOST_RT_CONTENT_BLOCKS_H
#define CT_HOST_RT_CONTENT_BLOCKS_H

#include <cudatrace/digest.h>
#include <stddef.h>
#include <stdint.h>

#define CT_BLOCK_BYTES CT_DIGEST_BLOCK

struct ct_blocks;

/* How many blocks so many bytes are. */
static inline uint64_t ct_blocks_count(uint64_t bytes)
{
	return (bytes + CT_BLOCK_BYTES - 1) / CT_BLOCK_BYTES;
}

/* For so many bytes; NULL without memory. */
struct ct_blocks *ct_blocks_new(uint64_t bytes);
void ct_blocks_free(struct ct_blocks *blocks); /* NULL is allowed */

/* The next bytes. A last block that is short is hashed with zeros behind it. */
void ct_blocks_add(struct ct_blocks *blocks, const void *bytes, size_t count);

/* All bytes, as the hashes of their blocks that others have made. */
void ct_blocks_take(struct ct_blocks *blocks, const uint64_t (*hash)[2]);

/* The hash of all bytes is that of the hashes of their blocks, one behind another, and how many
 * they are. */
void ct_blocks_hash(const struct ct_blocks *blocks, uint64_t hash[2]);
/* Bytes in blocks of the same number that are the same; both have all of theirs, as many. */
uint64_t ct_blocks_same(const struct ct_blocks *a, const struct ct_blocks *b);

#endif
