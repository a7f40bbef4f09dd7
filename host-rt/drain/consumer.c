/* SPDX-License-Identifier: Apache-2.0 */
/* The consumers of one device's ring: taking turns, taking chunks, ending. */
#include "host-rt/drain/consumer.h"
#include "host-rt/drain/consumer_thread.h"
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <time.h>

/* Publish progress at least this often: a quarter of what producers look ahead. */
#define TICKETS_PER_PUBLISH 4u

struct ct_consumer {
	struct ct_consumers *all;
	void *stream;
	uint32_t number;
	uint64_t next;           /* ticket; as published */
	uint64_t pending;        /* bytes taken and not written */
	uint64_t pending_chunks; /* atomic */
	uint64_t pending_first;  /* atomic: ticket; UINT64_MAX if none is pending */
	uint32_t has_left;       /* atomic: the thread has come to its end */
	struct ct_consumer_nap nap;
	pthread_t thread;
} __attribute__((aligned(128)));

static struct ct_consumer *owner_of(const struct ct_consumers *all, uint64_t ticket)
{
	return &all->each[ticket / CT_TICKET_RUN % all->count];
}

/* The first ticket from `ticket` on that belongs to the consumer. */
static uint64_t own_ticket(const struct ct_consumer *consumer, uint64_t ticket)
{
	uint64_t run = ticket / CT_TICKET_RUN, count = consumer->all->count;
	uint64_t ahead = (consumer->number + count - run % count) % count;

	return ahead ? (run + ahead) * CT_TICKET_RUN : ticket;
}

static uint64_t lowest_progress(const struct ct_consumers *all)
{
	uint64_t lowest = UINT64_MAX;

	for (uint32_t i = 0; i < all->count; i++) {
		uint64_t next =
		    __atomic_load_n(&all->progress[i * CT_PROGRESS_STRIDE], __ATOMIC_ACQUIRE);

		if (next < lowest)
			lowest = next;
	}
	return lowest;
}

static void publish(struct ct_consumer *consumer)
{
	__atomic_store_n(&consumer->all->progress[consumer->number * CT_PROGRESS_STRIDE],
			 consumer->next, __ATOMIC_RELEASE);
}

static bool is_ready(const struct ct_consumers *all, uint64_t ticket, uint32_t *bytes)
{
	uint64_t flag = __atomic_load_n(&all->flags[ticket & all->ring_mask], __ATOMIC_ACQUIRE);

	*bytes = CT_FLAG_BYTES(flag);
	return CT_FLAG_TAG(flag) == CT_FLAG_TAG(CT_FLAG(ticket, 0));
}

static void count_lost(struct ct_consumers *all, uint64_t chunks)
{
	if (chunks)
		__atomic_add_fetch(&all->lost, chunks, __ATOMIC_RELAXED);
}

static uint32_t hurry(const struct ct_consumers *all)
{
	uint64_t lowest = lowest_progress(all), chunks = all->ring_mask + 1ull;
	uint32_t bytes;

	if (is_ready(all, lowest + chunks * 3 / 4, &bytes))
		return 2;
	return is_ready(all, lowest + chunks / 2, &bytes) ? 1 : 0;
}

static void write_pending(struct ct_consumer *consumer)
{
	struct ct_consumers *all = consumer->all;

	if (!consumer->pending)
		return;
	count_lost(all, all->sink->write(consumer->stream, hurry(all)));
	consumer->pending = 0;
	__atomic_store_n(&consumer->pending_chunks, 0, __ATOMIC_RELAXED);
	__atomic_store_n(&consumer->pending_first, UINT64_MAX, __ATOMIC_RELEASE);
}

static void be_slow(uint64_t delay_ns)
{
	uint64_t begin_ns = ct_consumer_now_ns();

	while (ct_consumer_now_ns() - begin_ns < delay_ns)
		ct_consumer_spin();
}

