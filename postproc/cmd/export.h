/* SPDX-License-Identifier: Apache-2.0 */
/* The formats of ctpost export are given this. */
#ifndef CT_POSTPROC_CMD_EXPORT_H
#define CT_POSTPROC_CMD_EXPORT_H

#include "postproc/cmd/base/comm_gather.h"
#include "postproc/cmd/study.h"
#include "postproc/command.h"

/* Tables of a command that has --format, --output and a study's options but those of other runs. */
struct ctpost_tables {
	const char *list;    /* as of --tables; NULL: the default's */
	const char *history; /* as of --history; NULL: none */
	bool has_runs;       /* the options of other runs, too */
	bool has_races;
};

/* The trace is call->operand[0]. Return an exit status. */
int ctpost_export_memtrace(struct ctpost_call *call);
int ctpost_export_tables(struct ctpost_call *call, const struct ctpost_tables *tables);
int ctpost_export_perfetto(struct ctpost_call *call);

#endif
