/* SPDX-License-Identifier: Apache-2.0 */
/* Order records by bits of their keys, without moving them. */
#ifndef CT_POSTPROC_SHUFFLE_SORT_H
#define CT_POSTPROC_SHUFFLE_SORT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Records one after another. All pieces but some have 2^log2 of them, the
 * others fewer; record r of piece p has the index p << log2 | r. */
struct ct_piece {
	unsigned char *records;
	size_t count;
};

struct ct_pieces {
	struct ct_piece *piece;
	size_t count;
	uint32_t log2;
	size_t record_bytes;
	size_t records; /* of all pieces */
};

/* True if the records are in order already; else word[0 … records-1] & *mask
 * are their indices in the order of key & key_mask. spare: as many words. */
bool ct_pieces_sort(const struct ct_pieces *pieces, const uint64_t key_mask[2], uint64_t *word,
		    uint64_t *spare, uint64_t *mask);

static inline const unsigned char *ct_pieces_at(const struct ct_pieces *pieces, uint64_t index)
{
	const struct ct_piece *piece = &pieces->piece[index >> pieces->log2];
	uint64_t record = index & (((uint64_t)1 << pieces->log2) - 1);

	return piece->records + record * pieces->record_bytes;
}

#endif
