/* SPDX-License-Identifier: Apache-2.0 */
/* What the capture calls of the API ask of capture.c. */
#ifndef CT_CPU_API_CAPTURE_H
#define CT_CPU_API_CAPTURE_H

#include "cpu-target/runtime/graph/graph.h"

struct ct_capture_info {
	enum cudaStreamCaptureStatus status;
	unsigned long long id;
	struct ct_graph *graph;
	struct ct_graph_node *const *nodes; /* borrowed until the stream's next call */
	size_t count;
};

/* Into graph behind `from`, or into a new one if graph is NULL. */
cudaError_t ct_capture_begin(cudaStream_t stream, struct ct_graph *graph,
			     struct ct_graph_node *const *from, size_t from_count);
/* The graph is the caller's. */
cudaError_t ct_capture_end(cudaStream_t stream, struct ct_graph **graph);
void ct_capture_info(cudaStream_t stream, struct ct_capture_info *info);
/* The stream's next node depends on these, too or only. */
cudaError_t ct_capture_depend(cudaStream_t stream, struct ct_graph_node *const *nodes, size_t count,
			      int replace);

#endif
