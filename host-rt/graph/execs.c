/* SPDX-License-Identifier: Apache-2.0 */
/* Executable graphs of the process in a hash table. */
#include "host-rt/graph/execs.h"
#include "host-rt/graph/ids.h"

#define BUCKETS 256u

static struct ct_graph_plan *buckets[BUCKETS];

static struct ct_graph_plan **link_of(cudaGraphExec_t exec)
{
	struct ct_graph_plan **link = &buckets[((uintptr_t)exec >> 4) % BUCKETS];

	while (*link && (*link)->exec != exec)
		link = &(*link)->next;
	return link;
}

struct ct_graph_plan *ct_graph_execs_find(cudaGraphExec_t exec)
{
	struct ct_graph_plan *plan = *link_of(exec);

	return plan && plan->generation == plan->device->generation ? plan : NULL;
}

static void drop(struct ct_graph_plan **link)
{
	struct ct_graph_plan *plan = *link;

	if (!plan)
		return;
	*link = plan->next;
	if (plan->generation == plan->device->generation && plan->first != CT_NO_SLOTS)
		ct_graph_ids_return(plan->device, plan->first, plan->count, plan->done);
	ct_graph_plan_free(plan);
}

void ct_graph_execs_insert(struct ct_graph_plan *plan, cudaGraphExec_t exec)
{
	struct ct_graph_plan **link = link_of(exec);

	drop(link);
	plan->exec = exec;
	plan->next = *link;
	*link = plan;
}

void ct_graph_execs_discard(struct ct_graph_plan *plan, const struct ct_graph_plan *old)
{
	if (plan && plan->first != CT_NO_SLOTS && (!old || plan->first != old->first))
		ct_graph_ids_return(plan->device, plan->first, plan->count, NULL);
	ct_graph_plan_free(plan);
}

void ct_graph_execs_drop(cudaGraphExec_t exec)
{
	drop(link_of(exec));
}
