/* SPDX-License-Identifier: Apache-2.0 */
/* Transfers from their pieces. */
#include "postproc/analysis/comm/flows/flows.h"

struct join {
	struct ct_flow flow;
	bool is_open;
	int (*fn)(void *user, const struct ct_flow *flow);
	void *user;
};

static int join_pieces(void *user, void *records, size_t count)
{
	const struct ct_flow_piece *piece = records;
	struct join *join = user;
	int err = 0;

	for (size_t i = 0; i < count && err == 0; i++) {
		if (join->is_open && ct_flow_join(&join->flow, &piece[i]))
			continue;
		if (join->is_open)
			err = join->fn(join->user, &join->flow);
		join->flow = (struct ct_flow){piece[i].ctas, piece[i].supersteps, piece[i].bytes,
					      piece[i].loads};
		join->is_open = true;
	}
	return err;
}

int ct_flows_each(struct ct_engine *engine, uint32_t partition,
		  int (*fn)(void *user, const struct ct_flow *flow), void *user)
{
	struct join join = {.fn = fn, .user = user};
	int err = ct_shuffle_each(engine->flows, partition, join_pieces, &join);

	return err == 0 && join.is_open ? fn(user, &join.flow) : err;
}
