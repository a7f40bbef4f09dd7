/* SPDX-License-Identifier: Apache-2.0 */
/* Sources that are not any more what was compiled, said on stderr. */
#ifndef CT_POSTPROC_CMD_BASE_CHANGED_H
#define CT_POSTPROC_CMD_BASE_CHANGED_H

#include "postproc/command.h"
#include "trace/read/reader.h"

/* Warns of changes of the program's own sources, each once for a command. 0 or -ENOMEM. */
int ctpost_warn_sources(struct ctpost_call *call, struct ct_trace *trace);

#endif
