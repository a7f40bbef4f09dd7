/* SPDX-License-Identifier: Apache-2.0 */
/* A study of many calls for `ctpost ffm`:
 *
 *	bench_ffm_study STUDY CALLS SITES
 *
 * two runs of a program of two threads, each with a stream of its own, that make about so many
 *calls in all, in iterations of ten: an allocation, a copy to the device, four kernels, of the
 *waits one that is needed, one that is not, the free of the allocation. Each call is made from one
 *of so many stacks of 30 frames. Each third copy moves what is there. The run of uses is slower,
 *and lacks one call in ten thousand. */
#include "base/study.h"
#include "trace/write/writer.h"
#include <cudatrace/format.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define THREADS 2u
#define DEPTH 30u
#define BLOCK 65536u /* rows */
#define COPY_BYTES 65536u
#define START_NS 1750000000000000000ull
#define ADDRESS 0x7f0000000000ull

enum what { ALLOCATE, COPY, LAUNCH, SYNCHRONISE, FREE, READ, NEEDED };

static const struct {
	enum what what;
	const char *name;
	uint32_t cpu_ns, device_ns; /* of the call but for waiting; of its work */
} iteration[] = {
    {ALLOCATE, "cudaMalloc", 1500, 0},        {COPY, "cudaMemcpyAsync", 2500, 3000},
    {LAUNCH, "cudaLaunchKernel", 2000, 9000}, {SYNCHRONISE, "cudaStreamSynchronize", 1000, 0},
    {LAUNCH, "cudaLaunchKernel", 2000, 8000}, {FREE, "cudaFree", 2200, 0},
    {LAUNCH, "cudaLaunchKernel", 2000, 5000}, {LAUNCH, "cudaLaunchKernel", 2000, 5000},
    {READ, "cudaMemcpyAsync", 2500, 3000},    {NEEDED, "cudaStreamSynchronize", 1000, 0},
};

#define PER_ITERATION (sizeof(iteration) / sizeof(*iteration))

/* Rows of a table until there are enough to write. */
struct rows {
	void *row;
	size_t bytes;
	uint32_t count;
	enum ct_table_number table;
};

struct run {
	struct ct_writer *writer;
	bool has_uses;
	struct rows calls, activities, waits, uses, contents;
	uint64_t now[THREADS], free_at[THREADS]; /* of the thread, of its stream */
	uint32_t ids, transfers, name[PER_ITERATION], kernel, sites;
	uint64_t state; /* of the generator */
};

static void check(int err)
{
	if (err == 0)
		return;
	fprintf(stderr, "the trace cannot be written (%d)\n", err);
	exit(1);
}

static uint64_t draw(struct run *run, uint64_t below)
{
	run->state ^= run->state << 13;
	run->state ^= run->state >> 7;
	run->state ^= run->state << 17;
	return run->state % below;
}

static void flush(struct run *run, struct rows *rows)
{
	check(ct_writer_rows(run->writer, rows->table, rows->row, rows->count, NULL));
	rows->count = 0;
}

static void *add(struct run *run, struct rows *rows)
{
	char *row;

	if (!rows->row)
		rows->row = malloc(BLOCK * rows->bytes);
	if (!rows->row)
		check(-1);
	if (rows->count == BLOCK)
		flush(run, rows);
	row = (char *)rows->row + rows->count++ * rows->bytes;
	return memset(row, 0, rows->bytes);
}

static uint32_t string(struct ct_writer *writer, const char *text)
{
	uint32_t id;

	check(ct_writer_string(writer, text, &id));
	return id;
}

static void add_stacks(struct run *run)
{
	struct ct_row_stack row[DEPTH];

	for (uint32_t site = 0; site < run->sites; site++) {
		for (uint32_t i = 0; i < DEPTH; i++)
			row[i] = (struct ct_row_stack){
			    .offset = 0x1000 + (i < DEPTH - 1 ? i : DEPTH + site) * 16u,
			    .caller = i ? site * DEPTH + i : 0,
			    .module = 1,
			};
		check(ct_writer_rows(run->writer, CT_TABLE_STACK, row, DEPTH, NULL));
	}
}

