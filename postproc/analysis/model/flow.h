/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The work-flow graph of a kernel's mean warp (seed 004, 4.2.2): nodes are stretches of
 * computation, accesses of memory, barriers, entry and exit; transition arcs say what comes next
 * and how often, a dependence arc leads from a load to the stretch that uses what it loads first.
 * Node weights are the cycles that an SM issues for them; what a dependence arc exposes is the
 * latency that neither the instructions in between nor the other warps of the SM hide.
 */
#ifndef CT_POSTPROC_ANALYSIS_MODEL_FLOW_H
#define CT_POSTPROC_ANALYSIS_MODEL_FLOW_H

#include "postproc/analysis/model/kernel.h"

enum ct_flow_kind {
	CT_FLOW_ENTRY,
	CT_FLOW_EXIT,
	CT_FLOW_COMPUTE, /* instructions of a block that access nothing */
	CT_FLOW_GLOBAL,
	CT_FLOW_SHARED,
	CT_FLOW_BARRIER,
	CT_FLOW_KINDS
};

struct ct_flow_node {
	enum ct_flow_kind kind;
	uint32_t block; /* number in its function; of COMPUTE, GLOBAL, SHARED, BARRIER */
	uint32_t line;  /* 0: not known */
	const char *file;
	double instructions; /* of COMPUTE */
	double executions;   /* of a warp, mean */
	double weight;       /* cycles of one execution */
	double stall;        /* cycles of one execution that are exposed */
};

struct ct_flow_arc {
	uint32_t from, to;
	bool is_dependence;
	double executions; /* of a transition, mean of a warp: from those of blocks */
};

struct ct_work_flow {
	struct ct_flow_node *node; /* entry first, exit last */
	struct ct_flow_arc *arc;
	uint32_t nodes, arcs, node_room, arc_room;
	uint32_t bottleneck; /* the node with the most cycles, stalls with it */
};

/* Makes the flow of the kernel's own function, without device functions that it calls. kernel:
 * with input, device and caches. 0 or -ENOMEM; ct_flow_fini frees in either case. */
int ct_flow_make(struct ct_work_flow *flow, const struct ct_model_kernel *kernel,
		 const struct ct_model_job *job, const struct ct_machine *machine);
void ct_flow_fini(struct ct_work_flow *flow);

const char *ct_flow_kind_text(enum ct_flow_kind kind);

#endif
