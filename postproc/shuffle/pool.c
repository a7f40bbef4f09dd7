/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Blocks of records: taken from the arena, added to partitions, given back. Where they become
 * scarce, the fullest partitions' go to the temporary file: any number of threads spill at the same
 * time, a batch each, extents of many partitions one behind the other, in one write.
 */
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

#define PARTS 512u

struct batch {
	struct ct_shuffle *shuffle;
	struct iovec iov[PARTS]; /* headers and blocks */
	struct ct_extent header[PARTS];
	uint32_t partition[PARTS]; /* of header */
	size_t count, headers;
	uint64_t bytes;
	uint32_t first; /* list of the blocks, to be freed */
	uint32_t blocks;
};

static void add(struct batch *batch, void *data, size_t bytes)
{
	batch->iov[batch->count++] = (struct iovec){.iov_base = data, .iov_len = bytes};
	batch->bytes += bytes;
}

/* Blocks off the front of a partition's list, which is locked, as one extent. */
static void add_blocks(struct batch *batch, uint32_t index)
{
	struct ct_shuffle_state *state = batch->shuffle->state;
	struct ct_partition *partition = &state->partition[index];
	size_t record_bytes = batch->shuffle->record_bytes;
	struct ct_extent *header = &batch->header[batch->headers];

	batch->partition[batch->headers++] = index;
	header->bytes = 0;
	add(batch, header, sizeof(*header));
	while (partition->blocks > 0 && batch->count < PARTS) {
		uint32_t block = partition->first;
		uint32_t records =
		    partition->blocks == 1 ? partition->last_count : state->block_records;

		header->bytes += records * record_bytes;
		add(batch, ct_shuffle_block(state, block), records * record_bytes);
		partition->first = state->next[block];
		partition->blocks--;
		state->next[block] = batch->first;
		batch->first = block;
		batch->blocks++;
	}
}

/* Each extent begins with where its partition's extent before it is. */
static void link_extents(struct batch *batch, uint64_t offset)
{
	struct ct_shuffle_state *state = batch->shuffle->state;

	for (size_t i = 0; i < batch->headers; i++) {
		uint32_t index = batch->partition[i];
		pthread_mutex_t *lock = &state->partition[index].lock;
		struct ct_extent extent = {.offset = offset, .bytes = batch->header[i].bytes};

		pthread_mutex_lock(lock);
		batch->header[i] = state->partition[index].spilled;
		state->partition[index].spilled = extent;
		pthread_mutex_unlock(lock);
		offset += sizeof(extent) + extent.bytes;
	}
}

static uint32_t log2_of(uint32_t value)
{
	return 31u - (uint32_t)__builtin_clz(value);
}

/* The greatest s such that partitions of 2^s blocks and more hold a quarter of all blocks. */
static uint32_t find_size(struct ct_shuffle_state *state)
{
	uint64_t held[32] = {0};
	uint64_t sum = 0;
	uint32_t size = 31;

	for (uint32_t i = 0; i < state->options.partitions; i++) {
		pthread_mutex_t *lock = &state->partition[i].lock;

		pthread_mutex_lock(lock);
		if (state->partition[i].blocks > 0)
			held[log2_of(state->partition[i].blocks)] += state->partition[i].blocks;
		pthread_mutex_unlock(lock);
	}
	while ((sum += held[size]) < state->blocks / 4 && size > 0)
		size--;
	return size;
}

/* Once around all partitions, from where the last batch ended, those of 2^size blocks and more. */
static void collect(struct batch *batch, uint32_t size)
{
	struct ct_shuffle_state *state = batch->shuffle->state;

	for (uint32_t i = 0; i < state->options.partitions && batch->count + 2 <= PARTS; i++) {
		uint32_t index =
		    atomic_fetch_add_explicit(&state->spill_next, 1, memory_order_relaxed) %
		    state->options.partitions;
		pthread_mutex_t *lock = &state->partition[index].lock;

		pthread_mutex_lock(lock);
		if (state->partition[index].blocks >> size > 0)
			add_blocks(batch, index);
		pthread_mutex_unlock(lock);
	}
}

/* A batch of blocks to the file; *freed: how many. 0 if threads that do the same have them all. */
static int spill(struct ct_shuffle *shuffle, uint32_t *freed)
{
	struct ct_shuffle_state *state = shuffle->state;
	struct batch batch;
	uint64_t offset;
	int err;

	*freed = 0;
	batch.shuffle = shuffle;
	batch.count = batch.headers = batch.blocks = 0;
	batch.bytes = 0;
	batch.first = CT_NO_BLOCK;
	collect(&batch, atomic_load(&state->spill_size));
	if (batch.blocks == 0) {
		uint32_t size = find_size(state);

		atomic_store(&state->spill_size, size);
		collect(&batch, size);
	}
	if (batch.blocks == 0)
		return 0;
	err = ct_shuffle_file_reserve(state, batch.bytes, &offset);
	if (err < 0)
		return err;
	link_extents(&batch, offset);
	err = ct_shuffle_file_writev(state, batch.iov, batch.count, offset);
	ct_shuffle_free_blocks(state, batch.first);
	*freed = batch.blocks;
	return err;
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
		return scarce ? spill(shuffle, &freed) : 0;
	while (err == 0 && *block == CT_NO_BLOCK) {
		err = spill(shuffle, &freed);
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

/* One writer has nothing to wait for. */
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
