/* SPDX-License-Identifier: Apache-2.0 */
/* Options that all commands which analyse communication share. */
#ifndef CT_POSTPROC_CMD_OPTIONS_COMM_OPTIONS_H
#define CT_POSTPROC_CMD_OPTIONS_COMM_OPTIONS_H

#include "postproc/analysis/comm/comm.h"
#include "postproc/analysis/comm/scaling/scaling.h"
#include "postproc/cmd/options/selection.h"
#include "postproc/command.h"

/* Groups of options, beside those that choose (selection.h). */
extern const struct ctpost_option ctpost_comm_options[];     /* how it is counted */
extern const struct ctpost_option ctpost_resource_options[]; /* memory, threads, temporary files */
extern const struct ctpost_option ctpost_link_options[];     /* of the links between devices */

/* Reads the options of a command with ctpost_resource_options. options: zero, or with defaults;
 * they borrow from call. CTPOST_OK, or another status with call->why set. */
int ctpost_read_resources(struct ctpost_call *call, struct ct_comm_options *options);
/* Reads the options of a command with all groups but the last. options: zero, or with defaults;
 * they borrow from call and selection. CTPOST_OK, or another status with call->why set. */
int ctpost_read_comm_options(struct ctpost_call *call, struct ct_comm_options *options,
			     struct ct_selection *selection);

/* Bandwidth and latency of options, or their defaults. Returns likewise. */
int ctpost_read_link_options(struct ctpost_call *call, struct ct_scaling_options *options);

/* Say on stderr what is missing from the figures. */
void ctpost_comm_warn(struct ct_comm *comm);

#endif
