/* SPDX-License-Identifier: Apache-2.0 */
#include "tests/unit/postproc/scaling_table.h"

#include <criterion/criterion.h>
#include <errno.h>
#include <stdlib.h>

const struct ct_comm_figures *ct_comm_figures(const struct ct_comm *comm)
{
	return &comm->figures;
}

int ct_comm_each_transfer(struct ct_comm *comm,
			  int (*fn)(void *user, const struct ct_comm_transfer *transfer),
			  void *user)
{
	int err = 0;

	comm->passes++;
	for (size_t i = 0; i < comm->transfers && err == 0; i++)
		err = fn(user, &comm->transfer[i]);
	return err;
}

int ct_comm_each_delivery(struct ct_comm *comm,
			  int (*fn)(void *user, const struct ct_comm_delivery *delivery),
			  void *user)
{
	int err = 0;

	if (!comm->delivery)
		return -ENODATA;
	for (size_t i = 0; i < comm->deliveries && err == 0; i++)
		err = fn(user, &comm->delivery[i]);
	return err;
}

#define TRANSFERS_MAX 5000000u

struct table table_of(uint64_t ctas, size_t supersteps)
{
	struct table table = {
	    .comm.figures = {.ctas = ctas, .supersteps = supersteps},
	    .transfer = malloc(TRANSFERS_MAX * sizeof(*table.transfer)),
	};

	cr_assert_not_null(table.transfer);
	table.comm.transfer = table.transfer;
	return table;
}

void table_send(struct table *table, uint32_t source, uint32_t target, uint32_t superstep,
		uint64_t bytes)
{
	cr_assert_lt(table->comm.transfers, TRANSFERS_MAX);
	table->transfer[table->comm.transfers++] =
	    (struct ct_comm_transfer){.source_cta = source,
				      .source_superstep = superstep - 1,
				      .target_cta = target,
				      .target_superstep = superstep,
				      .bytes = bytes,
				      .loads = 1};
}
