/* SPDX-License-Identifier: Apache-2.0 */
/* Nodes of the flow between objects: launches of a kernel from one place by one call path of the
 * host, copies of a kind that go the same way, memsets (ValueExpert's contexts). Paths are known
 * only when the trace has been read: until then launches are apart by their stack. */
#ifndef CT_POSTPROC_ANALYSIS_VALUES_BASE_NODES_H
#define CT_POSTPROC_ANALYSIS_VALUES_BASE_NODES_H

#include "postproc/analysis/values/base/engine.h"

/* Fills nodes, nodes_list and unseen of the engine, whose steps are prepared. 0 or -ENOMEM */
int ct_value_nodes_prepare(struct ct_value_engine *engine);

/* Makes the key that distinguishes nodes; caller: the stack or path of a launch. */
void ct_value_node_key(const struct ct_values_node *node, uint32_t caller, uint64_t key[2]);

#endif
