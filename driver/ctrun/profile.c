/* SPDX-License-Identifier: Apache-2.0 */
/* ctrun profile: all runs that a program, its build and the machine allow, into one study, and the
 * list of its problems. */
#include "base/study.h"
#include "driver/base/args.h"
#include "driver/base/process.h"
#include "driver/ctrun/library.h"
#include "driver/ctrun/output.h"
#include "driver/ctrun/staging.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Reduces the thread blocks of a run that was too large; at least so many of a launch stay. */
#define SMALLER 16u
#define FEW "8"
/* One launch in so many or fewer is traced: what a kernel waits for shows in the others. */
#define MOSTLY 8u

static int fail(int status, const char *text)
{
	fprintf(stderr, "ctrun: error: %s\n", text);
	return status;
}

/* Whether the traced run's options are the user's own. */
static bool has_own_budget(const struct ctrun_line *line)
{
	static const char *const flags[] = {"sample-launches", "sample-blocks",
					    "sample-blocks-least", "duration"};
	bool has = false;

	for (size_t i = 0; i < sizeof(flags) / sizeof(flags[0]); i++)
		has |= ctrun_line_value(line, flags[i]) != NULL;
	return has;
}

static void say_budget(const char *option, const char *value)
{
	if (strcmp(option, "sample-blocks-least") != 0 && strncmp(option, "sample-", 7) == 0 &&
	    strcmp(value, "1") != 0)
		fprintf(stderr, "[ctrun] the traced run records one %s in %s (--budget)\n",
			strcmp(option, "sample-blocks") ? "launch of each kernel and caller"
							: "thread block",
			value);
}

/* Options that a stage is fed, one by one. 0 or the first error of take. */
static int each_fed(const struct ctrun_study *study, const char *fed,
		    int (*take)(void *user, const char *option, const char *value), void *user)
{
	char path[PATH_MAX], word[512];
	FILE *file;
	int err = 0;

	ctrun_study_file(study, fed, "", path);
	file = fopen(path, "re");
	while (file && err == 0 && fgets(word, sizeof(word), file)) {
		char *value = strchr(word, '=');

		word[strcspn(word, "\n")] = '\0';
		if (*word == '#' || !value)
			continue;
		*value++ = '\0';
		err = take(user, word, value);
	}
	if (file)
		fclose(file);
	return err;
}

/* To where the runtime reads it. */
static int export_one(void *user, const char *option, const char *value)
{
	(void)user;
	say_budget(option, value);
	return ctrun_option_export(option, value);
}

static int export_fed(const struct ctrun_study *study, const char *fed)
{
	return each_fed(study, fed, export_one, NULL);
}

static int find_period(void *user, const char *option, const char *value)
{
	if (strcmp(option, "sample-launches") == 0)
		*(uint64_t *)user = strtoull(value, NULL, 10);
	return 0;
}

/* Exports how kernels are sampled; false: they ran on no GPU, and are not. */
static bool set_sampling(const struct ctrun_staging *staging, const char *mode)
{
	const struct ctrun_stage *stage = &ctrun_stage_samples;

	return ctrun_stage_feed(staging, stage, NULL) > 0 &&
	       export_fed(staging->study, stage->fed) == 0 &&
	       ctrun_option_export("samples-mode", mode) == 0;
}

/* The run that samples what warps wait for. The list does without it, so nothing that goes wrong
 * there ends the profile. */
static void run_sampled(struct ctrun_staging *staging)
{
	const struct ctrun_stage *stage = &ctrun_stage_samples;

	if (ctrun_study_has(staging->study, stage->trace)) {
		fprintf(stderr, "[ctrun] %s: there already (--redo begins anew)\n", stage->called);
		return;
	}
	/* Kernels run as they would: what waits for each of them is another program. */
	if (set_sampling(staging, "concurrent"))
		ctrun_stage_run(staging, stage);
	ctrun_option_export("samples", "off");
}

/* The records of kernels are guessed before they run, and the limit may have cut a launch short,
 * of which nothing is known then: once more, with fewer thread blocks. An exit status. */
static int run_smaller(struct ctrun_staging *staging, const struct ctrun_stage *stage)
{
	const char *name = ctrun_option_value("sample-blocks");
	uint64_t period = name ? strtoull(name, NULL, 10) : 1;
	char path[PATH_MAX], text[32];

	ctrun_study_file(staging->study, stage->trace, "", path);
	if (!ctrun_output_has_lost(path) || ct_process_signal())
		return 0;
	/* Odd, for the width of grids is mostly even. */
	snprintf(text, sizeof(text), "%" PRIu64, period * SMALLER | 1);
	fprintf(stderr, "[ctrun] that was more than fits: once more, with one thread block in %s\n",
		text);
	return ctrun_option_export("sample-blocks", text) < 0 ||
		       ctrun_option_export("sample-blocks-least", FEW) < 0
		   ? fail(1, "out of memory")
		   : ctrun_stage_run(staging, stage);
}

/* The traced run, after its stage was fed, and what is sampled: in it, if most launches of each
 * kernel are pristine there, or in a run before it. 0, or the exit status. */
