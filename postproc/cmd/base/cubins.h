/* SPDX-License-Identifier: Apache-2.0 */
/* Machine code of kernels on behalf of a command: --cubin=FILE[,...]. */
#ifndef CT_POSTPROC_CMD_BASE_CUBINS_H
#define CT_POSTPROC_CMD_BASE_CUBINS_H

#include "postproc/analysis/model/binary.h"
#include "postproc/command.h"

/* Zero-initialise. */
struct ctpost_cubins {
	struct ct_model_cubin *of; /* owned, with their bytes */
	size_t count;
};

/* Those of the option, if it is given. CTPOST_OK, or CTPOST_FAILED with call->why set;
 * ctpost_cubins_fini in either case. */
int ctpost_read_cubins(struct ctpost_call *call, struct ctpost_cubins *cubins);
void ctpost_cubins_fini(struct ctpost_cubins *cubins);

#endif
