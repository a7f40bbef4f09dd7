/* SPDX-License-Identifier: Apache-2.0 */
/* One consumer: taking turns, taking chunks, sleeping. */
#include "host-rt/drain/consumer.h"
#include "host-rt/base/thread.h"

/* Publish progress at least this often: a quarter of what producers look ahead. */
#define TICKETS_PER_PUBLISH 4u

struct ct_consumer *ct_consumer_owner(const struct ct_consumers *all, uint64_t ticket)
{
	return &all->each[ticket / CT_TICKET_RUN % all->count];
}

uint64_t ct_consumer_own_ticket(const struct ct_consumer *consumer, uint64_t ticket)
{
	uint64_t run = ticket / CT_TICKET_RUN, count = consumer->all->count;
	uint64_t ahead = (consumer->number + count - run % count) % count;

	return ahead ? (run + ahead) * CT_TICKET_RUN : ticket;
}

void ct_consumer_publish(struct ct_consumer *consumer)
{
	__atomic_store_n(&consumer->all->progress[consumer->number * CT_PROGRESS_STRIDE],
			 consumer->next, __ATOMIC_RELEASE);
}

void ct_consumer_count_lost(struct ct_consumers *all, uint64_t chunks)
{
	if (chunks)
		__atomic_add_fetch(&all->lost, chunks, __ATOMIC_RELAXED);
}

void ct_consumer_write(struct ct_consumer *consumer)
{
	struct ct_consumers *all = consumer->all;

	if (!consumer->pending)
		return;
	ct_consumer_count_lost(all, all->sink->write(consumer->stream, ct_consumers_hurry(all)));
	consumer->pending = 0;
	consumer->written_ns = ct_consumer_now_ns();
	__atomic_store_n(&consumer->pending_chunks, 0, __ATOMIC_RELAXED);
	__atomic_store_n(&consumer->pending_first, UINT64_MAX, __ATOMIC_RELEASE);
}

static void be_slow(uint64_t delay_ns)
{
	uint64_t begin_ns = ct_consumer_now_ns();

	while (ct_consumer_now_ns() - begin_ns < delay_ns)
		ct_consumer_spin();
}

void ct_consumer_take(struct ct_consumer *consumer, uint64_t ticket, uint32_t bytes)
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
		ct_consumer_count_lost(all, 1);
	}
}

/* Those whose runs come next will soon be needed. */
static void wake_next(struct ct_consumer *consumer, uint64_t ticket, uint32_t how_many)
{
	for (uint32_t i = 1; i <= how_many && i < consumer->all->count; i++)
		ct_consumer_kick(
		    &ct_consumer_owner(consumer->all, ticket + i * CT_TICKET_RUN)->park);
}

/* Whoever holds the lowest ticket now may have gone to sleep when it did not: the
 * runs between may have been taken meanwhile. The fence orders the publishing
 * before the look at the others', as park() has its beginning before its look. */
static void wake_lowest(struct ct_consumer *consumer)
{
	struct ct_consumer *lowest;

	__atomic_thread_fence(__ATOMIC_SEQ_CST);
	lowest = ct_consumer_owner(consumer->all, ct_consumers_lowest(consumer->all));
	if (lowest != consumer)
		ct_consumer_kick(&lowest->park);
}

/* The room is given back, the next consumer awake; now there is time to write. */
static void end_run(struct ct_consumer *consumer, uint64_t last)
{
	ct_consumer_publish(consumer);
	wake_next(consumer, last, 1);
	wake_lowest(consumer);
	if (consumer->all->count > 1)
		ct_consumer_write(consumer);
}

uint64_t ct_consumer_drain(struct ct_consumer *consumer)
{
	struct ct_consumers *all = consumer->all;
	uint64_t taken = 0, unpublished = 0;
	uint32_t bytes,
	    publish_after = all->ring_mask < 8 * TICKETS_PER_PUBLISH ? 1 : TICKETS_PER_PUBLISH;

	while (taken < 2 * CT_TICKET_RUN && ct_consumers_is_ready(all, consumer->next, &bytes)) {
		uint64_t ticket = consumer->next;

		if (ticket % CT_TICKET_RUN == 0)
			wake_next(consumer, ticket, 2);
		ct_consumer_take(consumer, ticket, bytes);
		taken++;
		consumer->next = ct_consumer_own_ticket(consumer, ticket + 1);
		if (++unpublished >= publish_after) {
			ct_consumer_publish(consumer);
			unpublished = 0;
		}
		if ((ticket + 1) % CT_TICKET_RUN == 0)
			end_run(consumer, ticket);
		if (consumer->pending + CT_CHUNK_BYTES > CT_CONSUMER_PENDING) {
			ct_consumer_publish(consumer);
			ct_consumer_write(consumer);
		}
	}
	ct_consumer_publish(consumer);
	return taken;
}

/* Somebody waits for what it has taken. */
static bool is_wanted(const struct ct_consumer *consumer)
{
	return consumer->pending &&
	       consumer->pending_first < __atomic_load_n(&consumer->all->wanted, __ATOMIC_ACQUIRE);
}

static bool writes_soon(const struct ct_consumer *consumer)
{
	return consumer->pending && __atomic_load_n(&consumer->all->writes_soon, __ATOMIC_RELAXED);
}

/* Whether it must write what it has taken. */
static bool is_due(const struct ct_consumer *consumer)
{
	return is_wanted(consumer) ||
	       (writes_soon(consumer) &&
		ct_consumer_now_ns() - consumer->written_ns > CT_CONSUMER_SOON_NS);
}

static bool has_turn(const struct ct_consumer *consumer)
{
	return ct_consumers_lowest(consumer->all) == consumer->next;
}

/* Asleep until a chunk may be ready. */
static void park(struct ct_consumer *consumer)
{
	struct ct_consumers *all = consumer->all;
	uint32_t bytes, ticket = ct_consumer_park_begin(&consumer->park);

	if (!ct_consumers_is_ready(all, consumer->next, &bytes) && !is_wanted(consumer) &&
	    !__atomic_load_n(&all->stop, __ATOMIC_ACQUIRE))
		ct_consumer_park(&consumer->park, ticket,
				 has_turn(consumer) || writes_soon(consumer), &all->drowsy);
	ct_consumer_park_end(&consumer->park);
}

void *ct_consumer_run(void *argument)
{
	struct ct_consumer *consumer = argument;
	struct ct_consumers *all = consumer->all;
	uint64_t idle_ns = ct_consumer_now_ns(), looks = 0;
	uint64_t looks_before_park =
	    all->has_cores && all->count > 1 ? CT_CONSUMER_LOOKS_AMONG_OTHERS : CT_CONSUMER_LOOKS;

	ct_thread_begin_ours();
	while (!__atomic_load_n(&all->stop, __ATOMIC_ACQUIRE)) {
		bool is_time = (looks == 0 || looks >= looks_before_park) &&
			       ct_consumer_now_ns() - idle_ns > CT_CONSUMER_IDLE_NS;

		if (is_time) {
			if (looks)
				ct_consumer_write(consumer);
			if (consumer->number == 0 && all->sink->idle)
				all->sink->idle(all->user);
			idle_ns = ct_consumer_now_ns();
		}
		if (ct_consumer_drain(consumer)) {
			looks = 0;
			continue;
		}
		if (is_due(consumer))
			ct_consumer_write(consumer);
		if (++looks < looks_before_park)
			ct_consumer_look_away(looks);
		else
			park(consumer);
	}
	__atomic_store_n(&consumer->has_left, 1, __ATOMIC_RELEASE);
	return NULL;
}
