/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Records of a partition in order. A reader has a share of the memory, with
 *
 *   | words, twice | pieces | batch |        | records from the file |
 *
 * What fits is sorted and handed out at once. Else one share after another is
 * sorted and written to the file as a run, and the runs are merged (merge.c).
 */
#include "postproc/shuffle/merge.h"
#include "postproc/shuffle/sort.h"

#include <errno.h>
#include <stdlib.h>

#define BATCH_BYTES (32u << 10)
#define AHEAD 16u /* records that are fetched early */

/* What of a partition has not been read yet. */
struct source {
	uint32_t block, blocks;
	uint32_t last_count;
	struct ct_extent extent;
	uint64_t file_records;
};

struct chunk {
	struct ct_pieces pieces;
	uint64_t *word;
	unsigned char *batch;
	size_t batch_records;
};

static unsigned char *take_share(struct ct_shuffle_state *state, uint32_t *number)
{
	pthread_mutex_lock(&state->reader_lock);
	while (state->readers_free == 0)
		pthread_cond_wait(&state->reader_free, &state->reader_lock);
	*number = state->reader[--state->readers_free];
	pthread_mutex_unlock(&state->reader_lock);
	return state->scratch + *number * state->share_bytes;
}

static void give_share(struct ct_shuffle_state *state, uint32_t number)
{
	pthread_mutex_lock(&state->reader_lock);
	state->reader[state->readers_free++] = number;
	pthread_cond_signal(&state->reader_free);
	pthread_mutex_unlock(&state->reader_lock);
}

/* How many of the blocks, and of the records in the file, a share has room for. */
static void measure(const struct ct_shuffle_state *state, const struct source *source,
		    uint32_t *blocks, uint64_t *records)
{
	size_t record_bytes = state->options.record_bytes;
	size_t words = 2 * sizeof(uint64_t), piece = sizeof(struct ct_piece);
	size_t per_block = state->block_records * words + piece;
	size_t per_record = words + record_bytes + piece / state->block_records + 1;
	size_t room = state->share_bytes - state->share_bytes / 8 - 2 * piece - record_bytes;

	*blocks = source->blocks;
	if (*blocks > room / per_block)
		*blocks = (uint32_t)(room / per_block);
	room -= *blocks * per_block;
	*records = source->file_records;
	if (*records > room / per_record)
		*records = room / per_record;
}

/* Take blocks and records off the source, oldest first within the chunk. */
static int load(const struct ct_shuffle_state *state, struct source *source, unsigned char *share,
		struct chunk *chunk)
{
	struct ct_pieces *pieces = &chunk->pieces;
	size_t record_bytes = state->options.record_bytes;
	size_t batch = state->share_bytes / 8 < BATCH_BYTES ? state->share_bytes / 8 : BATCH_BYTES;
	uint32_t blocks;
	uint64_t records;
	unsigned char *loaded;
	int err;

	measure(state, source, &blocks, &records);
	pieces->log2 = state->block_records_log2;
	pieces->record_bytes = record_bytes;
	pieces->records = records + (uint64_t)blocks * state->block_records;
	if (blocks > 0 && blocks == source->blocks)
		pieces->records -= state->block_records - source->last_count;
	chunk->word = (uint64_t *)(void *)share;
	pieces->piece = (struct ct_piece *)(void *)(chunk->word + 2 * pieces->records);
	pieces->count = 0;
	loaded = share + state->share_bytes - records * record_bytes;
	err = records > 0 ? ct_shuffle_file_read_back(state, &source->extent, loaded,
						      records * record_bytes)
			  : 0;
	source->file_records -= records;
	for (uint64_t at = 0; at < records; at += state->block_records) {
		uint64_t count =
		    records - at < state->block_records ? records - at : state->block_records;

		pieces->piece[pieces->count++] =
		    (struct ct_piece){.records = loaded + at * record_bytes, .count = count};
	}
	for (; blocks > 0; blocks--, source->blocks--) {
		pieces->piece[pieces->count++] = (struct ct_piece){
		    .records = ct_shuffle_block(state, source->block),
		    .count = source->blocks == 1 ? source->last_count : state->block_records};
		source->block = state->next[source->block];
	}
	chunk->batch = (unsigned char *)(pieces->piece + pieces->count);
	chunk->batch_records = batch / record_bytes;
	return err;
}

/* take may change records; those of the partition stay as they are. */
static int hand_out_pieces(const struct chunk *chunk,
			   int (*take)(void *user, void *records, size_t count), void *user)
{
	const struct ct_pieces *pieces = &chunk->pieces;
	int err = 0;

	for (size_t p = 0; err == 0 && p < pieces->count; p++) {
		const struct ct_piece *piece = &pieces->piece[p];

		for (size_t at = 0, count; err == 0 && at < piece->count; at += count) {
			count = piece->count - at;
			if (count > chunk->batch_records)
				count = chunk->batch_records;
			memcpy(chunk->batch, piece->records + at * pieces->record_bytes,
			       count * pieces->record_bytes);
			err = take(user, chunk->batch, count);
		}
	}
	return err;
}

