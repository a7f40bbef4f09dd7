/* SPDX-License-Identifier: Apache-2.0 */
/* ctpost values: loads and stores of what is there already, and what values objects hold. */
#include "postproc/render/values/values.h"
#include "base/error.h"
#include "base/quantity.h"
#include "postproc/analysis/values/findings/tables.h"
#include "postproc/analysis/values/findings/worth.h"
#include "postproc/cmd/base/kernel_times.h"
#include "postproc/cmd/base/shown.h"
#include "postproc/cmd/comm_options.h"
#include "postproc/cmd/one_analysis.h"
#include "postproc/cmd/options/host_paths.h"
#include "postproc/cmd/options/selection.h"
#include "postproc/facts/unseen.h"

#define ROWS 20u

static const struct ctpost_option own[] = {
    CTPOST_FORMAT_OPTIONS,
    {.name = "dot", .help = "write who writes what others read, as a graph for Graphviz"},
    {.name = "rows", .argument = "N|all", .help = "most rows of each table (default: 20)"},
    {.name = "precision",
     .argument = "0-5",
     .help = "floats that agree in the upper bits of their mantissa are equal: 0 all of them "
	     "(default), of single precision 5 keeps 3 bits, 4 7, 3 11, 2 15, 1 20"},
    {.name = "times",
     .argument = "RUN",
     .help = "a run with times of the untraced kernels (ctrun --calls=only): gains in seconds"},
    {.name = NULL},
};

static const struct ctpost_option *const options[] = {
    own, ctpost_debug_options, ctpost_selection_options, ctpost_resource_options, NULL};

struct job {
	struct ct_values_job values;
	struct ct_served_job served;
	struct ct_trace *trace;
	struct ct_host_paths *paths;
	const struct ct_table_format *format;
	size_t rows;
	uint64_t precision;
	bool is_timed; /* by another run */
};

static int read_request(struct ctpost_call *call, struct job *job)
{
	const char *precision = ctpost_value(call, "precision");
	int status;

	job->is_timed = ctpost_value(call, "times") != NULL;
	if (precision && (ct_parse_count(precision, &job->precision) < 0 ||
			  job->precision > CT_VALUES_PRECISION_MAX))
		return ctpost_wrong(call, "precision", "a level from 0 to 5");
	status = ctpost_read_rows(call, ROWS, &job->rows);
	if (status == CTPOST_OK)
		status = ctpost_read_format(call, &job->format);
	if (status == CTPOST_OK && job->format && ctpost_value(call, "dot"))
		return ctpost_fail(call, CTPOST_USAGE, "values: --dot is a format of its own");
	return status;
}

static size_t begin(void *user, struct ct_trace *trace, const struct ct_filter *filter,
		    struct ct_task tasks[CTPOST_TASKS_MAX])
{
	struct job *job = user;

	job->trace = trace;
	job->values = (struct ct_values_job){.trace = trace,
					     .filter = filter,
					     .unseen_parts = ct_unseen_parts(trace),
					     .precision = (unsigned)job->precision};
	/* Caches are of use where seconds of a GPU are known. */
	job->served = (struct ct_served_job){.trace = trace, .filter = filter, .is_off = true};
	tasks[0] = (struct ct_task){&ct_values_analysis, &job->values};
	if (!job->is_timed && (ct_machine_is_cpu(trace) || !ct_calls_are_there(trace)))
		return 1;
	job->served.is_off = false;
	tasks[1] = (struct ct_task){&ct_served_analysis, &job->served};
	return 2;
}

static void end(void *user)
{
	struct job *job = user;

	ct_values_job_fini(&job->values);
	ct_served_job_fini(&job->served);
	ct_host_paths_close(job->paths);
}

/* Sentences. 0 or a negative error */
static int write_text(const struct ct_values_figures *figures, size_t rows,
		      const struct ct_style *style)
{
	struct ct_values_lines lines;
	struct ct_values_advices advices = {.list = NULL};
	int err = ct_values_lines_init(&lines, figures);

	if (err == 0)
		err = ct_values_advices_init(&advices, figures, &lines);
	if (err == 0)
		ct_values_write(stdout, &(struct ct_values_output){figures, &advices, rows}, style);
	ct_values_advices_fini(&advices);
	ct_values_lines_fini(&lines);
	return err;
}

