/* SPDX-License-Identifier: Apache-2.0 */
/* Two studies by hand: what is compared of them is written down, not worked out. */
#include "tests/report/made-comparison.h"
#include "postproc/comparison/comparison.h"
#include "postproc/render/compare/compare.h"

#include <string.h>

#define FILE_NAME "source.cu"
#define LONG_NAME                                                                                  \
	"void reduce<ns::policy<float, 256, 8, ns::layout::row_major>, ns::plus<float>>(float "    \
	"const*, float*)"
#define PROBLEMS 4u
#define MS 1000000u

#define FIGURES(of, bytes, least, time)                                                            \
	{                                                                                          \
		.requests = (of), .sectors = (bytes), .ideal_sectors = (least), .wavefronts = NAN, \
		.elements = 4096, .redundant = 512, .seconds = (time)                              \
	}

static struct ct_side_kernel kernel[2][2] = {
    {{.name = "step(float const*, float*, int)",
      .launches = 10,
      .figures = FIGURES(1000, 8000, 1000, 0.040),
      .predicted = NAN,
      .instructions = NAN},
     {.name = LONG_NAME,
      .launches = 1,
      .figures = FIGURES(100, 400, 400, 0.004),
      .predicted = NAN,
      .instructions = NAN}},
    {{.name = "step(float const*, float*, int)",
      .launches = 10,
      .figures = FIGURES(1000, 1000, 1000, 0.010),
      .predicted = NAN,
      .instructions = NAN},
     {.name = LONG_NAME,
      .launches = 1,
      .figures = FIGURES(100, 400, 400, 0.005),
      .predicted = NAN,
      .instructions = NAN}},
};

/* An edit has moved lines 6 and 10 by one. */
static struct ct_side_line line[2][3] = {
    {{.file = FILE_NAME, .base = FILE_NAME, .line = 6, .figures = FIGURES(500, 4000, 500, NAN)},
     {.file = FILE_NAME, .base = FILE_NAME, .line = 10, .figures = FIGURES(500, 4000, 500, NAN)},
     {.kernel = 1,
      .file = FILE_NAME,
      .base = FILE_NAME,
      .line = 15,
      .figures = FIGURES(100, 400, 400, NAN)}},
    {{.file = FILE_NAME, .base = FILE_NAME, .line = 7, .figures = FIGURES(500, 500, 500, NAN)},
     {.file = FILE_NAME, .base = FILE_NAME, .line = 11, .figures = FIGURES(500, 500, 500, NAN)},
     {.kernel = 1,
      .file = FILE_NAME,
      .base = FILE_NAME,
      .line = 15,
      .figures = FIGURES(100, 400, 400, NAN)}},
};

static struct ct_finding finding[PROBLEMS] = {
    {.analysis = "access",
     .id = CT_ID_STRIDED_ACCESSES,
     .text = "source.cu:6 reads from with stride 8: 87.5 % of 4 MB moved are not used.",
     .fix = "Exchange the indices of source.cu:6.",
     .kernel = {"step(float const*, float*, int)"},
     .kernels = 1},
    {.analysis = "access",
     .id = CT_ID_CONTENDED_ATOMICS,
     .text = "source.cu:17 adds to one address.",
     .fix = "Add within the block first, then once at source.cu:17.",
     .kernel = {LONG_NAME},
     .kernels = 1},
    {.analysis = "ffm",
     .id = CT_ID_REPEATED_COPY,
     .text = "cudaMemcpy at source.cu:27: the bytes are at the target already.",
     .fix = "Make cudaMemcpy at source.cu:27 once, before the loop."},
    {.analysis = "values",
     .id = CT_ID_REDUNDANT_LOADS,
     .text = "source.cu:10 stores what is there already.",
     .fix = "Store at source.cu:10 only what differs."},
};

static struct ct_problem_part part[PROBLEMS] = {
    {.finding = &finding[0], .is_estimate = true},
    {.finding = &finding[1], .is_estimate = true},
    {.finding = &finding[2]},
    {.finding = &finding[3]},
};

static struct ct_problem reported[2][2] = {
    {{.file = FILE_NAME, .line = 6}, {.file = FILE_NAME, .line = 27}},
    {{.file = FILE_NAME, .line = 17}, {.file = FILE_NAME, .line = 28}},
};

#define NOTHING CT_PAIR_NONE

