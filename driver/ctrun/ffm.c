/* SPDX-License-Identifier: Apache-2.0 */
/* ctrun ffm: the runs of the feed-forward measurement model one after another, into a study. */
#include "driver/base/args.h"
#include "driver/base/process.h"
#include "driver/ctrun/library.h"
#include "driver/ctrun/staging.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define STAGE_TO_SHOW 5u /* the analysis */

static int fail(int status, const char *text)
{
	fprintf(stderr, "ctrun: error: %s\n", text);
	return status;
}

static unsigned number_of(const struct ctrun_line *line, const char *flag)
{
	const char *value = ctrun_line_value(line, flag);

	return value ? (unsigned)strtoul(value, NULL, 10) : 0;
}

/* The few largest problems. */
static int show(const struct ctrun_study *study)
{
	char ctpost[PATH_MAX];
	struct ct_args args = {0};
	int status, err = ctrun_program("ctpost", ctpost);

	if (err < 0) {
		fprintf(stderr, "ctrun: error: ctpost: %s; is the installation complete?\n",
			strerror(-err));
		return 1;
	}
	ct_args_push(&args, ctpost);
	ct_args_push(&args, "ffm");
	ct_args_push(&args, "--rows=5");
	ct_args_push(&args, study->path);
	status = ct_process_run_to(&args, STDERR_FILENO);
	ct_args_fini(&args);
	if (status == 0)
		fprintf(stderr,
			"[ctrun] all of it: ctpost ffm %s; one of them: --problem=N; as a page: "
			"ctpost report %s\n",
			study->path, study->path);
	return status == 0 ? 0 : 1;
}

static int ffm(const struct ctrun_line *line)
{
	char why[PATH_MAX + 200] = "out of memory";
	unsigned only = number_of(line, "stage");
	const char *uses = ctrun_line_value(line, "uses");
	struct ctrun_study study;
	struct ctrun_staging staging = {.study = &study,
					.program = line->program,
					.uses = uses ? uses : "auto",
					.status = (int)number_of(line, "status"),
					.injects = ctrun_line_value(line, "inject"),
					.is_asked = only != 0};
	int status = ctrun_staging_check(line);

	if (!status && staging.injects && (only == 3 || only == 4))
		return fail(2, "--stage=3 and --stage=4 need a program that was built by "
			       "cuda-trace-clang: --inject records no uses");
	if (status)
		return status;
	if (ctrun_study_open(&study, ctrun_line_value(line, "output"), line->program,
			     ctrun_line_value(line, "redo"), why, sizeof(why)) < 0)
		return fail(1, why);
	if (ctrun_line_export(line) < 0)
		return fail(1, "out of memory");
	staging.input = ctrun_staging_input();
	ct_process_init();
	if (only != STAGE_TO_SHOW)
		status = ctrun_staging_run(&staging, only == 2 ? 1 : only);
	return status ? status : show(&study);
}

static const struct ctrun_option options[] = {
#include "driver/ctrun/staging.def"
    {.flag = "stage",
     .argument = "1..5",
     .preset = "",
     .help = "this stage alone, again: 1 and 2 are one run, 5 shows what was found",
     .type = CT_OPTION_COUNT},
    {.flag = NULL},
};

static const char *const shared[] = {"inject", "keep-free", "sources", "verbose", NULL};

const struct ctrun_command ctrun_ffm = {
    .name = "ffm",
    .arguments = "-o DIR [--] PROGRAM [ARGUMENT...]",
    .does = "find needless synchronizations and transfers, in several runs",
    .text =
	"Run a program as often as the feed-forward measurement model needs, each run fed by those "
	"before it, and say which synchronizations and transfers are needless and what each is "
	"worth. Stages that DIR has are not run again, so that the same command goes on after a "
	"failure. docs/ffm.md describes the stages.",
    .status = "Exits with 0 if all stages went well, else as the program did in the first one that "
	      "did not, which is named; with 1 if nothing could be recorded, 2 for a mistake on "
	      "the command line.",
    .runs_program = true,
    .own = options,
    .shared = shared,
    .run = ffm,
};