static void add_work(struct run *run, uint32_t thread, uint32_t step, uint32_t correlation)
{
	struct ct_row_activity *row = add(run, &run->activities);
	bool is_kernel = iteration[step].what == LAUNCH;
	uint64_t begin =
	    run->now[thread] > run->free_at[thread] ? run->now[thread] : run->free_at[thread] + 300;

	row->begin_ns = begin;
	row->duration_ns = iteration[step].device_ns;
	row->stream = thread + 1;
	row->correlation = correlation;
	row->kind = is_kernel ? CT_ACTIVITY_KERNEL : CT_ACTIVITY_COPY;
	row->name = is_kernel ? run->kernel : 0;
	row->bytes = is_kernel ? 0 : COPY_BYTES;
	run->free_at[thread] = begin + row->duration_ns;
}

static void add_wait(struct run *run, uint32_t thread, enum what what)
{
	struct ct_row_wait *wait = add(run, &run->waits);
	struct ct_row_use *use;

	wait->end_ns = run->now[thread];
	wait->call = run->ids;
	wait->thread = 1000 + thread;
	wait->ranges = 1;
	wait->used = what == NEEDED;
	wait->unused = what != NEEDED;
	use = add(run, &run->uses);
	use->time_ns = run->now[thread] + draw(run, 100000);
	use->wait = wait->call;
	use->kind = what == NEEDED ? CT_USE_LOAD : CT_USE_NONE;
	use->stack = DEPTH;
}

static void add_transfer(struct run *run, uint32_t thread, enum what what)
{
	uint64_t device = ADDRESS + thread * 2 * COPY_BYTES, host = device + COPY_BYTES;
	struct ct_event_transfer event = {
	    .header.time_ns = run->now[thread],
	    .target = what == READ ? host : device,
	    .source = what == READ ? device : host,
	    .width = COPY_BYTES,
	    .height = 1,
	    .depth = 1,
	    .stream = thread + 1,
	    .transfer = ++run->transfers,
	    .kind = CT_TRANSFER_COPY,
	    .thread = 1000 + thread,
	};
	struct ct_row_content *content;

	check(ct_writer_event(run->writer, ct_event_transfer_header(&event)));
	if (!run->has_uses)
		return;
	content = add(run, &run->contents);
	content->bytes = COPY_BYTES;
	content->same_bytes = run->transfers % 3 ? 0 : COPY_BYTES;
	content->hash_low = run->transfers % 3 ? run->transfers : run->transfers - 1;
	content->transfer = run->transfers;
	content->copy = what == READ ? CT_COPY_TO_HOST : CT_COPY_TO_DEVICE;
}

static void add_memory(struct run *run, uint32_t thread, enum what what)
{
	uint64_t address = ADDRESS + (1 + thread) * 0x1000000ull;
	struct ct_event_alloc alloc = {
	    .header.time_ns = run->now[thread],
	    .address = address,
	    .bytes = 4096,
	    .object = run->ids,
	    .kind = CT_OBJECT_DEVICE,
	};
	struct ct_event_free free = {.header.time_ns = run->now[thread], .address = address};

	check(ct_writer_event(run->writer, what == ALLOCATE ? ct_event_alloc_header(&alloc)
							    : ct_event_free_header(&free)));
}

/* When a call that waits ends; the free waits for both streams. */
static uint64_t end_of_wait(const struct run *run, uint32_t thread, enum what what)
{
	uint64_t end = run->now[thread];

	for (uint32_t t = 0; t < THREADS; t++)
		if ((t == thread || what == FREE) && run->free_at[t] + 500 > end)
			end = run->free_at[t] + 500;
	return end;
}

/* Whatever the run: the same iteration makes its calls from the same stacks. */
static uint32_t stack_of(const struct run *run, uint64_t number, uint32_t step)
{
	uint64_t hash = (number + 1) * 0x9e3779b97f4a7c15u;

	return DEPTH * (1 + (uint32_t)(((hash >> 32) * PER_ITERATION + step) % run->sites));
}

