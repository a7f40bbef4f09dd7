/* SPDX-License-Identifier: Apache-2.0 */
/* What the formats of ctpost export are given. */
#ifndef CTPOST_CMD_EXPORT_H
#define CTPOST_CMD_EXPORT_H

#include "../command.h"

enum ctpost_export_option {
	CTPOST_EXPORT_FORMAT,
	CTPOST_EXPORT_OUTPUT,
	CTPOST_EXPORT_TABLES,
	CTPOST_EXPORT_OPTIONS,
};

/* The trace is call->operand[0]. Return an exit status. */
int ctpost_export_memtrace(struct ctpost_call *call);
int ctpost_export_tables(struct ctpost_call *call);

#endif