static int write_values(struct ctpost_call *call, const struct job *job)
{
	const struct ct_values_figures *figures = &job->values.figures;
	/* Of summaries people see no lines twice. */
	const bool has_lines = job->format || !figures->is_summarised;
	const struct ctpost_shown shown[] = {
	    {&ct_value_totals_table, figures},
	    {&ct_value_sums_table, figures},
	    {&ct_value_advice_table, figures},
	    {&ct_value_summaries_table, figures},
	    {&ct_value_gaps_table, figures},
	    {&ct_value_lines_table, has_lines ? figures : NULL},
	    {&ct_value_sets_table, figures},
	    {&ct_value_objects_table, figures},
	    {&ct_value_contexts_table, figures},
	    {&ct_value_launches_table, figures},
	    {&ct_value_transfers_table, figures},
	    {&ct_value_nodes_table, figures},
	    {&ct_value_flows_table, figures},
	    {&ct_value_lifetimes_table, figures},
	    {&ct_value_memory_table, figures},
	    {&ct_value_peaks_table, figures},
	    {&ct_value_pairs_table, figures},
	    {NULL, NULL},
	};
	struct ct_style style = ct_style_of_stdout();
	bool is_dot = ctpost_value(call, "dot") != NULL;
	int err;

	if (job->format)
		return ctpost_write_shown(call, job->format, job->trace, shown);
	err =
	    is_dot ? ct_values_write_dot(stdout, figures) : write_text(figures, job->rows, &style);
	if (err < 0)
		return ctpost_fail(call, CTPOST_FAILED, "%s: %s", call->operand[0],
				   ct_strerror(err));
	return is_dot ? CTPOST_OK : ctpost_show_tables(call, shown, job->rows, &style);
}

static int set_times(void *user, const struct ct_calls *calls)
{
	struct job *job = user;
	int err = ct_values_set_times(&job->values.figures, calls);

	return err == 0 ? ct_values_set_worth(&job->values.figures, calls, &job->served) : err;
}

/* 0 or a negative error */
static int read_paths(const struct ctpost_call *call, struct job *job)
{
	int err = ct_calls_are_there(job->trace)
		      ? ctpost_open_host_paths(call, job->trace, &job->paths)
		      : 0;

	return err == 0 ? ct_values_set_paths(&job->values.figures, job->paths) : err;
}

static int show(struct ctpost_call *call, void *user)
{
	struct job *job = user;
	int err = read_paths(call, job), status;

	if (err < 0)
		return ctpost_fail(call, CTPOST_FAILED, "%s: %s", call->operand[0],
				   ct_strerror(err));
	status = ctpost_read_kernel_times(call, job->trace, set_times, job);
	if (status != CTPOST_OK)
		return status;
	if (!job->values.figures.has_values)
		fprintf(stderr,
			"ctpost: warning: %s: no values, so only when objects live and are used "
			"is told; compile with --ct-values\n",
			call->operand[0]);
	return write_values(call, job);
}

static int run(struct ctpost_call *call)
{
	static const struct ctpost_one_analysis one = {
	    .tier = "values", .begin = begin, .show = show, .end = end};
	struct job job = {.rows = 0};
	int status = read_request(call, &job);

	return status == CTPOST_OK ? ctpost_run_one_analysis(call, &one, &job) : status;
}

const struct ctpost_command ctpost_values_command = {
    .name = "values",
    .summary = "show loads and stores of what is there already, and what values objects hold",
    .description =
	"Shows of a trace with values (compiled with --ct-values) which lines load what the\n"
	"thread had loaded, and store what memory held: within a launch, and from before it;\n"
	"what the values of each object have in common (one value, zeros, a frequent value, a\n"
	"type that is too wide, values that follow from the index); which objects are allocated\n"
	"early, freed late or never, unused, idle, written in vain; and what to do about it.\n\n"
	"Accesses are counted once per thread and element of a vector. Under mpirun all ranks\n"
	"share the work. docs/values.md says what each figure means, and what a trace without an\n"
	"order between warps can tell.",
    .operands = "TRACE",
    .operands_min = 1,
    .operands_max = 1,
    .complete = CTPOST_COMPLETE_DIRECTORY,
    .options = options,
    .exit_status = "0 on success, 1 if the trace cannot be read, 2 for a wrong option.",
    .example = "ctpost values --kernels=step run.ctrace",
    .run = run,
};
