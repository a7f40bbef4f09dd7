/* SPDX-License-Identifier: Apache-2.0 */
/* Make the seed corpora: make_seeds DIRECTORY, with chunk/ trace/ unit/ decode/ in it. */
#include "trace_fixture.h"

#include "trace/chunk.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static const char *base;

static void store(const char *target, const char *name, const void *content, size_t bytes)
{
	char path[1024];

	snprintf(path, sizeof(path), "%s/%s", base, target);
	mkdir(path, 0777);
	fixture_write(path, name, content, bytes);
}

/* Level 0 stores payloads, so that the fuzzer's changes reach what is in them. */
static void store_trace(int level, bool flush_often, const char *name)
{
	char *directory = fixture_directory();
	uint32_t events_bytes;
	size_t sizes[2];
	char *events, *records, *joined;

	if (fixture_make(directory, level, flush_often) < 0)
		abort();
	events = fixture_read(directory, "events-0.ct", &sizes[0]);
	records = fixture_read(directory, "device-0-0.ct", &sizes[1]);
	store("chunk", name, events, sizes[0]);
	joined = malloc(4 + sizes[0] + sizes[1]);
	events_bytes = (uint32_t)sizes[0];
	memcpy(joined, &events_bytes, 4);
	memcpy(joined + 4, events, sizes[0]);
	memcpy(joined + 4 + sizes[0], records, sizes[1]);
	store("trace", name, joined, 4 + sizes[0] + sizes[1]);
	if (level == 0)
		store("decode", name, records + sizeof(struct ct_chunk_header),
		      sizes[1] - sizeof(struct ct_chunk_header));
	free(joined);
	free(events);
	free(records);
	fixture_remove(directory);
}

int main(int argc, char **argv)
{
	size_t bytes;
	void *unit = fixture_unit(&bytes);

	if (argc != 2)
		return 2;
	base = argv[1];
	mkdir(base, 0777);
	store("unit", "small", unit, bytes);
	free(unit);
	store_trace(0, false, "stored");
	store_trace(0, true, "stored-often");
	store_trace(1, true, "compressed");
	return 0;
}
