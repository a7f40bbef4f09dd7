/* SPDX-License-Identifier: Apache-2.0 */
/* The executable graphs of the process, each with its plan. Session's lock held, in a quiet
 * section. */
#ifndef CT_HOST_RT_GRAPH_EXECS_H
#define CT_HOST_RT_GRAPH_EXECS_H

#include "host-rt/graph/plan.h"

/* NULL if it was made before tracing began, or in a context that is gone. */
struct ct_graph_plan *ct_graph_execs_find(cudaGraphExec_t exec);
/* The plan is the graph's from now on, in place of any it had. */
void ct_graph_execs_insert(struct ct_graph_plan *plan, cudaGraphExec_t exec);
/* The graph's plan is freed, if it has one. */
void ct_graph_execs_drop(cudaGraphExec_t exec);

/* Frees a plan that was never put in place; old: whose slots it was to take over, or NULL. */
void ct_graph_execs_discard(struct ct_graph_plan *plan, const struct ct_graph_plan *old);

#endif
