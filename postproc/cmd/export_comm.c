/* SPDX-License-Identifier: Apache-2.0 */
/* The analysis of communication on behalf of ctpost export. */
#include "postproc/cmd/export.h"
#include "postproc/cmd/ffm_files.h"
#include "trace/read/reader.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* The outcome on this rank, with call->why set if it is a failure that rank 0 tells. */
static int explain(struct ctpost_export_comm *comm, int err)
{
	struct ctpost_call *call = comm->call;

	if (err == 0)
		return CTPOST_OK;
	if (!call->why[0])
		ctpost_fail(call, 0, "%s: %s", call->operand[0], ct_strerror(err));
	if (comm->ranks && comm->ranks->rank != 0)
		ctpost_leave_to_rank_0(call);
	ctpost_export_close(comm);
	return CTPOST_FAILED;
}

int ctpost_export_open(struct ctpost_call *call, const struct ct_comm_options *options,
		       struct ctpost_export_comm *out)
{
	int err;

	memset(out, 0, sizeof(*out));
	out->call = call;
	out->options = *options;
	out->options.transfers = true;
	err = ct_ranks_open(&out->ranks, call->why, sizeof(call->why));
	if (err < 0)
		return explain(out, err);
	out->options.ranks = out->ranks;
	out->options.user = &out->progress;
	if (out->ranks->rank == 0)
		out->options.progress = ctpost_progress_draw;
	out->path = ctpost_calls_path(call->operand[0]);
	err = out->path ? ct_comm_prepare(&out->comm, out->path, &out->options, call->why,
					  sizeof(call->why))
			: -ENOMEM;
	return explain(out, err);
}

int ctpost_export_run(struct ctpost_export_comm *comm, const struct ct_task *beside, size_t count)
{
	struct ctpost_call *call = comm->call;
	int err;

	ctpost_progress_start(&comm->progress, call->operand[0]);
	err = ct_comm_run(comm->comm, beside, count, call->why, sizeof(call->why));
	ctpost_progress_stop(&comm->progress);
	return explain(comm, err);
}

static int transfers(void *user, int (*fn)(void *, const struct ct_comm_transfer *), void *fn_user)
{
	return ctpost_gathered_transfers(((struct ctpost_export_comm *)user)->gathered, fn,
					 fn_user);
}

static int ctas(void *user, int (*fn)(void *, const struct ct_comm_cta *), void *fn_user)
{
	return ctpost_gathered_ctas(((struct ctpost_export_comm *)user)->gathered, fn, fn_user);
}

int ctpost_export_gather(struct ctpost_export_comm *comm, unsigned what,
			 struct ct_export_lists *lists)
{
	what = (unsigned)comm->ranks->greatest(comm->ranks, comm->ranks->rank == 0 ? what : 0);
	*lists = (struct ct_export_lists){.transfers = transfers, .ctas = ctas, .user = comm};
	return explain(comm, ctpost_gather(&comm->gathered, comm->comm, &comm->options, what));
}

void ctpost_export_close(struct ctpost_export_comm *comm)
{
	ctpost_gathered_close(comm->gathered);
	ct_comm_close(comm->comm);
	ct_ranks_close(comm->ranks);
	free(comm->path);
	memset(comm, 0, sizeof(*comm));
}
