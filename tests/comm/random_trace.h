/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Random traces: launches, copies, memsets, streams, events, waits, allocations
 * in a small piece of memory, so that everything overlaps. Every call draws its
 * numbers from the seed and its own index: leaving calls or accesses out does
 * not change the others, and what fails can be made smaller.
 */
#ifndef CT_TEST_RANDOM_TRACE_H
#define CT_TEST_RANDOM_TRACE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct random_plan {
	uint64_t seed;
	size_t calls;
	bool *drop_call;   /* by index; NULL: none */
	bool *drop_access; /* by number of the access; NULL: none */
	bool is_tidy;      /* no record leaves an object */
	bool is_sized;     /* accesses are of elements that lie in a row of 16 bytes, if aligned */
	bool is_aligned;   /* elements are aligned */
	size_t accesses;   /* how many there are, dropped ones included: set by random_trace */
};

/* Into directory; ends the process if that fails. */
void random_trace(const char *directory, struct random_plan *plan);

/* Shared by the files of the generator. */

struct random {
	uint64_t state;
};

uint64_t random_next(struct random *random);
uint64_t random_below(struct random *random, uint64_t bound);
bool random_chance(struct random *random, unsigned percent);

#define RANDOM_UNIT_ID 0x5eed5eed5eed0001ull
#define RANDOM_KERNELS 3
#define RANDOM_MEMORY 0x7f000000f000ull /* a page of the analysis ends within */
#define RANDOM_MEMORY_BYTES 0x2000u
#define RANDOM_SLOT 1024u /* of an object, in tidy traces */

/* random_unit.c */
void *random_unit(const struct random_plan *plan, size_t *bytes); /* malloc */
const char *random_kernel(uint64_t kernel);

/* random_records.c: the segments of one launch, in order. */
struct random_segments {
	uint64_t *words;
	size_t count, room;
	size_t *end; /* of each segment, in words */
	size_t segments, segment_room;
	size_t next; /* to be written */
	uint32_t device;
};

void random_segments_make(struct random_segments *segments, struct random *random,
			  struct random_plan *plan, uint32_t launch, uint64_t ctas, uint32_t warps);

#endif
