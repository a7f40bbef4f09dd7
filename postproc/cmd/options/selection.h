/* SPDX-License-Identifier: Apache-2.0 */
/* The options that choose what is looked at: the same ones for every command that has them. */
#ifndef CT_POSTPROC_CMD_OPTIONS_SELECTION_H
#define CT_POSTPROC_CMD_OPTIONS_SELECTION_H

#include "postproc/command.h"
#include "postproc/facts/filter.h"

extern const struct ctpost_option ctpost_selection_options[];

/* Reads the selection of a command that has these options. CTPOST_OK; else a status with
 * call->why set, and nothing to be freed. */
int ctpost_read_selection(struct ctpost_call *call, struct ct_selection *selection);

/* The selection applied to the trace of path. Fails also if nothing is left by it. Likewise. */
int ctpost_open_filter(struct ctpost_call *call, const char *path, const struct ct_trace *trace,
		       const struct ct_selection *selection, struct ct_filter **out);

#endif
