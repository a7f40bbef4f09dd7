/* SPDX-License-Identifier: Apache-2.0 */
/* The environment and the directory before a run, the run itself. */
#include "driver/ctrun/run.h"

#include "driver/base/args.h"
#include "driver/base/process.h"
#include "driver/ctrun/command.h"
#include "driver/ctrun/inject.h"
#include "driver/ctrun/library.h"
#include "trace/names/environment.h"

#include <cudatrace/preload.h>

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int ctrun_run_prepare(const struct ctrun_run *run, struct ctrun_output *output, char *why,
		      size_t why_bytes)
{
	/* A name that was mistyped is no reason to remove a trace. */
	bool keep = run->is_off || !ct_process_can_run(run->program[0]);
	bool is_chosen = !run->is_off && !run->injects && ctrun_inject_is_due(run->program[0]);
	int err = run->is_off ? 0 : ctrun_inject_prepare(run->injects || is_chosen, why, why_bytes);

	if (err == 0 && is_chosen)
		err = setenv(CT_INJECT_CHOSEN, "1", 1) < 0 ? -errno : 0;
	/* A program that is started by itself is not traced. */
	if (err == 0 && !run->is_off)
		err = setenv("CUDATRACE", "on", 0) < 0 ? -errno : 0;
	if (err == 0)
		err = ctrun_output_prepare(output, run->directory, keep, why, why_bytes);
	if (err == 0 && run->watches)
		err = ctrun_library_preload(CT_PRELOAD_LIBRARY, why, why_bytes);
	return err;
}

int ctrun_run(const struct ctrun_run *run)
{
	struct ct_args args = {0};
	int status;

	for (char **word = run->program; *word; word++)
		ct_args_push(&args, *word);
	status = ct_process_run(&args, NULL);
	ct_args_fini(&args);
	return status;
}

int ctrun_run_status(const struct ctrun_run *run, int status)
{
	if (status < 0) {
		const char *command =
		    status == -ENOENT ? ctrun_command_near(run->program[0]) : NULL;

		fprintf(stderr, "ctrun: error: %s: %s", run->program[0], strerror(-status));
		if (command)
			fprintf(stderr, "; did you mean ctrun %s?", command);
		fputc('\n', stderr);
		return status == -ENOENT ? 127 : 126;
	}
	return status >= CT_STATUS_SIGNAL ? status - CT_STATUS_SIGNAL + 128 : status;
}
