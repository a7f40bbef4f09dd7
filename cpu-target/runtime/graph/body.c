/* SPDX-License-Identifier: Apache-2.0 */
/* Bodies of graph nodes: what one of them does. */
#include "cpu-target/runtime/graph/graph.h"
#include "cpu-target/runtime/stream/event.h"
#include <stdlib.h>

struct ct_node_body *ct_body_new(enum cudaGraphNodeType type)
{
	struct ct_node_body *body = calloc(1, sizeof(*body));

	if (!body)
		return NULL;
	body->references = 1;
	body->type = type;
	return body;
}

struct ct_node_body *ct_body_hold(struct ct_node_body *body)
{
	__atomic_add_fetch(&body->references, 1, __ATOMIC_RELAXED);
	return body;
}

void ct_body_release(struct ct_node_body *body)
{
	if (!body || __atomic_sub_fetch(&body->references, 1, __ATOMIC_ACQ_REL))
		return;
	if (body->type == cudaGraphNodeTypeKernel)
		free(body->launch);
	else if (body->type == cudaGraphNodeTypeGraph)
		ct_graph_destroy(body->child);
	free(body);
}

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
	default: /* orders others, or is settled when the graph is launched */
		break;
	}
}
