/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Write a small trace for the tests of ctpost: ctpost-make-trace DIR VARIANT
 *   base       four launches of two kernels on two streams, one not traced
 *   regrouped  the same accesses, but split into half warps, on other SMs, with
 *              objects elsewhere and sites numbered otherwise
 *   changed    as base, but thread 36 of CTA 1 of launch 2 stores elsewhere
 *   object     as base, but thread 36 of CTA 1 of launch 2 loads from another object
 *   site       as base, but CTA 1 of launch 2 loads at another site of the function
 *   shorter    as base, but launch 4 is missing
 *   damaged    as base, with a loss and a launch without an end
 *   lambda     a kernel whose name has its lambda's place, launched with all of loops, groups
 *              and single accesses, which ends, fails, or does not end
 *   lambda-shorter
 *              its first launch, but for the accesses
 *   calls, calls-value, calls-path, calls-less
 *              all kinds of records: tests/unit/trace/trace_calls.h
 *   counts, counts-mixed
 *              of tier counts: tests/unit/trace/trace_counts.h
 *   ctas       times of CTAs: tests/unit/trace/trace_ctas.h
 *   samples    sampled program counters: tests/unit/trace/trace_samples.h
 *   ffm, ffm-calls, ffm-uses, ffm-first-uses, ffm-branched, ffm-ranks, ffm-long
 *              runs of a study, the first one and the last two of all in one:
 * tests/unit/trace/trace_ffm.h access     shapes of accesses whose figures are known:
 * tests/unit/trace/trace_access.h values, lives values whose redundancy is known, and objects that
 * live too long: tests/unit/trace/trace_values.h copies, summaries, values-times a fetch
 * before asynchronous copies of all sizes, tier values, times of the kernels of values: likewise
 * valueless  tier values, not of all: tests/unit/trace/trace_valueless.h
 * api, api-plain, api-random, api-many, api-senseless calls, stacks and (not -plain) activities:
 * tests/unit/trace/trace_api.h transfers copies, memsets, order: tests/unit/trace/trace_transfers.h
 */
#include "tests/builder/trace.h"
#include "tests/unit/trace/trace_access.h"
#include "tests/unit/trace/trace_api.h"
#include "tests/unit/trace/trace_calls.h"
#include "tests/unit/trace/trace_counts.h"
#include "tests/unit/trace/trace_ctas.h"
#include "tests/unit/trace/trace_ffm.h"
#include "tests/unit/trace/trace_samples.h"
#include "tests/unit/trace/trace_transfers.h"
#include "tests/unit/trace/trace_valueless.h"
#include "tests/unit/trace/trace_values.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#define UNIT_ID 0x1122334455667788ull
#define START_NS 1750000000000000000ull
#define EXPAND "_Z6expandPKi"
#define COUNT "_Z5countv"

static int regrouped, changed, other_object, other_site, shorter, damaged;
static struct build *b;

/* Sites by name, so that their numbers may change. */
enum { LOAD_GRAPH, STORE_COST, LOAD_AGAIN, ADD_FLAG, LOAD_STRAY, NAND, SKIPPED };

static uint32_t site_first;

static void add_unit(void)
{
	struct build_unit *unit = build_unit(UNIT_ID, 90, "src/bfs.cu");
	struct ct_unit_site *site;

	build_kernel(unit, EXPAND, "expand(int const*)", 30);
	build_kernel(unit, COUNT, "count<2>()", 50);
	build_frame(unit, "atomicAdd", "/opt/cuda/include/atomics.hpp", 112, 0, 1);
	build_frame(unit, "count", "src/bfs.cu", 52, 9, CT_NONE);
	if (regrouped) /* another function comes first */
		build_site(unit, "_Z5otherv", 5, BUILD_LOAD, 4);
	site_first = unit->header.site_count;
	build_site(unit, EXPAND, 33, BUILD_LOAD, 4);
	build_site(unit, EXPAND, 34, BUILD_STORE, 16)->verdict = CT_VERDICT_CHECKED;
	build_site(unit, EXPAND, 35, BUILD_LOAD, 4);
	site = build_site(unit, COUNT, 547, BUILD_ATOMIC_ADD, 4);
	site->file = build_text(unit, "/usr/lib/clang/functions.h");
	site->inlined_at = 0;
	build_site(unit, COUNT, 53, BUILD_LOAD, 8)->verdict = CT_VERDICT_CHECKED;
	build_site(unit, COUNT, 54, BUILD_ATOMIC_NAND, 4);
	site = build_site(unit, COUNT, 55, BUILD_LOAD, 4);
	site->verdict = CT_VERDICT_SKIPPED;
	site->reason = build_text(unit, "texture fetch");
	build_add_unit(b, unit);
}

