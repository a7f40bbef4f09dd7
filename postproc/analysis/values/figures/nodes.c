/* SPDX-License-Identifier: Apache-2.0 */
/* Nodes that are apart by stack, joined by path. */
#include "postproc/analysis/values/figures/nodes.h"
#include "base/map.h"
#include "postproc/analysis/values/base/nodes.h"
#include "postproc/analysis/values/figures/usage.h"
#include "postproc/symbols/paths.h"

#include <errno.h>
#include <stdlib.h>

/* By node that is apart, the number of that which it becomes a part of. */
static int join(struct ct_values_figures *figures, uint32_t *number)
{
	struct ct_map known = {.entry = NULL};
	int err = 0;

	figures->nodes = 0;
	for (size_t i = 0; i < figures->apart.nodes && err == 0; i++) {
		const struct ct_values_node *from = &figures->apart.node[i];
		uint32_t path = from->launch ? ct_host_paths_of(figures->paths, from->launch) : 0;
		union ct_map_value *found;
		uint64_t key[2];

		ct_value_node_key(from, path, key);
		found = ct_map_put(&known, key[0], key[1]);
		err = found ? 0 : -ENOMEM;
		if (found && !found->number) {
			figures->node[figures->nodes] = *from;
			figures->node[figures->nodes].path = path;
			found->number = ++figures->nodes;
		} else if (found) {
			figures->node[found->number - 1].times += from->times;
		}
		number[i] = found ? (uint32_t)found->number - 1 : 0;
	}
	ct_map_fini(&known);
	return err;
}

static int compare_ends(const void *a, const void *b)
{
	const struct ct_values_flow *x = a, *y = b;

	if (x->group != y->group)
		return x->group < y->group ? -1 : 1;
	if (x->from != y->from)
		return x->from < y->from ? -1 : 1;
	return x->to < y->to ? -1 : x->to > y->to;
}

static int compare_flow(const void *a, const void *b)
{
	const struct ct_values_flow *x = a, *y = b;
	uint64_t p = x->read + x->over, q = y->read + y->over;

	return p != q ? (p > q ? -1 : 1) : compare_ends(a, b);
}

static void join_flows(struct ct_values_figures *figures, const uint32_t *number)
{
	size_t kept = 0;

	for (size_t i = 0; i < figures->apart.flows; i++) {
		struct ct_values_flow *flow = &figures->flow[i];

		*flow = figures->apart.flow[i];
		flow->from = flow->from == CT_NODE_ALLOC ? flow->from : number[flow->from];
		flow->to = number[flow->to];
	}
	if (figures->apart.flows)
		qsort(figures->flow, figures->apart.flows, sizeof(*figures->flow), compare_ends);
	for (size_t i = 0; i < figures->apart.flows; i++) {
		const struct ct_values_flow *from = &figures->flow[i];
		struct ct_values_flow *last = kept ? &figures->flow[kept - 1] : NULL;

		if (last && !compare_ends(last, from)) {
			last->read += from->read;
			last->over += from->over;
			last->same += from->same;
		} else {
			figures->flow[kept++] = *from;
		}
	}
	figures->flows = kept;
	if (kept)
		qsort(figures->flow, kept, sizeof(*figures->flow), compare_flow);
}

static void join_dead(struct ct_values_figures *figures, const uint32_t *number)
{
	figures->deads = figures->apart.deads;
	for (size_t i = 0; i < figures->deads; i++) {
		figures->dead[i] = figures->apart.dead[i];
		figures->dead[i].node = number[figures->dead[i].node];
	}
	ct_value_dead_finish(figures);
}

int ct_value_nodes_join(struct ct_values_figures *figures)
{
	const struct ct_values_apart *apart = &figures->apart;
	uint32_t *number = calloc(apart->nodes + 1, sizeof(*number));
	int err;

	free(figures->node);
	free(figures->flow);
	free(figures->dead);
	figures->node = calloc(apart->nodes + 1, sizeof(*figures->node));
	figures->flow = calloc(apart->flows + 1, sizeof(*figures->flow));
	figures->dead = calloc(apart->deads + 1, sizeof(*figures->dead));
	figures->nodes = figures->flows = figures->deads = 0;
	err = number && figures->node && figures->flow && figures->dead ? join(figures, number)
									: -ENOMEM;
	if (err == 0) {
		join_flows(figures, number);
		join_dead(figures, number);
		for (size_t i = 0; i < figures->transfers; i++)
			figures->transfer[i].node = number[figures->transfer[i].apart];
	}
	free(number);
	return err;
}
