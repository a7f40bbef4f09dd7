/* SPDX-License-Identifier: Apache-2.0 */
/* A sink that counts accesses per launch and site, and at the end writes "launch site accesses" to
 * $SINK_COUNTS. */
#include "trace/codec/decode.h"

#include <cudatrace/sink.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#define LAUNCHES 64u
#define SITES 256u

struct counts {
	pthread_mutex_t lock; /* records come from several threads */
	uint64_t accesses[LAUNCHES][SITES];
	uint64_t tickets, strings, launches, units;
	uint64_t damaged;
};

/* One call of records. */
struct chunk {
	struct counts *counts;
	uint32_t launch;
	uint64_t address[CT_WARP_LANES];
};

static void *open_counts(const char *directory, uint32_t part)
{
	struct counts *counts = calloc(1, sizeof(*counts));

	(void)part;
	if (counts)
		pthread_mutex_init(&counts->lock, NULL);
	return directory[0] ? counts : NULL;
}

static void unit(void *sink, const void *blob, size_t bytes)
{
	struct counts *counts = sink;

	counts->units += blob && bytes;
}

/* Each is the one after the last. */
static void string(void *sink, uint32_t id, const char *text)
{
	struct counts *counts = sink;

	if (!text || id != ++counts->strings)
		counts->damaged++;
}

static void event(void *sink, const struct ct_event_header *header)
{
	struct counts *counts = sink;

	counts->launches += header->kind == CT_EVENT_LAUNCH;
}

static int segment(void *user, const struct ct_segment *found)
{
	struct chunk *chunk = user;

	chunk->launch = found->launch;
	return found->launch < LAUNCHES;
}

/* Which bytes they are is not asked here. */
static int site(void *user, uint32_t kind, uint64_t number, uint32_t *bytes)
{
	(void)user;
	(void)kind;
	*bytes = 4;
	return number >= SITES;
}

static int count(void *user, uint64_t number, const struct ct_decoded_access *access)
{
	struct chunk *chunk = user;

	if (number < SITES)
		chunk->counts->accesses[chunk->launch][number] +=
		    (uint64_t)__builtin_popcount(access->mask);
	return 0;
}

static void records(void *sink, uint32_t device, uint64_t ticket, const void *words, size_t bytes)
{
	struct chunk chunk = {.counts = sink};
	const struct ct_decoder decoder = {.segment = segment,
					   .site = site,
					   .access = count,
					   .address = chunk.address,
					   .user = &chunk};

	(void)device;
	(void)ticket;
	pthread_mutex_lock(&chunk.counts->lock);
	chunk.counts->tickets++;
	chunk.counts->damaged += ct_decode(&decoder, words, bytes, NULL) != 0;
	pthread_mutex_unlock(&chunk.counts->lock);
}

static void close_counts(void *sink)
{
	struct counts *counts = sink;
	const char *path = getenv("SINK_COUNTS");
	FILE *out = fopen(path ? path : "/dev/null", "w");

	if (!out || counts->damaged || !counts->units || !counts->launches || !counts->tickets)
		fprintf(stderr, "sink-counts: something is missing\n");
	for (uint32_t launch = 0; out && launch < LAUNCHES; launch++)
		for (uint32_t number = 0; number < SITES; number++)
			if (counts->accesses[launch][number])
				fprintf(out, "%u %u %llu\n", launch, number,
					(unsigned long long)counts->accesses[launch][number]);
	if (out)
		fclose(out);
	free(counts);
}

const struct ct_sink ct_sink_v1 = {
    .name = "counts",
    .open = open_counts,
    .unit = unit,
    .string = string,
    .event = event,
    .records = records,
    .close = close_counts,
};