static void add_call(struct run *run, uint32_t thread, uint64_t number, uint32_t step)
{
	enum what what = iteration[step].what;
	struct ct_row_call *row = add(run, &run->calls);
	uint32_t id = ++run->ids;

	row->begin_ns = run->now[thread] += 500 + draw(run, run->has_uses ? 4000 : 1000);
	row->thread = 1000 + thread;
	row->name = run->name[step];
	row->stack = stack_of(run, number, step);
	row->stream = what == FREE || what == ALLOCATE ? 0 : thread + 1;
	row->correlation = row->id = id;
	row->kind = CT_SPAN_RUNTIME;
	row->bytes = what == COPY || what == READ ? COPY_BYTES : what == ALLOCATE ? 4096 : 0;
	run->now[thread] += iteration[step].cpu_ns;
	if (iteration[step].device_ns)
		add_work(run, thread, step, id);
	if (what == SYNCHRONISE || what == FREE || what == NEEDED)
		run->now[thread] = end_of_wait(run, thread, what);
	row->duration_ns = run->now[thread] - row->begin_ns;
	if (run->has_uses && (what == SYNCHRONISE || what == FREE || what == NEEDED))
		add_wait(run, thread, what);
	if (what == COPY || what == READ)
		add_transfer(run, thread, what);
	if (what == ALLOCATE || what == FREE)
		add_memory(run, thread, what);
}

static void begin(struct run *run)
{
	struct ct_event_module module = {.module = 1, .path = string(run->writer, "/nowhere/app")};
	struct ct_event_calls calls = {.source = string(run->writer, "a benchmark")};

	check(ct_writer_event(run->writer, ct_event_calls_header(&calls)));
	check(ct_writer_event(run->writer, ct_event_module_header(&module)));
	for (uint32_t t = 0; t < THREADS; t++) {
		struct ct_event_stream stream = {.stream = t + 1, .flags = CT_STREAM_NON_BLOCKING};

		check(ct_writer_event(run->writer, ct_event_stream_header(&stream)));
		run->now[t] = run->free_at[t] = START_NS;
	}
	for (size_t i = 0; i < PER_ITERATION; i++)
		run->name[i] = string(run->writer, iteration[i].name);
	run->kernel = string(run->writer, "_Z6kernelPf");
	add_stacks(run);
}

static void end(struct run *run)
{
	struct rows *all[] = {&run->calls, &run->activities, &run->waits, &run->uses,
			      &run->contents};

	for (size_t i = 0; i < sizeof(all) / sizeof(*all); i++) {
		if (all[i]->count)
			flush(run, all[i]);
		free(all[i]->row);
	}
	check(ct_writer_close(run->writer));
}

static void make(const char *path, uint64_t calls, uint32_t sites, bool has_uses)
{
	const struct ct_writer_options options = {.level = 1};
	struct run run = {
	    .has_uses = has_uses,
	    .calls = {.bytes = sizeof(struct ct_row_call), .table = CT_TABLE_CALL},
	    .activities = {.bytes = sizeof(struct ct_row_activity), .table = CT_TABLE_ACTIVITY},
	    .waits = {.bytes = sizeof(struct ct_row_wait), .table = CT_TABLE_WAIT},
	    .uses = {.bytes = sizeof(struct ct_row_use), .table = CT_TABLE_USE},
	    .contents = {.bytes = sizeof(struct ct_row_content), .table = CT_TABLE_CONTENT},
	    .sites = sites,
	    .state = 88172645463325252u,
	};
	char why[512];

	if (ct_writer_open(&run.writer, path, &options, why, sizeof(why)) < 0) {
		fprintf(stderr, "%s\n", why);
		exit(1);
	}
	begin(&run);
	for (uint64_t i = 0; i < calls / PER_ITERATION / THREADS; i++)
		for (uint32_t step = 0; step < PER_ITERATION; step++)
			for (uint32_t t = 0; t < THREADS; t++)
				if (!has_uses || i % 1000 != 999 || step != 7)
					add_call(&run, t, i, step);
	end(&run);
}

int main(int argc, char **argv)
{
	char path[4096];
	uint64_t calls;
	uint32_t sites;

	if (argc != 4) {
		fprintf(stderr, "usage: %s STUDY CALLS SITES\n", argv[0]);
		return 2;
	}
	calls = strtoull(argv[2], NULL, 0);
	sites = (uint32_t)strtoul(argv[3], NULL, 0);
	if (!sites || (mkdir(argv[1], 0777) < 0 && access(argv[1], 0) < 0))
		return 2;
	snprintf(path, sizeof(path), "%s/%s", argv[1], CT_STUDY_CALLS);
	make(path, calls, sites, false);
	snprintf(path, sizeof(path), "%s/%s", argv[1], CT_STUDY_USES);
	make(path, calls, sites, true);
	return 0;
}
