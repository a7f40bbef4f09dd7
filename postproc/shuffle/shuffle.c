/* SPDX-License-Identifier: Apache-2.0 */
/* The shuffle's life: memory divided, stages passed on, records finished. */
#include "postproc/shuffle/state.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#define STAGE_BYTES 1024u
#define BLOCK_BYTES (64u << 10)
#define MEMORY_LEAST ((size_t)1 << 20) /* beside what partitions and writers cost */
#define PAGE ((size_t)4096)
#define ROOMY 3u      /* of what it may have, a part that others need not wait for */
#define GIVERS_MAX 4u /* more wait for each other in the kernel */
#define PARALLEL_LEAST ((size_t)64 << 20)
#define WAITING_BYTES ((size_t)16 << 10)
#define SCRATCH_PER_READER ((size_t)16 << 20)

/* The greatest power of two of records within bytes; 0 if not one fits. */
static uint32_t records_within(size_t bytes, size_t record_bytes)
{
	uint32_t records = bytes >= record_bytes;

	while (records > 0 && 2 * records * record_bytes <= bytes)
		records *= 2;
	return records;
}

static size_t least(size_t a, size_t b)
{
	return a < b ? a : b;
}

/* Stages and, later, readers get what they need; at most a quarter. Blocks get the rest. */
static int divide_memory(struct ct_shuffle *shuffle)
{
	struct ct_shuffle_state *state = shuffle->state;
	const struct ct_shuffle_options *options = &state->options;
	size_t partitions = options->partitions;
	size_t per_writer =
	    partitions * sizeof(uint32_t) + sizeof(struct ct_shuffle_writer) + WAITING_BYTES;
	size_t fixed = partitions * sizeof(struct ct_partition) + options->writers * per_writer +
		       sizeof(*state) + options->readers * sizeof(uint32_t);
	size_t left = options->memory_bytes, blocks, stage, scratch;

	if (left < fixed + MEMORY_LEAST)
		return -EINVAL;
	left -= fixed;
	scratch = least(left / 4, left / 16 + options->readers * SCRATCH_PER_READER);
	stage = records_within(least(STAGE_BYTES, scratch / partitions / options->writers),
			       options->record_bytes);
	state->pool_bytes = (left - scratch) / PAGE * PAGE;
	state->block_records = records_within(
	    least(BLOCK_BYTES, state->pool_bytes / 4 / (partitions + options->writers)),
	    options->record_bytes);
	if (stage == 0 || state->block_records == 0)
		return -EINVAL;
	shuffle->stage_bytes = stage * options->record_bytes;
	state->block_bytes = state->block_records * options->record_bytes;
	state->block_records_log2 = (uint32_t)__builtin_ctz(state->block_records);
	blocks = state->pool_bytes / (state->block_bytes + sizeof(uint32_t));
	state->blocks = (uint32_t)least(blocks, CT_NO_BLOCK - 1);
	state->arena_bytes = (left - state->blocks * sizeof(uint32_t)) / PAGE * PAGE;
	state->pool_bytes = (state->blocks * state->block_bytes + PAGE - 1) / PAGE * PAGE;
	return 0;
}

static struct ct_partition *open_partitions(uint32_t count)
{
	struct ct_partition *partition =
	    aligned_alloc(_Alignof(struct ct_partition), count * sizeof(*partition));

	if (partition)
		memset(partition, 0, count * sizeof(*partition));
	for (uint32_t i = 0; partition && i < count; i++)
		pthread_mutex_init(&partition[i].lock, NULL);
	return partition;
}

static void close_partitions(struct ct_partition *partition, uint32_t count)
{
	for (uint32_t i = 0; partition && i < count; i++)
		pthread_mutex_destroy(&partition[i].lock);
	free(partition);
}

