/* SPDX-License-Identifier: Apache-2.0 */
/* Blocks of malloc in a tree over their addresses, and a queue of those that were released. */
#include "cpu-target/runtime/memory/storage.h"
#include <pthread.h>
#include <search.h>
#include <stdlib.h>

/* The room is a multiple of all alignments. Pages of it are not accessed, and cost nothing; where
 * very many blocks are in use it is but the alignment. */
#define ROOM (16u << 10)
#define ROOMY_BLOCKS 4096u
#define KEPT_BYTES (16u << 20)

struct block {
	char *address; /* what was asked for */
	char *base;    /* what malloc gave */
	size_t bytes;  /* from base on */
	struct block *next;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static void *blocks; /* tsearch tree of those in use */
static size_t block_count;
static struct block *oldest, *newest; /* that were released */
static size_t kept_bytes;

static int compare(const void *a, const void *b)
{
	const struct block *x = a, *y = b;

	return (x->address > y->address) - (x->address < y->address);
}

static struct block *block_of(size_t alignment, size_t bytes, size_t room)
{
	struct block *block = calloc(1, sizeof(*block));

	if (!block)
		return NULL;
	block->bytes = (bytes + alignment - 1) / alignment * alignment + 2 * room;
	if (block->bytes > bytes)
		block->base = aligned_alloc(alignment, block->bytes);
	if (!block->base) {
		free(block);
		return NULL;
	}
	block->address = block->base + room;
	return block;
}

static void give_back(struct block *block)
{
	free(block->base);
	free(block);
}

void *ct_storage_take(size_t alignment, size_t bytes)
{
	struct block *block, **entered;
	void *address = NULL;
	size_t count;

	pthread_mutex_lock(&lock);
	count = block_count;
	pthread_mutex_unlock(&lock);
	block = block_of(alignment, bytes, count < ROOMY_BLOCKS ? ROOM : alignment);
	if (!block)
		return NULL;
	pthread_mutex_lock(&lock);
	entered = tsearch(block, &blocks, compare);
	if (entered) {
		address = block->address;
		block_count++;
	}
	pthread_mutex_unlock(&lock);
	if (!entered)
		give_back(block);
	return address;
}

/* With the lock held: a list of the oldest ones, so that no more are kept than may be. */
static struct block *drop(void)
{
	struct block *dropped = NULL;

	while (kept_bytes > KEPT_BYTES) {
		struct block *block = oldest;

		oldest = block->next;
		kept_bytes -= block->bytes;
		block->next = dropped;
		dropped = block;
	}
	if (!oldest)
		newest = NULL;
	return dropped;
}

/* With the lock held. */
static void keep(struct block *block)
{
	block->next = NULL;
	if (newest)
		newest->next = block;
	else
		oldest = block;
	newest = block;
	kept_bytes += block->bytes;
}

void ct_storage_release(void *address)
{
	const struct block key = {.address = address};
	struct block **found, *dropped;

	pthread_mutex_lock(&lock);
	found = tfind(&key, &blocks, compare);
	if (found) {
		struct block *block = *found;

		tdelete(block, &blocks, compare);
		block_count--;
		keep(block);
	}
	dropped = drop();
	pthread_mutex_unlock(&lock);
	while (dropped) {
		struct block *next = dropped->next;

		give_back(dropped);
		dropped = next;
	}
}
