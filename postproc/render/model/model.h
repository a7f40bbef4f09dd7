/* SPDX-License-Identifier: Apache-2.0 */
/* Models of kernels for a terminal, and as a graph: docs/model.md. */
#ifndef CT_POSTPROC_RENDER_MODEL_MODEL_H
#define CT_POSTPROC_RENDER_MODEL_MODEL_H

#include "postproc/analysis/model/all.h"
#include "postproc/analysis/model/flow.h"
#include "postproc/analysis/model/ranking.h"
#include "postproc/tables/layout.h"

/* 0 or a negative error */
int ct_model_write(FILE *out, const struct ct_model_all *all, const struct ct_style *style);
/* A work-flow graph in the language of Graphviz; dashed arcs are dependences, red is the
 * bottleneck. */
int ct_model_write_graph(FILE *out, const char *kernel, const struct ct_work_flow *flow);
/* Which machine a ranking is of; and how well its predictions go with measurements. */
void ct_model_write_ranking(FILE *out, const struct ct_model_ranking *ranking);

#endif