/* The first count of the words' records, of known ones that may be fetched early. */
static inline __attribute__((always_inline)) void
gather_sized(const struct ct_pieces *pieces, const uint64_t *word, uint64_t mask, size_t count,
	     size_t known, unsigned char *to, size_t record_bytes)
{
	for (size_t i = 0; i < count; i++, to += record_bytes) {
		size_t ahead = i + AHEAD < known ? i + AHEAD : i;

		__builtin_prefetch(ct_pieces_at(pieces, word[ahead] & mask));
		memcpy(to, ct_pieces_at(pieces, word[i] & mask), record_bytes);
	}
}

static void gather(const struct ct_pieces *pieces, const uint64_t *word, uint64_t mask,
		   size_t count, size_t known, unsigned char *to)
{
	switch (pieces->record_bytes) {
	case 16:
		gather_sized(pieces, word, mask, count, known, to, 16);
		break;
	case 24:
		gather_sized(pieces, word, mask, count, known, to, 24);
		break;
	case 32:
		gather_sized(pieces, word, mask, count, known, to, 32);
		break;
	case 40:
		gather_sized(pieces, word, mask, count, known, to, 40);
		break;
	case 48:
		gather_sized(pieces, word, mask, count, known, to, 48);
		break;
	default:
		gather_sized(pieces, word, mask, count, known, to, pieces->record_bytes);
	}
}

static int hand_out(const struct ct_shuffle_state *state, struct chunk *chunk,
		    int (*take)(void *user, void *records, size_t count), void *user)
{
	const struct ct_pieces *pieces = &chunk->pieces;
	uint64_t mask;
	int err = 0;

	if (ct_pieces_sort(pieces, state->options.key_mask, chunk->word,
			   chunk->word + pieces->records, &mask))
		return hand_out_pieces(chunk, take, user);
	for (size_t at = 0, count; err == 0 && at < pieces->records; at += count) {
		count = pieces->records - at;
		if (count > chunk->batch_records)
			count = chunk->batch_records;
		gather(pieces, chunk->word + at, mask, count, pieces->records - at, chunk->batch);
		err = take(user, chunk->batch, count);
	}
	return err;
}

static bool is_empty(const struct source *source)
{
	return source->blocks == 0 && source->file_records == 0;
}

/* Sorted runs of all of the source, in the file. */
static int write_runs(struct ct_shuffle_state *state, struct source *source, unsigned char *share,
		      struct chunk *chunk, struct ct_runs *runs)
{
	int err = 0;

	for (;;) {
		if (err == 0)
			err = ct_runs_begin(runs, chunk->pieces.records);
		if (err == 0)
			err = hand_out(state, chunk, ct_runs_write, runs);
		if (err != 0 || is_empty(source))
			return err;
		err = load(state, source, share, chunk);
	}
}

static int each_in_share(struct ct_shuffle *shuffle, struct source *source, unsigned char *share,
			 int (*take)(void *user, void *records, size_t count), void *user)
{
	struct ct_shuffle_state *state = shuffle->state;
	struct ct_runs runs = {.state = state};
	struct chunk chunk;
	int err = load(state, source, share, &chunk);

	if (err < 0)
		return err;
	if (is_empty(source))
		return hand_out(state, &chunk, take, user);
	err = write_runs(state, source, share, &chunk, &runs);
	if (err == 0)
		err = ct_runs_merge(&runs, share, take, user);
	ct_runs_close(&runs);
	return err;
}

int ct_shuffle_each(struct ct_shuffle *shuffle, uint32_t partition,
		    int (*take)(void *user, void *records, size_t count), void *user)
{
	struct ct_shuffle_state *state = shuffle->state;
	const struct ct_partition *from = &state->partition[partition];
	struct source source = {.block = from->first,
				.blocks = from->blocks,
				.last_count = from->last_count,
				.extent = from->spilled};
	uint64_t held = 0;
	uint32_t number;
	int err;

	if (state->error != 0)
		return state->error;
	if (!state->settled)
		return -EINVAL;
	if (from->bytes == 0)
		return 0;
	if (from->blocks > 0)
		held = ((uint64_t)from->blocks - 1) * state->block_records + from->last_count;
	source.file_records = from->bytes / shuffle->record_bytes - held;
	err = each_in_share(shuffle, &source, take_share(state, &number), take, user);
	give_share(state, number);
	return err;
}
