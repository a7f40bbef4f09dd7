/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A program whose waits and copies are worked out by hand. An iteration, in microseconds, 400 after
 * the one before it:
 *
 *	  0- 10  cudaMemcpy to the device, its copy 2-8          main:  0x1010
 *	 20- 22  cudaLaunchKernel, kernel 22-122                 solve: 0x2010, called by main
 *0x1020 30-122  cudaDeviceSynchronize                           solve: 0x2020 142-144
 *cudaLaunchKernel, kernel 144-204                solve: 0x2010 146-206  cudaFree solve: 0x2030
 *	250-252  cudaLaunchKernel, kernel 252-302                solve: 0x2010
 *	254-304  cudaStreamSynchronize, used 5 after it          main:  0x1040
 * and in the third one
 *	310-312  cudaLaunchKernel, kernel 312-352                solve: 0x2010
 *	314-354  cudaDeviceSynchronize, used 60 after it;        main:  0x1050
 *	         80 in the run of first uses
 *
 * The copies of all iterations but the first move what is there already. Nothing accesses what the
 * first synchronisation protects, nor what cudaFree does.
 */
#include "tests/unit/trace/trace_ffm.h"
#include "tests/builder/trace.h"

#include <string.h>

#define START_NS 1750000000000000000ull
#define THREAD 100u
#define ITERATION 400u
#define CALLS_MOST 64u
#define COUNT(array) (sizeof(array) / sizeof(*(array)))

enum what { COPY = 1, SYNCHRONISE, FREE, NEEDED, MISPLACED };

/* Rows of STACK. */
enum stack { COPIES = 1, SOLVES, LAUNCHES, SYNCHRONISES, FREES, NEEDS, NEEDS_LATE, USES };

static const struct ct_row_stack stacks[] = {
    {.offset = 0x1010, .module = 1},
    {.offset = 0x1020, .module = 1},
    {.offset = 0x2010, .caller = SOLVES, .module = 1},
    {.offset = 0x2020, .caller = SOLVES, .module = 1},
    {.offset = 0x2030, .caller = SOLVES, .module = 1},
    {.offset = 0x1040, .module = 1},
    {.offset = 0x1050, .module = 1},
    {.offset = 0x1060, .module = 1},
};

static const struct call {
	uint32_t begin, end;
	const char *name;
	uint32_t kernel; /* ends then; 0: none */
	enum stack stack;
	uint32_t what;
} iteration[] = {
    {0, 10, "cudaMemcpy", 0, COPIES, COPY},
    {20, 22, "cudaLaunchKernel", 122, LAUNCHES, 0},
    {30, 122, "cudaDeviceSynchronize", 0, SYNCHRONISES, SYNCHRONISE},
    {142, 144, "cudaLaunchKernel", 204, LAUNCHES, 0},
    {146, 206, "cudaFree", 0, FREES, FREE},
    {250, 252, "cudaLaunchKernel", 302, LAUNCHES, 0},
    {254, 304, "cudaStreamSynchronize", 0, NEEDS, NEEDED},
    {310, 312, "cudaLaunchKernel", 352, LAUNCHES, 0},
    {314, 354, "cudaDeviceSynchronize", 0, NEEDS_LATE, MISPLACED},
};

/* A process in the making. */
struct making {
	struct build *b;
	enum ffm_run run;
	struct ct_row_call call[CALLS_MOST];
	struct ct_row_activity activity[CALLS_MOST];
	struct ct_row_wait wait[CALLS_MOST];
	struct ct_row_use use[CALLS_MOST];
	struct ct_row_content content[CALLS_MOST];
	size_t calls, activities, waits, uses, contents;
};

static bool has_uses(enum ffm_run run)
{
	return run != FFM_CALLS;
}

static uint64_t at(const struct making *making, uint32_t number, uint32_t us)
{
	bool is_slow =
	    making->run == FFM_USES || making->run == FFM_FIRST_USES || making->run == FFM_BRANCHED;

	return START_NS + (uint64_t)(number * ITERATION + us) * (is_slow ? 2000 : 1000);
}

static void add_activity(struct making *making, uint32_t number, uint32_t begin, uint32_t end,
			 uint32_t kind)
{
	making->activity[making->activities++] = (struct ct_row_activity){
	    .begin_ns = at(making, number, begin),
	    .duration_ns = at(making, number, end) - at(making, number, begin),
	    .correlation = (uint32_t)making->calls,
	    .kind = kind,
	    .copy = kind == CT_ACTIVITY_COPY ? CT_COPY_TO_DEVICE : CT_COPY_NONE,
	};
}

static void add_call(struct making *making, uint32_t number, const struct call *call)
{
	struct ct_row_call *row = &making->call[making->calls++];

	*row = (struct ct_row_call){
	    .begin_ns = at(making, number, call->begin),
	    .duration_ns = at(making, number, call->end) - at(making, number, call->begin),
	    .name = build_string(making->b, call->name),
	    .thread = THREAD,
	    .stack = call->stack,
	    .kind = CT_SPAN_RUNTIME,
	    .bytes = call->what == COPY ? 8192 : 0,
	    .correlation = (uint32_t)making->calls,
	    .id = (uint32_t)making->calls,
	};
	if (call->kernel)
		add_activity(making, number, call->end, call->kernel, CT_ACTIVITY_KERNEL);
	if (call->what == COPY)
		add_activity(making, number, call->begin + 2, call->end - 2, CT_ACTIVITY_COPY);
}

