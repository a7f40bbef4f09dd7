/* SPDX-License-Identifier: Apache-2.0 */
/* Analyses that are asked for together read the trace once: the linker has every load of a chunk,
 * whoever asks for it, come through here. */
#include "postproc/analysis/comm/comm.h"
#include "postproc/analysis/comm/history/history.h"
#include "postproc/analysis/totals/analysis.h"
#include "postproc/analysis/verify/analysis.h"
#include "tests/unit/trace/trace_fixture.h"
#include "tests/unit/trace/trace_random.h"
#include "trace/read/scanner.h"

#include <criterion/criterion.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

static atomic_size_t loads;

int __real_ct_scanner_load(struct ct_scanner *scanner, size_t chunk, struct ct_loaded *loaded);
int __wrap_ct_scanner_load(struct ct_scanner *scanner, size_t chunk, struct ct_loaded *loaded);

int __wrap_ct_scanner_load(struct ct_scanner *scanner, size_t chunk, struct ct_loaded *loaded)
{
	atomic_fetch_add(&loads, 1);
	return __real_ct_scanner_load(scanner, chunk, loaded);
}

static void make(const char *directory)
{
	const struct trace_random_options options = {.parts = 1, .devices = 2, .tickets = 200};

	trace_random_state = 4711;
	trace_random_make(directory, &options);
}

static void check(const char *directory, uint32_t threads)
{
	const struct ct_comm_options options = {.threads = threads, .ranks = ct_ranks_alone()};
	struct ct_totals_job totals = {.trace = NULL};
	struct ct_tally_job tally = {.trace = NULL};
	struct ct_history *history;
	const struct ct_pass_options pass = {.threads = threads, .ranks = options.ranks};
	struct ct_trace *trace;
	struct ct_comm *comm;
	char why[CT_WHY_BYTES] = "";
	const struct ct_launch_info *launch;
	size_t chunks, launches;
	uint8_t *by;

	cr_assert_eq(ct_trace_open(&trace, directory, why, sizeof(why)), 0, "%s", why);
	cr_assert_eq(ct_comm_begin(&comm, trace, NULL, &options, why, sizeof(why)), 0, "%s", why);
	cr_assert_eq(ct_history_open(&history, comm, 0, 0xffff, why, sizeof(why)), 0, "%s", why);
	totals.trace = tally.trace = trace;
	launches = ct_trace_launches(trace, &launch);
	by = malloc(launches + 1);
	cr_assert_not_null(by);
	memset(by, CT_TALLY_NO_ORDER, launches + 1);
	tally.by = by;
	chunks = ct_trace_record_chunks(trace);
	cr_assert_gt(chunks, 50);
	atomic_store(&loads, 0);
	{
		const struct ct_task tasks[] = {ct_comm_task(comm),
						{&ct_history_analysis, history},
						{&ct_totals_analysis, &totals},
						{&ct_tally_analysis, &tally}};

		cr_assert_eq(ct_pass_run(trace, tasks, 4, &pass, NULL, why), 0, "%s", why);
	}
	cr_assert_eq(atomic_load(&loads), chunks, "%zu reads of %zu chunks", atomic_load(&loads),
		     chunks);
	cr_assert_not_null(totals.totals);
	cr_assert_not_null(tally.tally);
	ct_totals_job_fini(&totals);
	ct_tally_close(tally.tally);
	ct_history_close(history);
	ct_comm_close(comm);
	ct_trace_close(trace);
	free(by);
}

Test(one_read, serves_all_analyses_of_a_pass)
{
	char *directory = fixture_directory();

	make(directory);
	check(directory, 1);
	check(directory, 3);
	fixture_remove(directory);
}
