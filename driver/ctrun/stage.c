/* SPDX-License-Identifier: Apache-2.0 */
/* A stage: options, run, outcome. */
#include "driver/ctrun/stage.h"

#include "base/clock.h"
#include "base/study.h"
#include "driver/base/args.h"
#include "driver/base/process.h"
#include "driver/ctrun/command.h"
#include "driver/ctrun/diagnose.h"
#include "driver/ctrun/library.h"
#include "driver/ctrun/resolve.h"
#include "driver/ctrun/run.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

const struct ctrun_stage ctrun_stages[CTRUN_STAGES] = {
    {.number = 1,
     .called = "stages 1 and 2",
     .does = "which calls wait, for how long, from where",
     .trace = CT_STUDY_CALLS,
     .calls = "only",
     .contents = "off"},
    {.number = 3,
     .called = "stage 3",
     .does = "what of their data is used, and what copies move",
     .trace = CT_STUDY_USES,
     .feed = "--stage=3",
     .fed = CT_STUDY_USES_SITES,
     .calls = "only",
     .contents = "on",
     .watches = true},
    {.number = 4,
     .called = "stage 4",
     .does = "how long after a wait its data are used",
     .trace = CT_STUDY_FIRST_USES,
     .feed = "--stage=4",
     .fed = CT_STUDY_FIRST_USES_SITES,
     .calls = "only",
     .contents = "off",
     .watches = true},
};

const struct ctrun_stage ctrun_stage_samples = {
    .called = "the sampled run",
    .does = "which instructions warps wait at, and for what",
    .trace = CT_STUDY_SAMPLED,
    .feed = "--stage=samples",
    .fed = CT_STUDY_SAMPLED_AT,
    .calls = "on",
    .contents = "off",
    .takes_part = true,
};

const struct ctrun_stage ctrun_stage_accesses = {
    .called = "the traced run",
    .does = "which memory kernels access, and how",
    .trace = CT_STUDY_ACCESSES,
    .feed = "--stage=accesses",
    .fed = CT_STUDY_BUDGET,
    .calls = "on",
    .contents = "off",
    .takes_part = true,
};

/* Lines that are no remark. */
static int count_lines(const char *path)
{
	char line[512];
	FILE *file = fopen(path, "re");
	int count = 0;

	while (file && fgets(line, sizeof(line), file))
		count += line[0] != '#' && line[0] != '\n';
	if (file)
		fclose(file);
	return count;
}

