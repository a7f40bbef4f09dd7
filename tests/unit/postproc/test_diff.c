/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Comparing threads' sequences: windows of threads and of accesses smaller
 * than what is compared must not change the result.
 */
#include "postproc/analysis/diff/analysis.h"
#include "postproc/facts/operation.h"
#include "postproc/formats/memtrace/unit_build.h"
#include "postproc/scan/pass.h"
#include "tests/unit/trace/one_chunk.h"
#include "trace/write/writer.h"
#include <criterion/criterion.h>
#include <cudatrace/encode.h>
#include <cudatrace/ring.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#define UNIT_ID 42
#define CTAS 40u
#define ACCESSES 9u

/* Thread 5 of CTA `cta` stores elsewhere in access `access`; lists stop at
 * `stop` in CTA `cta` when that is not 0. */
struct shape {
	uint32_t launches;
	int64_t cta;
	uint32_t access;
	uint32_t stop;
	int swapped; /* the order of two accesses instead of an address */
};

static char directory[2][64];

static void put_unit(struct ct_writer *writer)
{
	struct ct_unit_build *build;
	void *blob;
	size_t bytes;

	cr_assert_eq(ct_unit_build_open(&build, UNIT_ID, 0, ""), 0);
	ct_unit_build_kernel(build, "k");
	ct_unit_build_site(build, 0, CT_OP_LOAD, 4);
	ct_unit_build_site(build, 0, CT_OP_STORE, 4);
	cr_assert_eq(ct_unit_build_finish(build, &blob, &bytes), 0);
	cr_assert_geq(ct_writer_unit(writer, blob, bytes), 0);
	ct_unit_build_close(build);
	free(blob);
}

/* A unit of host code: it records nothing, and limits nothing. */
static void put_host_unit(struct ct_writer *writer)
{
	struct ct_unit_build *build;
	struct ct_unit_header *header;
	void *blob;
	size_t bytes;

	cr_assert_eq(ct_unit_build_open(&build, UNIT_ID ^ CT_UNIT_OF_HOST, 0, ""), 0);
	cr_assert_eq(ct_unit_build_finish(build, &blob, &bytes), 0);
	header = blob;
	header->spaces = 0;
	header->events = CT_UNIT_HOST;
	cr_assert_geq(ct_writer_unit(writer, blob, bytes), 0);
	ct_unit_build_close(build);
	free(blob);
}

static void put_cta(struct ct_writer *writer, const struct shape *shape, uint32_t launch,
		    uint32_t cta, uint64_t ticket)
{
	uint64_t words[CT_CHUNK_BYTES / 8];
	uint32_t used = 0;
	int odd_one = shape->cta == (int64_t)cta;

	words[used++] = CT_SEGMENT_WORD0(cta, 0, launch);
	words[used++] = CT_SEGMENT_WORD1(0, cta);
	for (uint32_t i = 0; i < (odd_one && shape->stop ? shape->stop : ACCESSES); i++) {
		uint64_t address[CT_WARP_LANES];
		uint32_t site = i & 1;

		for (uint32_t lane = 0; lane < CT_WARP_LANES; lane++)
			address[lane] = 0x10000 + 256 * i + 4 * lane;
		if (odd_one && !shape->stop && i == shape->access) {
			if (shape->swapped)
				site = !site;
			else
				address[5] += 1024;
		}
		used += ct_encode_access(words + used, site, 4, CT_FULL_MASK, address);
	}
	cr_assert_geq(write_one_chunk(writer, 0, ticket, words, used * 8), 0);
}

static struct ct_trace *make_trace(int side, const struct shape *shape)
{
	struct ct_writer_options options = {.level = 0};
	struct ct_event_alloc alloc = {
	    .header = {CT_EVENT_ALLOC, 0, sizeof(alloc), 0},
	    .address = 0x10000,
	    .bytes = 0x10000,
	    .object = 1,
	    .kind = CT_OBJECT_DEVICE,
	};
	struct ct_writer *writer;
	struct ct_trace *trace;
	uint64_t ticket = 0;
	uint32_t name;
	char why[256] = "";

