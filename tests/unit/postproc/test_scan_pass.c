/* SPDX-License-Identifier: Apache-2.0 */
/* A pass hands out what one scan does, on any number of workers and ranks, to any analyses. */
#include "postproc/analysis/blame/weights.h"
#include "postproc/analysis/model/analysis.h"
#include "tests/unit/postproc/scan_log.h"
#include "tests/unit/postproc/thread_ranks.h"
#include "tests/unit/trace/trace_fixture.h"
#include "tests/unit/trace/trace_random.h"

#include <criterion/criterion.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* In one pass they get what each would get alone. */
static const unsigned kinds[] = {
    CT_WANT_ACCESSES | CT_WANT_EVENTS | CT_WANT_VALUES | CT_WANT_PATHS,
    CT_WANT_ACCESSES | CT_WANT_VALUES,
    CT_WANT_ACCESSES | CT_WANT_EVENTS | CT_WANT_PATHS,
    CT_WANT_ACCESSES | CT_WANT_EVENTS | CT_WANT_WARPS,
    CT_WANT_ACCESSES | CT_WANT_EVENTS,
};
#define KINDS (sizeof(kinds) / sizeof(kinds[0]))

static char *directory;

static void make(void)
{
	/* Damaged lengths of ranges ask for more work than a reader grants by itself. */
	setenv("CTPOST_EXPAND", "all", 1);
	directory = fixture_directory();
}

static void clean(void)
{
	fixture_remove(directory);
}

TestSuite(scan_pass, .init = make, .fini = clean, .timeout = 300);

static struct ct_trace *open_trace(void)
{
	struct ct_trace *trace;
	char why[512];

	cr_assert_eq(ct_trace_open(&trace, directory, why, sizeof(why)), 0, "%s", why);
	return trace;
}

static char *warnings_of(const struct ct_trace *trace)
{
	const char *const *warnings;
	size_t count = ct_trace_warnings(trace, &warnings), bytes = 1;
	char *text;

	for (size_t i = 0; i < count; i++)
		bytes += strlen(warnings[i]) + 1;
	text = calloc(bytes, 1);
	for (size_t i = 0; i < count; i++)
		strcat(strcat(text, warnings[i]), "\n");
	return text;
}

/* Returns what one scan hands out, and warns of. */
static char *read_one(struct scan_log *log, unsigned wants)
{
	struct ct_trace *trace = open_trace();
	char *warnings;

	*log = (struct scan_log){.wants = wants};
	cr_assert_eq(scan_log_read(log, trace), 0);
	warnings = warnings_of(trace);
	ct_trace_close(trace);
	return warnings;
}

static void check_pass(struct scan_log *expected, const char *warnings, unsigned first,
		       unsigned count, uint32_t threads)
{
	struct ct_pass_options options = {.threads = threads};
	struct scan_log log[KINDS];
	struct ct_task task[KINDS];
	struct ct_trace *trace = open_trace();
	struct ct_scanned scanned;
	char *got;

	for (unsigned i = 0; i < count; i++) {
		log[i] = (struct scan_log){.wants = kinds[first + i]};
		task[i] = (struct ct_task){&scan_log_analysis, &log[i]};
	}
	cr_assert_eq(ct_pass_run(trace, task, count, &options, &scanned, NULL), 0);
	got = warnings_of(trace);
	cr_assert_str_eq(got, warnings, "%u kinds from %u, %u threads:\n%s\nnot\n%s", count, first,
			 threads, got, warnings);
	free(got);
	for (unsigned i = 0; i < count; i++) {
		cr_assert_eq(scan_log_compare(&expected[first + i], &log[i]), 0,
			     "kind %u of %u from %u, %u threads", i, count, first, threads);
		scan_log_fini(&log[i]);
	}
	ct_trace_close(trace);
}