int ctrun_stage_feed(const struct ctrun_staging *staging, const struct ctrun_stage *stage,
		     const char *more)
{
	char ctpost[PATH_MAX], partial[PATH_MAX], path[PATH_MAX];
	struct ct_args args = {0};
	int fd, status, err = ctrun_program("ctpost", ctpost);
	bool is_there = err == 0;

	ctrun_study_file(staging->study, stage->fed, CT_STUDY_PARTIAL, partial);
	ctrun_study_file(staging->study, stage->fed, "", path);
	fd = err < 0 ? err : open(partial, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
	if (fd < 0) {
		err = err < 0 ? err : -errno;
		fprintf(stderr, "ctrun: error: %s: %s\n", is_there ? partial : "ctpost",
			strerror(-err));
		return err;
	}
	ct_args_push(&args, ctpost);
	ct_args_push(&args, "feed");
	ct_args_push(&args, stage->feed);
	if (more)
		ct_args_push(&args, more);
	ct_args_push(&args, staging->study->path);
	status = ct_process_run_to(&args, fd);
	ct_args_fini(&args);
	close(fd);
	err = status == 0 ? ctrun_study_keep(staging->study, stage->fed) : -EIO;
	if (err < 0) {
		fprintf(stderr,
			"ctrun: error: %s: ctpost feed %s does not find out what to look at\n",
			stage->called, stage->feed);
		return err;
	}
	return count_lines(path);
}

/* Sets what is recorded; the trace's directory and what is preloaded come with the run. */
static int export_options(const struct ctrun_staging *staging, const struct ctrun_stage *stage)
{
	char sites[PATH_MAX] = "";
	int err = ctrun_option_export("calls", stage->calls);

	if (stage->watches)
		ctrun_study_file(staging->study, stage->fed, "", sites);
	if (err == 0)
		err = ctrun_option_export("contents", stage->contents);
	if (err == 0)
		err = ctrun_option_export("uses", stage->watches ? staging->uses : "off");
	if (err == 0)
		err = ctrun_option_export("uses-of", sites);
	return err;
}

/* why: it has recorded nothing; NULL: it has. */
static void say_end(const struct ctrun_staging *staging, const struct ctrun_stage *stage,
		    int status, const char *why)
{
	if (ct_process_signal()) {
		fprintf(stderr, "[ctrun] interrupted in %s; the same command goes on from there\n",
			stage->called);
		return;
	}
	if (status >= CT_STATUS_SIGNAL)
		fprintf(stderr, "[ctrun] %s: signal %d (%s) ended %s", stage->called,
			status - CT_STATUS_SIGNAL, strsignal(status - CT_STATUS_SIGNAL),
			staging->program[0]);
	else
		fprintf(stderr, "[ctrun] %s: %s ended with status %d", stage->called,
			staging->program[0], status);
	if (why)
		fprintf(stderr, "; nothing was recorded: %s\n", why);
	else
		fprintf(stderr,
			"; the same command goes on from there. What it has recorded: %s/%s%s\n",
			staging->study->path, stage->trace, CT_STUDY_PARTIAL);
	if (status < CT_STATUS_SIGNAL && stage->number == 1)
		fprintf(stderr, "[ctrun] if all was well: --status=%d\n", status);
	if (stage->watches)
		fprintf(stderr, "[ctrun] in stage 1 it ended well: --uses=host, with code that was "
				"compiled with --ct-host, does not protect pages of it\n");
}

/* The trace is whole, and has its name from now on. 0, or an exit status. */
static int keep_trace(const struct ctrun_staging *staging, const struct ctrun_stage *stage,
		      struct ctrun_output *output)
{
	char why[2 * PATH_MAX];
	int err;

	ctrun_diagnose(output, staging->program[0], why, sizeof(why));
	if (rmdir(output->path) == 0 || access(output->path, F_OK) < 0) { /* nothing was written */
		fprintf(stderr, "[ctrun] %s: no call of CUDA was recorded: %s\n", stage->called,
			why);
		return 1;
	}
	ctrun_output_stopped(output, why, sizeof(why));
	if (*why && stage->takes_part) {
		fprintf(stderr, "[ctrun] %s recorded a part: %s\n", stage->called, why);
	} else if (*why) {
		fprintf(stderr,
			"[ctrun] %s recorded only a part: %s; the same command runs it again\n",
			stage->called, why);
		return 1;
	}
	err = ctrun_study_keep(staging->study, stage->trace);
	if (err < 0) {
		fprintf(stderr, "ctrun: error: %s: %s\n", output->path, strerror(-err));
		return 1;
	}
	ctrun_study_file(staging->study, stage->trace, "", output->path);
	ctrun_output_report(output, false);
	return 0;
}

static void say_time(struct ctrun_staging *staging, const struct ctrun_stage *stage, uint64_t ns)
{
	fprintf(stderr, "[ctrun] %s: %.2f s", stage->called, (double)ns * 1e-9);
	if (stage->number == 1)
		staging->first_ns = ns;
	else if (staging->first_ns)
		fprintf(stderr, ", %.1f times stage 1", (double)ns / (double)staging->first_ns);
	fputc('\n', stderr);
}

/* Between two stages, LD_PRELOAD is as it was. */
static int prepare(const struct ctrun_staging *staging, const struct ctrun_stage *stage,
		   const struct ctrun_run *run, struct ctrun_output *output)
{
	char why[PATH_MAX + 200] = "out of memory";
	int err = export_options(staging, stage);

	if (err == 0)
		err = ctrun_run_prepare(run, output, why, sizeof(why));
	if (err < 0)
		fprintf(stderr, "ctrun: error: %s\n", why);
	else if (staging->input >= 0 &&
		 lseek(STDIN_FILENO, staging->input, SEEK_SET) != staging->input)
		fprintf(stderr, "[ctrun] standard input cannot be rewound: %s\n", strerror(errno));
	return err;
}

int ctrun_stage_run(struct ctrun_staging *staging, const struct ctrun_stage *stage)
{
	char path[PATH_MAX], *preload = ctrun_preload_save();
	struct ctrun_run run = {.directory = path,
				.injects = staging->injects,
				.watches = stage->watches,
				.program = staging->program};
	struct ctrun_output output;
	uint64_t begin_ns;
	int status;

	ctrun_study_file(staging->study, stage->trace, CT_STUDY_PARTIAL, path);
	fprintf(stderr, "[ctrun] %s%s: %s\n", stage->called, stage->number ? " of 4" : "",
		stage->does);
	if (prepare(staging, stage, &run, &output) < 0) {
		free(preload);
		return 1;
	}
	begin_ns = ct_clock_monotonic_ns();
	status = ctrun_run(&run);
	ctrun_preload_restore(preload);
	if (status != staging->status || ct_process_signal()) {
		bool has_trace = ctrun_output_report(&output, false);
		char why[2 * PATH_MAX];

		ctrun_diagnose(&output, run.program[0], why, sizeof(why));
		ctrun_resolve(&output);
		ctrun_output_end(&output);
		if (status >= 0)
			say_end(staging, stage, status, has_trace ? NULL : why);
		status = ctrun_run_status(&run, status);
		return status ? status : 128 + ct_process_signal();
	}
	say_time(staging, stage, ct_clock_monotonic_ns() - begin_ns);
	ctrun_resolve(&output);
	return keep_trace(staging, stage, &output);
}
