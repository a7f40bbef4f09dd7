/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Make the traces of this directory that today's version of the format has.
 * They are committed and kept for ever, so that every later reader is tested
 * with what today's writer wrote; run this for a new format version or a new
 * defect only:
 *
 *	make_golden tests/golden
 *
 * Made by earlier versions of this program and never again. Version 1:
 * v1-small.ctrace           every event kind, two kernels, two traced launches
 * bad-torn.ctrace           both files end inside their last chunk
 * bad-payload.ctrace        one byte of the first records changed
 * bad-header.ctrace         one byte of the first records' header changed
 * bad-units.ctrace          the unit chunk is missing
 * bad-empty.ctrace          events-0.ct has no byte, and there is no manifest
 *
 * Version 2:
 * v2-calls.ctrace           every record kind, calls, two units
 * v2-transfers.ctrace       copies, memsets, streams, waits
 * bad-record.ctrace         its third record has a value of 17 bytes
 * bad-tag.ctrace            the units for the last record's tag are missing
 * bad-version.ctrace        written by version 255
 *
 * Version 3:
 * v3-sampled.ctrace         groups, loops, short segments, chunks out of order, new events
 * v3-delta.ctrace           the same in codec 2
 * v3-delta-zstd.ctrace      the same in codec 3
 * bad-loop.ctrace           the loop's first site has L = 6
 * bad-twice.ctrace          its first chunk of records is there again at the end
 */
#include "tests/unit/trace/trace_fixture.h"
#include "tests/unit/trace/trace_sampled.h"

#include <cudatrace/record.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#define XXH_INLINE_ALL
#include <xxhash.h>

struct trace {
	char *events, *records, *manifest;
	size_t events_bytes, records_bytes, manifest_bytes;
};

static void store(const char *base, const char *name, const struct trace *trace)
{
	char path[1024];

	snprintf(path, sizeof(path), "%s/%s", base, name);
	mkdir(path, 0777);
	fixture_write(path, "events-0.ct", trace->events, trace->events_bytes);
	fixture_write(path, "device-0-0.ct", trace->records, trace->records_bytes);
	fixture_write(path, "manifest-0.json", trace->manifest, trace->manifest_bytes);
}

/* Make the hashes of the chunk at content right. */
static void seal(char *content)
{
	struct ct_chunk_header header;

	memcpy(&header, content, sizeof(header));
	header.payload_hash = XXH3_64bits(content + sizeof(header), header.coded_bytes);
	header.header_hash = XXH3_64bits(&header, offsetof(struct ct_chunk_header, header_hash));
	memcpy(content, &header, sizeof(header));
}

static size_t chunk_bytes(const char *content)
{
	struct ct_chunk_header header;

	memcpy(&header, content, sizeof(header));
	return sizeof(header) + header.coded_bytes;
}

/* The third chunk in the file has the loop, behind a segment header. */
static void store_bad_loop(const char *base, const struct trace *good)
{
	char *chunk = good->records + chunk_bytes(good->records), *width;

	chunk += chunk_bytes(chunk);
	width = chunk + sizeof(struct ct_chunk_header) + 4 * 8 + 7;
	*width = (char)(*width + 8);
	seal(chunk);
	store(base, "bad-loop.ctrace", good);
	*width = (char)(*width - 8);
	seal(chunk);
}

static void store_bad_twice(const char *base, const struct trace *good)
{
	size_t first = chunk_bytes(good->records);
	struct trace bad = *good;

	bad.records_bytes += first;
	bad.records = malloc(bad.records_bytes);
	memcpy(bad.records, good->records, good->records_bytes);
	memcpy(bad.records + good->records_bytes, good->records, first);
	store(base, "bad-twice.ctrace", &bad);
	free(bad.records);
}

static int make(const char *base, const char *name, int level, enum ct_codec codec)
{
	const struct ct_writer_options options = {.level = level,
						  .fixed_codec = (uint32_t)codec + 1};
	char path[1024];
	int err;

	snprintf(path, sizeof(path), "%s/%s", base, name);
	err = sampled_make_with(path, &options);
	if (err < 0)
		fprintf(stderr, "make_golden: cannot write %s\n", path);
	return err;
}

int main(int argc, char **argv)
{
	struct trace trace;
	char path[1024];

	if (argc != 2) {
		fprintf(stderr, "usage: make_golden DIRECTORY\n");
		return 2;
	}
	if (make(argv[1], "v3-sampled.ctrace", 0, CT_CODEC_NONE) < 0 ||
	    make(argv[1], "v3-delta.ctrace", 0, CT_CODEC_DELTA) < 0 ||
	    make(argv[1], "v3-delta-zstd.ctrace", 1, CT_CODEC_DELTA_ZSTD) < 0)
		return 1;
	snprintf(path, sizeof(path), "%s/v3-sampled.ctrace", argv[1]);
	trace.events = fixture_read(path, "events-0.ct", &trace.events_bytes);
	trace.records = fixture_read(path, "device-0-0.ct", &trace.records_bytes);
	trace.manifest = fixture_read(path, "manifest-0.json", &trace.manifest_bytes);
	store_bad_loop(argv[1], &trace);
	store_bad_twice(argv[1], &trace);
	free(trace.events);
	free(trace.records);
	free(trace.manifest);
	return 0;
}