static void add_use(struct making *making, uint64_t end_ns, uint32_t after_us)
{
	making->use[making->uses++] = (struct ct_row_use){
	    .wait = (uint32_t)making->calls,
	    .kind = CT_USE_LOAD,
	    .time_ns = end_ns + after_us * 1000u,
	    .stack = USES,
	};
}

/* Adds a wait of the call that was added last. Times between waits and uses are not stretched. */
static void add_wait(struct making *making, uint32_t number, const struct call *call)
{
	struct ct_row_wait *wait = &making->wait[making->waits++];
	bool is_asked = making->run != FFM_FIRST_USES || call->what == MISPLACED;
	bool is_used = call->what == NEEDED || call->what == MISPLACED;

	*wait = (struct ct_row_wait){
	    .call = (uint32_t)making->calls,
	    .end_ns = at(making, number, call->end),
	    .ranges = 1,
	    .used = is_used,
	    .unused = !is_used,
	    .flags = is_asked ? 0 : CT_WAIT_NOT_ASKED,
	};
	if (is_used && is_asked)
		add_use(making, wait->end_ns,
			call->what == NEEDED            ? 5
			: making->run == FFM_FIRST_USES ? 80
							: 60);
}

static void add_content(struct making *making, uint32_t number, const struct call *call)
{
	uint32_t transfer = (uint32_t)making->contents + 1;

	BUILD_EVENT(making->b, transfer, .header.time_ns = at(making, number, call->end) + 1,
		    .transfer = transfer, .width = 8192, .height = 1, .depth = 1,
		    .kind = CT_TRANSFER_COPY, .thread = THREAD);
	making->content[making->contents++] = (struct ct_row_content){
	    .transfer = transfer,
	    .bytes = 8192,
	    .same_bytes = number ? 8192 : 0,
	};
}

static void add_iteration(struct making *making, uint32_t number, bool is_last)
{
	static const struct call more = {12, 14, "cudaMalloc", 0, SOLVES, 0};
	bool is_late = is_last && making->run != FFM_BRANCHED;

	for (size_t i = 0; i < COUNT(iteration) - (is_late ? 0 : 2); i++) {
		add_call(making, number, &iteration[i]);
		if (!has_uses(making->run))
			continue;
		if (iteration[i].what == COPY && making->run != FFM_FIRST_USES)
			add_content(making, number, &iteration[i]);
		else if (iteration[i].what && iteration[i].what != COPY)
			add_wait(making, number, &iteration[i]);
		if (i == 0 && number == 1 && making->run == FFM_USES)
			add_call(making, number, &more);
	}
}

static int close_process(const struct making *making)
{
	struct ct_writer *writer = making->b->writer;

	ct_writer_rows(writer, CT_TABLE_STACK, stacks, COUNT(stacks), NULL);
	ct_writer_rows(writer, CT_TABLE_CALL, making->call, making->calls, NULL);
	ct_writer_rows(writer, CT_TABLE_ACTIVITY, making->activity, making->activities, NULL);
	ct_writer_rows(writer, CT_TABLE_WAIT, making->wait, making->waits, NULL);
	ct_writer_rows(writer, CT_TABLE_USE, making->use, making->uses, NULL);
	ct_writer_rows(writer, CT_TABLE_CONTENT, making->content, making->contents, NULL);
	return build_close(making->b, "{}");
}

static int make_process(const char *directory, enum ffm_run run, uint32_t part, uint32_t rank,
			uint32_t processes)
{
	const struct ct_writer_options options = {.part = part};
	struct making making = {.b = build_part(directory, &options), .run = run};
	struct build *b = making.b;
	static const struct call late = {99990, 100000, "cudaMalloc", 0, SOLVES, 0};
	uint32_t iterations = 3 - rank;

	if (processes > 1)
		BUILD_EVENT(b, process, .pid = 7 + rank, .rank = rank, .ranks = processes);
	BUILD_EVENT(b, calls, .source = build_string(b, "by hand"));
	BUILD_EVENT(b, module, .module = 1, .path = build_string(b, "/nowhere/solver"),
		    .build_id = build_string(b, "5011ed"));
	for (uint32_t i = 0; i < iterations; i++)
		add_iteration(&making, i, i == 2);
	if (run == FFM_LONG)
		add_call(&making, 0, &late);
	return close_process(&making);
}

int ffm_make(const char *directory, enum ffm_run run, uint32_t processes)
{
	int err = 0;

	for (uint32_t part = 0; part < processes && err == 0; part++)
		err = make_process(directory, run, part,
				   run == FFM_USES ? processes - 1 - part : part, processes);
	return err;
}
