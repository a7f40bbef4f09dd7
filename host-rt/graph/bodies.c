/* SPDX-License-Identifier: Apache-2.0 */
/* Body graphs by node: a short list. A handle that comes again replaces what was noted for it. */
#include "host-rt/graph/bodies.h"
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

struct node {
	struct node *next;
	cudaGraphNode_t node;
	uint32_t count;
	cudaGraph_t bodies[];
};

static pthread_mutex_t bodies_lock = PTHREAD_MUTEX_INITIALIZER;
static struct node *nodes;

static void forget(cudaGraphNode_t handle)
{
	for (struct node **link = &nodes; *link; link = &(*link)->next) {
		struct node *node = *link;

		if (node->node != handle)
			continue;
		*link = node->next;
		free(node);
		return;
	}
}

void ct_graph_bodies_note(cudaGraphNode_t handle, const cudaGraph_t *bodies, uint32_t count)
{
	struct node *node = malloc(sizeof(*node) + count * sizeof(*bodies));

	pthread_mutex_lock(&bodies_lock);
	forget(handle);
	if (node) {
		node->node = handle;
		node->count = count;
		memcpy(node->bodies, bodies, count * sizeof(*bodies));
		node->next = nodes;
		nodes = node;
	}
	pthread_mutex_unlock(&bodies_lock);
}

cudaGraph_t ct_graph_bodies_of(cudaGraphNode_t handle, uint32_t index)
{
	cudaGraph_t body = NULL;

	pthread_mutex_lock(&bodies_lock);
	for (const struct node *node = nodes; node; node = node->next)
		if (node->node == handle && index < node->count)
			body = node->bodies[index];
	pthread_mutex_unlock(&bodies_lock);
	return body;
}
