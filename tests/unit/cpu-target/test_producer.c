/* SPDX-License-Identifier: Apache-2.0 */
/* Accesses of lanes, through hooks, alignment, chunks and the ring. */
#include "cpu-target/runtime/producer/ring.h"
#include "tests/unit/cpu-target/kernels.h"
#include <criterion/criterion.h>
#include <cudatrace/record.h>
#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

#define OK(call) cr_assert_eq((call), cudaSuccess, #call)

enum { RING_CHUNKS = 2, CHUNKS_MAX = 8192 };

static struct ct_context context;
static uint64_t head, tail, waits, losses[CT_LOSSES_WORDS], flags[RING_CHUNKS],
    progress[CT_PROGRESS_STRIDE];
static uint32_t aborted, finished;
static char ring[RING_CHUNKS * CT_CHUNK_BYTES];
static uint64_t *received; /* CT_CHUNK_BYTES / 8 words per chunk */
static uint32_t received_bytes[CHUNKS_MAX];
static uint64_t received_chunks;

static uint64_t address_of(void *object)
{
	return (uintptr_t)object;
}

static void open_ring(void)
{
	context = (struct ct_context){
	    .head = address_of(&head),
	    .tail = address_of(&tail),
	    .losses = address_of(losses),
	    .waits = address_of(&waits),
	    .ring = address_of(ring),
	    .flags = address_of(flags),
	    .progress = address_of(progress),
	    .abort = address_of(&aborted),
	    .ring_mask = RING_CHUNKS - 1,
	    .consumers = 1,
	};
	received = calloc(CHUNKS_MAX, CT_CHUNK_BYTES);
}

TestSuite(cpu_producer, .init = open_ring, .timeout = 60);

/* Takes chunks in ticket order until `finished` and nothing is left. */
static void *consume(void *argument)
{
	uint64_t ticket = 0;

	(void)argument;
	for (;;) {
		uint64_t slot = ticket & context.ring_mask;
		int last = (int)__atomic_load_n(&finished, __ATOMIC_ACQUIRE);
		uint64_t flag = __atomic_load_n(&flags[slot], __ATOMIC_ACQUIRE);

		if (CT_FLAG_TAG(flag) != ticket + 1) {
			if (last)
				break;
			usleep(20);
			continue;
		}
		received_bytes[ticket] = CT_FLAG_BYTES(flag);
		memcpy(received + ticket * (CT_CHUNK_BYTES / 8), ring + slot * CT_CHUNK_BYTES,
		       received_bytes[ticket]);
		ticket++;
		__atomic_store_n(&progress[0], ticket, __ATOMIC_RELEASE);
	}
	received_chunks = ticket;
	return NULL;
}

static pthread_t start_consumer(void)
{
	pthread_t thread;

	cr_assert_eq(pthread_create(&thread, NULL, consume, NULL), 0);
	return thread;
}

static void stop_consumer(pthread_t thread)
{
	__atomic_store_n(&finished, 1, __ATOMIC_RELEASE);
	pthread_join(thread, NULL);
}

static void *ship_many(void *first)
{
	uint64_t chunk[CT_CHUNK_BYTES / 8];

	for (uint64_t i = 0; i < 500; i++) {
		for (unsigned w = 0; w < CT_CHUNK_BYTES / 8; w++)
			chunk[w] = (uintptr_t)first + i;
		ct_producer_ship(&context, 1, chunk, 8 + 8 * (uint32_t)(i % 512));
	}
	return NULL;
}

Test(cpu_producer, every_chunk_arrives_whole_through_a_small_ring)
{
	pthread_t producers[3], consumer = start_consumer();
	uint64_t next[3] = {0};

	for (uintptr_t i = 0; i < 3; i++)
		pthread_create(&producers[i], NULL, ship_many, (void *)(i << 32));
	for (int i = 0; i < 3; i++)
		pthread_join(producers[i], NULL);
	stop_consumer(consumer);
	cr_assert_eq(received_chunks, 1500);
	for (uint64_t c = 0; c < received_chunks; c++) {
		const uint64_t *words = received + c * (CT_CHUNK_BYTES / 8);
		uint64_t producer = words[0] >> 32, number = words[0] & 0xffffffff;

		cr_assert_eq(number, next[producer]++);
		cr_assert_eq(received_bytes[c], 8 + 8 * (number % 512));
		cr_assert_eq(words[received_bytes[c] / 8 - 1], words[0]);
	}
}

