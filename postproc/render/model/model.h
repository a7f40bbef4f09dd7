/* SPDX-License-Identifier: Apache-2.0 */
/* Models of kernels for a terminal, as JSON and as a graph: docs/model.md, docs/json-schema.md. */
#ifndef CT_RENDER_MODEL_H
#define CT_RENDER_MODEL_H

#include "postproc/analysis/model/flow.h"
#include "postproc/analysis/model/kernel.h"
#include "postproc/tables/layout.h"

struct ct_model_output {
	const char *trace; /* as it was named */
	const struct ct_machine *machine;
	const struct ct_model_kernel *kernel; /* the longest first */
	const struct ct_work_flow *flow;      /* by kernel */
	size_t kernels;
	size_t silent; /* kernels of which nothing can be said */
};

/* A program among others: its kernels' predicted times, and the measured ones. */
struct ct_model_ranked {
	const char *trace;
	double predicted, measured; /* seconds, of all traced launches; measured 0: not known */
	char bound[CT_MODEL_TEXT_BYTES]; /* of the kernel that takes longest */
	struct ct_model_change change;   /* of it, what brings most; what NULL: nothing does */
	double efficiency, utilization;  /* of it: Ryoo's metrics */
};

/* 0 or a negative error */
int ct_model_write(FILE *out, const struct ct_model_output *output, const struct ct_style *style);
int ct_model_write_json(FILE *out, const struct ct_model_output *output);
/* A work-flow graph in the language of Graphviz; dashed arcs are dependences, red is the
 * bottleneck. */
int ct_model_write_graph(FILE *out, const char *kernel, const struct ct_work_flow *flow);
/* Sorted by predicted time. */
int ct_model_write_ranking(FILE *out, const struct ct_machine *machine,
			   struct ct_model_ranked *ranked, size_t count,
			   const struct ct_style *style);
int ct_model_write_ranking_json(FILE *out, const struct ct_machine *machine,
				struct ct_model_ranked *ranked, size_t count);

#endif
