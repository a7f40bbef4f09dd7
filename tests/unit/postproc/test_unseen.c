/* SPDX-License-Identifier: Apache-2.0 */
/* Whether the memory of a process may be accessed unseen, by its calls and the kernels that ran. */
#include "postproc/facts/unseen.h"
#include "tests/builder/trace.h"
#include "tests/unit/trace/trace_fixture.h"

#include <criterion/criterion.h>

/* The parts of a process that makes the call, and on whose device the kernel runs, for that
 * launch. */
static uint64_t parts(const char *call, const char *kernel, uint32_t launch)
{
	char *directory = fixture_directory(), why[512];
	struct build *b = build_part(directory, NULL);
	struct build_unit *unit = build_unit(1, 90, "demo.cu");
	struct ct_row_call calls = {.kind = CT_SPAN_RUNTIME, .name = build_string(b, call)};
	struct ct_row_activity activity = {
	    .kind = CT_ACTIVITY_KERNEL, .name = build_string(b, kernel), .launch = launch};
	struct ct_trace *trace;
	uint64_t found;

	build_kernel(unit, "_Z3ownPf", "own(float*)", 1);
	build_add_unit(b, unit);
	BUILD_EVENT(b, device, .name = build_string(b, "Demo"), .sm_count = 2);
	BUILD_LAUNCH(b, .kernel_name = build_string(b, "_Z3ownPf"), .grid = {1});
	build_done(b, 1);
	cr_assert_eq(ct_writer_rows(b->writer, CT_TABLE_CALL, &calls, 1, NULL), 0);
	cr_assert_eq(ct_writer_rows(b->writer, CT_TABLE_ACTIVITY, &activity, 1, NULL), 0);
	cr_assert_eq(build_close(b, "{}"), 0);
	cr_assert_eq(ct_trace_open(&trace, directory, why, sizeof(why)), 0, "%s", why);
	found = ct_unseen_parts(trace);
	ct_trace_close(trace);
	fixture_remove(directory);
	return found;
}

Test(unseen, what_the_program_launches_itself_is_seen)
{
	cr_expect_eq(parts("cudaMalloc", "_Z3ownPf", 1), 0);
	cr_expect_eq(parts("cudaMalloc", "_Z3ownPf", 0), 0, "as of a graph");
	cr_expect_eq(parts("cudaMalloc", "ct_flush", 0), 0, "as ours");
}

Test(unseen, other_processes_and_kernels_of_libraries_are_not)
{
	cr_expect(ct_unseen_is(parts("cudaIpcGetMemHandle", "_Z3ownPf", 1), 0));
	cr_expect(ct_unseen_is(parts("cudaMalloc", "_Z5sgemmPf", 0), 0));
}
