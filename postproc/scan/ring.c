/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Chunks in memory, in as many slots as memory allows: chunk c in slot c % slots.
 *
 *   free ── load (whoever has nothing to hand out) ──► ready ── take (every taker, in the order
 *   of chunks, each at its own pace) ──► free
 *
 * Handing out comes first, for it frees slots; who has nothing to hand out reads the next chunk.
 * So whoever has less to hand out reads more, until the slots are full of what the slowest
 * taker has before it.
 */
#include "postproc/scan/state.h"

#include <errno.h>
#include <stdlib.h>

#define SLOTS_PER_WORKER 4u
#define PART_OF_MEMORY 8u /* of all that a pass may use */

struct slot {
	struct ct_loaded *loaded;
	bool is_ready;
	uint32_t takers_left; /* 0: it is free */
};

struct ct_ring {
	pthread_mutex_t lock; /* of all that follows */
	pthread_cond_t changed;
	size_t next; /* chunk never begun to load */
	size_t slots;
	uint32_t takers; /* workers 0 … takers - 1 */
	struct slot *slot;
};

static size_t slots_of(const struct ct_pass *pass)
{
	uint64_t fit =
	    pass->options.memory_bytes / PART_OF_MEMORY / (ct_trace_chunk_bytes(pass->trace) + 1);
	uint64_t wanted = (uint64_t)SLOTS_PER_WORKER * pass->workers;

	wanted = fit < wanted ? fit : wanted;
	wanted = wanted < pass->chunks ? wanted : pass->chunks;
	return wanted > 2 ? (size_t)wanted : 2;
}

uint64_t ct_ring_bytes(const struct ct_pass *pass)
{
	if (pass->division == CT_DIVIDE_CHUNKS || pass->workers == 1)
		return 0;
	return slots_of(pass) * ct_trace_chunk_bytes(pass->trace);
}

int ct_ring_open(struct ct_pass *pass)
{
	struct ct_ring *ring = calloc(1, sizeof(*ring));
	int err = 0;

	if (!ring)
		return -ENOMEM;
	pthread_mutex_init(&ring->lock, NULL);
	pthread_cond_init(&ring->changed, NULL);
	pass->ring = ring;
	ring->takers = pass->division == CT_DIVIDE_WARPS ? pass->workers : 1;
	ring->slots = slots_of(pass);
	ring->slot = calloc(ring->slots, sizeof(*ring->slot));
	if (!ring->slot)
		return -ENOMEM;
	for (size_t i = 0; i < ring->slots && err == 0; i++)
		err = ct_loaded_open(&ring->slot[i].loaded);
	return err;
}

void ct_ring_close(struct ct_pass *pass)
{
	struct ct_ring *ring = pass->ring;

	if (!ring)
		return;
	for (size_t i = 0; ring->slot && i < ring->slots; i++)
		ct_loaded_close(ring->slot[i].loaded);
	free(ring->slot);
	pthread_cond_destroy(&ring->changed);
	pthread_mutex_destroy(&ring->lock);
	free(ring);
	pass->ring = NULL;
}

/* The functions below are called with the lock, and let go of it while they work. */

static bool can_take(const struct ct_ring *ring, size_t chunk)
{
	return chunk < ring->next && ring->slot[chunk % ring->slots].is_ready;
}

static bool can_load(const struct ct_pass *pass)
{
	const struct ct_ring *ring = pass->ring;

	return ring->next < pass->chunks && !ring->slot[ring->next % ring->slots].takers_left;
}

static int take(struct ct_pass_worker *worker, size_t chunk)
{
	struct ct_ring *ring = worker->pass->ring;
	struct slot *slot = &ring->slot[chunk % ring->slots];
	int err;

	pthread_mutex_unlock(&ring->lock);
	err = ct_scanner_take(worker->scanner, slot->loaded);
	ct_pass_tell(worker, CT_SCAN_WEIGHT, chunk + 1, worker->pass->chunks);
	pthread_mutex_lock(&ring->lock);
	if (--slot->takers_left)
		return err;
	slot->is_ready = false;
	pthread_cond_broadcast(&ring->changed);
	return err == 0 ? ct_pass_end_chunk(worker, chunk, slot->loaded) : err;
}

static int load(struct ct_pass_worker *worker)
{
	struct ct_ring *ring = worker->pass->ring;
	size_t chunk = ring->next++;
	struct slot *slot = &ring->slot[chunk % ring->slots];
	int err;

	slot->takers_left = ring->takers;
	pthread_mutex_unlock(&ring->lock);
	err = ct_scanner_load(worker->scanner, chunk, slot->loaded);
	worker->chunks++;
	pthread_mutex_lock(&ring->lock);
	slot->is_ready = err == 0;
	pthread_cond_broadcast(&ring->changed);
	return err;
}

int ct_ring_work(struct ct_pass_worker *worker, int err)
{
	struct ct_pass *pass = worker->pass;
	struct ct_ring *ring = pass->ring;
	size_t at = worker->as.number < ring->takers ? 0 : pass->chunks; /* chunk to take */

	pthread_mutex_lock(&ring->lock);
	while (err == 0 && !ct_pass_stopped(pass)) {
		if (at < pass->chunks && can_take(ring, at))
			err = take(worker, at++);
		else if (can_load(pass))
			err = load(worker);
		else if (at == pass->chunks)
			break;
		else
			pthread_cond_wait(&ring->changed, &ring->lock);
	}
	/* Nothing waits for what will not come. */
	if (err)
		ct_pass_stop(pass, err, CT_NO_TASK);
	pthread_cond_broadcast(&ring->changed);
	pthread_mutex_unlock(&ring->lock);
	return err;
}
