/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Traces with API calls, device activities and host stacks. The one by hand, in microseconds:
 *
 *	main    0-800 solve (region)   390-690 step (range)
 *	        0-100 cudaMalloc   200-300 cudaMemcpy (205-295 cuMemcpyHtoD_v2 in it)
 *	        400-410, 415-420 cudaLaunchKernel   430-630 cudaDeviceSynchronize
 *	        700-704 cudaMemcpyAsync   705-725 cudaStreamSynchronize of stream 7
 *	worker  500-508 cudaLaunchKernel   510-511 cudaStreamQuery (not ready)
 *	        640-670 cudaFree (fails)   680-683 cudaMemset   730-750 cuCtxSynchronize (open)
 *
 *	stream 0  210-280 copy to the device   420-620 expand, traced   625-665 expand   690-691
 *memset stream 7  430-530 count   710-720 copy to the host; does not wait for stream 0 tracer
 *800-900
 *
 * So cudaMemcpy waits 70 for its copy; cudaDeviceSynchronize 190 for expand, which ends last;
 * cudaStreamSynchronize 10 for the copy; cudaFree 25 for expand; what is asynchronous 0.
 */
#include "tests/unit/trace/trace_api.h"
#include "tests/builder/trace.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#define START_NS 1750000000000000000ull
#define MAIN 100u
#define WORKER 101u
#define BLOCK 65536u /* rows */
#define COUNT(array) (uint32_t)(sizeof(array) / sizeof(*(array)))

static uint64_t at(uint64_t us)
{
	return START_NS + us * 1000;
}

static void add_head(struct build *b, const char *module)
{
	BUILD_EVENT(b, device, .name = build_string(b, "Demo device"), .arch = 90, .sm_count = 2);
	BUILD_EVENT(b, stream, .stream = 7, .flags = CT_STREAM_NON_BLOCKING);
	BUILD_EVENT(b, calls, .source = build_string(b, "CUPTI 13.0"),
		    .missing = build_string(b, "calls before main: the library was not there yet"));
	BUILD_EVENT(b, clock, .device_ns = 1000, .host_ns = START_NS, .error_ns = 50);
	BUILD_EVENT(b, thread, .thread = MAIN, .name = build_string(b, "solver"));
	BUILD_EVENT(b, thread, .thread = WORKER, .name = build_string(b, "worker"));
	BUILD_EVENT(b, module, .module = 1, .path = build_string(b, module), .size = 1 << 20);
	BUILD_LAUNCH(b, .kernel_name = build_string(b, "_Z6expandPKi"), .thread = MAIN);
	BUILD_LAUNCH(b, .kernel_name = build_string(b, "_Z5countv"), .stream = 7, .thread = MAIN,
		     .reason = build_string(b, "kernel not selected"));
	BUILD_LAUNCH(b, .kernel_name = build_string(b, "_Z6expandPKi"), .thread = WORKER,
		     .reason = build_string(b, "kernel not selected"));
}

static void add_stacks(struct build *b)
{
	static const struct ct_row_stack rows[] = {
	    {.offset = 0x1010, .module = 1},              /* 1: main, at one line */
	    {.offset = 0x2020, .module = 1, .caller = 1}, /* 2: solve */
	    {.offset = 0x3030, .module = 1, .caller = 2}, /* 3: step */
	    {.offset = 0x1050, .module = 1},              /* 4: main, at another one */
	    {.offset = 0x7f0000},                         /* 5: of no file */
	    {.offset = 0x6060, .module = 1, .caller = 5}, /* 6: work */
	};

	ct_writer_rows(b->writer, CT_TABLE_STACK, rows, COUNT(rows), NULL);
}

static struct ct_row_call call(struct build *b, uint32_t thread, const char *name, uint64_t from,
			       uint64_t to, uint32_t stack, struct ct_row_call like)
{
	like.thread = thread;
	like.name = build_string(b, name);
	like.begin_ns = at(from);
	like.duration_ns = (to - from) * 1000;
	like.stack = stack;
	if (!like.kind)
		like.kind = CT_SPAN_RUNTIME;
	return like;
}

#define CALL(thread, name, from, to, stack, ...)                                                   \
	call(b, thread, name, from, to, stack, (struct ct_row_call){__VA_ARGS__})

