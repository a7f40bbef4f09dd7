/* SPDX-License-Identifier: Apache-2.0 */
/* Nodes of the flow between objects: launches of a kernel from one place, copies of a kind that go
 * the same way, memsets (ValueExpert's contexts). */
#ifndef CT_VALUES_NODES_H
#define CT_VALUES_NODES_H

#include "postproc/analysis/values/engine.h"

/* Fills nodes, nodes_list and unseen of the engine, whose steps are prepared. 0 or -ENOMEM */
int ct_value_nodes_prepare(struct ct_value_engine *engine);

#endif
