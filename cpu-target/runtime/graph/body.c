/* SPDX-License-Identifier: Apache-2.0 */
/* Runs a node of a graph when its turn comes. */
#include "cpu-target/runtime/graph/graph.h"
#include "cpu-target/runtime/stream/event.h"

void ct_body_run(const struct ct_node_body *body)
{
	switch (body->type) {
	case cudaGraphNodeTypeKernel:
		ct_launch_run(body->launch);
		break;
	case cudaGraphNodeTypeMemcpy:
		ct_copy_run(&body->copy);
		break;
	case cudaGraphNodeTypeMemset:
		ct_fill_run(&body->fill);
		break;
	case cudaGraphNodeTypeHost:
		body->host.fn(body->host.userData);
		break;
	case cudaGraphNodeTypeEventRecord:
		ct_event_stamp(body->event);
		break;
	default: /* orders others, or is finished when the graph is launched */
		break;
	}
}