static void add_calls(struct build *b)
{
	const struct ct_row_call rows[] = {
	    CALL(MAIN, "cudaMalloc", 0, 100, 4, .bytes = 4096),
	    CALL(MAIN, "cuMemcpyHtoD_v2", 205, 295, 2, .bytes = 1000000, .correlation = 1,
		 .kind = CT_SPAN_DRIVER, .flags = CT_SPAN_INNER, .copy = CT_COPY_TO_DEVICE),
	    CALL(MAIN, "cudaMemcpy", 200, 300, 2, .bytes = 1000000, .correlation = 1,
		 .copy = CT_COPY_TO_DEVICE),
	    CALL(MAIN, "cudaLaunchKernel", 400, 410, 3, .correlation = 2, .launch = 1),
	    CALL(MAIN, "cudaLaunchKernel", 415, 420, 3, .correlation = 3, .launch = 2, .stream = 7),
	    CALL(WORKER, "cudaLaunchKernel", 500, 508, 6, .launch = 3),
	    CALL(WORKER, "cudaStreamQuery", 510, 511, 6, .result = 600),
	    CALL(MAIN, "cudaDeviceSynchronize", 430, 630, 2, .kind = CT_SPAN_RUNTIME),
	    CALL(WORKER, "cudaFree", 640, 670, 6, .result = 1),
	    CALL(WORKER, "cudaMemset", 680, 683, 5, .bytes = 512, .correlation = 6),
	    CALL(MAIN, "step", 390, 690, 1, .kind = CT_SPAN_RANGE),
	    CALL(MAIN, "cudaMemcpyAsync", 700, 704, 2, .bytes = 4096, .correlation = 4, .stream = 7,
		 .copy = CT_COPY_TO_HOST, .id = 1),
	    CALL(MAIN, "cudaStreamSynchronize", 705, 725, 1, .stream = 7, .id = 2),
	    CALL(WORKER, "cuCtxSynchronize", 730, 750, 0, .kind = CT_SPAN_DRIVER,
		 .flags = CT_SPAN_OPEN),
	    CALL(MAIN, "solve", 0, 800, 4, .kind = CT_SPAN_REGION),
	};

	ct_writer_rows(b->writer, CT_TABLE_CALL, rows, COUNT(rows), NULL);
}

static struct ct_row_activity activity(uint64_t from, uint64_t to, uint32_t kind,
				       struct ct_row_activity like)
{
	like.begin_ns = at(from);
	like.duration_ns = (to - from) * 1000;
	like.kind = kind;
	return like;
}

