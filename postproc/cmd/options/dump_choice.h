/* SPDX-License-Identifier: Apache-2.0 */
/* Chooses what only ctpost dump chooses by: warp, operation and space. */
#ifndef CT_POSTPROC_CMD_OPTIONS_DUMP_CHOICE_H
#define CT_POSTPROC_CMD_OPTIONS_DUMP_CHOICE_H

#include "postproc/command.h"
#include "postproc/facts/operation.h"
#include "trace/read/reader.h"

struct ctpost_dump_choice {
	uint64_t warp; /* UINT64_MAX: any */
	bool has_operations;
	bool operation[CT_OPERATIONS];
	uint32_t space; /* CT_SPACE_GENERIC: any */
};

extern const struct ctpost_option ctpost_dump_choice_options[];

/* CTPOST_OK, or CTPOST_USAGE with call->why set. */
int ctpost_read_dump_choice(struct ctpost_call *call, struct ctpost_dump_choice *choice);

/* has_addresses: a lane's must lie in the space, if one is chosen; what has none does not. */
bool ctpost_dump_chooses(const struct ctpost_dump_choice *choice, const struct ct_access *access,
			 bool has_addresses);

#endif
