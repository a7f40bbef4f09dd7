/* SPDX-License-Identifier: Apache-2.0 */
/* User objects: counted references with a destructor, which graphs can hold. */
#include "cpu-target/runtime/graph/object.h"
#include "cpu-target/runtime/graph/graph.h"
#include <stdlib.h>

struct ct_user_object {
	uint32_t references;
	cudaHostFn_t destroy;
	void *pointer;
};

struct ct_graph_object { /* a graph's references to one object */
	struct ct_graph_object *next;
	struct ct_user_object *object;
	uint32_t references;
};

struct ct_user_object *ct_user_object_new(void *pointer, cudaHostFn_t destroy, uint32_t references)
{
	struct ct_user_object *object = calloc(1, sizeof(*object));

	if (object)
		*object = (struct ct_user_object){references, destroy, pointer};
	return object;
}

void ct_user_object_release(struct ct_user_object *object, uint32_t count)
{
	if (__atomic_sub_fetch(&object->references, count, __ATOMIC_ACQ_REL))
		return;
	object->destroy(object->pointer);
	free(object);
}

void ct_user_object_retain(struct ct_user_object *object, uint32_t count)
{
	__atomic_add_fetch(&object->references, count, __ATOMIC_RELAXED);
}

int ct_graph_hold_object(struct ct_graph *graph, struct ct_user_object *object, uint32_t count)
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
		ct_user_object_release(held->object, held->references);
		free(held);
	}
}

int ct_graph_copy_objects(struct ct_graph *to, const struct ct_graph *from)
{
	for (const struct ct_graph_object *held = from->objects; held; held = held->next) {
		if (ct_graph_hold_object(to, held->object, held->references))
			return -1;
		ct_user_object_retain(held->object, held->references);
	}
	return 0;
}

int ct_graph_drop_object(struct ct_graph *graph, struct ct_user_object *object, uint32_t count)
{
	for (struct ct_graph_object **link = &graph->objects; *link; link = &(*link)->next) {
		struct ct_graph_object *held = *link;

		if (held->object != object || held->references < count)
			continue;
		held->references -= count;
		ct_user_object_release(object, count);
		if (!held->references) {
			*link = held->next;
			free(held);
		}
		return 0;
	}
	return -1;
}
