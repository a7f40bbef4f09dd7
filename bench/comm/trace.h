/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Large traces, as fast as they can be written: one process, one device, launches of one
 * kernel over a few arrays. A shape puts the records of one warp, as a GPU would.
 */
#ifndef BENCH_COMM_TRACE_H
#define BENCH_COMM_TRACE_H

#include <cudatrace/encode.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct ct_writer;
struct ct_writer_stream;

/* Arrays of BENCH_ELEMENTS elements of four bytes, side by side. */
#define BENCH_LOG_ELEMENTS 24
#define BENCH_ELEMENTS (1u << BENCH_LOG_ELEMENTS)
#define BENCH_SIDE (1u << BENCH_LOG_ELEMENTS / 2)
#define BENCH_MATRIX (BENCH_SIDE / 2)
enum bench_array { BENCH_A, BENCH_B, BENCH_C, BENCH_INDEX, BENCH_ARRAYS };

#define BENCH_SITES 8 /* at most, of a shape */

struct bench_site {
	uint8_t operation; /* operations.def: 1 load, 2 store, 3 atomic, 21 call; + BENCH_VALUES */
	uint8_t bytes;     /* of a call: any but 0 */
};
#define BENCH_VALUES 0x80u /* what was loaded or stored is there, too */

/* Where records go: into ring chunks, these into the trace. */
struct bench_output {
	struct ct_writer *writer;
	struct ct_writer_stream *stream;
	uint64_t *words; /* of the chunk at hand */
	uint32_t used;
	uint64_t ticket, accesses;
	uint32_t launch;
	uint64_t cta;
	uint32_t warp, sequence;
	uint64_t in, out; /* addresses: arrays that launches swap */
};

/* Address of an element of an array. */
static inline uint64_t bench_at(enum bench_array array, uint64_t element)
{
	return 0x7f0000000000ull + ((uint64_t)array << (BENCH_LOG_ELEMENTS + 2)) + 4 * element;
}

struct bench_shape {
	const char *name;
	struct bench_site site[BENCH_SITES]; /* those with bytes */
	uint32_t grid[2];
	uint32_t warps; /* of a CTA */
	void (*put)(struct bench_output *out, uint32_t cta, uint32_t warp);
};

/* By name; NULL at the end. */
extern const struct bench_shape bench_shapes[];

/* The site is accessed by all lanes of mask, or by all in a row. */
void bench_put(struct bench_output *out, uint32_t site, uint32_t bytes, uint32_t mask,
	       const uint64_t address[CT_WARP_LANES]);
void bench_put_row(struct bench_output *out, uint32_t site, uint64_t first);
/* Site, site + 1, … count times each. */
void bench_put_loop(struct bench_output *out, uint32_t site, uint32_t sites, uint64_t iterations,
		    const struct ct_loop_site *loop);

/* Writes what the lanes loaded or stored by the access before, four bytes each. */
void bench_put_values(struct bench_output *out, uint32_t site, const uint64_t value[CT_WARP_LANES]);
/* The call at a site begins (CT_PHASE_HAPPENS) or is over (CT_PHASE_LEAVE). */
void bench_put_call(struct bench_output *out, uint32_t site, enum ct_event_phase phase);

/* Launches of the shape into a new trace, until there are so many accesses of threads;
 * ends the process if that fails. Returns how many there are. */
uint64_t bench_write(const struct bench_shape *shape, uint64_t accesses, const char *directory,
		     uint64_t *record_bytes);

#endif
