/* SPDX-License-Identifier: Apache-2.0 */
/* ctpost blame: which variable what was executed is to blame on. */
#include "postproc/render/blame/blame.h"
#include "base/error.h"
#include "postproc/cmd/base/trace_file.h"
#include "postproc/cmd/comm_options.h"
#include "postproc/cmd/one_analysis.h"
#include "postproc/cmd/options/host_paths.h"
#include "postproc/cmd/options/selection.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define ROWS 30u

static const struct ctpost_option own[] = {
    {.name = "by",
     .argument = "data|code|launch",
     .help = "variables and objects, the paths of calls from main to the device's functions, or "
	     "launches (default: data)"},
    {.name = "scope",
     .argument = "launch|run",
     .help = "by data: only variables of kernels, each launch by itself, or only objects, with "
	     "what flows into them from launch to launch (default: both)"},
    {.name = "weights",
     .argument = "lanes|warps|samples",
     .help = "count what lanes execute, or what warps do, or samples of ctrun --samples (default: "
	     "lanes, or samples of a trace that has no basic blocks)"},
    {.name = "folded", .help = "instead the paths of calls as flame graphs want them"},
    {.name = "speedscope", .help = "instead the paths of calls for speedscope.app"},
    {.name = "json", .help = "write JSON (docs/json-schema.md)"},
    {.name = "rows", .argument = "N|all", .help = "most rows of the table (default: 30)"},
    {.name = NULL},
};

static const struct ctpost_option *const options[] = {
    own, ctpost_debug_options, ctpost_selection_options, ctpost_resource_options, NULL};

struct job {
	struct ct_blame_job blame;
	struct ct_blame_output output;
	const char *form; /* the option that chooses the output, or "" */
	struct ct_weights samples;
	struct ct_sampled_facts sampled;
};

static size_t begin(void *user, struct ct_trace *trace, const struct ct_filter *filter,
		    struct ct_task tasks[CTPOST_TASKS_MAX])
{
	struct job *job = user;

	job->blame = (struct ct_blame_job){.trace = trace, .filter = filter};
	job->blame.is_sampled = job->output.weigh == CT_BLAME_SAMPLES;
	tasks[0] = (struct ct_task){&ct_blame_analysis, &job->blame};
	return 1;
}

static void end(void *user)
{
	struct job *job = user;

	ct_blame_job_fini(&job->blame);
	ct_weights_close(&job->samples);
}

static int write_output(const struct job *job)
{
	struct ct_style style = ct_style_of_stdout();

	if (strcmp(job->form, "json") == 0)
		return ct_blame_write_json(stdout, &job->output);
	if (strcmp(job->form, "folded") == 0)
		return ct_blame_write_folded(stdout, &job->output);
	if (strcmp(job->form, "speedscope") == 0)
		return ct_blame_write_speedscope(stdout, &job->output);
	return ct_blame_write(stdout, &job->output, &style);
}

/* Reads samples where they are asked for, or nothing else can be weighed. */
static int find_samples(struct ctpost_call *call, struct job *job)
{
	static const char *const accesses[] = {"objects", "ctas", "sites"};
	bool is_asked = job->output.weigh == CT_BLAME_SAMPLES;
	int err;

	if (!is_asked && (job->blame.weights.weights || ctpost_value(call, "weights")))
		return CTPOST_OK;
	err = ct_weigh_samples(&job->samples, &job->sampled, (struct ct_trace *)job->blame.trace,
			       job->blame.filter);
	if (err < 0)
		return ctpost_fail(call, CTPOST_FAILED, "%s: %s", call->operand[0],
				   ct_strerror(err));
	if (!job->samples.total && is_asked)
		return ctpost_fail(call, CTPOST_FAILED, "%s: no samples%s%s", call->operand[0],
				   *job->sampled.missing ? ": "
							 : "; trace with ctrun --samples, on a GPU",
				   job->sampled.missing);
	if (!job->samples.total)
		return CTPOST_OK;
	for (size_t i = 0; i < sizeof(accesses) / sizeof(*accesses); i++)
		if (ctpost_value(call, accesses[i]))
			return ctpost_fail(call, CTPOST_USAGE,
					   "blame: --%s chooses accesses, not samples",
					   accesses[i]);
	if (job->output.by == CT_BLAME_LAUNCHES || job->output.scope == CT_BLAME_RUN)
		return ctpost_fail(call, CTPOST_USAGE,
				   "blame: samples are not kept by launch: neither --by=launch nor "
				   "--scope=run");
	job->output.weigh = CT_BLAME_SAMPLES;
	job->output.sampled = &job->sampled;
	return CTPOST_OK;
}

