/* SPDX-License-Identifier: Apache-2.0 */
/* From the blocks and extents of a partition to a share. */
#include "postproc/shuffle/load.h"

#include <errno.h>
#include <string.h>

#define BATCH_BYTES (32u << 10)

void ct_source_begin(struct ct_source *source, const struct ct_shuffle_state *state,
		     uint32_t partition, const struct ct_shuffle_choice *choice)
{
	const struct ct_partition *from = &state->partition[partition];
	uint64_t held = 0;

	*source = (struct ct_source){.choice = choice,
				     .block = from->first,
				     .blocks = from->blocks,
				     .last_count = from->last_count,
				     .extent = from->spilled};
	if (from->blocks > 0)
		held = ((uint64_t)from->blocks - 1) * state->block_records + from->last_count;
	source->file_records = from->bytes / state->options.record_bytes - held;
}

static size_t batch_bytes(const struct ct_shuffle_state *state)
{
	return state->share_bytes / 8 < BATCH_BYTES ? state->share_bytes / 8 : BATCH_BYTES;
}

/* So many records, one after another. */
static void add_pieces(const struct ct_shuffle_state *state, struct ct_pieces *pieces,
		       unsigned char *records, uint64_t count)
{
	size_t bytes = state->options.record_bytes;

	for (uint64_t at = 0; at < count; at += state->block_records)
		pieces->piece[pieces->count++] = (struct ct_piece){
		    .records = records + at * bytes,
		    .count = count - at < state->block_records ? count - at : state->block_records};
}

/* The next block of the source. */
static struct ct_piece take_block(const struct ct_shuffle_state *state, struct ct_source *source)
{
	const struct ct_piece piece = {.records = ct_shuffle_block(state, source->block),
				       .count = source->blocks == 1 ? source->last_count
								    : state->block_records};

	source->block = state->next[source->block];
	source->blocks--;
	return piece;
}

/* How many of the blocks, and of the records in the file, a share has room for. */
static void measure(const struct ct_shuffle_state *state, const struct ct_source *source,
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

/* Take blocks and records off the source, oldest first within the share. */
static int load_all(const struct ct_shuffle_state *state, struct ct_source *source,
		    unsigned char *share, struct ct_share *loaded)
{
	struct ct_pieces *pieces = &loaded->pieces;
	size_t record_bytes = state->options.record_bytes;
	uint32_t blocks;
	uint64_t records;
	unsigned char *read;
	int err;

	measure(state, source, &blocks, &records);
	pieces->log2 = state->block_records_log2;
	pieces->record_bytes = record_bytes;
	pieces->records = records + (uint64_t)blocks * state->block_records;
	if (blocks > 0 && blocks == source->blocks)
		pieces->records -= state->block_records - source->last_count;
	loaded->word = (uint64_t *)(void *)share;
	pieces->piece = (struct ct_piece *)(void *)(loaded->word + 2 * pieces->records);
	pieces->count = 0;
	read = share + state->share_bytes - records * record_bytes;
	err = records > 0
		  ? ct_shuffle_file_read_back(state, &source->extent, read, records * record_bytes)
		  : 0;
	source->file_records -= records;
	add_pieces(state, pieces, read, records);
	for (; blocks > 0; blocks--)
		pieces->piece[pieces->count++] = take_block(state, source);
	loaded->batch = (unsigned char *)(pieces->piece + pieces->count);
	loaded->batch_records = batch_bytes(state) / record_bytes;
	return err;
}

/* Keep what of so many records is chosen, at `to`; it may begin where they do. How many. */
static size_t choose(const struct ct_shuffle_choice *choice, const unsigned char *records,
		     size_t count, size_t record_bytes, unsigned char *to)
{
	unsigned char *end = to;

	for (size_t i = 0; i < count; i++, records += record_bytes) {
		if (!choice->takes(choice->user, records))
			continue;
		memmove(end, records, record_bytes);
		end += record_bytes;
	}
	return (size_t)(end - to) / record_bytes;
}

/* Takes the block at hand, or so many of its records. */
static size_t choose_of_block(const struct ct_shuffle_state *state, struct ct_source *source,
			      unsigned char *to, size_t most)
{
	size_t bytes = state->options.record_bytes, first = source->block_done, count;
	struct ct_source after = *source;
	struct ct_piece block = take_block(state, &after);

	count = block.count - first < most ? block.count - first : most;
	if (first + count < block.count) {
		source->block_done += (uint32_t)count;
	} else {
		*source = after;
		source->block_done = 0;
	}
	return choose(source->choice, block.records + first * bytes, count, bytes, to);
}

/* Chosen records, one after another, from `at` on; *count of at most `most`. */
static int load_records(const struct ct_shuffle_state *state, struct ct_source *source,
			unsigned char *at, size_t most, size_t *count)
{
	size_t bytes = state->options.record_bytes, kept = 0;
	int err = 0;

	while (err == 0 && source->file_records && kept < most) {
		uint64_t some =
		    source->file_records < most - kept ? source->file_records : most - kept;

		err = ct_shuffle_file_read_back(state, &source->extent, at + kept * bytes,
						some * bytes);
		source->file_records -= some;
		if (err == 0)
			kept += choose(source->choice, at + kept * bytes, some, bytes,
				       at + kept * bytes);
	}
	while (err == 0 && !source->file_records && source->blocks && kept < most)
		kept += choose_of_block(state, source, at + kept * bytes, most - kept);
	*count = kept;
	return err;
}

static int load_chosen(const struct ct_shuffle_state *state, struct ct_source *source,
		       unsigned char *share, struct ct_share *loaded)
{
	struct ct_pieces *pieces = &loaded->pieces;
	size_t bytes = state->options.record_bytes, words = 2 * sizeof(uint64_t);
	size_t piece = sizeof(struct ct_piece), most, count;
	unsigned char *records;
	int err;

	most = (state->share_bytes - batch_bytes(state) - 2 * piece - bytes) /
	       (words + bytes + piece / state->block_records + 1);
	records = share + state->share_bytes - most * bytes;
	err = load_records(state, source, records, most, &count);
	*pieces = (struct ct_pieces){
	    .log2 = state->block_records_log2, .record_bytes = bytes, .records = count};
	loaded->word = (uint64_t *)(void *)share;
	pieces->piece = (struct ct_piece *)(void *)(loaded->word + 2 * count);
	add_pieces(state, pieces, records, count);
	loaded->batch = (unsigned char *)(pieces->piece + pieces->count);
	loaded->batch_records = batch_bytes(state) / bytes;
	return err;
}

int ct_share_load(const struct ct_shuffle_state *state, struct ct_source *source,
		  unsigned char *share, struct ct_share *loaded)
{
	return source->choice ? load_chosen(state, source, share, loaded)
			      : load_all(state, source, share, loaded);
}

size_t ct_shuffle_sample(const struct ct_shuffle *shuffle, uint32_t partition, void *records,
			 size_t most)
{
	const struct ct_shuffle_state *state = shuffle->state;
	size_t bytes = state->options.record_bytes, step, at = 0, count = 0;
	unsigned char *to = records;
	struct ct_source source;

	ct_source_begin(&source, state, partition, NULL);
	if (source.file_records)
		return 0;
	step = (size_t)source.blocks * state->block_records / most + 1;
	while (source.blocks) {
		struct ct_piece block = take_block(state, &source);

		for (; at < block.count; at += step)
			memcpy(to + count++ * bytes, block.records + at * bytes, bytes);
		at -= block.count;
	}
	return count;
}
