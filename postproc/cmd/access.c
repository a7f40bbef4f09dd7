/* SPDX-License-Identifier: Apache-2.0 */
/* ctpost access: how warps access memory, and what of it they would not need. */
#include "postproc/render/access/access.h"
#include "base/error.h"
#include "postproc/cmd/comm_options.h"
#include "postproc/cmd/pass.h"
#include "postproc/cmd/selection.h"
#include "postproc/cmd/trace_file.h"

#define ROWS 20u

static const struct ctpost_option own[] = {
    {.name = "json", .help = "write JSON (docs/json-schema.md)"},
    {.name = "rows", .argument = "N|all", .help = "most rows of each table (default: 20)"},
    {.name = NULL},
};

static const struct ctpost_option *const options[] = {own, ctpost_selection_options,
						      ctpost_resource_options, NULL};

/* What the command line asks for. */
struct request {
	struct ct_comm_options resources;
	struct ct_selection selection;
	size_t rows;
};

static int read_request(struct request *request, struct ctpost_call *call)
{
	int status = ctpost_read_rows(call, ROWS, &request->rows);

	if (status == CTPOST_OK)
		status = ctpost_read_resources(call, &request->resources);
	if (status == CTPOST_OK)
		status = ctpost_read_selection(call, &request->selection);
	return status;
}

/* Of rank 0. */
static int show(struct ctpost_call *call, const struct request *request,
		const struct ct_access_results *results)
{
	struct ct_style style = ct_style_of_stdout();
	struct ct_access_advices advices;
	const struct ct_access_output output = {
	    .trace = call->operand[0],
	    .results = results,
	    .advices = &advices,
	    .rows = request->rows,
	};
	int err;

	if (!results->rows)
		return ctpost_fail(call, CTPOST_FAILED,
				   "%s: no accesses; trace with ctrun --tier=full, and select "
				   "what the trace has",
				   call->operand[0]);
	err = ct_access_advices_init(&advices, results);
	if (err == 0)
		err = ctpost_value(call, "json") ? ct_access_write_json(stdout, &output)
						 : ct_access_write(stdout, &output, &style);
	ct_access_advices_fini(&advices);
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
	struct ct_access_job job = {.trace = trace, .filter = filter};
	const struct ct_task task = {&ct_access_analysis, &job};
	int status = CTPOST_OK, err;

	if (ranks->rank == 0)
		ctpost_warn_incomplete(trace);
	err = ctpost_pass_aloud(call, trace, &task, 1, &pass);
	if (err == 0 && ranks->rank == 0)
		status = show(call, request, &job.results);
	ct_access_job_fini(&job);
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

const struct ctpost_command ctpost_access = {
    .name = "access",
    .summary = "show how warps access memory: sectors, patterns, lanes, atomics that meet",
    .description =
	"Shows for each access of the source, kernel and object how many sectors of 32 bytes\n"
	"its requests (executions by a warp) touch and how few would do; how the addresses of\n"
	"the lanes are to one another (broadcast, unit stride, stride, misaligned, structures,\n"
	"rows, gather); how many lanes are active; where atomics meet; bank conflicts of shared\n"
	"memory; distinct bytes of each launch; and what to do about it.\n\n"
	"Under mpirun all ranks share the work. docs/access.md says what each figure means.",
    .operands = "TRACE",
    .operands_min = 1,
    .operands_max = 1,
    .complete = CTPOST_COMPLETE_DIRECTORY,
    .options = options,
    .exit_status = "0 on success, 1 if the trace cannot be read or has no accesses, 2 for a wrong "
		   "option.",
    .example = "ctpost access --kernels=step run.ctrace",
    .run = run,
};
