/* SPDX-License-Identifier: Apache-2.0 */
/* ctpost blame: which variable what was executed is to blame on. */
#include "postproc/render/blame/blame.h"
#include "base/error.h"
#include "postproc/analysis/blame/hosts.h"
#include "postproc/analysis/causes/advice.h"
#include "postproc/analysis/causes/tables.h"
#include "postproc/cmd/base/shown.h"
#include "postproc/cmd/base/study_paths.h"
#include "postproc/cmd/base/trace_file.h"
#include "postproc/cmd/view.h"
#include "postproc/formats/flames/flames.h"
#include "postproc/sass/weigh.h"
#include "postproc/tables/layout.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define ROWS 30u

enum by { BY_DATA, BY_CODE, BY_LAUNCH };

enum scope { SCOPE_LAUNCH = 1, SCOPE_RUN = 2 };

static const struct ctpost_option own[] = {
    CTPOST_FORMAT_OPTIONS,
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
    {.name = "samples",
     .argument = "RUN",
     .complete = CTPOST_COMPLETE_DIRECTORY,
     .help = "a run of the program with ctrun --samples to weigh; TRACE, which has its accesses, "
	     "says what is wrong where it waits"},
    {.name = "folded", .help = "instead the paths of calls as flame graphs want them"},
    {.name = "speedscope", .help = "instead the paths of calls for speedscope.app"},
    {.name = "rows", .argument = "N|all", .help = "most rows of each table (default: 30)"},
    {.name = NULL},
};

static const struct ctpost_option *const options[] = {
    own, ctpost_debug_options, ctpost_selection_options, ctpost_resource_options, NULL};

struct job {
	struct ct_blame_job blame; /* of the trace */
	struct ct_task beside;
	struct ct_blame_weighing weighing;
	enum ct_blame_weigh weigh;
	enum by by;
	unsigned scope; /* of tables by data: bits of enum scope */
	size_t rows;
	const struct ct_table_format *format;
	const char *form;            /* the option that chooses flame graphs, or "" */
	struct ct_blame_job sampled; /* of the trace with samples: the same, or that of --samples */
	struct ct_trace *other;      /* of --samples; NULL: the same */
	struct ct_filter *other_filter;
	struct ct_samples_study study;
	struct ct_causes causes;
	struct ct_advices advices;
};

/* Weights as they are asked for, which findings choose by themselves. */
static void begin(struct ctpost_study *study, void *user)
{
	struct job *job = user;

	job->blame = (struct ct_blame_job){.trace = study->trace, .filter = study->inquiry.filter};
	job->beside = (struct ct_task){&ct_blame_analysis, &job->blame};
	study->beside = &job->beside;
	study->besides = 1;
}

static void end(struct job *job)
{
	ct_advices_fini(&job->advices);
	ct_causes_fini(&job->causes);
	ct_samples_study_fini(&job->study);
	if (job->blame.trace)
		ct_blame_job_fini(&job->blame);
	ct_filter_close(job->other_filter);
	ct_trace_close(job->other);
}

/* Sentences about all of it, tables, and what to do. */
static int write_text(struct ctpost_call *call, const struct job *job,
		      const struct ctpost_shown *shown)
{
	struct ct_style style = ct_style_of_stdout();
	int status;

	ct_blame_write(stdout, &job->weighing);
	if (job->by == BY_CODE)
		ct_blame_write_cpu(stdout, &job->weighing);
	status = ctpost_show_tables(call, shown, job->rows, &style);
	if (job->by == BY_DATA && job->weighing.sampled)
		ct_blame_write_fixes(stdout, &job->advices, job->rows, job->causes.count > 0);
	return status;
}

static int write_blame(struct ctpost_call *call, const struct job *job)
{
	const struct ct_blame *blame = job->weighing.blame;
	/* Programs are given all, people what they ask for. */
	const bool is_all = job->format != NULL, is_data = is_all || job->by == BY_DATA;
	const void *of_launch = is_all || (is_data && job->scope & SCOPE_LAUNCH) ? blame : NULL;
	const void *of_run = is_all || (is_data && job->scope & SCOPE_RUN) ? blame : NULL;
	const struct ctpost_shown shown[] = {
	    {&ct_blame_totals_table, &job->weighing},
	    {&ct_blame_variables_table, of_launch},
	    {&ct_blame_waits_table, is_data ? blame : NULL},
	    {&ct_wait_causes_table, is_data ? &job->advices : NULL},
	    {&ct_blame_objects_table, of_run},
	    {&ct_blame_launches_table, is_all || job->by == BY_LAUNCH ? blame : NULL},
	    {&ct_blame_functions_table, is_all || job->by == BY_CODE ? blame : NULL},
	    {NULL, NULL},
	};
	int err;

	if (job->format)
		return ctpost_write_shown(call, job->format, job->blame.trace, shown);
	if (!*job->form)
		return write_text(call, job, shown);
	err = strcmp(job->form, "folded") == 0
		  ? ct_blame_write_folded(stdout, blame)
		  : ct_blame_write_speedscope(stdout, blame, call->operand[0]);
	return err < 0
		   ? ctpost_fail(call, CTPOST_FAILED, "%s: %s", call->operand[0], ct_strerror(err))
		   : CTPOST_OK;
}

