/* SPDX-License-Identifier: Apache-2.0 */
/* Nodes of the flow between objects. */
#include "postproc/analysis/values/base/nodes.h"

#include "base/array.h"
#include "base/map.h"
#include "postproc/symbols/launched.h"
#include "postproc/symbols/paths.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* Hashes the call's text, FNV-1a. */
static uint64_t hash_of(const char *text)
{
	uint64_t hash = 0xcbf29ce484222325u;

	for (; *text; text++)
		hash = (hash ^ (unsigned char)*text) * 0x100000001b3u;
	return hash;
}

static bool is_device(const struct ct_value_engine *engine, uint32_t step, uint64_t address)
{
	uint32_t object = address ? ct_value_object_at(engine, step, address) : CT_NONE;

	return object != CT_NONE && engine->first_object[object].event->kind != CT_OBJECT_HOST;
}

uint32_t ct_value_object_at(const struct ct_value_engine *engine, uint32_t step, uint64_t address)
{
	const struct ct_superstep *at = &engine->superstep[step];
	size_t low = 0, high = engine->objects;

	while (low < high) { /* the first that begins behind it, or later */
		size_t middle = low + (high - low) / 2;
		const struct ct_object_info *object =
		    &engine->first_object[engine->by_address[middle]];

		if (object->part < at->part ||
		    (object->part == at->part && (object->event->address < address ||
						  (object->event->address == address &&
						   object->allocated_at < at->event_index))))
			low = middle + 1;
		else
			high = middle;
	}
	while (low-- > 0) {
		uint32_t number = engine->by_address[low];
		const struct ct_object_info *object = &engine->first_object[number];

		if (object->part != at->part)
			break;
		if (object->allocated_at > at->event_index || object->freed_at < at->event_index)
			continue;
		return address - object->event->address < object->event->bytes ? number : CT_NONE;
	}
	return CT_NONE;
}

uint64_t ct_value_object_after(const struct ct_value_engine *engine, uint32_t step,
			       uint64_t address)
{
	uint32_t part = engine->superstep[step].part;
	size_t low = 0, high = engine->objects;

	while (low < high) {
		size_t middle = low + (high - low) / 2;
		const struct ct_object_info *object =
		    &engine->first_object[engine->by_address[middle]];

		if (object->part < part ||
		    (object->part == part && object->event->address <= address))
			low = middle + 1;
		else
			high = middle;
	}
	if (low == engine->objects || engine->first_object[engine->by_address[low]].part != part)
		return UINT64_MAX;
	return engine->first_object[engine->by_address[low]].event->address;
}

/* From where to where. */
static enum ct_values_way way_of(const struct ct_value_engine *engine, uint32_t step)
{
	const struct ct_event_transfer *event = engine->superstep[step].transfer->event;
	bool to = is_device(engine, step, event->target);
	bool from = is_device(engine, step, event->source);

	if (event->kind == CT_TRANSFER_SET)
		return CT_VALUES_SET;
	return to ? (from ? CT_VALUES_COPY : CT_VALUES_COPY_IN) : CT_VALUES_COPY_OUT;
}

static struct ct_values_node node_of(const struct ct_value_engine *engine, uint32_t step)
{
	const struct ct_superstep *at = &engine->superstep[step];

	return (struct ct_values_node){.launch = at->launch,
				       .transfer = at->transfer,
				       .kernel = engine->step[step].kernel,
				       .way = at->launch ? CT_VALUES_LAUNCH : way_of(engine, step)};
}

/* The key that all of one node share; caller: the stack or the path of a launch. */
void ct_value_node_key(const struct ct_values_node *node, uint32_t caller, uint64_t key[2])
{
	if (node->launch) {
		key[0] = hash_of(node->launch->site) ^ caller * 0x9e3779b97f4a7c15u;
		key[1] = (uint64_t)node->launch->event->context << 32 | node->kernel;
		return;
	}
	key[0] = hash_of(node->transfer->call);
	key[1] = UINT64_MAX - node->way;
}

static int add_step(struct ct_value_engine *engine, struct ct_map *known, uint32_t step,
		    uint32_t stack)
{
	struct ct_values_node node = node_of(engine, step);
	union ct_map_value *found;
	uint64_t key[2];

	ct_value_node_key(&node, stack, key);
	found = ct_map_put(known, key[0], key[1]);
	if (!found)
		return -ENOMEM;
	if (!found->number) {
		if (ct_array_grow(&engine->node_list, engine->nodes, sizeof(node)) < 0)
			return -ENOMEM;
		engine->node_list[engine->nodes++] = node;
		found->number = engine->nodes;
	}
	engine->node[step] = (uint32_t)found->number - 1;
	engine->node_list[found->number - 1].times++;
	return 0;
}

/* By launch of the trace, its stack. NULL: there are none, or *err is set. */
static uint32_t *stacks_of(const struct ct_value_engine *engine, int *err)
{
	struct ct_trace *trace = (struct ct_trace *)engine->trace;
	struct ct_stack_tree stacks;
	uint32_t *stack = NULL;

	*err = ct_stacks_init(&stacks, trace);
	if (*err == 0 && stacks.nodes > 1)
		stack = ct_launched_from(trace, &stacks, err);
	ct_stacks_fini(&stacks);
	return stack;
}

int ct_value_nodes_prepare(struct ct_value_engine *engine)
{
	struct ct_map known = {.entry = NULL};
	const struct ct_launch_info *first;
	uint32_t *stack;
	int err;

	engine->node = calloc(engine->steps + 1, sizeof(*engine->node));
	engine->unseen = calloc(engine->steps + 1, sizeof(*engine->unseen));
	if (!engine->node || !engine->unseen)
		return -ENOMEM;
	stack = stacks_of(engine, &err);
	ct_trace_launches(engine->trace, &first);
	for (uint32_t s = 0; s < engine->steps && err == 0; s++) {
		const struct ct_launch_info *launch = engine->superstep[s].launch;

		engine->unseen[s + 1] = engine->unseen[s] + engine->step[s].hides_uses;
		err = add_step(engine, &known, s, launch && stack ? stack[launch - first] : 0);
	}
	free(stack);
	ct_map_fini(&known);
	return err;
}
