/* SPDX-License-Identifier: Apache-2.0 */
/* A trace of many calls for `ctpost calls`:
 *
 *	bench_calls_trace TRACE CALLS NODES MODULE FIRST LAST
 *
 * so many calls of four threads, every second one with a device activity, every 16th one waiting;
 * host stacks of so many frames whose return addresses are drawn from FIRST to LAST of the file
 * MODULE. */
#include "trace/write/writer.h"
#include <cudatrace/format.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define BLOCK 65536u
#define DEPTH 40u /* of stacks */
#define START_NS 1750000000000000000ull

static uint64_t state = 88172645463325252u;

static uint64_t draw(uint64_t below)
{
	state ^= state << 13;
	state ^= state >> 7;
	state ^= state << 17;
	return state % below;
}

static void check(int err)
{
	if (err == 0)
		return;
	fprintf(stderr, "the trace cannot be written (%d)\n", err);
	exit(1);
}

static uint32_t string(struct ct_writer *writer, const char *text)
{
	uint32_t id;

	check(ct_writer_string(writer, text, &id));
	return id;
}

/* Stacks side by side, each from its outermost frame inwards. */
static void write_stacks(struct ct_writer *writer, uint32_t nodes, uint64_t first, uint64_t last)
{
	struct ct_row_stack *rows = calloc(BLOCK, sizeof(*rows));

	for (uint32_t at = 0, count; rows && at < nodes; at += count) {
		count = nodes - at < BLOCK ? nodes - at : BLOCK;
		for (uint32_t i = 0; i < count; i++) {
			rows[i].offset = first + draw(last - first);
			rows[i].caller = (at + i) % DEPTH == 0 ? 0 : at + i;
			rows[i].module = 1;
		}
		check(ct_writer_rows(writer, CT_TABLE_STACK, rows, count, NULL));
	}
	free(rows);
}

static void write_calls(struct ct_writer *writer, uint32_t calls, uint32_t nodes)
{
	static const char *const names[] = {"cudaLaunchKernel", "cudaMemcpyAsync", "cudaMalloc",
					    "cudaStreamSynchronize"};
	struct ct_row_call *rows = calloc(BLOCK, sizeof(*rows));
	struct ct_row_activity *activities = calloc(BLOCK, sizeof(*activities));
	uint64_t time_ns[4] = {START_NS, START_NS, START_NS, START_NS};
	uint32_t name[4], kernel[16];
	char text[32];

	for (unsigned i = 0; i < 4; i++)
		name[i] = string(writer, names[i]);
	for (unsigned i = 0; i < 16; i++) {
		snprintf(text, sizeof(text), "_Z6kernelILi%u0EEvv", i + 1);
		kernel[i] = string(writer, text);
	}
	for (uint32_t at = 0, count; rows && activities && at < calls; at += count) {
		uint32_t used = 0;

		count = calls - at < BLOCK ? calls - at : BLOCK;
		for (uint32_t i = 0; i < count; i++) {
			uint32_t thread = (at + i) % 4, what = i % 16 == 15 ? 3
							       : i % 2      ? 2
									    : i % 4 / 2;
			struct ct_row_call *row = &rows[i];

			*row = (struct ct_row_call){
			    .begin_ns = time_ns[thread] + draw(500),
			    .duration_ns = what == 3 ? 20000 : 2000 + draw(1000),
			    .stream = thread + 1,
			    .thread = 1000 + thread,
			    .name = name[what],
			    .stack =
				nodes / DEPTH ? DEPTH * (1 + (uint32_t)draw(nodes / DEPTH)) : 0,
			    .kind = CT_SPAN_RUNTIME,
			    .correlation = at + i + 1,
			    .bytes = what == 1 ? 4096 : 0,
			};
			time_ns[thread] = row->begin_ns + row->duration_ns;
			if (what < 2)
				activities[used++] = (struct ct_row_activity){
				    .begin_ns = row->begin_ns + 4000,
				    .duration_ns = 1000 + draw(1000),
				    .stream = row->stream,
				    .correlation = row->correlation,
				    .kind = what ? CT_ACTIVITY_COPY : CT_ACTIVITY_KERNEL,
				    .copy = what ? CT_COPY_TO_DEVICE : CT_COPY_NONE,
				    .name = what ? 0 : kernel[draw(16)],
				    .bytes = row->bytes,
				};
		}
		check(ct_writer_rows(writer, CT_TABLE_CALL, rows, count, NULL));
		check(ct_writer_rows(writer, CT_TABLE_ACTIVITY, activities, used, NULL));
	}
	free(rows);
	free(activities);
}

int main(int argc, char **argv)
{
	const struct ct_writer_options options = {.level = 1};
	struct ct_event_module module = {.module = 1};
	struct ct_event_calls calls = {.missing = 0};
	struct ct_writer *writer;
	uint32_t nodes;
	char why[512];

	if (argc != 7) {
		fprintf(stderr, "usage: %s TRACE CALLS NODES MODULE FIRST LAST\n", argv[0]);
		return 2;
	}
	nodes = (uint32_t)strtoul(argv[3], NULL, 0);
	if (ct_writer_open(&writer, argv[1], &options, why, sizeof(why)) < 0) {
		fprintf(stderr, "%s\n", why);
		return 1;
	}
	calls.source = string(writer, "a benchmark");
	module.path = string(writer, argv[4]);
	check(ct_writer_event(writer, ct_event_calls_header(&calls)));
	check(ct_writer_event(writer, ct_event_module_header(&module)));
	write_stacks(writer, nodes, strtoull(argv[5], NULL, 0), strtoull(argv[6], NULL, 0));
	write_calls(writer, (uint32_t)strtoul(argv[2], NULL, 0), nodes);
	check(ct_writer_close(writer));
	return 0;
}
