/* SPDX-License-Identifier: Apache-2.0 */
/* ctpost values: loads and stores of what is there already, and what values objects hold. */
#include "postproc/render/values/values.h"
#include "base/error.h"
#include "base/quantity.h"
#include "postproc/analysis/values/findings/tables.h"
#include "postproc/cmd/base/shown.h"
#include "postproc/cmd/view.h"
#include "postproc/render/findings/findings.h"
#include "postproc/tables/findings.h"

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
	const struct ct_table_format *format;
	size_t rows;
};

static int read_request(struct ctpost_call *call, struct ctpost_study *study, struct job *job)
{
	const char *text = ctpost_value(call, "precision");
	uint64_t precision = 0;
	int status;

	if (text && (ct_parse_count(text, &precision) < 0 || precision > CT_VALUES_PRECISION_MAX))
		return ctpost_wrong(call, "precision", "a level from 0 to 5");
	study->precision = (unsigned)precision;
	status = ctpost_read_rows(call, ROWS, &job->rows);
	if (status == CTPOST_OK)
		status = ctpost_read_format(call, &job->format);
	if (status == CTPOST_OK && job->format && ctpost_value(call, "dot"))
		return ctpost_fail(call, CTPOST_USAGE, "values: --dot is a format of its own");
	return status == CTPOST_OK ? ctpost_view_times(call, study) : status;
}

/* An exit status. */
static int write_values(const struct ctpost_study *study, const struct job *job)
{
	struct ctpost_call *call = study->call;
	const struct ct_values_figures *figures = study->inquiry.values;
	/* People see no lines of summaries twice. */
	const bool has_lines = job->format || !figures->is_summarised;
	const struct ctpost_shown shown[] = {
	    {&ct_findings_table, &study->findings},
	    {&ct_value_totals_table, figures},
	    {&ct_value_sums_table, figures},
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
	int err;

	if (job->format)
		return ctpost_write_shown(call, job->format, study->trace, shown);
	if (!ctpost_value(call, "dot")) {
		ct_values_write(stdout, figures);
		ct_findings_write(stdout, &study->findings, job->rows, &style);
		return ctpost_show_tables(call, shown, job->rows, &style);
	}
	err = ct_values_write_dot(stdout, figures);
	return err < 0
		   ? ctpost_fail(call, CTPOST_FAILED, "%s: %s", study->operand, ct_strerror(err))
		   : CTPOST_OK;
}

static int show(struct ctpost_study *study, void *user)
{
	if (!study->inquiry.values->has_values)
		fprintf(stderr,
			"ctpost: warning: %s: no values, so only when objects live and are used "
			"is reported; compile with --ct-values\n",
			study->operand);
	return write_values(study, user);
}

static int run(struct ctpost_call *call)
{
	static const struct ctpost_view view = {.tier = "values", .show = show};
	struct ctpost_study study = {
	    .wanted = CT_STUDY(values), .lists_all = true, .finds_all = true};
	struct job job = {.rows = 0};
	int status = read_request(call, &study, &job);

	if (status == CTPOST_OK)
		status = ctpost_run_view(call, &view, &study, &job);
	ctpost_study_close(&study);
	return status;
}

const struct ctpost_command ctpost_values_command = {
    .name = "values",
    .summary = "show loads and stores of what is there already, and what values objects hold",
    .description =
	"Shows of a trace with values (compiled with --ct-values) which lines load what the\n"
	"thread had loaded, and store what memory held: within a launch, and from before it;\n"
	"what the values of each object have in common (one value, zeros, a frequent value, a\n"
	"type that is too wide, values that follow from the index); which objects are allocated\n"
	"early, freed late or never, unused, idle, written and never read; and what to do about "
	"it.\n\n"
	"Accesses are counted once per thread and element of a vector. Under mpirun all ranks\n"
	"share the work. docs/values.md says what each figure means, and what a trace without an\n"
	"order between warps can show.",
    .operands = "TRACE",
    .operands_min = 1,
    .operands_max = 1,
    .complete = CTPOST_COMPLETE_DIRECTORY,
    .options = options,
    .exit_status = "0 on success, 1 if the trace cannot be read, 2 for a wrong option.",
    .example = "ctpost values --kernels=step run.ctrace",
    .run = run,
};
