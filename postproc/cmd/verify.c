/* SPDX-License-Identifier: Apache-2.0 */
/* ctpost verify: whether a trace is whole, and holds what is known from elsewhere. */
#include "postproc/render/verify/verify.h"
#include "postproc/analysis/verify/analysis.h"
#include "postproc/cmd/base/pass.h"
#include "postproc/cmd/base/shown.h"
#include "postproc/cmd/base/trace_file.h"
#include "postproc/tables/findings.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define VERIFY_UNSOUND 1
#define VERIFY_FAILED 2

static const struct ctpost_option own[] = {
    CTPOST_FORMAT_OPTIONS,
    {.name = "expect",
     .argument = "FILE",
     .complete = CTPOST_COMPLETE_FILE,
     .help = "also compare counts, addresses and order with FILE (docs/ctpost.md)"},
    {.name = NULL},
};

static const struct ctpost_option *const options[] = {own, ctpost_threads_options, NULL};

static int read_expectation(struct ctpost_call *call, struct ct_expectation *expectation)
{
	const char *path = ctpost_value(call, "expect");
	char why[128] = "";
	size_t line;
	FILE *file = fopen(path, "re");
	int err;

	if (!file)
		return ctpost_fail(call, -errno, "%s: %s", path, strerror(errno));
	err = ct_expectation_read(expectation, file, &line, why, sizeof(why));
	fclose(file);
	if (err < 0)
		ctpost_fail(call, 0, "%s: line %zu: %s", path, line, why);
	return err;
}

/* How the order of each launch is to be hashed; free it. */
static uint8_t *orders(const struct ct_trace *trace, const struct ct_expectation *expectation)
{
	const struct ct_launch_info *launches;
	size_t count = ct_trace_launches(trace, &launches);
	uint8_t *by = calloc(count + 1, 1);

	for (size_t i = 0; by && i < count; i++) {
		const struct ct_expected_kernel *kernel =
		    ct_expectation_of(expectation, &launches[i]);

		by[i] = kernel ? kernel->by : CT_TALLY_NO_ORDER;
	}
	return by;
}

/* An exit status of ctpost_write_shown. */
static int write_outcome(struct ctpost_call *call, const struct ct_table_format *format,
			 const struct ct_verify_outcome *outcome)
{
	const struct ctpost_shown shown[] = {{&ct_verify_totals_table, outcome},
					     {&ct_findings_table, outcome->findings},
					     {NULL, NULL}};
	struct ct_style style = ct_style_of_stdout();

	if (format)
		return ctpost_write_shown(call, format, outcome->trace, shown);
	ct_verify_write_text(stdout, outcome, &style);
	return CTPOST_OK;
}

static int judge(struct ctpost_call *call, const struct ct_table_format *format,
		 struct ct_trace *trace, const struct ct_tally *tally,
		 const struct ct_expectation *expectation, uint64_t damaged)
{
	struct ct_expectation_result result = {.compared = 0};
	struct ct_findings findings = {.count = 0};
	const struct ct_verify_outcome outcome = {
	    .trace = trace,
	    .findings = &findings,
	    .result = expectation->count ? &result : NULL,
	    .tally = tally,
	};
	int err = ct_verify_integrity(&findings, trace, tally, damaged), status;

	if (err == 0)
		err = ct_expectation_check(expectation, trace, tally, &findings, &result);
	status = findings.count ? VERIFY_UNSOUND : CTPOST_OK;
	if (err < 0 || write_outcome(call, format, &outcome) != CTPOST_OK)
		status = VERIFY_FAILED;
	if (err < 0)
		ctpost_fail(call, 0, "%s: %s", ct_trace_directory(trace), ct_strerror(err));
	ct_findings_fini(&findings);
	return status;
}

/* All tables, whoever asks for them: what cannot be read is among the trace's warnings. */
static int read_tables(struct ct_trace *trace)
{
	const struct ct_process_info *processes;
	size_t parts = ct_trace_processes(trace, &processes), count;
	const void *rows;
	int err = 0;

	ct_trace_have_one_reader(trace);
	for (size_t i = 0; i < parts; i++)
		for (uint32_t table = 1; table < CT_TABLES && err == 0; table++) {
			err = ct_trace_rows(trace, processes[i].part, table, &rows, &count);
			ct_trace_drop_rows(trace, processes[i].part, table);
		}
	return err;
}

static int verify(struct ctpost_call *call, const struct ct_table_format *format, uint32_t threads,
		  const struct ct_expectation *expectation)
{
	const struct ct_pass_options options = {.threads = threads};
	struct ct_trace *trace = ctpost_open_trace(call, call->operand[0]);
	uint8_t *by = trace ? orders(trace, expectation) : NULL;
	struct ct_tally_job job = {.trace = trace, .by = by};
	const struct ct_task task = {&ct_tally_analysis, &job};
	int status = VERIFY_FAILED, err = by ? read_tables(trace) : -ENOMEM;

	if (trace && err < 0)
		ctpost_fail(call, 0, "%s: %s", call->operand[0], ct_strerror(err));
	/* Its warnings are among the findings. */
	if (trace && err == 0 && ctpost_pass(call, trace, &task, 1, &options) == 0)
		status = judge(call, format, trace, job.tally, expectation, call->damaged_chunks);
	ct_tally_close(job.tally);
	free(by);
	ct_trace_close(trace);
	return status;
}

static int run(struct ctpost_call *call)
{
	struct ct_expectation expectation = {.count = 0};
	const struct ct_table_format *format = NULL;
	uint32_t threads;
	int status = ctpost_read_threads(call, &threads);

	if (status == CTPOST_OK)
		status = ctpost_read_format(call, &format);
	if (status != CTPOST_OK)
		return status;
	if (ctpost_value(call, "expect") && read_expectation(call, &expectation) < 0) {
		ct_expectation_fini(&expectation);
		return VERIFY_FAILED;
	}
	status = verify(call, format, threads, &expectation);
	ct_expectation_fini(&expectation);
	return status;
}

const struct ctpost_command ctpost_verify_command = {
    .name = "verify",
    .summary = "check that a trace is whole, and holds what is expected",
    .description =
	"Reads all of a trace and checks that nothing is missing: checksums, the numbers of\n"
	"ring chunks, the segments of every warp, the ends of launches, and what the traced\n"
	"process knew to be lost. One line per finding.\n\n"
	"With --expect, also compares the traced launches with figures that are known from\n"
	"elsewhere, such as formulas: how many accesses each source line made, the sum and\n"
	"the sum of squares of their addresses, and a hash of their order in every warp.",
    .operands = "TRACE",
    .operands_min = 1,
    .operands_max = 1,
    .complete = CTPOST_COMPLETE_DIRECTORY,
    .options = options,
    .exit_status = "0 if nothing was found, 1 if something was, 2 for a wrong option or file, or "
		   "if the trace cannot be read.",
    .example = "ctpost verify run.ctrace",
    .shows_no_lines = true,
    .run = run,
};
