/* SPDX-License-Identifier: Apache-2.0 */
/* ctpost values: loads and stores of what is there already, and what values objects hold. */
#include "postproc/render/values/values.h"
#include "base/error.h"
#include "base/quantity.h"
#include "postproc/cmd/comm_options.h"
#include "postproc/cmd/pass.h"
#include "postproc/cmd/selection.h"
#include "postproc/cmd/trace_file.h"

#define ROWS 20u

static const struct ctpost_option own[] = {
    {.name = "json", .help = "write JSON (docs/json-schema.md)"},
    {.name = "rows", .argument = "N|all", .help = "most rows of each table (default: 20)"},
    {.name = "precision",
     .argument = "0-5",
     .help = "floats that agree in the upper bits of their mantissa are equal: 0 all of them "
	     "(default), of single precision 5 keeps 3 bits, 4 7, 3 11, 2 15, 1 20"},
    {.name = NULL},
};

static const struct ctpost_option *const options[] = {own, ctpost_selection_options,
						      ctpost_resource_options, NULL};

/* What the command line asks for. */
struct request {
	struct ct_comm_options resources;
	struct ct_selection selection;
	size_t rows;
	uint64_t precision;
};

static int read_request(struct request *request, struct ctpost_call *call)
{
	const char *precision = ctpost_value(call, "precision");
	int status = ctpost_read_rows(call, ROWS, &request->rows);

	if (precision && (ct_parse_count(precision, &request->precision) < 0 ||
			  request->precision > CT_VALUES_PRECISION_MAX))
		return ctpost_wrong(call, "precision", "a level from 0 to 5");
	if (status == CTPOST_OK)
		status = ctpost_read_resources(call, &request->resources);
	if (status == CTPOST_OK)
		status = ctpost_read_selection(call, &request->selection);
	return status;
}

static int write_values(struct ctpost_call *call, const struct request *request,
			const struct ct_values_figures *figures)
{
	struct ct_style style = ct_style_of_stdout();
	struct ct_values_lines lines;
	struct ct_values_advices advices = {.list = NULL};
	const struct ct_values_output output = {
	    .trace = call->operand[0],
	    .precision = (unsigned)request->precision,
	    .figures = figures,
	    .lines = &lines,
	    .advices = &advices,
	    .rows = request->rows,
	};
	int err = ct_values_lines_init(&lines, figures);

	if (err == 0)
		err = ct_values_advices_init(&advices, figures, &lines);
	if (err == 0)
		err = ctpost_value(call, "json") ? ct_values_write_json(stdout, &output)
						 : ct_values_write(stdout, &output, &style);
	ct_values_advices_fini(&advices);
	ct_values_lines_fini(&lines);
	return err;
}

/* Of rank 0. */
static int show(struct ctpost_call *call, const struct request *request,
		const struct ct_values_figures *figures)
{
	int err;

	if (!figures->has_values)
		fprintf(stderr,
			"ctpost: warning: %s: no values, so only when objects live and are used "
			"is told; compile with --ct-values\n",
			call->operand[0]);
	err = write_values(call, request, figures);
	return err < 0
		   ? ctpost_fail(call, CTPOST_FAILED, "%s: %s", call->operand[0], ct_strerror(err))
		   : CTPOST_OK;
}

static int study(struct ctpost_call *call, struct request *request, struct ct_trace *trace,
		 const struct ct_filter *filter, struct ct_ranks *ranks)
{
	const struct ct_comm_options *resources = &request->resources;
	const struct ct_pass_options pass = {
	    .threads = resources->threads,
	    .memory_bytes = resources->memory_bytes,
	    .directory = resources->directory,
	    .ranks = ranks,
	};
	struct ct_values_job job = {
	    .trace = trace, .filter = filter, .precision = (unsigned)request->precision};
	const struct ct_task task = {&ct_values_analysis, &job};
	int status = CTPOST_OK, err;

	if (ranks->rank == 0)
		ctpost_warn_incomplete(trace);
	err = ctpost_pass_aloud(call, trace, &task, 1, &pass);
	if (err == 0 && ranks->rank == 0)
		status = show(call, request, &job.figures);
	ct_values_job_fini(&job);
	if (ranks->rank != 0)
		ctpost_leave_to_rank_0(call);
	return err ? CTPOST_FAILED : status;
}

static int with_trace(struct ctpost_call *call, struct request *request, struct ct_ranks *ranks)
{
	struct ct_filter *filter = NULL;
	struct ct_trace *trace = ctpost_open_trace(call, call->operand[0]);
	int status =
	    trace ? ctpost_open_filter(call, call->operand[0], trace, &request->selection, &filter)
		  : CTPOST_FAILED;
	bool is_all = ct_selection_is_all(&request->selection);

	/* Every rank has the same trace, so all fail here or none does. */
	if (status == CTPOST_OK)
		status = study(call, request, trace, is_all ? NULL : filter, ranks);
	else if (ranks->rank != 0)
		ctpost_leave_to_rank_0(call);
	ct_filter_close(filter);
	ct_trace_close(trace);
	return status;
}

static int run(struct ctpost_call *call)
{
	struct request request = {.rows = 0};
	struct ct_ranks *ranks = NULL;
	char why[CTPOST_WHY_BYTES];
	int status = read_request(&request, call);

	if (status != CTPOST_OK)
		return status;
	if (ct_ranks_open(&ranks, why, sizeof(why)) < 0)
		status = ctpost_fail(call, CTPOST_FAILED, "%s", why);
	if (status == CTPOST_OK)
		status = with_trace(call, &request, ranks);
	ct_ranks_close(ranks);
	ct_selection_fini(&request.selection);
	return status;
}

const struct ctpost_command ctpost_values = {
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
