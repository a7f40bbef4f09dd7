/* SPDX-License-Identifier: Apache-2.0 */
/* ctrun: run a program under tracing and say what was traced. */
#include "driver/base/args.h"
#include "driver/base/process.h"
#include "driver/ctrun/generate.h"
#include "driver/ctrun/inject.h"
#include "driver/ctrun/library.h"
#include "driver/ctrun/options.h"
#include "driver/ctrun/output.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>

static int fail(int status, const char *text)
{
	fprintf(stderr, "ctrun: error: %s\n", text);
	return status;
}

static void report(const struct ctrun_options *options, const struct ctrun_output *output)
{
	if (ctrun_output_report(output, options->verbose) ||
	    !ctrun_output_speaks(output, options->verbose))
		return;
	if (options->off)
		fprintf(stderr, "[ctrun] no trace: tracing was off (--trace=off)\n");
	else if (options->inject)
		fprintf(
		    stderr,
		    "[ctrun] nothing was recorded: %s never initialised CUDA (there is no GPU or "
		    "no driver, or it made no call)\n",
		    options->program[0]);
	else
		fprintf(stderr,
			"[ctrun] no trace: %s was not built with cuda-trace-clang, or launched no "
			"kernel (--inject: calls and kernels of any CUDA program)\n",
			options->program[0]);
}

static int run(const struct ctrun_options *options, const struct ctrun_output *output)
{
	struct ct_args args = {0};
	int status;

	for (char **word = options->program; *word; word++)
		ct_args_push(&args, *word);
	ct_process_init();
	status = ct_process_run(&args, NULL);
	ct_args_fini(&args);
	if (status < 0) {
		ctrun_output_report(output, false); /* removes the directory made for it */
		fprintf(stderr, "ctrun: error: %s: %s\n", options->program[0], strerror(-status));
		return status == -ENOENT ? 127 : 126;
	}
	report(options, output);
	return status >= CT_STATUS_SIGNAL ? status - CT_STATUS_SIGNAL + 128 : status;
}

int main(int argc, char **argv)
{
	struct ctrun_options options;
	struct ctrun_output output;
	char why[PATH_MAX + 200] = "out of memory";
	bool keep;

	if (ctrun_options_parse(&options, argc, argv, why, sizeof(why)) < 0)
		return fail(2, why);
	if (options.help) {
		ctrun_options_help(stdout);
		return 0;
	}
	if (options.version) {
		printf("ctrun (cuda-trace) " CT_VERSION "\n");
		return 0;
	}
	if (options.generate)
		return ctrun_generate(stdout, options.generate) < 0
			   ? fail(2, "--generate: expected man or bash-completion")
			   : 0;
	if (!options.off && ctrun_inject_prepare(options.inject, why, sizeof(why)) < 0)
		return fail(1, why);
	/* A name that was mistyped is no reason to remove a trace. */
	keep = options.off || !ct_process_can_run(options.program[0]);
	if (ctrun_output_prepare(&output, options.output, keep, why, sizeof(why)) < 0)
		return fail(1, why);
	if (options.pages && ctrun_library_preload("libcudatrace-uses.so", why, sizeof(why)) < 0)
		return fail(1, why);
	return run(&options, &output);
}
