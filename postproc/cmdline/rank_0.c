/* SPDX-License-Identifier: Apache-2.0 */
/* Commands that one process runs, under mpirun. */
#include "postproc/base/ranks.h"
#include "postproc/command.h"

int ctpost_run_on_rank_0(struct ctpost_call *call, int (*run)(struct ctpost_call *call))
{
	char why[CTPOST_WHY_BYTES];
	struct ct_ranks *ranks = NULL;
	int status = CTPOST_OK;

	if (ct_ranks_open(&ranks, why, sizeof(why)) < 0)
		return run(call);
	if (ranks->rank == 0)
		status = run(call);
	else
		ctpost_leave_to_rank_0(call);
	/* mpirun takes a rank that ends without the others for a failure. */
	ct_ranks_agree(ranks, 0);
	ct_ranks_close(ranks);
	return status;
}
