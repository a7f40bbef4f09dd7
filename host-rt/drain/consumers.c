/* SPDX-License-Identifier: Apache-2.0 */
/* The consumers of a ring together: starting, waiting for them, ending. */
#include "host-rt/drain/consumers.h"
#include "host-rt/drain/consumer.h"
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <time.h>

static void close_streams(struct ct_consumers *all)
{
	for (uint32_t i = 0; i < all->count; i++)
		if (all->each[i].stream)
			all->sink->close(all->each[i].stream);
	free(all->each);
	all->each = NULL;
}

static int open_streams(struct ct_consumers *all)
{
	all->each = aligned_alloc(128, all->count * sizeof(*all->each));
	if (!all->each)
		return -ENOMEM;
	for (uint32_t i = 0; i < all->count; i++) {
		all->each[i] =
		    (struct ct_consumer){.all = all, .number = i, .pending_first = UINT64_MAX};
		all->each[i].next = ct_consumer_own_ticket(&all->each[i], all->next);
		ct_consumer_publish(&all->each[i]);
	}
	for (uint32_t i = 0; i < all->count; i++) {
		all->each[i].stream = all->sink->open(all->user);
		if (!all->each[i].stream) {
			close_streams(all);
			return -ENOMEM;
		}
	}
	return 0;
}

/* Threads that have begun leave; false: not all have, for patience_ns (0: for ever). */
static bool join(struct ct_consumers *all, uint32_t begun)
{
	struct timespec end;
	bool all_left = true;

	/* Not pthread_clockjoin_np: ThreadSanitizer does not know it, and takes threads for leaked.
	 */
	clock_gettime(CLOCK_REALTIME, &end);
	end.tv_sec += (time_t)(all->patience_ns / 1000000000u);
	end.tv_nsec += (long)(all->patience_ns % 1000000000u);
	if (end.tv_nsec >= 1000000000) {
		end.tv_sec++;
		end.tv_nsec -= 1000000000;
	}
	__atomic_store_n(&all->stop, 1, __ATOMIC_RELEASE);
	for (uint32_t i = 0; i < begun; i++)
		ct_consumer_kick(&all->each[i].park);
	for (uint32_t i = 0; i < begun; i++) {
		if (!all->patience_ns)
			pthread_join(all->each[i].thread, NULL);
		else if (pthread_timedjoin_np(all->each[i].thread, NULL, &end))
			all_left = false;
		all_left = all_left && __atomic_load_n(&all->each[i].has_left, __ATOMIC_ACQUIRE);
	}
	return all_left;
}

int ct_consumers_start(struct ct_consumers *all)
{
	const char *delay = secure_getenv(CT_CONSUMER_DELAY);
	sigset_t signals, before;
	int err = open_streams(all);
	uint32_t begun = 0;

	if (err < 0)
		return err;
	all->delay_ns = delay ? strtoull(delay, NULL, 10) : 0;
	all->stop = 0;
	/* The program's signals are for the program's threads. */
	sigfillset(&signals);
	pthread_sigmask(SIG_SETMASK, &signals, &before);
	for (; begun < all->count && err == 0; begun += err == 0)
		err = pthread_create(&all->each[begun].thread, NULL, ct_consumer_run,
				     &all->each[begun]);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	all->running = err == 0;
	if (err == 0)
		return 0;
	join(all, begun);
	close_streams(all);
	return -err;
}

bool ct_consumers_have_written(const struct ct_consumers *all, uint64_t head)
{
	if (ct_consumers_lowest(all) < head)
		return false;
	for (uint32_t i = 0; i < all->count; i++)
		if (__atomic_load_n(&all->each[i].pending_first, __ATOMIC_ACQUIRE) < head)
			return false;
	return true;
}

void ct_consumers_want(struct ct_consumers *all, uint64_t head)
{
	uint64_t known = __atomic_load_n(&all->wanted, __ATOMIC_RELAXED);

	while (known < head && !__atomic_compare_exchange_n(&all->wanted, &known, head, false,
							    __ATOMIC_RELEASE, __ATOMIC_RELAXED))
		;
	for (uint32_t i = 0; i < all->count; i++)
		if (__atomic_load_n(&all->each[i].pending_first, __ATOMIC_ACQUIRE) < head)
			ct_consumer_kick(&all->each[i].park);
	if (ct_consumers_lowest(all) < head)
		ct_consumer_kick(&ct_consumer_owner(all, ct_consumers_lowest(all))->park);
}

