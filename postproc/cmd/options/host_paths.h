/* SPDX-License-Identifier: Apache-2.0 */
/* Names of host stacks on behalf of a command. */
#ifndef CT_POSTPROC_CMD_OPTIONS_HOST_PATHS_H
#define CT_POSTPROC_CMD_OPTIONS_HOST_PATHS_H

#include "postproc/command.h"
#include "postproc/symbols/paths.h"

/* The group of commands that name host stacks. */
extern const struct ctpost_option ctpost_debug_options[];

/* Its values; names are borrowed from the call. */
struct ct_symbols_options ctpost_symbols_options(const struct ctpost_call *call);

/* From where the trace's launches were made; what has no names is reported on stderr. 0 or a
 * negative error. */
int ctpost_open_host_paths(const struct ctpost_call *call, struct ct_trace *trace,
			   struct ct_host_paths **paths);

#endif
