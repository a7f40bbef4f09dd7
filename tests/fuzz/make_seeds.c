/* SPDX-License-Identifier: Apache-2.0 */
/* Make the seed corpora: make_seeds DIRECTORY, with chunk/ cubin/ names/ trace/ unit/
 * decode/ in it. */
#include "tests/unit/trace/trace_api.h"
#include "tests/unit/trace/trace_calls.h"
#include "tests/unit/trace/trace_fixture.h"
#include "tests/unit/trace/trace_sampled.h"
#include "tests/unit/trace/trace_samples.h"
#include "tests/unit/trace/trace_transfers.h"

#include "trace/codec/chunk.h"
#include "trace/write/names.h"

#include <cudatrace/encode.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define COMMANDS 22 /* of fuzz_ctpost.c */

static const char *base;

static void store(const char *target, const char *name, const void *content, size_t bytes)
{
	char path[1024];

	snprintf(path, sizeof(path), "%s/%s", base, target);
	mkdir(path, 0777);
	fixture_write(path, name, content, bytes);
}

static int make_small(const char *directory, int level)
{
	return fixture_make(directory, level, false);
}

static int make_chunks(const char *directory, int level)
{
	return fixture_make(directory, level, true);
}

static int make_calls(const char *directory, int level)
{
	return calls_make(directory, level, 0);
}

static int make_delta(const char *directory, int level)
{
	const struct ct_writer_options options = {
	    .level = level, .fixed_codec = (level ? CT_CODEC_DELTA_ZSTD : CT_CODEC_DELTA) + 1};

	return sampled_make_with(directory, &options);
}

static int make_sampled(const char *directory, int level)
{
	const struct ct_writer_options options = {.level = level, .fixed_codec = CT_CODEC_NONE + 1};

	return sampled_make_with(directory, &options);
}

/* The chunks' payloads one behind the other. Level 0 has them stored. */
static void store_payloads(const char *name, const char *records, size_t bytes)
{
	struct ct_chunk_header header;
	char *joined = malloc(bytes);
	size_t joined_bytes = 0;

	for (size_t at = 0; at < bytes; at += sizeof(header) + header.coded_bytes) {
		memcpy(&header, records + at, sizeof(header));
		memcpy(joined + joined_bytes, records + at + sizeof(header), header.coded_bytes);
		joined_bytes += header.coded_bytes;
	}
	store("decode", name, joined, joined_bytes);
	free(joined);
}

/* For each command the trace, behind the byte that says which. */
static void store_commands(const char *name, const char *trace, size_t bytes)
{
	char *seed = malloc(bytes + 1), of_command[100];

	memcpy(seed + 1, trace, bytes);
	for (int i = 0; i < COMMANDS; i++) {
		snprintf(of_command, sizeof(of_command), "%s-%d", name, i);
		seed[0] = (char)i;
		store("ctpost", of_command, seed, bytes + 1);
	}
	free(seed);
}

/* Level 0 stores payloads, so that the fuzzer's changes reach what is in them. */
static void store_trace(int (*make)(const char *directory, int level), int level, const char *name)
{
	char *directory = fixture_directory();
	uint32_t events_bytes;
	size_t sizes[2];
	char *events, *records, *joined;

	if (make(directory, level) < 0)
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
	store_commands(name, joined, 4 + sizes[0] + sizes[1]);
	if (level == 0)
		store_payloads(name, records, sizes[1]);
	free(joined);
	free(events);
	free(records);
	fixture_remove(directory);
}

/* A name for each address of a stack, in a source with two lines. */
static void write_names(const char *directory)
{
	const struct ct_row_stack *rows;
	const struct ct_host_event *modules;
	struct ct_names names = {.count = 0};
	struct ct_row_source source = {.bytes = 100, .hash = 1};
	struct ct_trace *trace;
	char why[512], text[100];
	size_t count, module_count;
	int err = ct_trace_open(&trace, directory, why, sizeof(why));

	if (err == 0)
		err = ct_trace_rows(trace, 0, CT_TABLE_STACK, (const void **)&rows, &count);
	module_count = err == 0 ? ct_trace_events(trace, CT_EVENT_MODULE, &modules) : 0;
	for (size_t i = 0; i < module_count && err == 0; i++) {
		const struct ct_event_module *module = modules[i].module;
		struct ct_row_code_file row = {.module = module->module};

		row.path = ct_names_string(&names, ct_trace_string(trace, 0, module->path), &err);
		row.build_id =
		    ct_names_string(&names, ct_trace_string(trace, 0, module->build_id), &err);
		err = ct_names_row(&names, CT_TABLE_CODE_FILE, &row);
	}
	source.path = ct_names_string(&names, "/nowhere/a.cu", &err);
	for (uint32_t i = 0; err == 0 && i < count; i++) {
		struct ct_row_frame row = {.offset = rows[i].offset, .module = rows[i].module};
		struct ct_row_source_line line = {.source = 1, .line = i + 1};

		snprintf(text, sizeof(text), "f%u(int*)", i);
		row.function = line.text = ct_names_string(&names, text, &err);
		row.file = source.path;
		row.line = i + 1;
		row.flags = CT_FRAME_INLINED;
		err = ct_names_row(&names, CT_TABLE_FRAME, &row);
		row.flags = 0;
		if (err == 0)
			err = ct_names_row(&names, CT_TABLE_FRAME, &row);
		if (err == 0)
			err = ct_names_row(&names, CT_TABLE_SOURCE_LINE, &line);
	}
	if (err < 0 || !count || !module_count ||
	    ct_names_row(&names, CT_TABLE_SOURCE, &source) < 0 ||
	    ct_names_write(&names, directory, 0, 0) < 0)
		abort();
	ct_names_fini(&names);
	ct_trace_close(trace);
}

