/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The kernels of an executable graph: what each runs, traced or why not; and
 * its copies and memsets.
 *
 * The program's graph stays pristine. While it is instantiated (or an
 * executable graph is updated from it) its kernel nodes run the clones; then
 * they get their own parameters back. Session's lock held, in a quiet section.
 */
#ifndef CT_HOST_RT_GRAPH_PLAN_H
#define CT_HOST_RT_GRAPH_PLAN_H

#include "host-rt/graph/transfers.h"
#include "host-rt/launch/decide.h"
#include <cudatrace/ring.h>

struct ct_graph_kernel {
	cudaGraphNode_t node;
	cudaGraphNode_t owner; /* the outermost child graph's node, NULL outside child graphs */
	struct ct_launch_call call;
	struct ct_decision decision;
	struct ct_given *given; /* NULL: not known, or not recorded */
	const char *refused;    /* why it cannot be traced where it stands, NULL if it can */
	bool disabled;          /* cudaGraphNodeSetEnabled */
	bool recorded;          /* in the launch that is being made */
	/* while clones are in the graph */
	cudaGraphNode_t kept; /* holds the program's parameters */
	bool is_clone;
};

struct ct_graph_plan {
	struct ct_graph_plan *next; /* see execs.c */
	cudaGraphExec_t exec;
	struct ct_device *device;
	uint32_t generation; /* of the device's context */
	uint32_t first;      /* slot of kernels[0], CT_NO_SLOTS: all stay pristine */
	uint32_t count, room;
	struct ct_graph_kernel *kernels;
	struct ct_graph_transfers transfers;
	const char *refused; /* why all stay pristine, NULL if they do not */
	bool has_conditions; /* there is a conditional node among them */
	bool has_host_functions;
	cudaGraph_t keeper; /* of kept nodes */
	cudaEvent_t done;   /* after its last traced launch, NULL if there was none */
	bool is_launched;
	uint64_t last_stream; /* id of that of the last launch */
};

/* Every kernel, copy and memset of the graph and its child graphs. refused: why all
 * stay pristine, or NULL. Slots are those of old, whose place the plan will
 * take, or new ones. NULL if the graph cannot be looked at. */
struct ct_graph_plan *ct_graph_plan_make(struct ct_device *device, cudaGraph_t graph,
					 const struct ct_graph_plan *old, const char *refused);
void ct_graph_plan_free(struct ct_graph_plan *plan);

/* The kernels inside a child graph's node. */
void ct_graph_plan_child(const struct ct_graph_plan *plan, cudaGraphNode_t owner, uint32_t *first,
			 uint32_t *count);

struct ct_graph_kernel *ct_graph_plan_find(struct ct_graph_plan *plan, cudaGraphNode_t node);
/* Returns the slot of a kernel of the plan as the launch block of its clone. */
struct ct_launch ct_graph_plan_block(const struct ct_graph_plan *plan,
				     const struct ct_graph_kernel *kernel);
/* Decides what a kernel node with these parameters would run. */
void ct_graph_plan_decide(const struct ct_graph_plan *plan, struct ct_graph_kernel *kernel,
			  const struct cudaKernelNodeParams *params);
/* All kernels that would be traced are pristine, for that reason. */
void ct_graph_plan_refuse(struct ct_graph_plan *plan, const char *reason);
bool ct_graph_plan_is_traced(const struct ct_graph_plan *plan);

#endif
