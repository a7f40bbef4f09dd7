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

/* take may change records; those of the partition stay as they are. */
static int hand_out_pieces(const struct ct_share *loaded,
			   int (*take)(void *user, void *records, size_t count), void *user)
{
	const struct ct_pieces *pieces = &loaded->pieces;
	int err = 0;

	for (size_t p = 0; err == 0 && p < pieces->count; p++) {
		const struct ct_piece *piece = &pieces->piece[p];

		for (size_t at = 0, count; err == 0 && at < piece->count; at += count) {
			count = piece->count - at;
			if (count > loaded->batch_records)
				count = loaded->batch_records;
			memcpy(loaded->batch, piece->records + at * pieces->record_bytes,
			       count * pieces->record_bytes);
			err = take(user, loaded->batch, count);
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
	case 64:
		gather_sized(pieces, word, mask, count, known, to, 64);
		break;
	case 96:
		gather_sized(pieces, word, mask, count, known, to, 96);
		break;
	default:
		gather_sized(pieces, word, mask, count, known, to, pieces->record_bytes);
	}
}

static int hand_out(const struct ct_shuffle_state *state, struct ct_share *loaded,
		    int (*take)(void *user, void *records, size_t count), void *user)
{
	const struct ct_pieces *pieces = &loaded->pieces;
	uint64_t mask;
	int err = 0;

	if (ct_pieces_sort(pieces, state->options.key_mask, loaded->word,
			   loaded->word + pieces->records, &mask))
		return hand_out_pieces(loaded, take, user);
	for (size_t at = 0, count; err == 0 && at < pieces->records; at += count) {
		count = pieces->records - at;
		if (count > loaded->batch_records)
			count = loaded->batch_records;
		gather(pieces, loaded->word + at, mask, count, pieces->records - at, loaded->batch);
		err = take(user, loaded->batch, count);
	}
	return err;
}

/* Sorted runs of all of the source, in the file. */
static int write_runs(struct ct_shuffle_state *state, struct ct_source *source,
		      unsigned char *share, struct ct_share *loaded, struct ct_runs *runs)
{
	int err = 0;

	for (;;) {
		if (err == 0 && loaded->pieces.records)
			err = ct_runs_begin(runs, loaded->pieces.records);
		if (err == 0 && loaded->pieces.records)
			err = hand_out(state, loaded, ct_runs_write, runs);
		if (err != 0 || ct_source_is_empty(source))
			return err;
		err = ct_share_load(state, source, share, loaded);
	}
}

static int each_in_share(struct ct_shuffle *shuffle, struct ct_source *source, unsigned char *share,
			 int (*take)(void *user, void *records, size_t count), void *user)
{
	struct ct_shuffle_state *state = shuffle->state;
	struct ct_runs runs = {.state = state};
	struct ct_share loaded;
	int err = ct_share_load(state, source, share, &loaded);

	if (err < 0)
		return err;
	if (ct_source_is_empty(source))
		return hand_out(state, &loaded, take, user);
	err = write_runs(state, source, share, &loaded, &runs);
	if (err == 0)
		err = ct_runs_merge(&runs, share, take, user);
	ct_runs_close(&runs);
	return err;
}

int ct_shuffle_each_of(struct ct_shuffle *shuffle, uint32_t partition,
		       const struct ct_shuffle_choice *choice,
		       int (*take)(void *user, void *records, size_t count), void *user)
{
	struct ct_shuffle_state *state = shuffle->state;
	struct ct_source source;
	uint32_t number;
	int err;

	if (state->error != 0)
		return state->error;
	if (!state->settled)
		return -EINVAL;
	if (state->partition[partition].bytes == 0)
		return 0;
	ct_source_begin(&source, state, partition, choice);
	err = each_in_share(shuffle, &source, take_share(state, &number), take, user);
	give_share(state, number);
	return err;
}

int ct_shuffle_each(struct ct_shuffle *shuffle, uint32_t partition,
		    int (*take)(void *user, void *records, size_t count), void *user)
{
	return ct_shuffle_each_of(shuffle, partition, NULL, take, user);
}
