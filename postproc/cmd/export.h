/* SPDX-License-Identifier: Apache-2.0 */
/* What the formats of ctpost export are given. */
#ifndef CTPOST_CMD_EXPORT_H
#define CTPOST_CMD_EXPORT_H

#include "postproc/cmd/comm_gather.h"
#include "postproc/cmd/study.h"
#include "postproc/command.h"
#include "postproc/render/export/lists.h"

/* The trace is call->operand[0]. Return an exit status. */
int ctpost_export_memtrace(struct ctpost_call *call);
int ctpost_export_tables(struct ctpost_call *call);
int ctpost_export_perfetto(struct ctpost_call *call);

#endif
