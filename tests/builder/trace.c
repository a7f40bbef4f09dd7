/* SPDX-License-Identifier: Apache-2.0 */
/* Traces made by hand. */
#include "tests/builder/trace.h"
#include "base/error.h"

#include <cudatrace/host.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define STEP_NS 1000u

static void require(int err, const char *what)
{
	if (err >= 0)
		return;
	fprintf(stderr, "tests/builder: %s: %s\n", what, ct_strerror(err));
	abort();
}

struct build *build_part(const char *directory, const struct ct_writer_options *options)
{
	static const struct ct_writer_options plain;
	struct build *b = calloc(1, sizeof(*b));
	char why[512] = "out of memory";

	if (!b || ct_writer_open(&b->writer, directory, options ? options : &plain, why,
				 sizeof(why)) < 0) {
		fprintf(stderr, "tests/builder: %s\n", why);
		abort();
	}
	b->time_ns = BUILD_START_NS;
	return b;
}

int build_close(struct build *b, const char *manifest)
{
	int err;

	build_chunk(b);
	for (uint32_t device = 0; device < BUILD_DEVICES_MAX; device++)
		require(ct_writer_stream_close(b->stream[device]), "close the records");
	if (manifest)
		require(ct_writer_manifest(b->writer, manifest), "manifest");
	err = ct_writer_close(b->writer);
	free(b);
	return err;
}

void build_add_blob(struct build *b, const void *blob, size_t bytes)
{
	struct ct_unit_header header;

	memcpy(&header, blob, sizeof(header));
	b->unit_id = header.unit_id;
	b->unit_arch = header.arch;
	require(ct_writer_unit(b->writer, blob, bytes), "unit");
}

void build_add_unit(struct build *b, struct build_unit *unit)
{
	size_t bytes;
	void *blob = build_blob(unit, &bytes);

	build_add_blob(b, blob, bytes);
	free(blob);
}

uint32_t build_string(struct build *b, const char *text)
{
	uint32_t id;

	require(ct_writer_string(b->writer, text, &id), text);
	return id;
}

uint32_t build_descriptor(struct build *b, const char *text)
{
	char fields[512];

	snprintf(fields, sizeof(fields), "%s", text);
	for (char *at = fields; (at = strchr(at, '|'));)
		*at = CT_FIELD_SEPARATOR;
	return build_string(b, fields);
}

void build_event(struct build *b, struct ct_event_header *event)
{
	if (!event->time_ns) {
		event->time_ns = b->time_ns;
		b->time_ns += STEP_NS;
	}
	require(ct_writer_event(b->writer, event), "event");
}

static void fill_extent(uint32_t extent[3], uint32_t first)
{
	for (int i = 0; i < 3; i++)
		if (!extent[i])
			extent[i] = i ? 1 : first;
}

uint32_t build_launch(struct build *b, struct ct_event_launch *launch)
{
	if (!launch->launch)
		launch->launch = b->launches + 1;
	b->launches = launch->launch;
	if (!launch->unit_id) {
		launch->unit_id = b->unit_id;
		launch->unit_arch = b->unit_arch;
	}
	fill_extent(launch->grid, 1);
	fill_extent(launch->block, CT_WARP_LANES);
	fill_extent(launch->cluster, 1);
	if (!launch->reason)
		launch->flags |= CT_LAUNCH_TRACED;
	build_event(b, ct_event_launch_header(launch));
	return launch->launch;
}

void build_done(struct build *b, uint32_t launch)
{
	BUILD_EVENT(b, launch_done, .launch = launch);
}

bool build_fits(const struct build *b, uint32_t words)
{
	return b->used + words <= BUILD_CHUNK_WORDS;
}

/* Where the next words go; records do not get out of the chunk. */
static uint64_t *place(struct build *b, uint32_t words)
{
	if (!build_fits(b, words)) {
		fprintf(stderr, "tests/builder: a ring chunk has no room\n");
		abort();
	}
	return &b->words[b->used];
}

#define RECORD_WORDS (CT_RECORD_BYTES_MAX / 8)

void build_segment(struct build *b, const struct build_segment *segment)
{
	uint64_t *words = place(b, 2);

	words[0] = CT_SEGMENT_WORD0(segment->sm, segment->sequence, segment->launch);
	words[1] = CT_SEGMENT_WORD1(segment->warp, segment->cta);
	b->used += 2;
}

