/* SPDX-License-Identifier: Apache-2.0 */
/* The analysis of communication on behalf of ctpost export. */
#include "../cmdline/progress.h"
#include "export.h"
#include <errno.h>
#include <trace/reader.h>

static int draw(void *user, uint64_t done, uint64_t total)
{
	return ctpost_progress_update(user, done, total);
}

static int open_alone(struct ctpost_call *call, struct ct_ranks **ranks)
{
	int err = ct_ranks_open(ranks, call->why, sizeof(call->why));

	if (err < 0)
		return err;
	if ((*ranks)->size > 1) {
		if ((*ranks)->rank == 0)
			ctpost_fail(call, 0,
				    "export: one process writes the output: start it without "
				    "mpirun");
		ct_ranks_close(*ranks);
		return -EINVAL;
	}
	return 0;
}

int ctpost_export_open(struct ctpost_call *call, const struct ct_comm_options *options,
		       struct ctpost_export_comm *out)
{
	struct ct_comm_options with_progress = *options;
	struct ctpost_progress progress;
	int err = open_alone(call, &out->ranks);

	if (err < 0)
		return CTPOST_FAILED;
	with_progress.ranks = out->ranks;
	with_progress.progress = draw;
	with_progress.user = &progress;
	ctpost_progress_start(&progress, call->operand[0]);
	err = ct_comm_open(&out->comm, call->operand[0], &with_progress, call->why,
			   sizeof(call->why));
	ctpost_progress_stop(&progress);
	if (err == 0)
		return CTPOST_OK;
	ct_ranks_close(out->ranks);
	if (!call->why[0])
		ctpost_fail(call, 0, "%s: %s", call->operand[0], ct_strerror(err));
	return CTPOST_FAILED;
}

void ctpost_export_close(struct ctpost_export_comm *comm)
{
	ct_comm_close(comm->comm);
	ct_ranks_close(comm->ranks);
}
