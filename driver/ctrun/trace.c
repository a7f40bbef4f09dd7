/* SPDX-License-Identifier: Apache-2.0 */
/* Plain ctrun: run a program under tracing and say what was traced. */
#include "driver/base/process.h"
#include "driver/ctrun/diagnose.h"
#include "driver/ctrun/library.h"
#include "driver/ctrun/line.h"
#include "driver/ctrun/resolve.h"
#include "driver/ctrun/run.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool is_value(const struct ctrun_line *line, const char *flag, const char *value)
{
	const char *given = ctrun_line_value(line, flag);

	return given && strcmp(given, value) == 0;
}

static void report(const struct ctrun_run *run, const struct ctrun_output *output, bool is_verbose)
{
	char why[2 * PATH_MAX];

	if (ctrun_output_report(output, is_verbose) || !ctrun_output_speaks(output, is_verbose))
		return;
	ctrun_diagnose(output, run->program[0], why, sizeof(why));
	if (run->is_off)
		fprintf(stderr, "[ctrun] no trace: tracing was off (--trace=off)\n");
	else if (run->injects)
		fprintf(
		    stderr,
		    "[ctrun] nothing was recorded: %s never initialised CUDA (there is no GPU or "
		    "no driver, or it made no call)\n",
		    run->program[0]);
	else
		fprintf(stderr, "[ctrun] no trace: %s\n", why);
}

static int trace(const struct ctrun_line *line)
{
	const struct ctrun_run run = {.directory = ctrun_line_value(line, "output"),
				      .is_off = is_value(line, "trace", "off"),
				      .injects = ctrun_line_value(line, "inject"),
				      .watches = ctrun_line_value(line, "uses") &&
						 !is_value(line, "uses", "off"),
				      .program = line->program};
	struct ctrun_output output;
	char why[PATH_MAX + 200] = "out of memory", *preload = ctrun_preload_save();
	int status;

	if (ctrun_line_export(line) < 0 || ctrun_run_prepare(&run, &output, why, sizeof(why)) < 0) {
		fprintf(stderr, "ctrun: error: %s\n", why);
		free(preload);
		return 1;
	}
	ct_process_init();
	status = ctrun_run(&run);
	ctrun_preload_restore(preload);
	if (status >= 0)
		report(&run, &output, is_value(line, "verbose", "on"));
	if (status >= 0 && !run.is_off)
		ctrun_resolve(&output);
	ctrun_output_end(&output);
	return ctrun_run_status(&run, status);
}

const struct ctrun_command ctrun_trace = {
    .arguments = "[--] PROGRAM [ARGUMENT...]",
    .does = "run a program under tracing",
    .text = "Run a program that was built with cuda-trace-clang, and trace it.",
    .status = "Exits as the program does; with 128 + N if signal N ended it, 127 if it was not "
	      "found, 126 if it could not be started, 2 for a mistake on ctrun's own command line, "
	      "before anything is started.",
    .runs_program = true,
    .run = trace,
};
