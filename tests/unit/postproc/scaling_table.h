/* SPDX-License-Identifier: Apache-2.0 */
/* In place of the engine of the communication analysis: a table of transfers. */
#ifndef CT_TEST_SCALING_TABLE_H
#define CT_TEST_SCALING_TABLE_H

#include "postproc/analysis/comm/comm.h"

struct ct_comm {
	struct ct_comm_figures figures;
	const struct ct_comm_transfer *transfer;
	size_t transfers, passes;
	const struct ct_comm_delivery *delivery; /* NULL: transfers must do */
	size_t deliveries;
};

struct table {
	struct ct_comm comm;
	struct ct_comm_transfer *transfer;
};

struct table table_of(uint64_t ctas, size_t supersteps);
void table_send(struct table *table, uint32_t source, uint32_t target, uint32_t superstep,
		uint64_t bytes);

#endif
