/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Records of a partition in order. What fits into a reader's share of the memory (load.h) is
 * sorted and handed out at once. Else one share after another is sorted and written to the file
 * as a run, and the runs are merged (merge.c).
 */
#include "postproc/shuffle/load.h"
#include "postproc/shuffle/merge.h"
#include "postproc/shuffle/sort.h"

#include <errno.h>
#include <stdlib.h>

#define AHEAD 16u /* records that are fetched early */

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

/* A loaded chunk on its way out. */
struct walk {
	struct ct_share *loaded;
	bool is_sorted; /* the words say the order; else records are in order as they came */
	uint64_t mask;  /* of words: the index */
	size_t at;      /* records of the piece, or all, that are out */
	size_t piece;
};

/* The reader may change records; those of the partition stay as they are. */
static size_t next_of_pieces(struct walk *walk)
{
	const struct ct_share *loaded = walk->loaded;
	const struct ct_pieces *pieces = &loaded->pieces;
	const struct ct_piece *piece = &pieces->piece[walk->piece];
	size_t count;

	while (walk->piece < pieces->count && walk->at == piece->count) {
		piece = &pieces->piece[++walk->piece];
		walk->at = 0;
	}
	if (walk->piece == pieces->count)
		return 0;
	count = piece->count - walk->at;
	if (count > loaded->batch_records)
		count = loaded->batch_records;
	memcpy(loaded->batch, piece->records + walk->at * pieces->record_bytes,
	       count * pieces->record_bytes);
	walk->at += count;
	return count;
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
	case 64:
		gather_sized(pieces, word, mask, count, known, to, 64);
		break;
	case 96:
		gather_sized(pieces, word, mask, count, known, to, 96);
		break;
	case 128:
		gather_sized(pieces, word, mask, count, known, to, 128);
		break;
	case 160:
		gather_sized(pieces, word, mask, count, known, to, 160);
		break;
	default:
		gather_sized(pieces, word, mask, count, known, to, pieces->record_bytes);
	}
}

static void begin_walk(struct walk *walk, const struct ct_shuffle_state *state,
		       struct ct_share *loaded)
{
	*walk = (struct walk){.loaded = loaded};
	walk->is_sorted = !ct_pieces_sort(&loaded->pieces, state->options.key_mask, loaded->word,
					  loaded->word + loaded->pieces.records, &walk->mask);
}

/* The next records, in the batch: how many. */
static size_t next_of_walk(struct walk *walk)
{
	const struct ct_share *loaded = walk->loaded;
	const struct ct_pieces *pieces = &loaded->pieces;
	size_t left, count;

	if (!walk->is_sorted)
		return pieces->records ? next_of_pieces(walk) : 0;
	left = pieces->records - walk->at;
	count = left < loaded->batch_records ? left : loaded->batch_records;
	gather(pieces, loaded->word + walk->at, walk->mask, count, left, loaded->batch);
	walk->at += count;
	return count;
}

static int write_run(struct ct_shuffle_state *state, struct ct_share *loaded, struct ct_runs *runs)
{
	int err = ct_runs_begin(runs, loaded->pieces.records);
	struct walk walk;

	begin_walk(&walk, state, loaded);
	for (size_t count; err == 0 && (count = next_of_walk(&walk)) > 0;)
		err = ct_runs_write(runs, loaded->batch, count);
	return err;
}

/* Sorted runs of all of the source, in the file. */
static int write_runs(struct ct_shuffle_state *state, struct ct_source *source,
		      unsigned char *share, struct ct_share *loaded, struct ct_runs *runs)
{
	int err = 0;

	for (;;) {
		if (err == 0 && loaded->pieces.records)
			err = write_run(state, loaded, runs);
		if (err != 0 || ct_source_is_empty(source))
			return err;
		err = ct_share_load(state, source, share, loaded);
	}
}

struct ct_shuffle_cursor {
	struct ct_shuffle_state *state;
	uint32_t number; /* of the share */
	unsigned char *share;
	struct ct_share loaded;
	struct walk walk;
	bool is_merged; /* in runs, not in the share */
	struct ct_runs runs;
	struct ct_merge merge;
};

static int begin_cursor(struct ct_shuffle_cursor *cursor, struct ct_source *source)
{
	struct ct_shuffle_state *state = cursor->state;
	int err = ct_share_load(state, source, cursor->share, &cursor->loaded);

	if (err < 0)
		return err;
	if (ct_source_is_empty(source)) {
		begin_walk(&cursor->walk, state, &cursor->loaded);
		return 0;
	}
	cursor->is_merged = true;
	err = write_runs(state, source, cursor->share, &cursor->loaded, &cursor->runs);
	if (err == 0)
		err = ct_runs_reduce(&cursor->runs, cursor->share);
	return err == 0 ? ct_merge_begin(&cursor->merge, &cursor->runs, cursor->share) : err;
}

static int open_cursor(struct ct_shuffle_cursor **out, struct ct_shuffle *shuffle,
		       uint32_t partition, const struct ct_shuffle_choice *choice)
{
	struct ct_shuffle_state *state = shuffle->state;
	struct ct_shuffle_cursor *cursor;
	struct ct_source source;
	int err;

	*out = NULL;
	if (state->error != 0)
		return state->error;
	if (!state->finished)
		return -EINVAL;
	if (state->partition[partition].bytes == 0)
		return 0;
	cursor = calloc(1, sizeof(*cursor));
	if (!cursor)
		return -ENOMEM;
	cursor->state = cursor->runs.state = state;
	cursor->share = take_share(state, &cursor->number);
	ct_source_begin(&source, state, partition, choice);
	err = begin_cursor(cursor, &source);
	if (err < 0) {
		ct_shuffle_close_cursor(cursor);
		return err;
	}
	*out = cursor;
	return 0;
}

int ct_shuffle_open_cursor(struct ct_shuffle_cursor **out, struct ct_shuffle *shuffle,
			   uint32_t partition)
{
	return open_cursor(out, shuffle, partition, NULL);
}

void ct_shuffle_close_cursor(struct ct_shuffle_cursor *cursor)
{
	if (!cursor)
		return;
	ct_runs_close(&cursor->runs);
	give_share(cursor->state, cursor->number);
	free(cursor);
}

int ct_shuffle_next(struct ct_shuffle_cursor *cursor, void **records, size_t *count)
{
	*count = 0;
	if (!cursor)
		return 0;
	if (cursor->is_merged)
		return ct_merge_next(&cursor->merge, records, count);
	*count = next_of_walk(&cursor->walk);
	*records = cursor->loaded.batch;
	return 0;
}

int ct_shuffle_each_of(struct ct_shuffle *shuffle, uint32_t partition,
		       const struct ct_shuffle_choice *choice,
		       int (*take)(void *user, void *records, size_t count), void *user)
{
	struct ct_shuffle_cursor *cursor;
	void *records;
	size_t count = 1;
	int err = open_cursor(&cursor, shuffle, partition, choice);

	while (err == 0 && count > 0) {
		err = ct_shuffle_next(cursor, &records, &count);
		if (err == 0 && count > 0)
			err = take(user, records, count);
	}
	ct_shuffle_close_cursor(cursor);
	return err;
}

int ct_shuffle_each(struct ct_shuffle *shuffle, uint32_t partition,
		    int (*take)(void *user, void *records, size_t count), void *user)
{
	return ct_shuffle_each_of(shuffle, partition, NULL, take, user);
}