static void take(struct ct_consumer *consumer, uint64_t ticket, uint32_t bytes)
{
	struct ct_consumers *all = consumer->all;
	const char *chunk = all->ring + (ticket & all->ring_mask) * CT_CHUNK_BYTES;

	if (all->delay_ns)
		be_slow(all->delay_ns);
	if (bytes <= CT_CHUNK_BYTES && bytes &&
	    all->sink->take(consumer->stream, ticket, chunk, bytes) >= 0) {
		if (!consumer->pending)
			__atomic_store_n(&consumer->pending_first, ticket, __ATOMIC_RELAXED);
		consumer->pending += bytes;
		__atomic_add_fetch(&consumer->pending_chunks, 1, __ATOMIC_RELAXED);
	} else {
		count_lost(all, 1);
	}
}

/* Those whose runs come next will soon be needed. */
static void wake_next(struct ct_consumer *consumer, uint64_t ticket, uint32_t how_many)
{
	for (uint32_t i = 1; i <= how_many && i < consumer->all->count; i++)
		ct_consumer_kick(&owner_of(consumer->all, ticket + i * CT_TICKET_RUN)->nap);
}

/* Whoever holds the lowest ticket now may have gone to sleep when it did not: the
 * runs between may have been taken meanwhile. The fence orders the publishing
 * before the look at the others', as nap() has its beginning before its look. */
static void wake_lowest(struct ct_consumer *consumer)
{
	struct ct_consumer *lowest;

	__atomic_thread_fence(__ATOMIC_SEQ_CST);
	lowest = owner_of(consumer->all, lowest_progress(consumer->all));
	if (lowest != consumer)
		ct_consumer_kick(&lowest->nap);
}

/* The room is given back, the next consumer awake; now there is time to write. */
static void end_run(struct ct_consumer *consumer, uint64_t last)
{
	publish(consumer);
	wake_next(consumer, last, 1);
	wake_lowest(consumer);
	if (consumer->all->count > 1)
		write_pending(consumer);
}

/* Takes the consumer's chunks that are ready; returns how many. */
static uint64_t drain(struct ct_consumer *consumer)
{
	struct ct_consumers *all = consumer->all;
	uint64_t taken = 0, unpublished = 0;
	uint32_t bytes,
	    publish_after = all->ring_mask < 8 * TICKETS_PER_PUBLISH ? 1 : TICKETS_PER_PUBLISH;

	while (taken < 2 * CT_TICKET_RUN && is_ready(all, consumer->next, &bytes)) {
		uint64_t ticket = consumer->next;

		if (ticket % CT_TICKET_RUN == 0)
			wake_next(consumer, ticket, 2);
		take(consumer, ticket, bytes);
		taken++;
		consumer->next = own_ticket(consumer, ticket + 1);
		if (++unpublished >= publish_after) {
			publish(consumer);
			unpublished = 0;
		}
		if ((ticket + 1) % CT_TICKET_RUN == 0)
			end_run(consumer, ticket);
		if (consumer->pending + CT_CHUNK_BYTES > CT_CONSUMER_PENDING) {
			publish(consumer);
			write_pending(consumer);
		}
	}
	publish(consumer);
	return taken;
}

static bool has_turn(const struct ct_consumer *consumer)
{
	return lowest_progress(consumer->all) == consumer->next;
}

/* Asleep until a chunk may be ready. */
static void nap(struct ct_consumer *consumer)
{
	struct ct_consumers *all = consumer->all;
	uint32_t bytes, ticket = ct_consumer_nap_begin(&consumer->nap);

	if (!is_ready(all, consumer->next, &bytes) &&
	    !__atomic_load_n(&all->stop, __ATOMIC_ACQUIRE))
		ct_consumer_nap(&consumer->nap, ticket, has_turn(consumer), &all->drowsy);
	ct_consumer_nap_end(&consumer->nap);
}