/* Every second time with other numbers of threads. */
static void check_trace(unsigned turn)
{
	static const uint32_t threads[2][2] = {{1, 3}, {2, 7}};
	struct scan_log expected[KINDS];
	char *warnings[KINDS];

	for (unsigned i = 0; i < KINDS; i++)
		warnings[i] = read_one(&expected[i], kinds[i]);
	for (size_t t = 0; t < 2; t++) {
		for (unsigned i = 0; i < KINDS; i++)
			check_pass(expected, warnings[i], i, 1, threads[turn % 2][t]);
		check_pass(expected, warnings[0], 0, KINDS, threads[turn % 2][t]);
	}
	for (unsigned i = 0; i < KINDS; i++) {
		scan_log_fini(&expected[i]);
		free(warnings[i]);
	}
}

Test(scan_pass, hands_out_what_one_scan_does)
{
	for (unsigned round = 0; round < 2 * TRACE_DAMAGES; round++) {
		const struct trace_random_options options = {
		    .parts = 2,
		    .devices = 2,
		    .tickets = 40,
		    .has_strays = round % 2,
		    .has_gaps = round % 3 == 0,
		};

		trace_random_state = 0x1234567 + round;
		trace_random_make(directory, &options);
		trace_random_damage(directory, round % TRACE_DAMAGES);
		check_trace(round / TRACE_DAMAGES);
	}
}

/* In one scan, segments ascend through each device, and each is of one warp. */
static void check_segments(const struct scan_log *log)
{
	for (size_t i = 1; i < log->count; i++) {
		const struct scan_item *x = &log->item[i - 1], *y = &log->item[i];

		if (x->device != y->device)
			continue;
		cr_assert_leq(x->segment, y->segment);
		if (x->segment == y->segment)
			cr_assert_eq(x->warp, y->warp);
	}
}

Test(scan_pass, hands_out_the_same_of_chunks_in_any_order)
{
	const unsigned wants = CT_WANT_ACCESSES | CT_WANT_EVENTS | CT_WANT_ORDER;

	for (unsigned round = 0; round < 8; round++) {
		const struct trace_random_options options = {
		    .parts = 2, .devices = 2, .tickets = 60, .has_strays = round % 2};
		struct scan_log before, after;

		trace_random_state = 0x1357 + round;
		trace_random_make(directory, &options);
		free(read_one(&before, wants));
		trace_random_shuffle(directory, "device-0-0.ct");
		trace_random_shuffle(directory, "device-1-1.ct");
		free(read_one(&after, wants));
		check_segments(&after);
		cr_assert_eq(scan_log_compare(&before, &after), 0);
		cr_assert_gt(before.count, 500);
		scan_log_fini(&before);
		scan_log_fini(&after);
		trace_random_damage(directory, round % TRACE_DAMAGES);
		check_trace(round);
	}
}

Test(scan_pass, leaves_out_the_ctas_that_a_grid_does_not_have)
{
	const struct trace_random_options options = {
	    .parts = 1, .devices = 1, .tickets = 60, .has_strays = true};
	struct scan_log log;
	char *warnings;

	trace_random_state = 0x2468;
	trace_random_make(directory, &options);
	warnings = read_one(&log, CT_WANT_ACCESSES);
	cr_assert(strstr(warnings,
			 "device-0-0.ct: launch 4: records of thread blocks that its grid does "
			 "not have; skipped\n"),
		  "%s", warnings);
	cr_assert_gt(log.damaged, 0);
	cr_assert_gt(log.count, 100);
	for (size_t i = 0; i < log.count; i++)
		cr_assert_lt(log.item[i].warp >> 8 & 0xffffffff, TRACE_RANDOM_CTAS);
	scan_log_fini(&log);
	free(warnings);
}

/* More chunks than there are slots in memory for them, of one device. */
static void make_long(void)
{
	const struct trace_random_options options = {.parts = 1, .devices = 1, .tickets = 600};

	trace_random_state = 99;
	trace_random_make(directory, &options);
}

Test(scan_pass, keeps_the_order_of_the_trace_for_one_state)
{
	struct scan_log one, all = {.wants = CT_WANT_ACCESSES | CT_WANT_EVENTS | CT_WANT_ORDER};
	const struct ct_pass_options options = {.threads = 3};
	const struct ct_task task = {&scan_log_analysis, &all};
	struct ct_trace *trace;

	make_long();
	free(read_one(&one, all.wants));
	trace = open_trace();
	cr_assert_eq(ct_pass_run(trace, &task, 1, &options, NULL, NULL), 0);
	cr_assert_eq(scan_log_compare(&one, &all), 0);
	cr_assert_gt(all.count, 1000);
	scan_log_fini(&one);
	scan_log_fini(&all);
	ct_trace_close(trace);
}

