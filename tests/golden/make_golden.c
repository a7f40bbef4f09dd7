/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Make the traces of this directory. They are committed and kept for ever, so
 * that every later reader is tested with what today's writer wrote; run this
 * for a new format version or a new defect only:
 *
 *	make_golden tests/golden
 *
 * v1-small.ctrace           every event kind, two kernels, two traced launches
 * bad-torn.ctrace           both files end inside their last chunk
 * bad-payload.ctrace        one byte of the first records changed
 * bad-header.ctrace         one byte of the first records' header changed
 * bad-units.ctrace          the unit chunk is missing
 * bad-version.ctrace        written by version 255
 * bad-empty.ctrace          events-0.ct has no byte, and there is no manifest
 */
#include "trace_fixture.h"

#include <cudatrace/format.h>
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
	if (trace->records_bytes)
		fixture_write(path, "device-0-0.ct", trace->records, trace->records_bytes);
	if (trace->manifest_bytes)
		fixture_write(path, "manifest.json", trace->manifest, trace->manifest_bytes);
}

static void store_changed_byte(const char *base, const char *name, const struct trace *trace,
			       size_t at)
{
	trace->records[at] ^= 0x20;
	store(base, name, trace);
	trace->records[at] ^= 0x20;
}

static void store_defects(const char *base, const struct trace *good)
{
	struct ct_chunk_header header;
	struct trace bad = *good;

	bad.events_bytes -= 5;
	bad.records_bytes -= 5;
	store(base, "bad-torn.ctrace", &bad);
	store_changed_byte(base, "bad-payload.ctrace", good, sizeof(header) + 2);
	store_changed_byte(base, "bad-header.ctrace", good, 12);

	bad = *good;
	memcpy(&header, good->events, sizeof(header));
	bad.events += sizeof(header) + header.coded_bytes;
	bad.events_bytes -= sizeof(header) + header.coded_bytes;
	store(base, "bad-units.ctrace", &bad);

	header.version = 255;
	header.header_hash = XXH3_64bits(&header, offsetof(struct ct_chunk_header, header_hash));
	memcpy(good->events, &header, sizeof(header));
	store(base, "bad-version.ctrace", good);

	memset(&bad, 0, sizeof(bad));
	store(base, "bad-empty.ctrace", &bad);
}

int main(int argc, char **argv)
{
	struct trace trace;
	char path[1024];

	if (argc != 2) {
		fprintf(stderr, "usage: make_golden DIRECTORY\n");
		return 2;
	}
	snprintf(path, sizeof(path), "%s/v1-small.ctrace", argv[1]);
	if (fixture_make(path, 1, true) < 0) {
		fprintf(stderr, "make_golden: cannot write %s\n", path);
		return 1;
	}
	trace.events = fixture_read(path, "events-0.ct", &trace.events_bytes);
	trace.records = fixture_read(path, "device-0-0.ct", &trace.records_bytes);
	trace.manifest = fixture_read(path, "manifest.json", &trace.manifest_bytes);
	store_defects(argv[1], &trace);
	free(trace.events);
	free(trace.records);
	free(trace.manifest);
	return 0;
}
