/* SPDX-License-Identifier: Apache-2.0 */
/* Producer's side of the chunk protocol (ring.h) on a CPU thread. */
#include "cpu-target/runtime/producer/ring.h"
#include <errno.h>
#include <sched.h>
#include <stdbool.h>
#include <string.h>
#include <time.h>

static uint64_t *words_at(uint64_t address)
{
	return (uint64_t *)(uintptr_t)address;
}

static uint64_t lowest_progress(const struct ct_context *context)
{
	const uint64_t *progress = words_at(context->progress);
	uint64_t lowest = UINT64_MAX;

	for (uint32_t i = 0; i < context->consumers; i++) {
		uint64_t p = __atomic_load_n(&progress[i * CT_PROGRESS_STRIDE], __ATOMIC_ACQUIRE);

		if (p < lowest)
			lowest = p;
	}
	return lowest;
}

/* The cached tail only ever grows. */
static uint64_t refresh_tail(const struct ct_context *context)
{
	uint64_t lowest = lowest_progress(context);
	uint64_t tail = __atomic_load_n(words_at(context->tail), __ATOMIC_ACQUIRE);

	while (tail < lowest && !__atomic_compare_exchange_n(words_at(context->tail), &tail, lowest,
							     0, __ATOMIC_RELEASE, __ATOMIC_ACQUIRE))
		;
	return tail < lowest ? lowest : tail;
}

/* First spin, then give the core away, then sleep: the consumers may need it. */
static void back_off(unsigned round)
{
	const struct timespec pause = {.tv_nsec = 50000};

	if (round < 64)
		__builtin_ia32_pause();
	else if (round < 128)
		sched_yield();
	else
		nanosleep(&pause, NULL);
}

static void raise_to(uint64_t *word, uint64_t value)
{
	uint64_t known = __atomic_load_n(word, __ATOMIC_RELAXED);

	while (known < value && !__atomic_compare_exchange_n(word, &known, value, 0,
							     __ATOMIC_RELAXED, __ATOMIC_RELAXED))
		;
}

void ct_producer_count_loss(const struct ct_context *context, uint32_t launch)
{
	uint64_t *losses = words_at(context->losses), *entry = &losses[launch % CT_LOSSES];
	uint64_t known = __atomic_load_n(entry, __ATOMIC_RELAXED);

	while (known == 0 || known >> 32 == launch)
		if (__atomic_compare_exchange_n(entry, &known,
						((uint64_t)launch << 32) + (uint32_t)known + 1, 0,
						__ATOMIC_RELAXED, __ATOMIC_RELAXED))
			return;
	raise_to(&losses[CT_LOSSES + 1], CT_LOSSES_NOT(launch));
	raise_to(&losses[CT_LOSSES + 2], launch);
	__atomic_add_fetch(&losses[CT_LOSSES], 1, __ATOMIC_RELAXED);
}

static bool has_room(const struct ct_context *context, uint64_t ticket, uint64_t tail)
{
	return ticket < tail + context->ring_mask + 1ull;
}

static int wait_for_room(const struct ct_context *context, uint32_t launch, uint64_t ticket)
{
	uint64_t tail = __atomic_load_n(words_at(context->tail), __ATOMIC_ACQUIRE);
	const uint32_t *aborted = (const uint32_t *)(uintptr_t)context->abort;

	for (unsigned round = 0; !has_room(context, ticket, tail); round++) {
		if (__atomic_load_n(aborted, __ATOMIC_ACQUIRE)) {
			ct_producer_count_loss(context, launch);
			return -EPIPE;
		}
		if (round == 1)
			__atomic_add_fetch(words_at(context->waits), 1, __ATOMIC_RELAXED);
		if (round)
			back_off(round);
		tail = refresh_tail(context);
	}
	return 0;
}

/* A ticket, if its place in the ring is free already. */
static bool take_free_ticket(const struct ct_context *context, uint64_t *ticket)
{
	uint64_t tail = __atomic_load_n(words_at(context->tail), __ATOMIC_ACQUIRE);

	*ticket = __atomic_load_n(words_at(context->head), __ATOMIC_RELAXED);
	do {
		if (!has_room(context, *ticket, tail))
			tail = refresh_tail(context);
		if (!has_room(context, *ticket, tail))
			return false;
	} while (!__atomic_compare_exchange_n(words_at(context->head), ticket, *ticket + 1, 0,
					      __ATOMIC_RELAXED, __ATOMIC_RELAXED));
	return true;
}

static int take_ticket(const struct ct_context *context, uint32_t launch, uint64_t *ticket)
{
	if (!(context->mode & CT_CONTEXT_DROP)) {
		*ticket = __atomic_fetch_add(words_at(context->head), 1, __ATOMIC_RELAXED);
		return wait_for_room(context, launch, *ticket);
	}
	if (take_free_ticket(context, ticket))
		return 0;
	ct_producer_count_loss(context, launch);
	return -EAGAIN;
}

int ct_producer_ship(const struct ct_context *context, uint32_t launch, const void *chunk,
		     uint32_t bytes)
{
	uint64_t ticket, index;
	int err = take_ticket(context, launch, &ticket);

	if (err < 0)
		return err;
	index = ticket & context->ring_mask;
	memcpy((char *)(uintptr_t)context->ring + index * CT_CHUNK_BYTES, chunk, bytes);
	__atomic_store_n(&words_at(context->flags)[index], CT_FLAG(ticket, bytes),
			 __ATOMIC_RELEASE);
	return 0;
}
