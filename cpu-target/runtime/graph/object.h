/* SPDX-License-Identifier: Apache-2.0 */
/*
 * User objects: counted references with a destructor, which graphs can hold.
 * Counts may be changed by any thread; what a graph holds, like the graph.
 */
#ifndef CT_CPU_TARGET_RUNTIME_GRAPH_OBJECT_H
#define CT_CPU_TARGET_RUNTIME_GRAPH_OBJECT_H

#include <cuda_runtime_api.h>
#include <stdint.h>

struct ct_graph;
struct ct_user_object;

/* With so many references; NULL without memory. */
struct ct_user_object *ct_user_object_new(void *pointer, cudaHostFn_t destroy, uint32_t references);
void ct_user_object_retain(struct ct_user_object *object, uint32_t count);
/* The last reference calls the destructor. */
void ct_user_object_release(struct ct_user_object *object, uint32_t count);

/* The graph takes over `count` references of the caller; -1 without memory. */
int ct_graph_hold_object(struct ct_graph *graph, struct ct_user_object *object, uint32_t count);
/* Gives up as many of them; -1 if the graph has not got them. */
int ct_graph_drop_object(struct ct_graph *graph, struct ct_user_object *object, uint32_t count);

/* For graphs that end or are cloned. */
void ct_graph_release_objects(struct ct_graph *graph);
int ct_graph_copy_objects(struct ct_graph *to, const struct ct_graph *from);

#endif