Test(scan_pass, reads_each_chunk_once_for_all)
{
	struct scan_log log[3] = {
	    {.wants = kinds[0]}, {.wants = kinds[1]}, {.wants = kinds[KINDS - 1]}};
	const struct ct_pass_options options = {.threads = 2};
	struct ct_task task[3];
	struct ct_scanned scanned;
	struct ct_trace *trace;

	make_long();
	trace = open_trace();
	for (int i = 0; i < 3; i++)
		task[i] = (struct ct_task){&scan_log_analysis, &log[i]};
	cr_assert_eq(ct_pass_run(trace, task, 3, &options, &scanned, NULL), 0);
	cr_assert_gt(scanned.chunks, 50);
	cr_assert_eq(scanned.chunks, fixture_chunks(directory, "device-0-0.ct").chunks);
	for (int i = 0; i < 3; i++)
		scan_log_fini(&log[i]);
	ct_trace_close(trace);
}

/* Some launches, and some sites of the first unit, each for an analysis of its own. */
Test(scan_pass, hands_out_what_is_selected)
{
	uint8_t launches[6] = {0, 1, 0, 1, 1, 0}, first[64] = {0}, others[64];
	const uint8_t *sites[] = {first, others, others};
	struct scan_log log[2] = {{.wants = kinds[0], .launches = launches},
				  {.wants = kinds[3], .sites = sites}};
	struct scan_log one[2] = {log[0], log[1]};
	struct ct_task task[2];

	memset(others, 1, sizeof(others));
	first[0] = first[3] = 1;
	make_long();
	for (uint32_t threads = 1; threads <= 3; threads += 2) {
		const struct ct_pass_options options = {.threads = threads};
		struct ct_trace *trace = open_trace();

		for (int i = 0; i < 2; i++) {
			one[i].item = log[i].item = NULL;
			cr_assert_eq(scan_log_read(&one[i], trace), 0);
			task[i] = (struct ct_task){&scan_log_analysis, &log[i]};
		}
		cr_assert_eq(ct_pass_run(trace, task, 2, &options, NULL, NULL), 0);
		for (int i = 0; i < 2; i++) {
			cr_assert_eq(scan_log_compare(&one[i], &log[i]), 0, "%u threads", threads);
			cr_assert_gt(one[i].count, 300);
			scan_log_fini(&one[i]);
			scan_log_fini(&log[i]);
		}
		ct_trace_close(trace);
	}
}

Test(scan_pass, begins_again_when_an_analysis_wants_to)
{
	for (uint32_t threads = 1; threads <= 3; threads += 2)
		for (unsigned kind = 0; kind < KINDS; kind += KINDS - 1) {
			const struct ct_pass_options options = {.threads = threads};
			struct scan_log one, log[2] = {{.wants = kinds[kind], .fail_at = 50},
						       {.wants = kinds[kind]}};
			struct ct_model_job model = {.trace = NULL};
			struct ct_blame_job blame = {.trace = NULL};
			const struct ct_task task[] = {{&scan_log_analysis, &log[0]},
						       {&scan_log_analysis, &log[1]},
						       {&ct_model_analysis, &model},
						       {&ct_blame_analysis, &blame}};
			struct ct_trace *trace;

			make_long();
			free(read_one(&one, kinds[kind]));
			trace = open_trace();
			model.trace = blame.trace = trace;
			cr_assert_eq(ct_pass_run(trace, task, 4, &options, NULL, NULL), 0);
			ct_model_job_fini(&model);
			ct_blame_job_fini(&blame);
			cr_assert_eq(log[0].begun, 2);
			cr_assert_eq(log[1].begun, 2);
			cr_assert_eq(log[0].again, 1);
			for (int i = 0; i < 2; i++) {
				cr_assert_eq(scan_log_compare(&one, &log[i]), 0);
				scan_log_fini(&log[i]);
			}
			scan_log_fini(&one);
			ct_trace_close(trace);
		}
}

