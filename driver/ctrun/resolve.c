/* SPDX-License-Identifier: Apache-2.0 */
/* Names and sources into the traces of a run. */
#include "driver/ctrun/resolve.h"

#include "driver/base/args.h"
#include "driver/base/process.h"
#include "driver/ctrun/library.h"

#include <cudatrace/format.h>
#include <stdio.h>

static void resolve(void *user, const char *directory)
{
	const struct ctrun_output *output = user;
	char ctpost[PATH_MAX];
	struct ct_args args = {0};

	if (ctrun_program("ctpost", ctpost) < 0)
		return; /* an installation of ctrun alone */
	ct_args_push(&args, ctpost);
	ct_args_push(&args, "resolve");
	ct_args_push(&args, "--quiet");
	/* A server may take any time, and a job has as many of us as it has ranks. */
	ct_args_push(&args, "--offline");
	if (output->rank.rank != CT_NO_RANK && output->rank.ranks != 1)
		ct_args_pushf(&args, "--rank=%u", output->rank.rank);
	ct_args_push(&args, directory);
	if (ct_process_run_anyway(&args) != 0)
		fprintf(stderr,
			"[ctrun] names of host code and sources are not stored in the trace; "
			"ctpost resolve %s tries it again\n",
			directory);
	ct_args_fini(&args);
}

void ctrun_resolve(const struct ctrun_output *output)
{
	struct ctrun_output copy = *output;

	ctrun_output_each(output, resolve, &copy);
}
