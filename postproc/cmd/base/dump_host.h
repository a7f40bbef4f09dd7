/* SPDX-License-Identifier: Apache-2.0 */
/* ctpost dump of what is no access: events of the host side, rows of tables. */
#ifndef CT_POSTPROC_CMD_BASE_DUMP_HOST_H
#define CT_POSTPROC_CMD_BASE_DUMP_HOST_H

#include "postproc/command.h"

/* With --host-events or --tables; at most so many lines. Returns an exit status. */
int ctpost_dump_host(struct ctpost_call *call, uint64_t limit);

#endif