static struct ct_compared_problem problem[PROBLEMS] = {
    {.state = CT_COMPARED_GONE,
     .part = {&part[0]},
     .number = {0, NOTHING},
     .seconds = {0.028, NAN},
     .bound = {0.035, NAN},
     .share = {0.28, NAN},
     .measure = CT_MEASURED_KERNEL,
     .measured = {0.040, 0.010}},
    {.state = CT_COMPARED_NEW,
     .part = {NULL, &part[1]},
     .number = {NOTHING, 0},
     .seconds = {NAN, 0.002},
     .bound = {NAN, 0.003},
     .share = {NAN, 0.03}},
    {.state = CT_COMPARED_REMAINS,
     .part = {&part[2], &part[2]},
     .number = {1, 1},
     .seconds = {0.006, 0.005},
     .bound = {0.006, 0.005},
     .share = {0.06, 0.07},
     .measure = CT_MEASURED_CALLS,
     .call = "cudaMemcpy",
     .measured = {0.012, 0.010}},
    {.state = CT_COMPARED_UNKNOWN,
     .part = {&part[3], NULL},
     .number = {1, NOTHING},
     .seconds = {0.001, NAN},
     .bound = {0.001, NAN},
     .share = {0.01, NAN}},
};

static struct ct_compared_pair kernels[] = {{0, 0}, {1, 1}};
static struct ct_compared_pair lines[] = {{0, 0}, {1, 1}, {2, 2}};
static struct ct_compared_call call[] = {
    {.name = "cudaMemcpy", .count = {20, 20}, .seconds = {0.012, 0.010}, .waited = {0.006, 0.005}},
};

static void make_calls(struct ct_calls *calls, struct ct_calls_kernel of[2], unsigned study)
{
	static struct ct_calls_part parts[1];
	static struct ct_calls_thread thread[2] = {
	    {.count = 50, .total_ns = 80 * MS, .waited_ns = 60 * MS},
	    {.count = 50, .total_ns = 50 * MS, .waited_ns = 30 * MS}};

	for (unsigned k = 0; k < 2; k++)
		of[k] = (struct ct_calls_kernel){
		    .name = (char *)kernel[study][k].name,
		    .share_ns = (uint64_t)(1e9 * kernel[study][k].figures.seconds)};
	*calls = (struct ct_calls){
	    .kernel = of,
	    .kernels = 2,
	    .thread = &thread[study],
	    .threads = 1,
	    .part = parts,
	    .parts = 1,
	    .run_ns = study ? 70 * MS : 100 * MS,
	    .shares = {.kernels_ns = study ? 15 * MS : 44 * MS, .copies_ns = 5 * MS}};
}

int made_comparison(FILE *out, struct ct_source_store *sources)
{
	static char doubt[] = "The second run has other arguments.";
	static char *doubts[] = {doubt};
	struct ct_problems problems[2] = {{.list = reported[0], .count = 2},
					  {.list = reported[1], .count = 2}};
	struct ct_compare_trace trace[2] = {{.label = "made-up (before)", .directory = "before"},
					    {.label = "made-up (after)", .directory = "after"}};
	struct ct_calls_kernel timed[2][2];
	struct ct_calls calls[2];
	struct ct_side side[2];
	struct ct_comparison both = {
	    .side = {&side[0], &side[1]},
	    .problem = problem,
	    .problems = PROBLEMS,
	    .count = {1, 1, 1, 1},
	    .kernels = {kernels, 2},
	    .lines = {lines, 3},
	    .call = call,
	    .calls = 1,
	    .doubt = doubts,
	    .doubts = 1,
	    .predicted_kernels = 0.028,
	};
	const struct ct_compare compare = {.trace = trace, .count = 2};

	for (unsigned study = 0; study < 2; study++) {
		side[study] = (struct ct_side){.name = study ? "after" : "before",
					       .problems = &problems[study],
					       .run_seconds = study ? 0.070 : 0.100,
					       .kernel_seconds = study ? 0.015 : 0.044,
					       .kernel = kernel[study],
					       .kernels = 2,
					       .line = line[study],
					       .lines = 3};
		make_calls(&calls[study], timed[study], study);
	}
	return ct_compare_write_page(out,
				     &(struct ct_compare_page){.title = "made-up",
							       .compare = &compare,
							       .both = &both,
							       .sources = {sources, sources},
							       .calls = {&calls[0], &calls[1]}});
}