void ct_consumers_expect(struct ct_consumers *all)
{
	if (all->running && __atomic_load_n(&all->drowsy, __ATOMIC_RELAXED))
		ct_consumer_kick(&ct_consumer_owner(all, ct_consumers_lowest(all))->park);
}

bool ct_consumers_wait(struct ct_consumers *all, uint64_t head, uint64_t patience_ns)
{
	uint64_t lowest = 0, moved_ns = ct_consumer_now_ns();

	for (uint64_t looks = 0; all->running; looks++) {
		uint64_t now = ct_consumers_lowest(all);

		if (now >= head)
			return true;
		if (__atomic_load_n(&all->aborted, __ATOMIC_ACQUIRE))
			return false;
		ct_consumer_kick(&ct_consumer_owner(all, now)->park);
		if (now != lowest)
			moved_ns = ct_consumer_now_ns();
		else if (ct_consumer_now_ns() - moved_ns > patience_ns)
			return false;
		lowest = now;
		ct_consumer_pause(looks);
	}
	return true;
}

/* Tickets that were never shipped. After an abort producers have counted them. */
static void count_holes(struct ct_consumers *all, uint64_t tickets)
{
	if (!__atomic_load_n(&all->aborted, __ATOMIC_ACQUIRE))
		ct_consumer_count_lost(all, tickets);
}

/* Producers died: any of the tickets that the ring can hold may have arrived. */
static void salvage_rest(struct ct_consumers *all, uint64_t head)
{
	uint64_t first = ct_consumers_lowest(all), end = first, holes = 0;
	uint32_t bytes;

	for (uint64_t ticket = first; ticket <= first + all->ring_mask; ticket++) {
		struct ct_consumer *owner = ct_consumer_owner(all, ticket);

		if (ticket >= owner->next) {
			if (!ct_consumers_is_ready(all, ticket, &bytes)) {
				holes++;
				continue;
			}
			ct_consumer_take(owner, ticket, bytes);
			owner->next = ct_consumer_own_ticket(owner, ticket + 1);
			if (owner->pending + CT_CHUNK_BYTES > CT_CONSUMER_PENDING)
				ct_consumer_write(owner);
		}
		count_holes(all, holes);
		holes = 0;
		end = ticket + 1;
	}
	if (head > end) {
		count_holes(all, head - end);
		end = head;
	}
	all->next = end;
}

/* A consumer does not come back: what it has, and what nothing will write in its place, is
 * lost. It may wake up at any time, so all that it uses stays. */
static void abandon(struct ct_consumers *all)
{
	uint64_t first = ct_consumers_lowest(all);
	uint32_t bytes;

	for (uint32_t i = 0; i < all->count; i++)
		ct_consumer_count_lost(
		    all, __atomic_load_n(&all->each[i].pending_chunks, __ATOMIC_RELAXED));
	for (uint64_t ticket = first; ticket <= first + all->ring_mask; ticket++) {
		uint64_t *next =
		    &all->progress[ticket / CT_TICKET_RUN % all->count * CT_PROGRESS_STRIDE];

		ct_consumer_count_lost(all, ticket >= __atomic_load_n(next, __ATOMIC_ACQUIRE) &&
						ct_consumers_is_ready(all, ticket, &bytes));
	}
	all->abandoned = true;
}

void ct_consumers_stop(struct ct_consumers *all, bool salvage, uint64_t head)
{
	bool has_taken = true;

	if (!all->running)
		return;
	all->running = false;
	if (!join(all, all->count)) {
		abandon(all);
		return;
	}
	while (has_taken) {
		has_taken = false;
		for (uint32_t i = 0; i < all->count; i++)
			has_taken |= ct_consumer_drain(&all->each[i]) > 0;
	}
	all->next = ct_consumers_lowest(all);
	if (salvage)
		salvage_rest(all, head);
	for (uint32_t i = 0; i < all->count; i++)
		ct_consumer_write(&all->each[i]);
	close_streams(all);
}
