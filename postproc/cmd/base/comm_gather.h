/* SPDX-License-Identifier: Apache-2.0 */
/* Lists of the communication analysis that are spread over ranks, brought to rank 0 in order. */
#ifndef CT_POSTPROC_CMD_BASE_COMM_GATHER_H
#define CT_POSTPROC_CMD_BASE_COMM_GATHER_H

#include "postproc/analysis/comm/tables/tables.h"

struct ctpost_gathered;

enum ctpost_gather {
	CTPOST_GATHER_TRANSFERS = 1,
	CTPOST_GATHER_CTAS = 2,
};

/* Collective. what: bits of enum ctpost_gather. A quarter of the memory that
 * options allow holds the lists; the rest goes to a temporary file. */
int ctpost_gather(struct ctpost_gathered **out, struct ct_comm *comm,
		  const struct ct_comm_options *options, unsigned what);
void ctpost_gathered_close(struct ctpost_gathered *gathered); /* NULL is allowed */

/* On rank 0. */
struct ct_comm_lists ctpost_gathered_lists(struct ctpost_gathered *gathered);

#endif