/* Stores the events, tables and names of a trace with stacks. */
static void store_names(void)
{
	static const char *const files[] = {"events-0.ct", "tables-0.ct", "names-0.ct"};
	char *directory = fixture_directory(), *content[3], *joined, *at;
	uint32_t sizes[3];
	size_t bytes, all = 8;

	if (api_make(directory, true, "/nowhere/program") < 0)
		abort();
	write_names(directory);
	for (int i = 0; i < 3; i++) {
		content[i] = fixture_read(directory, files[i], &bytes);
		sizes[i] = (uint32_t)bytes;
		all += bytes;
	}
	joined = malloc(all);
	memcpy(joined, sizes, 8);
	at = joined + 8;
	for (int i = 0; i < 3; i++) {
		memcpy(at, content[i], sizes[i]);
		at += sizes[i];
		free(content[i]);
	}
	store("names", "stacks", joined, all);
	free(joined);
	fixture_remove(directory);
}

/* The blob as version 1 had it. */
static void store_first_version(const void *blob, size_t bytes)
{
	const struct ct_unit_header *header = blob;
	const char *from = (const char *)(header + 1);
	size_t tables = header->kernel_count * sizeof(struct ct_unit_kernel) +
			header->param_count * sizeof(struct ct_unit_param);
	char *first = malloc(bytes), *at = first;
	struct ct_unit_header old = *header;

	old.version = 1;
	old.header_bytes = CT_UNIT_V1_HEADER_BYTES;
	memcpy(at, &old, CT_UNIT_V1_HEADER_BYTES);
	memcpy(at += CT_UNIT_V1_HEADER_BYTES, from, tables);
	at += tables;
	from += tables;
	for (uint32_t i = 0; i < header->site_count; i++, from += sizeof(struct ct_unit_site)) {
		memcpy(at, from, CT_UNIT_V1_SITE_BYTES);
		at += CT_UNIT_V1_SITE_BYTES;
	}
	memcpy(at, from, (size_t)((const char *)blob + bytes - from));
	at += (const char *)blob + bytes - from;
	store("unit", "first-version", first, (size_t)(at - first));
	free(first);
}

/* Stores what lanes copy, of different sizes: a record of their addresses, and three of what they
 * move. */
static void store_content(void)
{
	uint64_t words[2 + 4 * CT_RECORD_BYTES_MAX / 8] = {CT_SEGMENT_WORD0(0, 0, 1),
							   CT_SEGMENT_WORD1(0, 0)};
	uint64_t address[CT_WARP_LANES], bytes[CT_WARP_LANES], offset = 0;
	const void *from[CT_WARP_LANES];
	uint32_t n = 2, added;
	char content[200];

	for (uint32_t i = 0; i < sizeof(content); i++)
		content[i] = (char)i;
	for (uint32_t lane = 0; lane < CT_WARP_LANES; lane++) {
		address[lane] = 0x7f0000001000 + 256 * lane;
		bytes[lane] = 100 + lane;
		from[lane] = content + lane;
	}
	n += ct_encode_range(words + n, 4, 0xf0f, address, bytes);
	while ((added = ct_encode_content(words + n, 4, 0xf0f, bytes, from, &offset)) != 0)
		n += added;
	store("decode", "content", words, 8 * (size_t)n);
}

int main(int argc, char **argv)
{
	size_t bytes;
	void *unit = fixture_unit(&bytes);
	const void *places;

	if (argc != 2)
		return 2;
	base = argv[1];
	mkdir(base, 0777);
	store("unit", "small", unit, bytes);
	store_first_version(unit, bytes);
	free(unit);
	unit = samples_cubin(&bytes);
	store("cubin", "step", unit, bytes);
	free(unit);
	places = samples_places(&bytes);
	store("cubin", "places", places, bytes);
	store_content();
	store_names();
	store_trace(make_small, 0, "stored");
	store_trace(make_chunks, 0, "stored-often");
	store_trace(make_chunks, 1, "compressed");
	store_trace(make_calls, 0, "calls");
	store_trace(make_calls, 1, "calls-compressed");
	store_trace(transfers_make, 0, "transfers");
	store_trace(make_sampled, 0, "sampled");
	store_trace(make_delta, 0, "delta");
	store_trace(make_delta, 1, "delta-compressed");
	return 0;
}