static int show(struct ctpost_call *call, void *user)
{
	struct job *job = user;
	const struct ct_symbols_options names = ctpost_symbols_options(call);
	bool with_host = *job->form || job->output.by == CT_BLAME_CODE;
	struct ct_host_paths *paths = NULL;
	struct ct_blame blame = {.variables = 0};
	int status = find_samples(call, job), err = 0;

	if (status != CTPOST_OK)
		return status;
	if (with_host)
		err = ct_host_paths_open(&paths, (struct ct_trace *)job->blame.trace, &names);
	if (err == 0 && job->output.sampled)
		err = ct_blame_make_sampled(&blame, &job->blame, paths, &job->samples);
	else if (err == 0)
		err = ct_blame_make(&blame, &job->blame, paths, job->output.weigh);
	job->output.trace = call->operand[0];
	job->output.blame = &blame;
	if (err == 0 && !job->output.sampled && !job->blame.weights.weights)
		status = ctpost_fail(call, CTPOST_FAILED,
				     "%s: no basic blocks; compile with -g --ct-events=block, and "
				     "trace with ctrun --tier=full, --tier=blocks or --samples",
				     call->operand[0]);
	else if (err == 0)
		err = write_output(job);
	if (err == 0 && status == CTPOST_OK && !blame.has_variables)
		fprintf(stderr,
			"ctpost: warning: %s: no variables are known; compile with -g for more "
			"than kernels\n",
			call->operand[0]);
	ct_blame_fini(&blame);
	ct_host_paths_close(paths);
	if (err < 0)
		return ctpost_fail(call, CTPOST_FAILED, "%s: %s", call->operand[0],
				   ct_strerror(err));
	return status;
}

/* One of the words of an option; their number, or -1. */
static int choose(struct ctpost_call *call, const char *option, const char *const *words,
		  unsigned count)
{
	const char *text = ctpost_value(call, option);

	for (unsigned i = 0; i < count; i++)
		if (!text || strcmp(text, words[i]) == 0)
			return (int)i;
	return -1;
}

static int read_options(struct ctpost_call *call, struct job *job)
{
	static const char *const views[] = {"data", "code", "launch"},
				 *const weights[] = {"lanes", "warps", "samples"},
				 *const scopes[] = {"launch", "run"};
	static const char *const forms[] = {"folded", "speedscope", "json"};
	int by = choose(call, "by", views, 3), weigh = choose(call, "weights", weights, 3);

	if (by < 0)
		return ctpost_wrong(call, "by", "data, code or launch");
	if (weigh < 0)
		return ctpost_wrong(call, "weights", "lanes, warps or samples");
	if (choose(call, "scope", scopes, 2) < 0)
		return ctpost_wrong(call, "scope", "launch or run");
	job->output.scope = !ctpost_value(call, "scope")       ? CT_BLAME_LAUNCH | CT_BLAME_RUN
			    : choose(call, "scope", scopes, 2) ? CT_BLAME_RUN
							       : CT_BLAME_LAUNCH;
	job->output.by = (enum ct_blame_by)by;
	job->output.weigh = (enum ct_blame_weigh)weigh;
	job->form = "";
	for (size_t i = 0; i < sizeof(forms) / sizeof(*forms); i++) {
		if (!ctpost_value(call, forms[i]))
			continue;
		if (*job->form)
			return ctpost_fail(call, CTPOST_USAGE,
					   "blame: --%s and --%s are different outputs", job->form,
					   forms[i]);
		job->form = forms[i];
	}
	return ctpost_read_rows(call, ROWS, &job->output.rows);
}

static int run(struct ctpost_call *call)
{
	static const struct ctpost_one_analysis one = {begin, show, end};
	struct job job = {.form = ""};
	int status = read_options(call, &job);

	return status == CTPOST_OK ? ctpost_run_one_analysis(call, &one, &job) : status;
}

const struct ctpost_command ctpost_blame = {
    .name = "blame",
    .summary = "show which variables what was executed is to blame on",
    .description =
	"An instruction is blamed on every variable into whose value what it computes flows:\n"
	"through other values, memory, the branches that decide whether it runs, and calls. The\n"
	"program is compiled with -g --ct-events=block; weights are how often each basic block\n"
	"ran, times its instructions, or samples of where warps were (ctrun --samples). "
	"docs/blame.md says what each figure means.",
    .operands = "TRACE",
    .operands_min = 1,
    .operands_max = 1,
    .complete = CTPOST_COMPLETE_DIRECTORY,
    .options = options,
    .exit_status = "0 on success, 1 if the trace cannot be read or has neither basic blocks nor "
		   "samples, 2 for a wrong "
		   "option.",
    .example = "ctpost blame --by=code run.ctrace",
    .run = run,
};
