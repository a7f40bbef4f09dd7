/* SPDX-License-Identifier: Apache-2.0 */
/* Nodes that are apart by stack, joined by path (base/nodes.h). */
#ifndef CT_POSTPROC_ANALYSIS_VALUES_FIGURES_NODES_H
#define CT_POSTPROC_ANALYSIS_VALUES_FIGURES_NODES_H

#include "postproc/analysis/values/base/figures.h"

/* Fills node, flow and dead of the figures from what is apart by stack: nodes of one path, as far
 * as paths are known, become one. 0 or -ENOMEM */
int ct_value_nodes_join(struct ct_values_figures *figures);

#endif
