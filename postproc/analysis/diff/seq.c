/* SPDX-License-Identifier: Apache-2.0 */
/* Order-sensitive hashes of every thread's steps. */
#include "postproc/analysis/diff/seq.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>

struct hash {
	uint64_t low, high;
};

/* The batch: the threads of pairs [first_pair, end_pair); of the first one
 * only from first_thread on, and of a pair that is alone at most `room`. */
struct ct_seq {
	struct ct_pairs *pairs;
	size_t first_pair, end_pair;
	uint64_t first_thread;
	uint64_t end_thread; /* of the last pair in the batch */
	uint64_t room;
	uint64_t *base;       /* by pair: where its hashes begin, for those in the batch */
	struct hash *hash[2]; /* by side */
};

int ct_seq_open(struct ct_seq **out, struct ct_pairs *pairs, uint64_t threads_max)
{
	struct ct_seq *seq = calloc(1, sizeof(*seq));

	*out = NULL;
	if (!seq)
		return -ENOMEM;
	seq->pairs = pairs;
	seq->room = threads_max;
	seq->base = calloc(pairs->count + 1, sizeof(*seq->base));
	seq->hash[0] = calloc(threads_max, sizeof(**seq->hash));
	seq->hash[1] = calloc(threads_max, sizeof(**seq->hash));
	if (!seq->base || !seq->hash[0] || !seq->hash[1]) {
		ct_seq_close(seq);
		return -ENOMEM;
	}
	*out = seq;
	return 0;
}

void ct_seq_close(struct ct_seq *seq)
{
	if (!seq)
		return;
	free(seq->base);
	free(seq->hash[0]);
	free(seq->hash[1]);
	free(seq);
}

static int is_comparable(const struct ct_pair *pair)
{
	return pair->result == CT_PAIR_EQUAL || pair->result == CT_PAIR_ACCESSES;
}

static uint64_t thread_count(const struct ct_pair *pair)
{
	uint64_t threads;

	if (!is_comparable(pair) ||
	    __builtin_mul_overflow(pair->ctas, (uint64_t)pair->cta_threads, &threads))
		return 0;
	return threads;
}

int ct_seq_next_batch(struct ct_seq *seq)
{
	uint64_t used = 0;
	size_t i;

	if (seq->end_pair && seq->end_thread < thread_count(&seq->pairs->pair[seq->end_pair - 1])) {
		seq->first_pair = seq->end_pair - 1;
		seq->first_thread = seq->end_thread;
	} else {
		seq->first_pair = seq->end_pair;
		seq->first_thread = 0;
	}
	for (i = seq->first_pair; i < seq->pairs->count && used < seq->room; i++) {
		uint64_t skip = i == seq->first_pair ? seq->first_thread : 0;
		uint64_t left = thread_count(&seq->pairs->pair[i]) - skip;

		if (used && used + left > seq->room)
			break;
		seq->base[i] = used;
		left = left < seq->room ? left : seq->room;
		seq->end_thread = skip + left;
		used += left;
	}
	seq->end_pair = i;
	memset(seq->hash[0], 0, used * sizeof(struct hash));
	memset(seq->hash[1], 0, used * sizeof(struct hash));
	return used != 0;
}

size_t ct_seq_pairs(const struct ct_seq *seq)
{
	return seq->end_pair - seq->first_pair;
}

size_t ct_seq_first_pair(const struct ct_seq *seq)
{
	return seq->first_pair;
}

static uint64_t stir(uint64_t x)
{
	x ^= x >> 33;
	x *= 0xff51afd7ed558ccdu;
	x ^= x >> 33;
	x *= 0xc4ceb9fe1a85ec53u;
	return x ^ x >> 33;
}

static uint64_t rotate(uint64_t x, unsigned bits)
{
	return x << bits | x >> (64 - bits);
}

