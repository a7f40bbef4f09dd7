/* SPDX-License-Identifier: Apache-2.0 */
/* Blocks of records: taken from the arena, added to partitions, given back. */
#include "postproc/shuffle/state.h"

#include <errno.h>
#include <time.h>

void ct_shuffle_free_blocks(struct ct_shuffle_state *state, uint32_t first)
{
	uint32_t last = first, count = 1;

	if (first == CT_NO_BLOCK)
		return;
	for (; state->next[last] != CT_NO_BLOCK; count++)
		last = state->next[last];
	pthread_mutex_lock(&state->pool_lock);
	state->next[last] = state->free_block;
	state->free_block = first;
	state->blocks_free += count;
	pthread_mutex_unlock(&state->pool_lock);
}

/* *scarce: few are left. */
static uint32_t take_block(struct ct_shuffle_state *state, bool *scarce)
{
	uint32_t block = CT_NO_BLOCK;

	pthread_mutex_lock(&state->pool_lock);
	if (state->blocks_free > 0) {
		block = state->free_block;
		state->free_block = state->next[block];
		state->blocks_free--;
	} else if (state->blocks_used < state->blocks) {
		block = state->blocks_used++;
	}
	*scarce = state->blocks - state->blocks_used + state->blocks_free < state->blocks / 16;
	pthread_mutex_unlock(&state->pool_lock);
	if (block != CT_NO_BLOCK)
		state->next[block] = CT_NO_BLOCK;
	return block;
}

/* While few blocks are left, each that is taken costs the taker a batch to the file. */
static int need_block(struct ct_shuffle *shuffle, uint32_t *block)
{
	struct ct_shuffle_state *state = shuffle->state;
	uint32_t freed = 0;
	bool scarce;
	int err = 0;

	*block = take_block(state, &scarce);
	if (*block != CT_NO_BLOCK)
		return scarce ? ct_shuffle_spill(shuffle, &freed) : 0;
	while (err == 0 && *block == CT_NO_BLOCK) {
		err = ct_shuffle_spill(shuffle, &freed);
		if (err == 0 && freed == 0) {
			nanosleep(&(struct timespec){.tv_nsec = 50000}, NULL);
			err = atomic_load(&state->error);
		}
		if (err == 0)
			*block = take_block(state, &scarce);
	}
	return err;
}

/* Fill the last block, after the new one is linked if the last is full. Bytes that fit. */
static size_t fill(struct ct_shuffle *shuffle, struct ct_partition *partition,
		   const unsigned char *from, size_t bytes, uint32_t *fresh)
{
	struct ct_shuffle_state *state = shuffle->state;
	size_t used, room;

	if (partition->blocks == 0 || partition->last_count == state->block_records) {
		if (*fresh == CT_NO_BLOCK)
			return 0;
		if (partition->blocks == 0)
			partition->first = *fresh;
		else
			state->next[partition->last] = *fresh;
		partition->last = *fresh;
		partition->last_count = 0;
		partition->blocks++;
		*fresh = CT_NO_BLOCK;
	}
	used = partition->last_count * shuffle->record_bytes;
	room = state->block_bytes - used;
	if (bytes > room)
		bytes = room;
	memcpy(ct_shuffle_block(state, partition->last) + used, from, bytes);
	partition->last_count += (uint32_t)(bytes / shuffle->record_bytes);
	partition->bytes += bytes;
	return bytes;
}

/* One writer has nobody to wait for. */
static void lock(struct ct_shuffle_state *state, uint32_t partition)
{
	if (state->options.writers > 1)
		pthread_mutex_lock(&state->partition[partition].lock);
}

static bool try_lock(struct ct_shuffle_state *state, uint32_t partition)
{
	return state->options.writers == 1 ||
	       pthread_mutex_trylock(&state->partition[partition].lock) == 0;
}

static void unlock(struct ct_shuffle_state *state, uint32_t partition)
{
	if (state->options.writers > 1)
		pthread_mutex_unlock(&state->partition[partition].lock);
}

/* The partition's lock is held, and given back. */
static int append(struct ct_shuffle *shuffle, uint32_t partition, const void *records, size_t bytes)
{
	struct ct_shuffle_state *state = shuffle->state;
	const unsigned char *from = records;
	uint32_t fresh = CT_NO_BLOCK;
	int err = atomic_load_explicit(&state->error, memory_order_relaxed);
	bool is_held = true;

	while (err == 0 && bytes > 0) {
		size_t filled = 0, more;

		if (!is_held)
			lock(state, partition);
		do {
			more = fill(shuffle, &state->partition[partition], from + filled,
				    bytes - filled, &fresh);
			filled += more;
		} while (more > 0 && filled < bytes);
		unlock(state, partition);
		is_held = false;
		from += filled;
		bytes -= filled;
		if (bytes > 0)
			err = need_block(shuffle, &fresh);
	}
	if (is_held)
		unlock(state, partition);
	if (fresh != CT_NO_BLOCK)
		ct_shuffle_free_blocks(state, fresh);
	if (err < 0) {
		int none = 0;

		atomic_compare_exchange_strong(&state->error, &none, err);
	}
	return err;
}

int ct_shuffle_append(struct ct_shuffle *shuffle, uint32_t partition, const void *records,
		      size_t bytes)
{
	lock(shuffle->state, partition);
	return append(shuffle, partition, records, bytes);
}

int ct_shuffle_try_append(struct ct_shuffle *shuffle, uint32_t partition, const void *records,
			  size_t bytes)
{
	if (!try_lock(shuffle->state, partition))
		return 1;
	return append(shuffle, partition, records, bytes);
}
