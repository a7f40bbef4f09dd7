/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Stream capture: calls that would queue work in a stream that captures add
 * nodes to a graph instead.
 *
 * A stream that captures has a set of nodes that the next one will depend on.
 * An event recorded there remembers the set; a stream that waits for such an
 * event joins the capture. Any thread.
 */
#ifndef CT_CPU_TARGET_RUNTIME_GRAPH_CAPTURE_H
#define CT_CPU_TARGET_RUNTIME_GRAPH_CAPTURE_H

#include "cpu-target/runtime/graph/graph.h"
#include "cpu-target/runtime/launch/launch.h"
#include "cpu-target/runtime/memory/copy.h"

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

/* Cheap while nothing is captured anywhere. */
int ct_capture_is_active(cudaStream_t stream);

/* Adds a node of the body (whose reference is taken over, also on an error) to
 * the capture of the stream. cudaErrorStreamCaptureInvalidated if it failed
 * before. */
cudaError_t ct_capture_add(cudaStream_t stream, struct ct_node_body *body);

/* The same for what is common; call is taken over. */
cudaError_t ct_capture_launch(cudaStream_t stream, struct ct_checked_launch *call);
cudaError_t ct_capture_copy(cudaStream_t stream, const struct ct_copy *copy);
cudaError_t ct_capture_fill(cudaStream_t stream, const struct ct_fill *fill);
cudaError_t ct_capture_host(cudaStream_t stream, cudaHostFn_t function, void *user);

/* An event is recorded in a stream that captures; external: as a node. */
cudaError_t ct_capture_record(cudaStream_t stream, cudaEvent_t event, int external);
/* A stream waits for an event: 1 if that was captured, 0 if neither the
 * stream nor the event captures, or a negated cudaError_t. */
int ct_capture_wait(cudaStream_t stream, cudaEvent_t event, int external);
/* The event was recorded elsewhere, or is gone. */
void ct_capture_forget_event(cudaEvent_t event);

/* A call that cannot be captured: makes the capture invalid.
 * cudaErrorStreamCaptureUnsupported if the stream captures, else cudaSuccess. */
cudaError_t ct_capture_refuse(cudaStream_t stream);

#endif