/* The calling thread tells at the end at the latest, for others may have done all the work. */
static int stop_at_once(void *user, uint64_t done, uint64_t total)
{
	(void)user;
	return done <= total ? 77 : -EINVAL;
}

Test(scan_pass, ends_when_asked_to)
{
	make_long();
	for (uint32_t threads = 1; threads <= 3; threads++)
		for (unsigned kind = 0; kind < KINDS; kind++) {
			const struct ct_pass_options options = {.threads = threads,
								.progress = stop_at_once};
			struct scan_log log = {.wants = kinds[kind]};
			const struct ct_task task = {&scan_log_analysis, &log};
			struct ct_trace *trace = open_trace();

			cr_assert_eq(ct_pass_run(trace, &task, 1, &options, NULL, NULL), 77);
			cr_assert_null(log.item);
			ct_trace_close(trace);
		}
}

struct rank_run {
	struct thread_rank rank;
	struct scan_log log[2];
	pthread_t thread;
	char *warnings;
	int err;
};

static void *run_rank(void *user)
{
	struct rank_run *run = user;
	const struct ct_pass_options options = {.threads = 2, .ranks = &run->rank.ranks};
	const struct ct_task task[2] = {{&scan_log_analysis, &run->log[0]},
					{&scan_log_analysis, &run->log[1]}};
	struct ct_trace *trace;
	char why[512];

	run->err = ct_trace_open(&trace, directory, why, sizeof(why));
	if (run->err == 0)
		run->err = ct_pass_run(trace, task, 2, &options, NULL, NULL);
	if (run->err == 0)
		run->warnings = warnings_of(trace);
	ct_trace_close(trace);
	return NULL;
}

/* One pass by warps, where ranks have shares of each chunk; one by chunks. */
static void check_ranks(unsigned first, unsigned second, int fail_at)
{
	struct rank_run run[THREAD_RANKS];
	struct thread_meeting meeting;
	struct scan_log one[2];
	char *warnings = read_one(&one[0], kinds[first]);

	free(read_one(&one[1], kinds[second]));
	pthread_barrier_init(&meeting.barrier, NULL, THREAD_RANKS);
	for (uint32_t i = 0; i < THREAD_RANKS; i++) {
		run[i] = (struct rank_run){
		    .rank = thread_rank_make(&meeting, i),
		    .log = {{.wants = kinds[first], .fail_at = i == 1 ? fail_at : 0},
			    {.wants = kinds[second]}},
		};
		cr_assert_eq(pthread_create(&run[i].thread, NULL, run_rank, &run[i]), 0);
	}
	for (uint32_t i = 0; i < THREAD_RANKS; i++) {
		pthread_join(run[i].thread, NULL);
		cr_assert_eq(run[i].err, 0);
		cr_assert_eq(run[i].log[0].damaged, one[0].damaged);
		cr_assert_eq(run[i].log[0].begun, 1 + (fail_at != 0));
	}
	for (int k = 0; k < 2; k++) {
		cr_assert_eq(scan_log_compare(&one[k], &run[0].log[k]), 0);
		scan_log_fini(&one[k]);
	}
	for (uint32_t i = 0; i < THREAD_RANKS; i++)
		for (int k = 0; k < 2; k++)
			scan_log_fini(&run[i].log[k]);
	cr_assert_str_eq(run[0].warnings, warnings,
			 "rank 0 warns of what any rank has read:\n%s-\n%s", run[0].warnings,
			 warnings);
	for (uint32_t i = 0; i < THREAD_RANKS; i++)
		free(run[i].warnings);
	free(warnings);
	pthread_barrier_destroy(&meeting.barrier);
}

Test(scan_pass, is_shared_by_ranks)
{
	for (unsigned round = 0; round < 2 * TRACE_DAMAGES; round++) {
		const struct trace_random_options options = {
		    .parts = 2, .devices = 2, .tickets = 40, .has_strays = round % 2};

		trace_random_state = 0x7654321 + round;
		trace_random_make(directory, &options);
		trace_random_damage(directory, round % TRACE_DAMAGES);
		check_ranks(0, KINDS - 1, 0);
		check_ranks(KINDS - 1, KINDS - 1, round % 4 == 0 ? 20 : 0);
	}
}