/* Another trace, of which the same is selected. */
static int open_other(struct ctpost_call *call, struct job *job, const char *name)
{
	struct ct_selection selection;
	int status;

	job->other = ctpost_open_trace(call, name);
	status = job->other ? ctpost_read_selection(call, &selection) : CTPOST_FAILED;
	if (status != CTPOST_OK)
		return status;
	if (!ct_selection_is_all(&selection))
		status = ctpost_open_filter(call, name, job->other, &selection, &job->other_filter);
	ct_selection_fini(&selection);
	job->sampled.trace = job->other;
	job->sampled.filter = job->other_filter;
	return status;
}

/* The trace with the samples: the same, or that of --samples or of the study. */
static int open_sampled(struct ctpost_call *call, struct job *job)
{
	const char *name = ctpost_value(call, "samples");
	char *own = name ? NULL : ctpost_sampled_path(call->operand[0]);
	int status = CTPOST_OK;

	job->sampled.trace = job->blame.trace;
	job->sampled.filter = job->blame.filter;
	if (name || own)
		status = open_other(call, job, name ? name : own);
	free(own);
	if (status == CTPOST_OK)
		ct_blame_job_units(&job->sampled);
	return status;
}

/* Refuses options that choose what samples do not have. */
static int check_options(struct ctpost_call *call, const struct job *job)
{
	static const char *const accesses[] = {"objects", "ctas", "sites"};

	for (size_t i = 0; i < sizeof(accesses) / sizeof(*accesses); i++)
		if (ctpost_value(call, accesses[i]))
			return ctpost_fail(call, CTPOST_USAGE,
					   "blame: --%s chooses accesses, not samples",
					   accesses[i]);
	if (job->by == BY_LAUNCH || job->scope == SCOPE_RUN)
		return ctpost_fail(call, CTPOST_USAGE,
				   "blame: samples are not kept by launch: neither --by=launch nor "
				   "--scope=run");
	return CTPOST_OK;
}

/* Reads samples where they are asked for, or nothing else can be weighed. */
static int find_samples(struct ctpost_call *call, struct job *job)
{
	const char *name = ctpost_value(call, "samples");
	bool is_asked = job->weigh == CT_BLAME_SAMPLES;
	const struct ct_sampled_facts *facts = &job->study.facts;
	int status, err;

	if (!is_asked && (job->blame.weights.weights || ctpost_value(call, "weights")))
		return CTPOST_OK;
	status = open_sampled(call, job);
	if (status != CTPOST_OK)
		return status;
	name = name ? name : call->operand[0];
	err = ct_samples_study_init(&job->study, (struct ct_trace *)job->sampled.trace,
				    job->sampled.filter);
	if (err < 0)
		return ctpost_fail(call, CTPOST_FAILED, "%s: %s", name, ct_strerror(err));
	if (!job->study.weights.total && is_asked)
		return ctpost_fail(call, CTPOST_FAILED, "%s: no samples%s%s", name,
				   *facts->missing ? ": "
						   : "; trace with ctrun --samples, on a GPU",
				   facts->missing);
	if (!job->study.weights.total)
		return CTPOST_OK;
	job->weigh = CT_BLAME_SAMPLES;
	job->weighing.sampled = facts;
	return check_options(call, job);
}

/* Finds what is wrong where it waits, as far as the trace has accesses. */
static int find_causes(struct job *job, const struct ct_inquiry *inquiry,
		       const struct ct_blame *blame)
{
	const struct ct_causes_from from = {
	    .trace = job->blame.trace,
	    .access = inquiry->access,
	    .values = inquiry->values,
	    .branches = inquiry->branches,
	    .blocks = &job->blame.weights,
	};
	int err = inquiry->access ? ct_causes_init(&job->causes, &from) : 0;

	if (err == 0)
		err = ct_advices_init(&job->advices, &job->study, blame,
				      job->causes.count ? &job->causes : NULL);
	job->advices.lists_all = true;
	return err;
}

