/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Touches divided for threads: a piece is a partition, or of a hot one a range of places. A place
 * is a byte of memory: what of its page the partition does not tell, and its offset there.
 *
 * Pages are cut where no access crosses, so that both sides count as if they were pages of their
 * own. Where elements have no sizes, whole pages are pieces at least; if one is crossed after
 * all, as elements need not be aligned, the analysis runs again without cuts (-EDOM).
 */
#ifndef CT_POSTPROC_ANALYSIS_COMM_PAGES_PIECES_H
#define CT_POSTPROC_ANALYSIS_COMM_PAGES_PIECES_H

#include "postproc/analysis/comm/base/engine.h"

#define CT_PLACE_END ((uint64_t)1 << (CT_PAGE_NUMBER_BITS + CT_PAGE_BITS))

struct ct_page_piece {
	uint64_t begin, end; /* places; of a whole partition: 0, UINT64_MAX */
	uint64_t bytes;      /* of records, about */
	uint32_t partition;
};

struct ct_page_pieces;

/* Opens the pieces of this rank, the largest first; after touches have finished. 0 or -ENOMEM. */
int ct_page_pieces_open(struct ct_page_pieces **out, const struct ct_engine *engine);
void ct_page_pieces_close(struct ct_page_pieces *pieces); /* NULL is allowed */
uint32_t ct_page_pieces_count(const struct ct_page_pieces *pieces);
const struct ct_page_piece *ct_page_piece(const struct ct_page_pieces *pieces, uint32_t number);
/* It was taken, by any thread. True: so are all of its partition. */
bool ct_page_piece_done(struct ct_page_pieces *pieces, uint32_t number);

static inline bool ct_page_piece_is_whole(const struct ct_page_piece *piece)
{
	return piece->end == UINT64_MAX;
}

/* Returns the place of the first byte of a packed touch. */
static inline uint64_t ct_touch_place(const uint64_t *word)
{
	return word[0] >> 43 << CT_PAGE_BITS | (word[1] >> 16 & (CT_PAGE_BYTES - 1));
}

#endif