static void append_step(struct hash *hash, const struct ct_match_step *step)
{
	uint64_t what =
	    stir(step->site_key ^ rotate((uint64_t)step->site->operation << 32 ^ step->bytes, 7));
	uint64_t where =
	    step->object_key ? stir(step->object_key + step->offset * 0x9e3779b97f4a7c15u) : 1;

	if (step->detail)
		what ^= stir(step->detail);

	hash->low = stir(hash->low * 0x9fb21c651e98df25u + (what ^ rotate(where, 31)) + 1);
	hash->high = stir(hash->high * 0xd6e8feb86659fd93u + (where ^ rotate(what, 17)) + 3);
}

static struct hash *hash_of(const struct ct_seq *seq, int side, const struct ct_pair *pair,
			    uint64_t thread)
{
	size_t index = (size_t)(pair - seq->pairs->pair);

	if (thread == UINT64_MAX || index < seq->first_pair || index >= seq->end_pair)
		return NULL;
	if (index == seq->first_pair) {
		if (thread < seq->first_thread)
			return NULL;
		thread -= seq->first_thread;
	}
	if (index + 1 == seq->end_pair &&
	    thread + (index == seq->first_pair ? seq->first_thread : 0) >= seq->end_thread)
		return NULL;
	return &seq->hash[side][seq->base[index] + thread];
}

void ct_seq_add(const struct ct_seq *seq, int side, struct ct_match *match,
		const struct ct_warp_step *warp, struct ct_seq_count *count)
{
	const struct ct_pair *pair = ct_pairs_of(seq->pairs, side, warp->access);
	size_t index = (size_t)(pair - seq->pairs->pair);

	if (!is_comparable(pair) || index < seq->first_pair || index >= seq->end_pair)
		return;
	count += index - seq->first_pair;
	for (uint32_t rest = warp->lanes; rest; rest &= rest - 1) {
		uint32_t lane = (uint32_t)__builtin_ctz(rest);
		uint64_t thread = ct_pair_thread(pair, warp->access, lane);
		struct ct_match_step step;
		struct hash *hash;

		count->stray += thread == UINT64_MAX;
		hash = hash_of(seq, side, pair, thread);
		if (!hash)
			continue;
		ct_match_step(match, warp, lane, &step);
		append_step(hash, &step);
		count->steps++;
		if (step.kind != CT_STEP_ACCESS)
			continue;
		count->accesses++;
		count->unknown += !step.object_key;
	}
}

void ct_seq_note(struct ct_seq *seq, int side, const struct ct_seq_count *count)
{
	for (size_t i = seq->first_pair; i < seq->end_pair; i++, count++) {
		struct ct_pair *pair = &seq->pairs->pair[i];

		pair->steps[side] += count->steps;
		pair->accesses[side] += count->accesses;
		pair->unknown[side] += count->unknown;
		pair->stray[side] += count->stray;
	}
}

static void finish_pair(struct ct_seq *seq, size_t index, uint64_t skip, uint64_t end)
{
	struct ct_pair *pair = &seq->pairs->pair[index];
	const struct hash *a = seq->hash[0] + seq->base[index];
	const struct hash *b = seq->hash[1] + seq->base[index];

	if (pair->stray[0] != pair->stray[1])
		pair->result = CT_PAIR_ACCESSES;
	for (uint64_t thread = skip; thread < end; thread++) {
		uint64_t i = thread - skip;

		if (a[i].low == b[i].low && a[i].high == b[i].high)
			continue;
		if (!pair->threads_differ++)
			pair->first_thread = thread;
		pair->result = CT_PAIR_ACCESSES;
	}
}

void ct_seq_finish(struct ct_seq *seq)
{
	for (size_t i = seq->first_pair; i < seq->end_pair; i++) {
		uint64_t skip = i == seq->first_pair ? seq->first_thread : 0;
		uint64_t end =
		    i + 1 == seq->end_pair ? seq->end_thread : thread_count(&seq->pairs->pair[i]);

		if (is_comparable(&seq->pairs->pair[i]))
			finish_pair(seq, i, skip, end);
	}
}
