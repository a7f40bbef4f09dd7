/* SPDX-License-Identifier: Apache-2.0 */
/* ctrun check: a traced run, and the list of accesses, copies and frees that are wrong. */
#include "driver/base/args.h"
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

#define FOUND 3 /* of ctpost check */

static int fail(int status, const char *text)
{
	fprintf(stderr, "ctrun: error: %s\n", text);
	return status;
}

/* The list of one trace, on standard output. */
struct listing {
	const char *ctpost;
	const char *fail_on;
	int status; /* of the first that was not 0 */
	unsigned traces;
};

static void list(void *user, const char *directory)
{
	struct listing *listing = user;
	struct ct_args args = {0};
	int status;

	ct_args_push(&args, listing->ctpost);
	ct_args_push(&args, "check");
	ct_args_pushf(&args, "--fail-on=%s", listing->fail_on);
	ct_args_push(&args, directory);
	status = ct_process_run(&args, NULL);
	ct_args_fini(&args);
	listing->traces++;
	if (!listing->status)
		listing->status = status < 0 ? 1 : status;
}

/* "heat.check.ctrace" */
static const char *directory_of(const struct ctrun_line *line, char path[PATH_MAX])
{
	const char *given = ctrun_line_value(line, "output");
	const char *program = strrchr(line->program[0], '/');

	if (given)
		return given;
	program = program ? program + 1 : line->program[0];
	snprintf(path, PATH_MAX, "%.200s.check.ctrace", program);
	return path;
}

/* 0, or FOUND, or 1 with the reason said. */
static int show(const struct ctrun_line *line, const struct ctrun_run *run,
		const struct ctrun_output *output)
{
	char ctpost[PATH_MAX], why[2 * PATH_MAX];
	const char *fail_on = ctrun_line_value(line, "fail-on");
	struct listing listing = {.ctpost = ctpost, .fail_on = fail_on ? fail_on : "error"};

	if (ctrun_program("ctpost", ctpost) < 0)
		return fail(1, "ctpost: it is not there; is the installation complete?");
	ctrun_output_each(output, list, &listing);
	if (listing.traces)
		return listing.status == 0 || listing.status == FOUND ? listing.status : 1;
	ctrun_diagnose(output, run->program[0], why, sizeof(why));
	fprintf(stderr, "ctrun: error: nothing was checked: %s\n", why);
	return 1;
}

static int check(const struct ctrun_line *line)
{
	char path[PATH_MAX], why[PATH_MAX + 200] = "out of memory", *preload = ctrun_preload_save();
	const struct ctrun_run run = {.directory = directory_of(line, path),
				      .program = line->program};
	struct ctrun_output output;
	int status, found;

	if (ctrun_line_export(line) < 0 || ctrun_option_export("check", "on") < 0 ||
	    ctrun_option_export("uses", "host") < 0 ||
	    ctrun_run_prepare(&run, &output, why, sizeof(why)) < 0) {
		free(preload);
		return fail(1, why);
	}
	ct_process_init();
	status = ctrun_run(&run);
	ctrun_preload_restore(preload);
	if (status < 0)
		return ctrun_run_status(&run, status);
	ctrun_resolve(&output);
	found = show(line, &run, &output);
	ctrun_output_end(&output);
	status = ctrun_run_status(&run, status);
	if (found && status)
		fprintf(stderr, "[ctrun] %s exited with %d\n", run.program[0], status);
	return found ? found : status;
}

static const struct ctrun_option options[] = {
    {.flag = "fail-on",
     .argument = "error|warning|never",
     .preset = "error",
     .help = "exit with 3 if there is an error, or anything at all",
     .type = CT_OPTION_STRING},
    {.flag = NULL},
};

static const char *const shared[] = {"output", "kernels",   "launches", "region",
				     "limit",  "keep-free", "ring",     "patience",
				     "level",  "sources",   "verbose",  NULL};

const struct ctrun_command ctrun_check = {
    .name = "check",
    .arguments = "[-o DIR] [--] PROGRAM [ARGUMENT...]",
    .does = "run a program, and list accesses, copies and frees that are wrong",
    .text = "Run a program that was built with cuda-trace-clang --ct-all, on a GPU or on CPU "
	    "threads, and list on standard output what is wrong with how it uses memory (ctpost "
	    "check); nothing is printed if nothing is. The trace is kept in DIR "
	    "(PROGRAM.check.ctrace). docs/check.md describes what is found.",
    .status = "Exits with 3 if something was found that --fail-on says, with 1 if nothing could be "
	      "checked, 2 for a mistake on the command line; else as the program does.",
    .runs_program = true,
    .own = options,
    .shared = shared,
    .run = check,
};
