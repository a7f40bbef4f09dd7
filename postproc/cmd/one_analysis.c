/* SPDX-License-Identifier: Apache-2.0 */
/* Options, ranks, trace, filter, pass: the same for each. */
#include "postproc/cmd/one_analysis.h"
#include "postproc/cmd/base/pass.h"
#include "postproc/cmd/base/trace_file.h"
#include "postproc/cmd/comm_options.h"
#include "postproc/cmd/options/selection.h"

struct request {
	const struct ctpost_one_analysis *one;
	void *job;
	struct ct_comm_options resources;
	struct ct_selection selection;
	struct ct_ranks *ranks;
};

static int pass(struct ctpost_call *call, const struct request *request, struct ct_trace *trace,
		const struct ct_filter *filter)
{
	const struct ctpost_one_analysis *one = request->one;
	const struct ct_pass_options options = {
	    .threads = request->resources.threads,
	    .memory_bytes = request->resources.memory_bytes,
	    .directory = request->resources.directory,
	    .ranks = request->ranks,
	};
	struct ct_task tasks[CTPOST_TASKS_MAX];
	size_t count;
	int status = CTPOST_OK, err;

	if (request->ranks->rank == 0)
		ctpost_warn_incomplete(trace, one->tier);
	count = one->begin(request->job, trace, filter, tasks);
	err = ctpost_pass_aloud(call, trace, tasks, count, &options);
	if (err == 0 && request->ranks->rank == 0)
		status = one->show(call, request->job);
	one->end(request->job);
	if (request->ranks->rank != 0)
		ctpost_leave_to_rank_0(call);
	return err ? CTPOST_FAILED : status;
}

static int with_trace(struct ctpost_call *call, const struct request *request)
{
	struct ct_filter *filter = NULL;
	struct ct_trace *trace = ctpost_open_trace(call, call->operand[0]);
	int status =
	    trace ? ctpost_open_filter(call, call->operand[0], trace, &request->selection, &filter)
		  : CTPOST_FAILED;
	bool is_all = ct_selection_is_all(&request->selection);

	/* Every rank has the same trace, so all fail here or none does. */
	if (status == CTPOST_OK)
		status = pass(call, request, trace, is_all ? NULL : filter);
	else if (request->ranks->rank != 0)
		ctpost_leave_to_rank_0(call);
	ct_filter_close(filter);
	ct_trace_close(trace);
	return status;
}

int ctpost_run_one_analysis(struct ctpost_call *call, const struct ctpost_one_analysis *one,
			    void *job)
{
	struct request request = {.one = one, .job = job};
	char why[CTPOST_WHY_BYTES];
	int status = ctpost_read_resources(call, &request.resources);

	if (status == CTPOST_OK)
		status = ctpost_read_selection(call, &request.selection);
	if (status != CTPOST_OK)
		return status;
	if (ct_ranks_open(&request.ranks, why, sizeof(why)) < 0)
		status = ctpost_fail(call, CTPOST_FAILED, "%s", why);
	if (status == CTPOST_OK)
		status = with_trace(call, &request);
	ct_ranks_close(request.ranks);
	ct_selection_fini(&request.selection);
	return status;
}