#define ACTIVITY(kind, from, to, ...)                                                              \
	activity(from, to, CT_ACTIVITY_##kind, (struct ct_row_activity){__VA_ARGS__})

static void add_activities(struct build *b)
{
	uint32_t expand = build_string(b, "_Z6expandPKi"), count = build_string(b, "_Z5countv");
	const struct ct_row_activity rows[] = {
	    ACTIVITY(COPY, 210, 280, .bytes = 1000000, .correlation = 1, .copy = CT_COPY_TO_DEVICE,
		     .flags = CT_ACTIVITY_PAGEABLE),
	    ACTIVITY(KERNEL, 430, 530, .name = count, .correlation = 3, .launch = 2, .stream = 7),
	    ACTIVITY(KERNEL, 420, 620, .name = expand, .correlation = 2, .launch = 1,
		     .flags = CT_ACTIVITY_TRACED),
	    ACTIVITY(KERNEL, 625, 665, .launch = 3), /* known by its launch alone */
	    ACTIVITY(SET, 690, 691, .bytes = 512, .correlation = 6),
	    ACTIVITY(COPY, 710, 720, .bytes = 4096, .correlation = 4, .stream = 7,
		     .copy = CT_COPY_TO_HOST),
	    ACTIVITY(KERNEL, 800, 900, .name = count, .flags = CT_ACTIVITY_OURS),
	};

	ct_writer_rows(b->writer, CT_TABLE_ACTIVITY, rows, COUNT(rows), NULL);
}

/* The copy's target, of which the second half is read after the wait. */
static void add_uses(struct build *b)
{
	const struct ct_row_wait wait = {.end_ns = at(725),
					 .site = 0xfeedface12345678,
					 .bytes = 4096,
					 .call = 2,
					 .thread = MAIN,
					 .ranges = 1,
					 .used = 1,
					 .means = CT_MEANS_HOST};
	const struct ct_row_use use = {.time_ns = at(790),
				       .address = 0x10000,
				       .bytes = 4096,
				       .at = 0x10800,
				       .at_bytes = 8,
				       .rows = 1,
				       .wait = 2,
				       .producer = 1,
				       .thread = MAIN,
				       .stack = 4,
				       .reason = build_string(b, "write"),
				       .origin = CT_PROTECTS_TO_HOST,
				       .kind = CT_USE_SYSTEM,
				       .means = CT_MEANS_HOST};

	ct_writer_rows(b->writer, CT_TABLE_WAIT, &wait, 1, NULL);
	ct_writer_rows(b->writer, CT_TABLE_USE, &use, 1, NULL);
}

int api_make(const char *directory, bool with_activities, const char *module)
{
	struct build *b = build_part(directory, NULL);

	add_head(b, module);
	add_stacks(b);
	add_calls(b);
	add_uses(b);
	if (with_activities)
		add_activities(b);
	return build_close(b, NULL);
}

/* The random one. */
struct random_part {
	struct build *b;
	uint64_t state;
	uint64_t time_ns[4];   /* of threads: the end of the last call */
	uint64_t stream_ns[4]; /* of streams: the end of the last activity */
	uint32_t correlation;
	struct ct_row_call *call; /* written at the end */
	struct ct_row_activity *activity;
	size_t calls, activities;
};

static uint64_t draw(struct random_part *part, uint64_t below)
{
	part->state ^= part->state << 13;
	part->state ^= part->state >> 7;
	part->state ^= part->state << 17;
	return part->state % below;
}

static const char *const names[] = {
    "cudaLaunchKernel", "cudaLaunchKernel",      "cudaMemcpyAsync",       "cudaMemcpy",
    "cudaMalloc",       "cudaDeviceSynchronize", "cudaStreamSynchronize", "cudaEventRecord",
};

/* The call's work begins when the stream is free; some of it has ended when the call does. */
static void add_random_activity(struct random_part *part, const struct ct_row_call *row,
				bool is_kernel)
{
	static const char *const kernels[] = {"_Z1ai", "_Z1bf", "_Z1cv"};
	uint64_t *stream = &part->stream_ns[row->stream % 4], begin = row->begin_ns + 10;
	struct ct_row_activity activity = {
	    .begin_ns = begin > *stream ? begin : *stream,
	    .duration_ns = 1 + draw(part, 4000),
	    .stream = row->stream,
	    .bytes = is_kernel ? 0 : row->bytes,
	    .correlation = row->correlation,
	    .kind = is_kernel ? CT_ACTIVITY_KERNEL : CT_ACTIVITY_COPY,
	    .copy = is_kernel ? CT_COPY_NONE : row->copy,
	    .flags = is_kernel ? (uint32_t)draw(part, 2) : 0,
	    .name = is_kernel ? build_string(part->b, kernels[draw(part, 3)]) : 0,
	};

	*stream = activity.begin_ns + activity.duration_ns;
	part->activity[part->activities++] = activity;
}

static void add_random_call(struct random_part *part, uint32_t stacks)
{
	uint32_t thread = (uint32_t)draw(part, 4), which = (uint32_t)draw(part, 8);
	bool is_copy = which == 2 || which == 3, is_kernel = which < 2;
	struct ct_row_call row = {
	    .begin_ns = part->time_ns[thread] + draw(part, 500),
	    .duration_ns = 1 + draw(part, which == 5 || which == 6 || which == 3 ? 8000 : 300),
	    .thread = 1000 + thread,
	    .name = build_string(part->b, names[which]),
	    .stack = (uint32_t)draw(part, stacks + 1),
	    .stream = which == 3 || !(is_copy || is_kernel || which == 6) ? 0 : draw(part, 4),
	    .correlation = is_copy || is_kernel ? ++part->correlation : 0,
	    .bytes = is_copy ? draw(part, 1 << 20) : 0,
	    .copy = is_copy ? 1 + (uint32_t)draw(part, 3) : 0,
	    .kind = CT_SPAN_RUNTIME,
	};

	part->time_ns[thread] = row.begin_ns + row.duration_ns;
	if (is_copy || is_kernel)
		add_random_activity(part, &row, is_kernel);
	if (which == 3) {
		struct ct_row_call inner = row;

		inner.name = build_string(part->b, "cuMemcpyHtoD_v2");
		inner.kind = CT_SPAN_DRIVER;
		inner.flags = CT_SPAN_INNER;
		inner.duration_ns /= 2;
		part->call[part->calls++] = inner;
	}
	part->call[part->calls++] = row;
}

static int write_random(struct random_part *part)
{
	for (size_t at = 0; at < part->calls; at += BLOCK)
		ct_writer_rows(part->b->writer, CT_TABLE_CALL, part->call + at,
			       part->calls - at < BLOCK ? (uint32_t)(part->calls - at) : BLOCK,
			       NULL);
	for (size_t at = 0; at < part->activities; at += BLOCK)
		ct_writer_rows(part->b->writer, CT_TABLE_ACTIVITY, part->activity + at,
			       part->activities - at < BLOCK ? (uint32_t)(part->activities - at)
							     : BLOCK,
			       NULL);
	free(part->call);
	free(part->activity);
	return build_close(part->b, NULL);
}

static int make_random_part(const char *directory, uint32_t number, uint64_t seed, uint32_t calls)
{
	const struct ct_writer_options options = {.part = number, .part_step = 1};
	struct random_part part = {
	    .b = build_part(directory, number ? &options : NULL),
	    .state = seed * 2654435761u + number + 1,
	    .call = malloc(2 * (calls + 1) * sizeof(*part.call)),
	    .activity = malloc((calls + 1) * sizeof(*part.activity)),
	};
	struct ct_row_stack frame = {.module = 1};
	const uint32_t stacks = 50;

	BUILD_EVENT(part.b, calls, .source = build_string(part.b, "made up"));
	BUILD_EVENT(part.b, stream, .stream = 3, .flags = CT_STREAM_NON_BLOCKING);
	BUILD_EVENT(part.b, module, .module = 1, .path = build_string(part.b, "/nowhere/solver"));
	for (uint32_t i = 0; i < stacks; i++) {
		frame.offset = 16 + 16 * draw(&part, 20);
		frame.caller = (uint32_t)draw(&part, i + 1);
		ct_writer_rows(part.b->writer, CT_TABLE_STACK, &frame, 1, NULL);
	}
	for (unsigned i = 0; i < 4; i++)
		part.time_ns[i] = part.stream_ns[i] = START_NS;
	if (!part.call || !part.activity)
		return -1;
	for (uint32_t i = 0; i < calls; i++)
		add_random_call(&part, stacks);
	return write_random(&part);
}

int api_make_random(const char *directory, uint64_t seed, uint32_t calls)
{
	int err = make_random_part(directory, 0, seed, calls / 2);

	return err < 0 ? err : make_random_part(directory, 1, seed, calls / 2);
}

/* Half of the columns of a row are small numbers, so that some name what is there. */
static void fill(struct random_part *part, void *row, size_t bytes)
{
	uint32_t *words = row;

	for (size_t i = 0; i < bytes / sizeof(*words); i++)
		words[i] = (uint32_t)draw(part, draw(part, 2) ? 8 : (uint64_t)UINT32_MAX + 1);
}

int api_make_senseless(const char *directory, uint64_t seed, uint32_t rows)
{
	struct random_part part = {
	    .b = build_part(directory, NULL),
	    .state = seed * 2654435761u + 1,
	};

	add_head(part.b, "/nowhere/solver");
	for (uint32_t i = 0; i < rows; i++) {
		struct ct_row_stack stack;
		struct ct_row_activity activity;
		struct ct_row_call row;
		struct ct_row_wait wait;
		struct ct_row_use use;

		fill(&part, &wait, sizeof(wait));
		fill(&part, &use, sizeof(use));
		ct_writer_rows(part.b->writer, CT_TABLE_WAIT, &wait, 1, NULL);
		ct_writer_rows(part.b->writer, CT_TABLE_USE, &use, 1, NULL);
		fill(&part, &stack, sizeof(stack));
		fill(&part, &activity, sizeof(activity));
		fill(&part, &row, sizeof(row));
		ct_writer_rows(part.b->writer, CT_TABLE_STACK, &stack, 1, NULL);
		ct_writer_rows(part.b->writer, CT_TABLE_ACTIVITY, &activity, 1, NULL);
		ct_writer_rows(part.b->writer, CT_TABLE_CALL, &row, 1, NULL);
	}
	return build_close(part.b, NULL);
}