static uint16_t sequence[64];

static void put_record(uint64_t cta, uint32_t warp, uint32_t sm, uint32_t site, uint32_t bytes,
		       uint32_t mask, const uint64_t *address)
{
	BUILD_SEGMENT(b, .launch = b->launches, .sm = sm, .sequence = sequence[cta * 2 + warp]++,
		      .warp = warp, .cta = cta);
	build_access(b, site_first + site, bytes, mask, address);
}

/* One access of a warp: a record, or two of its halves, the upper one first. */
static void put(uint64_t cta, uint32_t warp, uint32_t site, uint32_t bytes, uint32_t mask,
		const uint64_t *address)
{
	if (!regrouped) {
		put_record(cta, warp, (uint32_t)cta * 3, site, bytes, mask, address);
		return;
	}
	if (mask & 0xffff0000u)
		put_record(cta, warp, 77, site, bytes, mask & 0xffff0000u, address);
	if (mask & 0xffffu)
		put_record(cta, warp, 78, site, bytes, mask & 0xffffu, address);
}

static uint64_t graph, cost, flag;

static void begin(uint32_t launch, const char *kernel, uint32_t grid_y, uint64_t stream,
		  const char *reason)
{
	b->time_ns = START_NS + launch * 1000;
	BUILD_LAUNCH(b, .launch = launch, .kernel_name = build_string(b, kernel),
		     .grid = {2, grid_y}, .block = {64}, .stream = stream,
		     .site = build_descriptor(b, "L|src/bfs.cu|80|3|main|expand|d_graph"),
		     .reason = build_string(b, reason));
	memset(sequence, 0, sizeof(sequence));
}

static void done(uint32_t launch)
{
	build_chunk(b);
	b->time_ns = START_NS + launch * 1000 + 500;
	build_done(b, launch);
}

/* Every thread loads its element; the even ones store 16 bytes. */
static void run_expand(uint32_t launch, uint64_t stream)
{
	begin(launch, EXPAND, 1, stream, "");
	for (uint64_t cta = 0; cta < 2; cta++) {
		for (uint32_t warp = 0; warp < 2; warp++) {
			uint64_t load[CT_WARP_LANES], store[CT_WARP_LANES];

			for (uint32_t lane = 0; lane < CT_WARP_LANES; lane++) {
				uint64_t thread = cta * 64 + warp * 32 + lane;

				load[lane] = graph + thread * 4;
				store[lane] = cost + thread * 32;
				if (changed && launch == 2 && thread == 64 + 36)
					store[lane] += 16;
				if (other_object && launch == 2 && thread == 64 + 36)
					load[lane] = cost + thread * 4;
			}
			put(cta, warp,
			    other_site && launch == 2 && cta == 1 ? LOAD_AGAIN : LOAD_GRAPH, 4,
			    CT_FULL_MASK, load);
			put(cta, warp, STORE_COST, 16, 0x55555555u, store);
		}
	}
	done(launch);
}

static void run_count(uint32_t launch, uint64_t stream)
{
	uint64_t same[CT_WARP_LANES], stray[CT_WARP_LANES];

	begin(launch, COUNT, 2, stream, "");
	for (uint32_t lane = 0; lane < CT_WARP_LANES; lane++) {
		same[lane] = flag;
		stray[lane] = 0x1000 + (uint64_t)lane * lane * 8;
	}
	for (uint64_t cta = 0; cta < 4; cta++) {
		put(cta, 0, ADD_FLAG, 4, CT_FULL_MASK, same);
		put(cta, 1, LOAD_STRAY, 8, 0x000000f1u, stray);
		put(cta, 1, NAND, 4, 0x80000001u, same);
	}
	if (!damaged)
		done(launch);
	build_chunk(b);
}