static void *consume(void *argument)
{
	struct ct_consumer *consumer = argument;
	struct ct_consumers *all = consumer->all;
	uint64_t idle_ns = ct_consumer_now_ns(), looks = 0;
	uint64_t looks_before_nap =
	    all->has_cores && all->count > 1 ? CT_CONSUMER_LOOKS_AMONG_OTHERS : CT_CONSUMER_LOOKS;

	while (!__atomic_load_n(&all->stop, __ATOMIC_ACQUIRE)) {
		bool is_time = (looks == 0 || looks >= looks_before_nap) &&
			       ct_consumer_now_ns() - idle_ns > CT_CONSUMER_IDLE_NS;

		if (is_time) {
			if (looks)
				write_pending(consumer);
			if (consumer->number == 0 && all->sink->idle)
				all->sink->idle(all->user);
			idle_ns = ct_consumer_now_ns();
		}
		if (drain(consumer)) {
			looks = 0;
			continue;
		}
		if (++looks < looks_before_nap)
			ct_consumer_look_away(looks);
		else
			nap(consumer);
	}
	__atomic_store_n(&consumer->has_left, 1, __ATOMIC_RELEASE);
	return NULL;
}

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
		all->each[i].next = own_ticket(&all->each[i], all->next);
		publish(&all->each[i]);
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
		ct_consumer_kick(&all->each[i].nap);
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
	const char *delay = getenv(CT_CONSUMER_DELAY);
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
		err = pthread_create(&all->each[begun].thread, NULL, consume, &all->each[begun]);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	all->running = err == 0;
	if (err == 0)
		return 0;
	join(all, begun);
	close_streams(all);
	return -err;
}

bool ct_consumers_next(const struct ct_consumers *all, uint64_t *ticket)
{
	uint32_t bytes;

	*ticket = lowest_progress(all);
	return is_ready(all, *ticket, &bytes);
}

bool ct_consumers_have_written(const struct ct_consumers *all, uint64_t head)
{
	if (lowest_progress(all) < head)
		return false;
	for (uint32_t i = 0; i < all->count; i++)
		if (__atomic_load_n(&all->each[i].pending_first, __ATOMIC_ACQUIRE) < head)
			return false;
	return true;
}

void ct_consumers_expect(struct ct_consumers *all)
{
	if (all->running && __atomic_load_n(&all->drowsy, __ATOMIC_RELAXED))
		ct_consumer_kick(&owner_of(all, lowest_progress(all))->nap);
}

bool ct_consumers_wait(struct ct_consumers *all, uint64_t head, uint64_t patience_ns)
{
	uint64_t lowest = 0, moved_ns = ct_consumer_now_ns();

	for (uint64_t looks = 0; all->running; looks++) {
		uint64_t now = lowest_progress(all);

		if (now >= head)
			return true;
		if (__atomic_load_n(&all->aborted, __ATOMIC_ACQUIRE))
			return false;
		ct_consumer_kick(&owner_of(all, now)->nap);
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
		count_lost(all, tickets);
}

/* Producers died: any of the tickets that the ring can hold may have arrived. */
static void salvage_rest(struct ct_consumers *all, uint64_t head)
{
	uint64_t first = lowest_progress(all), end = first, holes = 0;
	uint32_t bytes;

	for (uint64_t ticket = first; ticket <= first + all->ring_mask; ticket++) {
		struct ct_consumer *owner = owner_of(all, ticket);

		if (ticket >= owner->next) {
			if (!is_ready(all, ticket, &bytes)) {
				holes++;
				continue;
			}
			take(owner, ticket, bytes);
			owner->next = own_ticket(owner, ticket + 1);
			if (owner->pending + CT_CHUNK_BYTES > CT_CONSUMER_PENDING)
				write_pending(owner);
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

/* A consumer does not come back: what it has, and what nobody will write in its place, is
 * lost. It may wake up at any time, so all that it uses stays. */
static void abandon(struct ct_consumers *all)
{
	uint64_t first = lowest_progress(all);
	uint32_t bytes;

	for (uint32_t i = 0; i < all->count; i++)
		count_lost(all, __atomic_load_n(&all->each[i].pending_chunks, __ATOMIC_RELAXED));
	for (uint64_t ticket = first; ticket <= first + all->ring_mask; ticket++) {
		uint64_t *next =
		    &all->progress[ticket / CT_TICKET_RUN % all->count * CT_PROGRESS_STRIDE];

		count_lost(all, ticket >= __atomic_load_n(next, __ATOMIC_ACQUIRE) &&
				    is_ready(all, ticket, &bytes));
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
			has_taken |= drain(&all->each[i]) > 0;
	}
	all->next = lowest_progress(all);
	if (salvage)
		salvage_rest(all, head);
	for (uint32_t i = 0; i < all->count; i++)
		write_pending(&all->each[i]);
	close_streams(all);
}
