/* SPDX-License-Identifier: Apache-2.0 */
/* Where the program launched what became the kernel nodes of graphs. Session's lock held. */
#ifndef CT_GRAPH_SITES_H
#define CT_GRAPH_SITES_H

#include "host-rt/launch/launch.h"

/* A launch was captured just now: its node is the stream's last. In a quiet section. */
void ct_graph_sites_captured(const struct ct_launch_call *call, const char *site);

/* Of a node that runs that function; NULL if it is not known. */
const char *ct_graph_sites_of(cudaGraphNode_t node, const void *function);

#endif
