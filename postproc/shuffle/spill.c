/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The fullest partitions' blocks to the temporary file. Any number of threads
 * spill at the same time, a batch each: extents of many partitions one behind
 * the other, in one write.
 */
#include "postproc/shuffle/state.h"

#include <errno.h>

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

int ct_shuffle_spill(struct ct_shuffle *shuffle, uint32_t *freed)
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