static void add_start(void)
{
	uint64_t shift = regrouped ? 0x10000000 : 0;

	graph = 0x7f0000000000ull + shift;
	cost = 0x7f0000010000ull + 2 * shift;
	flag = 0x7f0000020000ull + 3 * shift;
	b->time_ns = START_NS;
	BUILD_EVENT(b, device, .name = build_string(b, "Test GPU"), .arch = 90, .sm_count = 132,
		    .memory_bytes = 80000000000ull);
	BUILD_EVENT(b, alloc, .address = flag, .bytes = 4, .object = 1, .kind = CT_OBJECT_VARIABLE,
		    .site = build_string(b, "d_flag"));
	BUILD_EVENT(b, alloc, .address = graph, .bytes = 512, .object = 2, .kind = CT_OBJECT_DEVICE,
		    .site = build_descriptor(b, "A|src/bfs.cu|70|3|main|d_graph|n * sizeof(int)"));
	BUILD_EVENT(b, alloc, .address = cost, .bytes = 4096, .object = 3,
		    .kind = CT_OBJECT_MANAGED);
}

#define APPLY "_Z5applyIZ4mainEUliE_EvT_"
#define APPLY_LAMBDA "(lambda at /home/me/demo/src/apply.cu:12:3)"
#define APPLY_NAME "apply<" APPLY_LAMBDA ">(" APPLY_LAMBDA ")"
#define CUDA_ILLEGAL_ADDRESS 700
#define LAMBDA_OBJECT 0x7f0000000000ull

enum lambda_records { A_LOOP = 1, A_GROUP = 2, ALONE = 4 };

static void add_lambda_unit(void)
{
	struct build_unit *unit = build_unit(UNIT_ID, 90, "/home/me/demo/tests/.././src/apply.cu");
	struct ct_unit_site *site;

	build_kernel(unit, APPLY, APPLY_NAME, 5);
	build_site(unit, APPLY, 12, BUILD_LOAD, 4);
	build_site(unit, APPLY, 13, BUILD_STORE, 4);
	site = build_site(unit, APPLY, 14, BUILD_LOAD, 4);
	site->verdict = CT_VERDICT_SKIPPED;
	site->reason = build_text(unit, "texture fetch");
	build_add_unit(b, unit);
}

/* Ten iterations of both sites; both sites once; the first one once. */
static void run_lambda(int records)
{
	const struct ct_loop_site loop[2] = {
	    {.base = LAMBDA_OBJECT, .log2_width = 5, .inner = 4, .step = 128},
	    {.base = LAMBDA_OBJECT + 4096, .log2_width = 5, .inner = 4, .step = 128},
	};
	const uint64_t distance = 4096;

	BUILD_LAUNCH(b, .kernel_name = build_string(b, APPLY));
	BUILD_SEGMENT(b, .launch = b->launches);
	if (records & ALONE)
		build_lanes(b, 0, 4, CT_FULL_MASK, LAMBDA_OBJECT, 4);
	if (records & A_GROUP)
		build_group(b, 0, 1, &distance);
	if (records & A_GROUP)
		build_lanes(b, 0, 4, CT_FULL_MASK, LAMBDA_OBJECT, 4);
	if (records & A_LOOP)
		build_loop(b, 0, 2, 10, loop);
	build_chunk(b);
}

static void lambda_done(int32_t error)
{
	BUILD_EVENT(b, launch_done, .launch = b->launches, .error = error);
}

static void make_lambda(bool is_short)
{
	add_lambda_unit();
	BUILD_EVENT(b, device, .name = build_string(b, "Test GPU"), .arch = 90, .sm_count = 132);
	BUILD_EVENT(b, alloc, .address = LAMBDA_OBJECT, .bytes = 8192, .object = 1,
		    .kind = CT_OBJECT_DEVICE,
		    .site = build_descriptor(
			b, "A|/home/me/demo/tests/.././src/apply.cu|70|3|main|x|8192"));
	run_lambda(is_short ? ALONE : A_LOOP | ALONE);
	lambda_done(CUDA_ILLEGAL_ADDRESS);
	if (is_short)
		return;
	run_lambda(A_LOOP | A_GROUP);
	lambda_done(0);
	run_lambda(ALONE);
	lambda_done(CUDA_ILLEGAL_ADDRESS);
	run_lambda(A_GROUP);
}