	snprintf(directory[side], sizeof(directory[side]), "test_model_diff.%d.%d.ctrace",
		 (int)getpid(), side);
	cr_assert_eq(ct_writer_open(&writer, directory[side], &options, why, sizeof(why)), 0, "%s",
		     why);
	put_unit(writer);
	put_host_unit(writer);
	cr_assert_geq(ct_writer_event(writer, &alloc.header), 0);
	cr_assert_geq(ct_writer_string(writer, "k", &name), 0);
	for (uint32_t launch = 1; launch <= shape->launches; launch++) {
		struct ct_event_launch event = {
		    .header = {CT_EVENT_LAUNCH, 0, sizeof(event), 0},
		    .launch = launch,
		    .unit_id = UNIT_ID,
		    .kernel_name = name,
		    .grid = {CTAS, 1, 1},
		    .block = {20, 1, 1},
		    .flags = CT_LAUNCH_TRACED,
		};

		cr_assert_geq(ct_writer_event(writer, &event.header), 0);
		for (uint32_t cta = 0; cta < CTAS; cta++)
			put_cta(writer, shape, launch, cta, ticket++);
	}
	cr_assert_geq(ct_writer_close(writer), 0);
	cr_assert_eq(ct_trace_open(&trace, directory[side], why, sizeof(why)), 0, "%s", why);
	return trace;
}

struct work {
	struct ct_match match[2];
	struct ct_seq *seq;
	struct ct_first_difference *find;
	unsigned scans;
};

static void scan(struct work *work, struct ct_trace *const *trace)
{
	const struct ct_pass_options options = {.threads = 1 + (uint32_t)work->scans++ % 3};

	for (int side = 0; side < 2; side++) {
		struct ct_diff_job job = {
		    .side = side,
		    .match = &work->match[side],
		    .seq = work->seq,
		    .find = work->find,
		};
		const struct ct_task task = {&ct_diff_analysis, &job};

		cr_assert_eq(ct_pass_run(trace[side], &task, 1, &options, NULL, NULL), 0);
	}
}

static void remove_trace(const char *path)
{
	char command[128];

	snprintf(command, sizeof(command), "rm -rf %s", path);
	cr_assert_eq(system(command), 0);
}

/* The pairs of two traces, compared. Returns the number of batches. */
static unsigned compare(const struct shape *a, const struct shape *b, uint64_t threads,
			uint64_t window, void (*check)(const struct ct_pairs *pairs))
{
	struct ct_trace *trace[2] = {make_trace(0, a), make_trace(1, b)};
	struct work work = {.scans = 0};
	struct ct_pairs pairs;
	unsigned batches = 0;

	cr_assert_eq(ct_match_init(&work.match[0], trace[0], trace[1], false), 0);
	cr_assert_eq(ct_match_init(&work.match[1], trace[1], trace[0], false), 0);
	cr_assert_eq(ct_pairs_init(&pairs, trace[0], trace[1]), 0);
	cr_assert_eq(ct_seq_open(&work.seq, &pairs, threads), 0);
	while (ct_seq_next_batch(work.seq)) {
		scan(&work, trace);
		ct_seq_finish(work.seq);
		batches++;
	}
	ct_seq_close(work.seq);
	work.seq = NULL;
	cr_assert_eq(ct_first_difference_open(&work.find, &pairs, window), 0);
	while (ct_first_difference_next(work.find)) {
		scan(&work, trace);
		ct_first_difference_finish(work.find);
	}
	ct_first_difference_close(work.find);
	check(&pairs);
	ct_pairs_fini(&pairs);
	for (int side = 0; side < 2; side++) {
		ct_match_fini(&work.match[side]);
		ct_trace_close(trace[side]);
		remove_trace(directory[side]);
	}
	return batches;
}

