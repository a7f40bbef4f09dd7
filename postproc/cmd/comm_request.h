/* SPDX-License-Identifier: Apache-2.0 */
/* The command line of ctpost comm as values. */
#ifndef CT_POSTPROC_CMD_COMM_REQUEST_H
#define CT_POSTPROC_CMD_COMM_REQUEST_H

#include "postproc/cmd/study.h"
#include "postproc/render/comm/comm.h"

extern const struct ctpost_option *const ctpost_comm_groups[];

struct ctpost_comm_request {
	enum ct_comm_by by;
	const struct ct_table_format *format; /* NULL: text */
	size_t rows;
	bool density, transfers, history, scaling, exchanged, paths;
	uint64_t first_address, last_address;
	struct ct_speedup_program machine; /* what of it --machine tells */
};

/* The study has read its options and is given what it is to look at. CTPOST_OK, or another status
 * with call->why set. The request borrows from the call. */
int ctpost_comm_read_request(struct ctpost_study *study, struct ctpost_comm_request *request);

#endif
