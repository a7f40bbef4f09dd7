/* SPDX-License-Identifier: Apache-2.0 */
/* What the formats of ctpost export are given. */
#ifndef CTPOST_CMD_EXPORT_H
#define CTPOST_CMD_EXPORT_H

#include "postproc/cmd/comm_gather.h"
#include "postproc/cmd/comm_options.h"
#include "postproc/cmdline/progress.h"
#include "postproc/command.h"
#include "postproc/render/export/lists.h"

/* The trace is call->operand[0]. Return an exit status. */
int ctpost_export_memtrace(struct ctpost_call *call);
int ctpost_export_tables(struct ctpost_call *call);
int ctpost_export_perfetto(struct ctpost_call *call);

/* The analysis. Under mpirun all ranks make the same calls, and rank 0 writes. */
struct ctpost_export_comm {
	struct ctpost_call *call;
	char *path; /* of the trace: of a directory of `ctrun ffm` its first run */
	struct ct_comm_options options;
	struct ct_ranks *ranks;
	struct ct_comm *comm;
	struct ctpost_gathered *gathered;
	struct ctpost_progress progress;
};

/* Prepare the analysis; then run it and what is beside it in the same pass, with a progress bar.
 * CTPOST_OK, or CTPOST_FAILED with call->why set and comm closed. */
int ctpost_export_open(struct ctpost_call *call, const struct ct_comm_options *options,
		       struct ctpost_export_comm *out);
int ctpost_export_run(struct ctpost_export_comm *comm, const struct ct_task *beside, size_t count);
/* what: bits of enum ctpost_gather, as rank 0 has them. Likewise. */
int ctpost_export_gather(struct ctpost_export_comm *comm, unsigned what,
			 struct ct_export_lists *lists);
void ctpost_export_close(struct ctpost_export_comm *comm);

#endif
