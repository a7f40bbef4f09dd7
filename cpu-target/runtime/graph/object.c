/* SPDX-License-Identifier: Apache-2.0 */
/* User objects: counted references with a destructor, which graphs can hold. */
#include "cpu-target/runtime/api/api.h"
#include "cpu-target/runtime/graph/graph.h"
#include <stdlib.h>

struct user_object {
	uint32_t references;
	cudaHostFn_t destroy;
	void *pointer;
};

struct ct_graph_object { /* a graph's references to one object */
	struct ct_graph_object *next;
	struct user_object *object;
	uint32_t references;
};

static void release(struct user_object *object, uint32_t count)
{
	if (__atomic_sub_fetch(&object->references, count, __ATOMIC_ACQ_REL))
		return;
	object->destroy(object->pointer);
	free(object);
}

static void retain(struct user_object *object, uint32_t count)
{
	__atomic_add_fetch(&object->references, count, __ATOMIC_RELAXED);
}

static int hold(struct ct_graph *graph, struct user_object *object, uint32_t count)
{
	struct ct_graph_object *held = calloc(1, sizeof(*held));

	if (!held)
		return -1;
	*held = (struct ct_graph_object){graph->objects, object, count};
	graph->objects = held;
	return 0;
}

void ct_graph_release_objects(struct ct_graph *graph)
{
	struct ct_graph_object *held;

	while ((held = graph->objects)) {
		graph->objects = held->next;
		release(held->object, held->references);
		free(held);
	}
}

int ct_graph_copy_objects(struct ct_graph *to, const struct ct_graph *from)
{
	for (const struct ct_graph_object *held = from->objects; held; held = held->next) {
		if (hold(to, held->object, held->references))
			return -1;
		retain(held->object, held->references);
	}
	return 0;
}

/* ---- API ---- */

cudaError_t cudaUserObjectCreate(cudaUserObject_t *out, void *pointer, cudaHostFn_t destroy,
				 unsigned references, unsigned flags)
{
	struct user_object *object;

	if (!out || !destroy || !references || flags != cudaUserObjectNoDestructorSync)
		return ct_error_set(cudaErrorInvalidValue);
	object = calloc(1, sizeof(*object));
	if (!object)
		return ct_error_set(cudaErrorMemoryAllocation);
	*object = (struct user_object){references, destroy, pointer};
	*out = (cudaUserObject_t)object;
	return ct_api_result(cudaSuccess);
}

cudaError_t cudaUserObjectRetain(cudaUserObject_t object, unsigned count)
{
	if (!object || !count)
		return ct_error_set(cudaErrorInvalidValue);
	retain((struct user_object *)object, count);
	return ct_api_result(cudaSuccess);
}

cudaError_t cudaUserObjectRelease(cudaUserObject_t object, unsigned count)
{
	if (!object || !count)
		return ct_error_set(cudaErrorInvalidValue);
	release((struct user_object *)object, count);
	return ct_api_result(cudaSuccess);
}

cudaError_t cudaGraphRetainUserObject(cudaGraph_t graph, cudaUserObject_t object, unsigned count,
				      unsigned flags)
{
	if (!graph || !object || !count || flags > cudaGraphUserObjectMove)
		return ct_error_set(cudaErrorInvalidValue);
	if (hold((struct ct_graph *)graph, (struct user_object *)object, count))
		return ct_error_set(cudaErrorMemoryAllocation);
	if (flags != cudaGraphUserObjectMove)
		retain((struct user_object *)object, count);
	return ct_api_result(cudaSuccess);
}

cudaError_t cudaGraphReleaseUserObject(cudaGraph_t handle, cudaUserObject_t object, unsigned count)
{
	struct ct_graph *graph = (struct ct_graph *)handle;
	struct ct_graph_object **link;

	if (!graph || !object || !count)
		return ct_error_set(cudaErrorInvalidValue);
	for (link = &graph->objects; *link; link = &(*link)->next) {
		struct ct_graph_object *held = *link;

		if (held->object != (struct user_object *)object || held->references < count)
			continue;
		held->references -= count;
		release(held->object, count);
		if (!held->references) {
			*link = held->next;
			free(held);
		}
		return ct_api_result(cudaSuccess);
	}
	return ct_error_set(cudaErrorInvalidValue);
}
