/* SPDX-License-Identifier: Apache-2.0 */
/* Clones into the program's graph that was looked at, and the program's kernels again: meanwhile it
 * is instantiated. Session's lock held, in a quiet section. */
#ifndef CT_HOST_RT_GRAPH_CLONES_H
#define CT_HOST_RT_GRAPH_CLONES_H

#include "host-rt/graph/plan.h"

/* A node that does not take its clone stays pristine, and the plan says so. */
void ct_graph_clones_put(struct ct_graph_plan *plan);
void ct_graph_clones_take(struct ct_graph_plan *plan);

#endif
