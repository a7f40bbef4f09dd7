/* SPDX-License-Identifier: Apache-2.0 */
/* Launches of executable graphs: each writes a LAUNCH event for each of the graph's kernels and a
 * TRANSFER event for each copy and memset. */
#ifndef CT_HOST_RT_GRAPH_LAUNCH_H
#define CT_HOST_RT_GRAPH_LAUNCH_H

#include "host-rt/calls/call.h"
#include <cuda_runtime_api.h>

/* Makes the real call; returns what it did. */
cudaError_t ct_graphs_launch(struct ct_call *call, cudaGraphExec_t exec, cudaStream_t stream);

#endif
