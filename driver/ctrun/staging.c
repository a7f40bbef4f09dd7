/* SPDX-License-Identifier: Apache-2.0 */
/* The stages of the feed-forward measurement model one after another. */
#include "driver/ctrun/staging.h"

#include "base/study.h"
#include "driver/base/process.h"
#include "driver/ctrun/calibration.h"
#include "driver/ctrun/output.h"
#include "trace/names/rank.h"

#include <cudatrace/format.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static int fail(int status, const char *text)
{
	fprintf(stderr, "ctrun: error: %s\n", text);
	return status;
}

static const char *environment(const char *name)
{
	return getenv(name);
}

int ctrun_staging_check(const struct ctrun_line *line)
{
	struct ct_rank rank = ct_rank_find(environment);

	if (!ctrun_line_value(line, "output"))
		return fail(2, "-o DIR is missing: where the study is kept");
	if (rank.rank != CT_NO_RANK && rank.ranks != 1) {
		const char *name = line->command->name;

		fprintf(
		    stderr,
		    "ctrun: error: this is one rank of several, and the program is started "
		    "several times: put ctrun %s around the launcher (ctrun %s -o DIR -- mpirun "
		    "-n 4 ./app)\n",
		    name, name);
		return 2;
	}
	if (!ct_process_can_run(line->program[0])) {
		fprintf(stderr, "ctrun: error: %s: not found, or not executable\n",
			line->program[0]);
		return 127;
	}
	return 0;
}

off_t ctrun_staging_input(void)
{
	off_t input = lseek(STDIN_FILENO, 0, SEEK_CUR);

	if (input < 0 && errno == ESPIPE && !isatty(STDIN_FILENO))
		fprintf(stderr,
			"[ctrun] standard input is a pipe: what one stage reads of it the next "
			"ones do not get; if the program reads it, give it a file (< FILE)\n");
	return input;
}

/* 0; or the exit status, for it went wrong. */
static int run_fed(struct ctrun_staging *staging, const struct ctrun_stage *stage)
{
	bool is_asked = stage->number == 4 && staging->is_asked;
	int sites = stage->feed ? ctrun_stage_feed(staging, stage, is_asked ? "--all" : NULL) : 0;

	if (sites < 0)
		return 1;
	if (stage->number == 4 && sites == 0) {
		fprintf(stderr,
			"[ctrun] stage 4 is not needed: no needed wait takes long, or stage 3 has "
			"not disturbed what comes behind it\n");
		return 0;
	}
	if (stage->feed)
		fprintf(stderr, "[ctrun] %d call site%s to look at in %s\n", sites,
			sites == 1 ? "" : "s", stage->called);
	return ctrun_stage_run(staging, stage);
}

/* Says what the first run cannot record of a program that cuda-trace has not built. */
static void say_injected(const struct ctrun_study *study)
{
	fprintf(
	    stderr,
	    "[ctrun] the program was not built by cuda-trace, which stages 3 and 4 need: uses and "
	    "contents are not recorded, so that it is not known which waits and copies are "
	    "needless\n"
	    "[ctrun] who waits for what, and for how long: ctpost calls %s/" CT_STUDY_CALLS "\n",
	    study->path);
}

static bool is_injected(const struct ctrun_study *study)
{
	char path[PATH_MAX];

	ctrun_study_file(study, CT_STUDY_CALLS, "", path);
	return ctrun_output_is_injected(path);
}

int ctrun_staging_run(struct ctrun_staging *staging, unsigned only)
{
	int status = 0;

	for (size_t i = 0; i < CTRUN_STAGES && status == 0; i++) {
		const struct ctrun_stage *stage = &ctrun_stages[i];

		if (only && stage->number != only)
			continue;
		if (i > 0 && !ctrun_study_has(staging->study, ctrun_stages[i - 1].trace))
			return fail(1, "the stage before it is missing: run it without --stage");
		if (!only && ctrun_study_has(staging->study, stage->trace))
			fprintf(stderr, "[ctrun] %s: there already (--stage=%u runs it again)\n",
				stage->called, stage->number);
		else
			status = run_fed(staging, stage);
		if (stage->number == 1 && status == 0)
			ctrun_calibration_copy(staging->study);
		if (stage->number == 1 && is_injected(staging->study))
			staging->injects = true;
		if (staging->injects) {
			if (status == 0)
				say_injected(staging->study);
			break;
		}
	}
	return status;
}
