/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Records of a partition in a reader's share of the memory, as many as it has room for:
 *
 *   | words, twice | pieces | batch |        | records from the file, and chosen ones |
 */
#ifndef CT_POSTPROC_SHUFFLE_LOAD_H
#define CT_POSTPROC_SHUFFLE_LOAD_H

#include "postproc/shuffle/sort.h"
#include "postproc/shuffle/state.h"

/* Points to what of a partition has not been read yet. */
struct ct_source {
	const struct ct_shuffle_choice *choice; /* NULL: all */
	uint32_t block, blocks;
	uint32_t last_count;
	uint32_t block_done; /* records of the first block, of those that were chosen from */
	struct ct_extent extent;
	uint64_t file_records;
};

struct ct_share {
	struct ct_pieces pieces;
	uint64_t *word; /* room for two by record */
	unsigned char *batch;
	size_t batch_records;
};

void ct_source_begin(struct ct_source *source, const struct ct_shuffle_state *state,
		     uint32_t partition, const struct ct_shuffle_choice *choice);

static inline bool ct_source_is_empty(const struct ct_source *source)
{
	return source->blocks == 0 && source->file_records == 0;
}

/* Take blocks and records off the source, those that are not chosen with them. 0 or an I/O
 * error. */
int ct_share_load(const struct ct_shuffle_state *state, struct ct_source *source,
		  unsigned char *share, struct ct_share *loaded);

#endif