static int close_trace(void)
{
	char manifest[512];

	snprintf(manifest, sizeof(manifest),
		 "{\"version\": 1, \"program\": \"/opt/demo/bfs\", \"command\": [\"./bfs\", "
		 "\"graph.txt\"], \"host\": \"testhost\", \"start_ns\": %llu, \"complete\": %s}",
		 START_NS, damaged ? "false" : "true");
	return build_close(b, manifest);
}

static const struct {
	const char *name;
	unsigned variant;
} calls[] = {
    {"calls", 0},
    {"calls-value", CALLS_OTHER_VALUE},
    {"calls-path", CALLS_OTHER_PATH},
    {"calls-less", CALLS_NO_BARRIERS},
};

static const struct {
	const char *name;
	enum ffm_run run;
	uint32_t processes;
} runs[] = {
    {"ffm", FFM_ALL, 1},
    {"ffm-calls", FFM_CALLS, 1},
    {"ffm-uses", FFM_USES, 1},
    {"ffm-first-uses", FFM_FIRST_USES, 1},
    {"ffm-branched", FFM_BRANCHED, 1},
    {"ffm-ranks", FFM_ALL, 2},
    {"ffm-long", FFM_LONG, 1},
};

int main(int argc, char **argv)
{
	if (argc != 3)
		return 2;
	for (size_t i = 0; i < sizeof(calls) / sizeof(*calls); i++)
		if (!strcmp(argv[2], calls[i].name))
			return calls_make(argv[1], 0, calls[i].variant) < 0;
	for (size_t i = 0; i < sizeof(runs) / sizeof(*runs); i++)
		if (!strcmp(argv[2], runs[i].name))
			return ffm_make(argv[1], runs[i].run, runs[i].processes) < 0;
	if (!strncmp(argv[2], "counts", 6))
		return counts_make(argv[1], !strcmp(argv[2], "counts-mixed")) < 0;
	if (!strcmp(argv[2], "api-random"))
		return api_make_random(argv[1], 1, 1600) < 0;
	if (!strcmp(argv[2], "api-many"))
		return api_make_random(argv[1], 1, 150000) < 0;
	if (!strcmp(argv[2], "api-senseless"))
		return api_make_senseless(argv[1], 1, 2000) < 0;
	if (!strncmp(argv[2], "api", 3))
		return api_make(argv[1], !strcmp(argv[2], "api"), "/nowhere/solver") < 0;
	if (!strcmp(argv[2], "samples"))
		return samples_make(argv[1]) < 0;
	if (!strcmp(argv[2], "ctas"))
		return ctas_make(argv[1]) < 0;
	if (!strcmp(argv[2], "access"))
		return access_make(argv[1]) < 0;
	if (!strcmp(argv[2], "values"))
		return values_make(argv[1], false) < 0;
	if (!strcmp(argv[2], "values-mixed"))
		return values_make(argv[1], true) < 0;
	if (!strcmp(argv[2], "summaries"))
		return summaries_make(argv[1]) < 0;
	if (!strcmp(argv[2], "valueless"))
		return valueless_make(argv[1]) < 0;
	if (!strcmp(argv[2], "values-times"))
		return times_make(argv[1]) < 0;
	if (!strcmp(argv[2], "copies"))
		return copies_make(argv[1]) < 0;
	if (!strcmp(argv[2], "lives"))
		return lives_make(argv[1]) < 0;
	if (!strcmp(argv[2], "transfers"))
		return transfers_make(argv[1], 0) < 0;
	regrouped = !strcmp(argv[2], "regrouped");
	changed = !strcmp(argv[2], "changed");
	other_object = !strcmp(argv[2], "object");
	other_site = !strcmp(argv[2], "site");
	shorter = !strcmp(argv[2], "shorter");
	damaged = !strcmp(argv[2], "damaged");
	b = build_part(argv[1], NULL);
	if (!strncmp(argv[2], "lambda", 6)) {
		make_lambda(strcmp(argv[2], "lambda") != 0);
		return close_trace() < 0;
	}
	add_unit();
	add_start();
	run_expand(1, 0);
	run_expand(2, 5);
	begin(3, "_Z5countv", 1, 0, "kernel not selected");
	done(3);
	if (!shorter)
		run_count(4, 5);
	if (damaged)
		BUILD_EVENT(b, loss, .chunks = 12, .launch = 4,
			    .reason = build_string(b, "the ring was full and the program ended"));
	return close_trace() < 0;
}