void build_short_segment(struct build *b, uint32_t warp, uint64_t cta)
{
	*place(b, 1) = CT_SEGMENT_SHORT_WORD(warp, cta);
	b->used++;
}

void build_access(struct build *b, uint64_t site, uint32_t bytes, uint32_t mask,
		  const uint64_t address[CT_WARP_LANES])
{
	uint64_t words[RECORD_WORDS];
	uint32_t count = ct_encode_access(words, site, bytes, mask, address);

	memcpy(place(b, count), words, count * sizeof(*words));
	b->used += count;
}

void build_lanes(struct build *b, uint64_t site, uint32_t bytes, uint32_t mask, uint64_t base,
		 uint64_t stride)
{
	uint64_t address[CT_WARP_LANES];

	for (uint32_t lane = 0; lane < CT_WARP_LANES; lane++)
		address[lane] = base + lane * stride;
	build_access(b, site, bytes, mask, address);
}

void build_range(struct build *b, uint64_t site, uint32_t mask,
		 const uint64_t address[CT_WARP_LANES], const uint64_t bytes[CT_WARP_LANES])
{
	b->used += ct_encode_range(place(b, RECORD_WORDS), site, mask, address, bytes);
}

void build_content(struct build *b, uint64_t site, uint32_t mask,
		   const uint64_t bytes[CT_WARP_LANES], const void *const from[CT_WARP_LANES],
		   uint32_t records)
{
	uint64_t offset = 0;

	for (uint32_t words = 1; words && records; records--) {
		words = ct_encode_content(place(b, RECORD_WORDS), site, mask, bytes, from, &offset);
		b->used += words;
	}
}

void build_value(struct build *b, uint64_t site, uint32_t part, uint32_t bytes, uint32_t mask,
		 uint64_t first, uint64_t step, uint64_t high)
{
	uint64_t low[CT_WARP_LANES], highs[CT_WARP_LANES];

	for (uint32_t lane = 0; lane < CT_WARP_LANES; lane++) {
		low[lane] = first + lane * step;
		highs[lane] = high;
	}
	b->used += ct_encode_value(place(b, RECORD_WORDS), site, part, bytes, mask, low, highs);
}

void build_values(struct build *b, uint64_t site, uint32_t part, uint32_t bytes, uint32_t mask,
		  const uint64_t value[CT_WARP_LANES])
{
	static const uint64_t none[CT_WARP_LANES];

	b->used += ct_encode_value(place(b, RECORD_WORDS), site, part, bytes, mask, value, none);
}

void build_happens(struct build *b, uint64_t site, uint32_t mask)
{
	b->used += ct_encode_event(place(b, RECORD_WORDS), site, CT_PHASE_HAPPENS, mask);
}

void build_leaves(struct build *b, uint64_t site, uint32_t mask)
{
	b->used += ct_encode_event(place(b, RECORD_WORDS), site, CT_PHASE_LEAVE, mask);
}

void build_group(struct build *b, uint32_t site, uint32_t count, const uint64_t *distance)
{
	b->used += ct_encode_group(place(b, RECORD_WORDS), site, count, distance);
}

void build_loop(struct build *b, uint32_t site, uint32_t count, uint64_t iterations,
		const struct ct_loop_site *sites)
{
	b->used += ct_encode_loop(place(b, RECORD_WORDS), site, count, iterations, sites);
}

void build_chunk(struct build *b)
{
	struct ct_writer_stream **stream = &b->stream[b->device];

	if (!b->used)
		return;
	if (!*stream)
		require(ct_writer_stream_open(stream, b->writer, b->device), "open the records");
	require(ct_writer_stream_records(*stream, b->ticket[b->device]++, b->words,
					 b->used * sizeof(*b->words)),
		"records");
	b->used = 0;
}

void build_chunk_alone(struct build *b, uint64_t ticket)
{
	struct ct_writer_stream *stream;

	require(ct_writer_stream_open(&stream, b->writer, b->device), "open the records");
	require(ct_writer_stream_records(stream, ticket, b->words, b->used * sizeof(*b->words)),
		"records");
	require(ct_writer_stream_close(stream), "close the records");
	b->used = 0;
}
