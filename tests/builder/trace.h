/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Traces made by hand, for tests and benchmarks: units, events, records, part by part. Whatever
 * fails ends the program and says what.
 *
 *	struct build *b = build_part(directory, NULL);
 *	struct build_unit *unit = build_unit(1, 90, "demo.cu");
 *
 *	build_kernel(unit, "_Z4copyPf", "copy(float*)", 3);
 *	build_site(unit, "_Z4copyPf", 5, BUILD_LOAD, 4);
 *	build_add_unit(b, unit);
 *	BUILD_EVENT(b, device, .name = build_string(b, "Demo"), .sm_count = 2);
 *	BUILD_EVENT(b, alloc, .address = X, .bytes = 4096, .object = 1, .kind = CT_OBJECT_DEVICE);
 *	BUILD_LAUNCH(b, .kernel_name = build_string(b, "_Z4copyPf"), .grid = {2});
 *	BUILD_SEGMENT(b, .launch = 1, .cta = 1);
 *	build_lanes(b, 0, 4, CT_FULL_MASK, X, 4);
 *	build_chunk(b);
 *	build_done(b, 1);
 *	build_close(b, "{}");
 */
#ifndef CT_TEST_BUILDER_TRACE_H
#define CT_TEST_BUILDER_TRACE_H

#include "tests/builder/unit.h"
#include "trace/write/writer.h"

#include <cudatrace/encode.h>
#include <cudatrace/ring.h>
#include <stdbool.h>

#define BUILD_DEVICES_MAX 8u
#define BUILD_START_NS                                                                             \
	1700000000000000000u /* time of the first event; of others 1 us later each                 \
			      */
#define BUILD_CHUNK_WORDS (CT_CHUNK_BYTES / 8)

/* A part in the making. Fields may be read, and time, device and unit set. */
struct build {
	struct ct_writer *writer;
	uint64_t time_ns; /* of the next event that has none */
	uint64_t unit_id; /* of launches that have none: that of the last unit */
	uint32_t unit_arch;
	uint32_t launches; /* id of the last one */
	uint32_t device;   /* whose records follow */
	struct ct_writer_stream *stream[BUILD_DEVICES_MAX];
	uint64_t ticket[BUILD_DEVICES_MAX]; /* of the next ring chunk */
	uint64_t words[BUILD_CHUNK_WORDS];  /* the ring chunk in the making */
	uint32_t used;
};

/* options: NULL for part 0 without compression. */
struct build *build_part(const char *directory, const struct ct_writer_options *options);
/* Writes what is left, and the manifest if there is one. Returns what the writer's close does. */
int build_close(struct build *b, const char *manifest);

/* Takes unit over; launches that name no unit are of it. */
void build_add_unit(struct build *b, struct build_unit *unit);
void build_add_blob(struct build *b, const void *blob, size_t bytes);

uint32_t build_string(struct build *b, const char *text);
/* The descriptor of a launch ("L...") or allocation ("A..."), its fields separated by bars:
 * "A|demo.cu|21|3|main|x|n". */
uint32_t build_descriptor(struct build *b, const char *text);

/* Any event; its time is the next one if it has none. BUILD_EVENT(b, free, .address = X) */
void build_event(struct build *b, struct ct_event_header *event);
#define BUILD_EVENT(b, name, ...)                                                                  \
	build_event(b, ct_event_##name##_header(&(struct ct_event_##name){__VA_ARGS__}))

/* Fields that are 0 are filled in: launch (the next id), unit, extents (1; blocks of 32 threads),
 * and that it is traced, unless there is a reason why not. Returns the id. */
uint32_t build_launch(struct build *b, struct ct_event_launch *launch);
#define BUILD_LAUNCH(b, ...) build_launch(b, &(struct ct_event_launch){__VA_ARGS__})
void build_done(struct build *b, uint32_t launch);

struct build_segment {
	uint32_t launch, sm, sequence, warp;
	uint64_t cta;
};

/* Begin a segment; of the launch before it, which it does not name, if it is short. */
void build_segment(struct build *b, const struct build_segment *segment);
#define BUILD_SEGMENT(b, ...) build_segment(b, &(struct build_segment){__VA_ARGS__})
void build_short_segment(struct build *b, uint32_t warp, uint64_t cta);

/* An access of the lanes of mask: lane l accesses base + l * stride. */
void build_lanes(struct build *b, uint64_t site, uint32_t bytes, uint32_t mask, uint64_t base,
		 uint64_t stride);
void build_access(struct build *b, uint64_t site, uint32_t bytes, uint32_t mask,
		  const uint64_t address[CT_WARP_LANES]);
void build_range(struct build *b, uint64_t site, uint32_t mask,
		 const uint64_t address[CT_WARP_LANES], const uint64_t bytes[CT_WARP_LANES]);
/* Adds what they moved, lane by lane at from: at most so many records of it. */
void build_content(struct build *b, uint64_t site, uint32_t mask,
		   const uint64_t bytes[CT_WARP_LANES], const void *const from[CT_WARP_LANES],
		   uint32_t records);
/* A part of the values of the last access: lane l has first + l * step, and high above it. */
void build_value(struct build *b, uint64_t site, uint32_t part, uint32_t bytes, uint32_t mask,
		 uint64_t first, uint64_t step, uint64_t high);
/* The same, lane l has value[l]; of at most 8 bytes. */
void build_values(struct build *b, uint64_t site, uint32_t part, uint32_t bytes, uint32_t mask,
		  const uint64_t value[CT_WARP_LANES]);
/* A site without address. */
void build_happens(struct build *b, uint64_t site, uint32_t mask);
void build_leaves(struct build *b, uint64_t site, uint32_t mask);
void build_group(struct build *b, uint32_t site, uint32_t count, const uint64_t *distance);
void build_loop(struct build *b, uint32_t site, uint32_t count, uint64_t iterations,
		const struct ct_loop_site *sites);

/* Words so far, and whether so many more fit into the ring chunk. */
bool build_fits(const struct build *b, uint32_t words);

/* The ring chunk is full: the next ticket of the device. Nothing happens if it is empty. */
void build_chunk(struct build *b);
/* The same with a ticket of the caller's, as a trace chunk of its own. */
void build_chunk_alone(struct build *b, uint64_t ticket);

#endif
