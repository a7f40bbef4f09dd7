/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Make the traces of this directory that today's version of the format has.
 * They are committed and kept for ever, so that every later reader is tested
 * with what today's writer wrote; run this for a new format version or a new
 * defect only:
 *
 *	make_golden tests/golden
 *
 * Version 1, made by earlier versions of this program and never again:
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
 */
#include "trace_calls.h"
#include "trace_fixture.h"
#include "trace_transfers.h"

#include <cudatrace/format.h>
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

static void store_defects(const char *base, const struct trace *good)
{
	/* Segment header, access, value record. */
	char *bytes_field = good->records + sizeof(struct ct_chunk_header) + 3 * 8 + 4;
	struct ct_chunk_header header;
	struct trace bad = *good;
	size_t first = chunk_bytes(good->events), removed;

	*bytes_field = 17;
	seal(good->records);
	store(base, "bad-record.ctrace", good);
	*bytes_field = 4;
	seal(good->records);

	/* The second and third chunk are the units for sm_80 and sm_86. */
	removed = chunk_bytes(good->events + first);
	removed += chunk_bytes(good->events + first + removed);
	bad.events = malloc(good->events_bytes);
	bad.events_bytes -= removed;
	memcpy(bad.events, good->events, first);
	memcpy(bad.events + first, good->events + first + removed,
	       good->events_bytes - first - removed);
	store(base, "bad-tag.ctrace", &bad);
	free(bad.events);

	memcpy(&header, good->events, sizeof(header));
	header.version = 255;
	memcpy(good->events, &header, sizeof(header));
	seal(good->events);
	store(base, "bad-version.ctrace", good);
}

int main(int argc, char **argv)
{
	struct trace trace;
	char path[1024];

	if (argc != 2) {
		fprintf(stderr, "usage: make_golden DIRECTORY\n");
		return 2;
	}
	snprintf(path, sizeof(path), "%s/v2-calls.ctrace", argv[1]);
	if (calls_make(path, 0, 0) < 0) {
		fprintf(stderr, "make_golden: cannot write %s\n", path);
		return 1;
	}
	trace.events = fixture_read(path, "events-0.ct", &trace.events_bytes);
	trace.records = fixture_read(path, "device-0-0.ct", &trace.records_bytes);
	trace.manifest = fixture_read(path, "manifest-0.json", &trace.manifest_bytes);
	store_defects(argv[1], &trace);
	free(trace.events);
	free(trace.records);
	free(trace.manifest);
	snprintf(path, sizeof(path), "%s/v2-transfers.ctrace", argv[1]);
	if (transfers_make(path, 0) < 0) {
		fprintf(stderr, "make_golden: cannot write %s\n", path);
		return 1;
	}
	return 0;
}
