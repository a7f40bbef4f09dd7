/* SPDX-License-Identifier: Apache-2.0 */
/* ctpost export --format=memtrace: the thesis' trace format. */
#include "postproc/cmd/base/pass.h"
#include "postproc/cmd/base/trace_file.h"
#include "postproc/cmd/export.h"
#include "postproc/facts/lanes.h"
#include "postproc/facts/operation.h"
#include "postproc/facts/words.h"
#include "postproc/formats/memtrace/out.h"
#include <errno.h>
#include <stdio.h>

#define GRID_YZ_MAX 65536u
#define OPERATIONS_MAX 256

struct job {
	const struct ct_launch_info *launches;
	struct ct_filter *filter;
	struct ct_locator locator;
	struct ct_pipes pipes;
	struct ct_memtrace_out *out;
	uint64_t inexact[OPERATIONS_MAX]; /* accesses of operations without a descriptor */
};

/* Those to global memory that pass. */
static uint32_t lanes_of(struct job *job, const struct ct_access *access)
{
	return ct_lanes_in(access, CT_SPACE_GLOBAL) &
	       ct_filter_lanes(job->filter, access, &job->locator);
}

static int count_access(void *user, const struct ct_access *access)
{
	struct job *job = user;
	uint32_t lanes = lanes_of(job, access);

	for (uint32_t rest = lanes; rest; rest &= rest - 1)
		if (ct_lane_bytes(access, (uint32_t)__builtin_ctz(rest)) > CT_MEMTRACE_SIZE_MAX)
			return -EOVERFLOW;
	job->pipes.section[access->launch - job->launches].records +=
	    (uint64_t)__builtin_popcount(lanes);
	return 0;
}

static int write_access(void *user, const struct ct_access *access)
{
	struct job *job = user;
	size_t launch = (size_t)(access->launch - job->launches);
	struct ct_memtrace_record record = {.sm = access->sm};
	uint32_t lanes = lanes_of(job, access);
	int exact, err = 0;

	if (job->pipes.section[launch].pipe == CT_NONE || !lanes)
		return 0;
	record.type = ct_memtrace_type(access->info->operation, &exact);
	if (!exact)
		job->inexact[access->info->operation] += (uint64_t)__builtin_popcount(lanes);
	ct_words_cta(access->launch, access->cta, record.cta);
	for (uint32_t rest = lanes; rest && !err; rest &= rest - 1) {
		uint32_t lane = (uint32_t)__builtin_ctz(rest);

		record.size = (uint32_t)ct_lane_bytes(access, lane);
		record.address = access->address[lane];
		err = ct_memtrace_out_add(job->out, launch, &record);
	}
	return err;
}

static int check_grids(struct ctpost_call *call, const struct job *job)
{
	for (size_t i = 0; i < job->pipes.launch_count; i++) {
		const struct ct_event_launch *event = job->launches[i].event;

		if (event->grid[1] > GRID_YZ_MAX || event->grid[2] > GRID_YZ_MAX)
			return ctpost_fail(
			    call, CTPOST_FAILED,
			    "%s: launch %u has a grid of %ux%ux%u; the memtrace format "
			    "holds 16 bits for y and z",
			    call->operand[0], event->launch, event->grid[0], event->grid[1],
			    event->grid[2]);
	}
	return CTPOST_OK;
}

static void report_inexact(const struct job *job)
{
	uint64_t untraced = 0;

	for (uint32_t i = 0; i < OPERATIONS_MAX; i++) {
		int exact;

		if (!job->inexact[i])
			continue;
		fprintf(stderr,
			"ctpost: warning: %llu accesses of operation %s were exported as %s, the "
			"nearest that the format has\n",
			(unsigned long long)job->inexact[i], ct_operation_text(i),
			ct_operation_text(ct_memtrace_operation(ct_memtrace_type(i, &exact))));
	}
	for (size_t i = 0; i < job->pipes.launch_count; i++)
		untraced += !(job->launches[i].event->flags & CT_LAUNCH_TRACED);
	if (untraced)
		fprintf(stderr, "ctpost: warning: %llu launches were not traced and are left out\n",
			(unsigned long long)untraced);
}

static int write_files(struct ctpost_call *call, struct ct_trace *trace, struct job *job)
{
	const struct ct_each count = {.access = count_access, .user = job};
	const struct ct_each write = {.access = write_access, .user = job};
	const char *directory = ctpost_value(call, "output");
	int err;

	err = ctpost_each(call, trace, &count, NULL);
	if (err == -EOVERFLOW)
		return ctpost_fail(
		    call, CTPOST_FAILED,
		    "%s: an access is larger than the 2^28 - 1 bytes that the memtrace "
		    "format can tell",
		    call->operand[0]);
	if (err < 0)
		return CTPOST_FAILED;
	ct_pipes_lay_out(&job->pipes, trace);
	if (ct_memtrace_out_open(&job->out, directory, trace, &job->pipes, call->why,
				 sizeof(call->why)) < 0)
		return CTPOST_FAILED;
	err = ctpost_each(call, trace, &write, NULL);
	if (err < 0) {
		ct_memtrace_out_close(job->out);
		return CTPOST_FAILED;
	}
	err = ct_memtrace_out_close(job->out);
	if (err < 0)
		return ctpost_fail(call, CTPOST_FAILED, "%s: %s; the files are not complete",
				   directory, ct_strerror(err));
	report_inexact(job);
	return CTPOST_OK;
}

static int export_chosen(struct ctpost_call *call, struct ct_trace *trace,
			 const struct ct_selection *selection)
{
	struct job job = {.locator = {.trace = trace}};
	int status = ctpost_open_filter(call, call->operand[0], trace, selection, &job.filter);

	if (status != CTPOST_OK)
		return status;
	status = CTPOST_FAILED;
	ct_trace_launches(trace, &job.launches);
	ctpost_warn_incomplete(trace, NULL);
	if (ct_pipes_init(&job.pipes, trace, ct_filter_launches(job.filter)) < 0)
		ctpost_fail(call, 0, "%s: out of memory", call->operand[0]);
	else if (check_grids(call, &job) == CTPOST_OK)
		status = write_files(call, trace, &job);
	ct_pipes_fini(&job.pipes);
	ct_filter_close(job.filter);
	return status;
}

int ctpost_export_memtrace(struct ctpost_call *call)
{
	struct ct_selection selection;
	struct ct_trace *trace;
	int status = ctpost_read_selection(call, &selection);

	if (status != CTPOST_OK)
		return status;
	trace = ctpost_open_trace(call, call->operand[0]);
	status = trace ? export_chosen(call, trace, &selection) : CTPOST_FAILED;
	ct_trace_close(trace);
	ct_selection_fini(&selection);
	return status;
}