Test(cpu_producer, a_full_ring_makes_producers_wait_and_that_is_counted)
{
	pthread_t producer, consumer;
	uint64_t word = 1;

	cr_assert_eq(ct_producer_ship(&context, 1, &word, 8), 0);
	cr_assert_eq(ct_producer_ship(&context, 1, &word, 8), 0);
	cr_assert_eq(__atomic_load_n(&waits, __ATOMIC_ACQUIRE), 0);
	cr_assert_eq(pthread_create(&producer, NULL, ship_many, NULL), 0);
	while (!__atomic_load_n(&waits, __ATOMIC_ACQUIRE))
		usleep(20);
	consumer = start_consumer();
	pthread_join(producer, NULL);
	stop_consumer(consumer);
	cr_assert_eq(received_chunks, 502);
	cr_assert_leq(waits, 500);
}

Test(cpu_producer, a_full_ring_drops_where_that_is_asked_for)
{
	uint64_t word = 1;

	context.mode = CT_CONTEXT_DROP;
	for (int i = 0; i < RING_CHUNKS; i++)
		cr_assert_eq(ct_producer_ship(&context, 1, &word, 8), 0);
	cr_assert_eq(ct_producer_ship(&context, 1, &word, 8), -EAGAIN);
	cr_assert_eq(ct_producer_ship(&context, 2, &word, 8), -EAGAIN);
	cr_assert_eq(head, RING_CHUNKS, "no ticket is drawn");
	cr_assert_eq(losses[1], (1ull << 32) + 1);
	cr_assert_eq(losses[2], (2ull << 32) + 1);
	cr_assert_eq(waits, 0);
	progress[0] = 1;
	cr_assert_eq(ct_producer_ship(&context, 1, &word, 8), 0);
	cr_assert_eq(ct_producer_ship(&context, 1, &word, 8), -EAGAIN);
}

Test(cpu_producer, none_waits_for_a_host_that_gave_up)
{
	uint64_t word = 1;

	cr_assert_eq(ct_producer_ship(&context, 1, &word, 8), 0);
	cr_assert_eq(ct_producer_ship(&context, 1, &word, 8), 0);
	aborted = 1;
	cr_assert_lt(ct_producer_ship(&context, 1, &word, 8), 0);
	cr_assert_eq(losses[1], (1ull << 32) + 1);
}

/* Threads of warps 0..n/32 of each block, their records by site. */
struct tally {
	uint64_t groups[5], lanes[5];
};

/* Decodes just enough: kinds with a mask word, and those without. */
static void tally_chunk(const uint64_t *words, uint32_t count, struct tally *tally)
{
	cr_assert_eq(words[0] >> CT_RECORD_KIND_SHIFT, CT_REC_SEGMENT);
	for (uint32_t i = 0; i < count;) {
		unsigned kind = (unsigned)(words[i] >> CT_RECORD_KIND_SHIFT);
		unsigned site = (unsigned)(words[i] >> CT_SITE_SHIFT) & CT_SITE_EXTENDED;

		if (kind == CT_REC_SEGMENT) {
			i += 2;
			continue;
		}
		cr_assert(site >= 1 && site <= 3, "site %u", site);
		tally->groups[site]++;
		if (kind == CT_REC_AFFINE || kind == CT_REC_UNIFORM) {
			tally->lanes[site] += 32;
			i += 1;
		} else {
			cr_assert(kind == CT_REC_AFFINE_MASK || kind == CT_REC_UNIFORM_MASK,
				  "kind %u", kind);
			tally->lanes[site] += (uint64_t)__builtin_popcount((uint32_t)words[i + 1]);
			i += 2;
		}
	}
}

Test(cpu_producer, a_kernels_accesses_are_joined_into_warps)
{
	enum { BLOCKS = 40, THREADS = 256, N = BLOCKS * THREADS };
	struct tally tally = {0};
	struct ct_launch launch = {address_of(&context), 1, 0, 0, 0};
	pthread_t consumer = start_consumer();
	uint32_t n = N;
	float *data;
	void *args[] = {&data, &n, &launch};

	OK(cudaMalloc((void **)&data, N * sizeof(float)));
	OK(cudaLaunchKernel(&stub_traced, (dim3){BLOCKS, 1, 1}, (dim3){THREADS, 1, 1}, args, 0,
			    NULL));
	OK(cudaDeviceSynchronize());
	stop_consumer(consumer);
	cr_assert_eq(losses[1], 0);
	cr_assert_eq(data[N - 1], (float)(N - 1));
	for (uint64_t c = 0; c < received_chunks; c++)
		tally_chunk(received + c * (CT_CHUNK_BYTES / 8), received_bytes[c] / 8, &tally);
	cr_assert_eq(tally.groups[1], N / 32);
	cr_assert_eq(tally.lanes[1], N);
	cr_assert_eq(tally.groups[2], N / 32 * 32, "%lu groups", tally.groups[2]);
	cr_assert_eq(tally.lanes[2], N / 32 * (32 * 33 / 2));
	cr_assert_eq(tally.groups[3], N / 32, "%lu groups", tally.groups[3]);
	cr_assert_eq(tally.lanes[3], N);
	cr_assert_eq(tally.groups[4], 0);
}