static int make(struct job *job, const struct ct_inquiry *inquiry, struct ct_blame *blame,
		const struct ct_host_paths *paths)
{
	int err;

	if (!job->weighing.sampled)
		return ct_blame_make(blame, &job->blame, paths, job->weigh);
	err = ct_blame_make_sampled(blame, &job->sampled, paths, &job->study.weights);
	return err == 0 ? find_causes(job, inquiry, blame) : err;
}

static int show(struct ctpost_study *study, void *user)
{
	struct ctpost_call *call = study->call;
	struct job *job = user;
	const struct ct_symbols_options names = ctpost_symbols_options(call);
	bool with_host =
	    job->format || *job->form || job->by == BY_CODE ||
	    (job->scope & SCOPE_RUN && !job->weighing.sampled &&
	     ct_blame_hosts_are(job->blame.weights.units, job->blame.weights.unit_count));
	struct ct_host_paths *paths = NULL;
	struct ct_blame blame = {.variables = 0};
	int status = find_samples(call, job), err = 0;

	if (status != CTPOST_OK)
		return status;
	if (with_host)
		err = ct_host_paths_open(
		    &paths, (struct ct_trace *)(job->other ? job->other : job->blame.trace),
		    &names);
	if (err == 0)
		err = make(job, &study->inquiry, &blame, paths);
	blame.lists_all = true;
	job->weighing.cpu_missing =
	    ct_blame_missing_of_host(job->other ? job->other : job->blame.trace);
	job->weighing.blame = &blame;
	job->weighing.is_of_warps = job->weigh != CT_BLAME_LANES;
	if (err == 0 && !job->weighing.sampled && !job->blame.weights.weights && !blame.cpu_total)
		status = ctpost_fail(call, CTPOST_FAILED,
				     "%s: no basic blocks; compile with -g --ct-events=block, and "
				     "trace with ctrun --tier=full, --tier=blocks or --samples",
				     call->operand[0]);
	else if (err == 0)
		status = write_blame(call, job);
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

/* Tables, for people or programs, or a flame graph. */
static int read_form(struct ctpost_call *call, struct job *job)
{
	static const char *const forms[] = {"folded", "speedscope"};
	int status = ctpost_read_format(call, &job->format);

	job->form = "";
	for (size_t i = 0; i < sizeof(forms) / sizeof(*forms); i++) {
		if (!ctpost_value(call, forms[i]))
			continue;
		if (*job->form || job->format)
			return ctpost_fail(call, CTPOST_USAGE,
					   "blame: --%s and --%s are different outputs", forms[i],
					   *job->form ? job->form : "format");
		job->form = forms[i];
	}
	return status == CTPOST_OK ? ctpost_read_rows(call, ROWS, &job->rows) : status;
}

static int read_options(struct ctpost_call *call, struct job *job)
{
	static const char *const views[] = {"data", "code", "launch"},
				 *const weights[] = {"lanes", "warps", "samples"},
				 *const scopes[] = {"launch", "run"};
	int by = choose(call, "by", views, 3), weigh = choose(call, "weights", weights, 3);

	if (by < 0)
		return ctpost_wrong(call, "by", "data, code or launch");
	if (weigh < 0)
		return ctpost_wrong(call, "weights", "lanes, warps or samples");
	if (ctpost_value(call, "samples")) {
		if (ctpost_value(call, "weights") && weigh != CT_BLAME_SAMPLES)
			return ctpost_fail(call, CTPOST_USAGE,
					   "blame: --samples weighs samples, not what lanes or "
					   "warps execute");
		weigh = CT_BLAME_SAMPLES;
	}
	if (choose(call, "scope", scopes, 2) < 0)
		return ctpost_wrong(call, "scope", "launch or run");
	job->scope = !ctpost_value(call, "scope")       ? SCOPE_LAUNCH | SCOPE_RUN
		     : choose(call, "scope", scopes, 2) ? SCOPE_RUN
							: SCOPE_LAUNCH;
	job->by = (enum by)by;
	job->weigh = (enum ct_blame_weigh)weigh;
	return read_form(call, job);
}

static int run(struct ctpost_call *call)
{
	static const struct ctpost_view view = {.begin = begin, .show = show};
	struct ctpost_study study = {.wanted = 0};
	struct job job = {.form = ""};
	int status = read_options(call, &job);

	/* Where warps wait, these tell what is wrong. */
	if (job.weigh == CT_BLAME_SAMPLES)
		study.wanted = CT_STUDY(access) | CT_STUDY(branches) | CT_STUDY(values);
	if (status == CTPOST_OK)
		status = ctpost_run_view(call, &view, &study, &job);
	end(&job);
	ctpost_study_close(&study);
	return status;
}

const struct ctpost_command ctpost_blame_command = {
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