static int run_fed(struct ctrun_staging *staging, const struct ctrun_line *line)
{
	const struct ctrun_stage *stage = &ctrun_stage_accesses;
	const char *limit = ctrun_line_value(line, "limit");
	uint64_t period = 1;
	int status;

	if (!has_own_budget(line))
		each_fed(staging->study, stage->fed, find_period, &period);
	if (period < MOSTLY || ctrun_study_has(staging->study, CT_STUDY_SAMPLED))
		run_sampled(staging);
	else if (set_sampling(staging, "beside"))
		fprintf(stderr, "[ctrun] the traced run also samples what warps wait for\n");
	if (ct_process_signal())
		return 128 + ct_process_signal();
	if ((!has_own_budget(line) && export_fed(staging->study, stage->fed) < 0) ||
	    ctrun_option_export("limit", limit ? limit : "256M") < 0)
		return fail(1, "out of memory");
	status = ctrun_stage_run(staging, stage);
	return status == 0 && !has_own_budget(line) ? run_smaller(staging, stage) : status;
}

/* The run that records accesses, of a program that has instrumented kernels, and samples of all.
 * 0, or the exit status. */
static int run_traced(struct ctrun_staging *staging, const struct ctrun_line *line)
{
	const char *budget = ctrun_line_value(line, "budget");
	const struct ctrun_stage *stage = &ctrun_stage_accesses;
	char times[32];
	int options;

	if (ctrun_study_has(staging->study, stage->trace)) {
		fprintf(stderr, "[ctrun] %s: there already (--redo begins anew)\n", stage->called);
		return 0;
	}
	snprintf(times, sizeof(times), "--times=%s", budget ? budget : "5");
	options = staging->injects ? 0 : ctrun_stage_feed(staging, stage, times);
	if (options < 0)
		return 1;
	if (options > 0)
		return run_fed(staging, line);
	run_sampled(staging);
	if (!staging->injects)
		fprintf(stderr, "[ctrun] no accesses: no kernel that ran was compiled by "
				"cuda-trace-clang or cuda-trace-nvcc\n");
	return 0;
}

/* The list on standard output, and the page. */
static int show(const struct ctrun_study *study)
{
	char ctpost[PATH_MAX], page[PATH_MAX];
	struct ct_args args = {0};
	int status, err = ctrun_program("ctpost", ctpost);

	if (err < 0) {
		fprintf(stderr, "ctrun: error: ctpost: %s; is the installation complete?\n",
			strerror(-err));
		return 1;
	}
	ctrun_study_file(study, CT_STUDY_PAGE, "", page);
	ct_args_push(&args, ctpost);
	ct_args_push(&args, "report");
	ct_args_push(&args, "--list");
	ct_args_pushf(&args, "--output=%s", page);
	ct_args_push(&args, study->path);
	status = ct_process_run(&args, NULL);
	ct_args_fini(&args);
	if (status == 0)
		fprintf(stderr, "[ctrun] page: %s; the list again: ctpost findings %s\n", page,
			study->path);
	return status == 0 ? 0 : 1;
}

static int profile(const struct ctrun_line *line)
{
	char why[PATH_MAX + 200] = "out of memory";
	const char *uses = ctrun_line_value(line, "uses"),
		   *expected = ctrun_line_value(line, "status");
	struct ctrun_study study;
	struct ctrun_staging staging = {.study = &study,
					.program = line->program,
					.uses = uses ? uses : "auto",
					.status = expected ? atoi(expected) : 0,
					.injects = ctrun_line_value(line, "inject")};
	int status = ctrun_staging_check(line), traced = 0;

	if (status)
		return status;
	if (ctrun_study_open(&study, ctrun_line_value(line, "output"), line->program,
			     ctrun_line_value(line, "redo"), why, sizeof(why)) < 0)
		return fail(1, why);
	if (ctrun_line_export(line) < 0)
		return fail(1, "out of memory");
	staging.input = ctrun_staging_input();
	ct_process_init();
	status = ctrun_staging_run(&staging, 0);
	/* The first run's records are of use without the others. */
	if (!ctrun_study_has(&study, CT_STUDY_CALLS) || ct_process_signal())
		return status;
	traced = run_traced(&staging, line);
	if (ct_process_signal())
		return traced;
	status = status ? status : traced;
	traced = show(&study);
	return status ? status : traced;
}

static const struct ctrun_option options[] = {
#include "driver/ctrun/staging.def"
    {.flag = "budget",
     .argument = "N",
     .preset = "5",
     .help = "the run that records accesses takes at most N times as long as the program; 0: as "
	     "long as it takes",
     .type = CT_OPTION_COUNT},
    {.flag = NULL},
};

static const char *const shared[] = {"inject",
				     "kernels",
				     "launches",
				     "region",
				     "sample-launches",
				     "sample-blocks",
				     "sample-blocks-least",
				     "seed",
				     "delay",
				     "duration",
				     "limit",
				     "keep-free",
				     "ring",
				     "patience",
				     "level",
				     "sources",
				     "verbose",
				     NULL};

const struct ctrun_command ctrun_profile = {
    .name = "profile",
    .arguments = "-o DIR [--] PROGRAM [ARGUMENT...]",
    .does = "run a program as often as needed, and list its problems, the most expensive first",
    .text =
	"Run a program as the program, its build and the machine allow: to record calls and "
	"times; to see which waits and copies it needs (as ctrun ffm does); on a GPU, to sample "
	"what warps wait for; and, of a program "
	"that was built with cuda-trace-clang, to record the accesses of its kernels, within a "
	"budget of time, of threads and of 256 MB (--limit). All of it is one study in DIR. "
	"The list of "
	"problems, ranked by what each is worth, is printed on standard output, and a page is "
	"written beside it. Runs that DIR has are not repeated.",
    .status = "Exits with 0 if all runs went well, else as the program did in the first one that "
	      "did not, which is named; with 1 if nothing could be recorded, 2 for a mistake on "
	      "the command line.",
    .runs_program = true,
    .own = options,
    .shared = shared,
    .run = profile,
};