static const struct shape plain = {.launches = 3, .cta = -1};

static void all_equal(const struct ct_pairs *pairs)
{
	cr_assert_eq(pairs->count, 3u);
	for (size_t i = 0; i < pairs->count; i++) {
		cr_assert_eq(pairs->pair[i].result, CT_PAIR_EQUAL);
		cr_assert_eq(pairs->pair[i].accesses[0], CTAS * ACCESSES * CT_WARP_LANES);
		cr_assert_eq(pairs->pair[i].accesses[1], CTAS * ACCESSES * CT_WARP_LANES);
	}
}

Test(diff, takes_equal_traces_for_equal_whatever_the_window)
{
	uint64_t threads = CTAS * CT_WARP_LANES;

	cr_assert_eq(compare(&plain, &plain, 3 * threads, 100, all_equal), 1u);
	cr_assert_eq(compare(&plain, &plain, 2 * threads, 100, all_equal), 2u);
	cr_assert_eq(compare(&plain, &plain, threads, 100, all_equal), 3u);
	cr_assert_geq(compare(&plain, &plain, 100, 100, all_equal), 3 * threads / 100);
}

static void one_address(const struct ct_pairs *pairs)
{
	for (size_t i = 0; i < pairs->count; i++) {
		const struct ct_pair *pair = &pairs->pair[i];

		cr_assert_eq(pair->result, CT_PAIR_ACCESSES);
		cr_assert_eq(pair->threads_differ, 1u);
		cr_assert_eq(pair->first_thread, 23 * CT_WARP_LANES + 5);
		cr_assert(pair->located);
		cr_assert_eq(pair->position, 7u);
		cr_assert(pair->has[0] && pair->has[1]);
		cr_assert_eq(pair->step[1].offset - pair->step[0].offset, 1024u);
	}
}

Test(diff, finds_one_address_in_one_thread_whatever_the_window)
{
	struct shape other = {.launches = 3, .cta = 23, .access = 7};

	for (uint64_t window = 1; window <= 9; window += 2) {
		compare(&plain, &other, 4000, window, one_address);
		compare(&plain, &other, 77, window, one_address);
	}
}

static void whole_warp_at_two(const struct ct_pairs *pairs)
{
	cr_assert_eq(pairs->pair[0].result, CT_PAIR_ACCESSES);
	cr_assert_eq(pairs->pair[0].threads_differ, CT_WARP_LANES);
	cr_assert_eq(pairs->pair[0].first_thread, 0u);
	cr_assert_eq(pairs->pair[0].position, 2u);
}

Test(diff, sees_another_site_at_the_same_address)
{
	struct shape other = {.launches = 3, .cta = 0, .access = 2, .swapped = 1};

	compare(&plain, &other, 4000, 3, whole_warp_at_two);
}

static void ends_early(const struct ct_pairs *pairs)
{
	cr_assert_eq(pairs->pair[0].result, CT_PAIR_ACCESSES);
	cr_assert_eq(pairs->pair[0].position, 6u);
	cr_assert(pairs->pair[0].has[0]);
	cr_assert_not(pairs->pair[0].has[1]);
}

Test(diff, tells_a_thread_that_ended_early)
{
	struct shape other = {.launches = 3, .cta = 39, .stop = 6};

	compare(&plain, &other, 4000, 6, ends_early);
	compare(&plain, &other, 4000, 4, ends_early);
}

static void missing_launch(const struct ct_pairs *pairs)
{
	cr_assert_eq(pairs->count, 3u);
	cr_assert_eq(pairs->pair[1].result, CT_PAIR_EQUAL);
	cr_assert_eq(pairs->pair[2].result, CT_PAIR_ONLY_A);
}

Test(diff, tells_launches_that_one_trace_lacks)
{
	struct shape other = {.launches = 2, .cta = -1};

	compare(&plain, &other, 4000, 6, missing_launch);
}