static int take_memory(struct ct_shuffle *shuffle)
{
	struct ct_shuffle_state *state = shuffle->state;
	const struct ct_shuffle_options *options = &state->options;
	unsigned char *stages;

	state->partition = open_partitions(options->partitions);
	state->next = malloc(state->blocks * sizeof(*state->next));
	state->reader = calloc(options->readers, sizeof(*state->reader));
	shuffle->writer = calloc(options->writers, sizeof(*shuffle->writer));
	state->arena = mmap(NULL, state->arena_bytes, PROT_READ | PROT_WRITE,
			    MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	if (state->arena == MAP_FAILED)
		state->arena = NULL;
	if (state->arena) /* fewer faults, where the kernel has such pages; else nothing */
		madvise(state->arena, state->arena_bytes, MADV_HUGEPAGE);
	if (!state->partition || !state->next || !state->reader || !shuffle->writer ||
	    !state->arena)
		return -ENOMEM;
	stages = state->arena + state->pool_bytes;
	for (uint32_t i = 0; i < options->writers; i++) {
		shuffle->writer[i].stage = stages + i * options->partitions * shuffle->stage_bytes;
		shuffle->writer[i].used = calloc(options->partitions, sizeof(uint32_t));
		shuffle->writer[i].waiting = malloc(WAITING_BYTES);
		if (!shuffle->writer[i].used || !shuffle->writer[i].waiting)
			return -ENOMEM;
	}
	return 0;
}

static bool is_possible(const struct ct_shuffle_options *options)
{
	return options->record_bytes % 8 == 0 && options->record_bytes >= 16 &&
	       options->record_bytes <= 160 && options->partitions > 0 &&
	       options->partitions <= 65536 && options->writers > 0 && options->readers > 0 &&
	       options->ranks != NULL;
}

int ct_shuffle_open(struct ct_shuffle **out, const struct ct_shuffle_options *options)
{
	struct ct_shuffle *shuffle;
	struct ct_shuffle_state *state;
	int err;

	*out = NULL;
	if (!is_possible(options))
		return -EINVAL;
	shuffle = calloc(1, sizeof(*shuffle));
	state = calloc(1, sizeof(*state));
	if (!shuffle || !state) {
		free(shuffle);
		free(state);
		return -ENOMEM;
	}
	shuffle->state = state;
	shuffle->record_bytes = options->record_bytes;
	state->options = *options;
	state->file = -1;
	state->free_block = CT_NO_BLOCK;
	pthread_mutex_init(&state->pool_lock, NULL);
	pthread_mutex_init(&state->reader_lock, NULL);
	pthread_cond_init(&state->reader_free, NULL);
	err = divide_memory(shuffle);
	if (err == 0)
		err = take_memory(shuffle);
	if (err < 0) {
		ct_shuffle_close(shuffle);
		return err;
	}
	*out = shuffle;
	return 0;
}

struct part {
	unsigned char *first;
	size_t bytes;
};

static void *give_part_back(void *argument)
{
	const struct part *part = argument;

	if (part->bytes)
		madvise(part->first, part->bytes, MADV_DONTNEED);
	return NULL;
}

/* Unmapped memory is given back page by page: by several threads, if it is much. */
static void give_arena_back(struct ct_shuffle_state *state)
{
	uint32_t threads = (uint32_t)least(state->options.readers, GIVERS_MAX), started = 1;
	size_t used = (size_t)state->blocks_used * state->block_bytes;
	size_t bytes = used / threads / PAGE * PAGE;
	pthread_t thread[threads];
	struct part part[threads];

	for (uint32_t i = 0; i < threads && used >= PARALLEL_LEAST; i++)
		part[i] = (struct part){state->arena + i * bytes, bytes};
	while (started < threads && used >= PARALLEL_LEAST &&
	       pthread_create(&thread[started], NULL, give_part_back, &part[started]) == 0)
		started++;
	for (uint32_t i = 1; i < started; i++)
		pthread_join(thread[i], NULL);
	munmap(state->arena, state->arena_bytes);
}

void ct_shuffle_close(struct ct_shuffle *shuffle)
{
	struct ct_shuffle_state *state;

	if (!shuffle)
		return;
	state = shuffle->state;
	for (uint32_t i = 0; shuffle->writer && i < state->options.writers; i++) {
		free(shuffle->writer[i].used);
		free(shuffle->writer[i].waiting);
	}
	if (state->arena)
		give_arena_back(state);
	ct_shuffle_file_close(state);
	pthread_cond_destroy(&state->reader_free);
	pthread_mutex_destroy(&state->reader_lock);
	pthread_mutex_destroy(&state->pool_lock);
	free(state->reader);
	free(state->next);
	close_partitions(state->partition, state->options.partitions);
	free(state);
	free(shuffle->writer);
	free(shuffle);
}

static int flush_waiting(struct ct_shuffle *shuffle, struct ct_shuffle_writer *own)
{
	size_t bytes = own->waiting_bytes;

	own->waiting_bytes = 0;
	return bytes ? ct_shuffle_append(shuffle, own->waiting_for, own->waiting, bytes) : 0;
}

/* There is room for a stage more as long as any wait. */
static int wait_for_more(struct ct_shuffle *shuffle, struct ct_shuffle_writer *own,
			 uint32_t partition, const void *records, size_t bytes)
{
	memcpy(own->waiting + own->waiting_bytes, records, bytes);
	own->waiting_bytes += bytes;
	own->waiting_for = partition;
	return own->waiting_bytes + shuffle->stage_bytes > WAITING_BYTES
		   ? flush_waiting(shuffle, own)
		   : 0;
}

int ct_shuffle_flush(struct ct_shuffle *shuffle, uint32_t writer, uint32_t partition)
{
	struct ct_shuffle_writer *own = &shuffle->writer[writer];
	const unsigned char *records = own->stage + partition * shuffle->stage_bytes;
	size_t bytes = own->used[partition];
	int err;

	own->used[partition] = 0;
	if (own->waiting_bytes && own->waiting_for == partition)
		return wait_for_more(shuffle, own, partition, records, bytes);
	err = ct_shuffle_try_append(shuffle, partition, records, bytes);
	if (err != 1)
		return err;
	return own->waiting_bytes ? ct_shuffle_append(shuffle, partition, records, bytes)
				  : wait_for_more(shuffle, own, partition, records, bytes);
}

static int flush_all(struct ct_shuffle *shuffle)
{
	const struct ct_shuffle_options *options = &shuffle->state->options;
	int err = shuffle->state->error;

	for (uint32_t writer = 0; writer < options->writers; writer++) {
		for (uint32_t i = 0; err == 0 && i < options->partitions; i++)
			if (shuffle->writer[writer].used[i] > 0)
				err = ct_shuffle_flush(shuffle, writer, i);
		if (err == 0)
			err = flush_waiting(shuffle, &shuffle->writer[writer]);
	}
	return err;
}

/* Shares out what is above the blocks that were ever used. */
static void share_out(struct ct_shuffle_state *state)
{
	size_t blocks = (size_t)state->blocks_used * state->block_bytes;

	blocks = (blocks + PAGE - 1) / PAGE * PAGE;
	state->scratch = state->arena + blocks;
	state->share_bytes = (state->arena_bytes - blocks) / state->options.readers / PAGE * PAGE;
	for (uint32_t i = 0; i < state->options.readers; i++)
		state->reader[i] = i;
	state->readers_free = state->options.readers;
	state->is_tight = blocks > state->arena_bytes / ROOMY;
	state->finished = true;
}

int ct_shuffle_finish(struct ct_shuffle *shuffle)
{
	struct ct_shuffle_state *state = shuffle->state;
	struct ct_ranks *ranks = state->options.ranks;
	int err = ct_ranks_agree(ranks, flush_all(shuffle));

	if (err == 0 && ranks->size > 1)
		err = ct_shuffle_exchange(shuffle);
	if (err == 0)
		share_out(state);
	else
		state->error = err;
	return err;
}

bool ct_shuffle_is_mine(const struct ct_shuffle *shuffle, uint32_t partition)
{
	const struct ct_ranks *ranks = shuffle->state->options.ranks;

	return partition % ranks->size == ranks->rank;
}

uint64_t ct_shuffle_bytes(const struct ct_shuffle *shuffle, uint32_t partition)
{
	return shuffle->state->partition[partition].bytes;
}

void ct_shuffle_drop(struct ct_shuffle *shuffle, uint32_t partition)
{
	struct ct_shuffle_state *state = shuffle->state;
	struct ct_partition *of = &state->partition[partition];

	/* Nothing puts any more: others may need the memory. */
	if (of->blocks > 0 && state->is_tight && state->block_bytes % PAGE == 0)
		for (uint32_t at = of->first; at != CT_NO_BLOCK; at = state->next[at])
			madvise(ct_shuffle_block(state, at), state->block_bytes, MADV_DONTNEED);
	if (of->blocks > 0)
		ct_shuffle_free_blocks(state, of->first);
	of->blocks = of->last_count = 0;
	of->bytes = 0;
	of->spilled = (struct ct_extent){0};
}

uint64_t ct_shuffle_spilled(const struct ct_shuffle *shuffle)
{
	return shuffle->state->spilled_bytes;
}
