/* SPDX-License-Identifier: Apache-2.0 */
/* Nodes of the flow between objects. */
#include "postproc/analysis/values/nodes.h"

#include "base/array.h"
#include "base/map.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* Of the call's text, FNV-1a. */
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

/* The key that supersteps of one node share. */
static void key_of(const struct ct_value_engine *engine, uint32_t step, uint64_t key[2],
		   struct ct_values_node *node)
{
	const struct ct_superstep *at = &engine->superstep[step];

	*node = (struct ct_values_node){
	    .launch = at->launch, .transfer = at->transfer, .kernel = engine->step[step].kernel};
	if (at->launch) {
		key[0] = hash_of(at->launch->site);
		key[1] = node->kernel;
		return;
	}
	node->way = way_of(engine, step);
	key[0] = hash_of(at->transfer->call);
	key[1] = UINT64_MAX - node->way;
}

static int add_step(struct ct_value_engine *engine, struct ct_map *known, uint32_t step)
{
	struct ct_values_node node;
	union ct_map_value *found;
	uint64_t key[2];

	key_of(engine, step, key, &node);
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

int ct_value_nodes_prepare(struct ct_value_engine *engine)
{
	struct ct_map known = {.entry = NULL};
	int err = 0;

	engine->node = calloc(engine->steps + 1, sizeof(*engine->node));
	engine->unseen = calloc(engine->steps + 1, sizeof(*engine->unseen));
	if (!engine->node || !engine->unseen)
		return -ENOMEM;
	for (uint32_t s = 0; s < engine->steps && err == 0; s++) {
		engine->unseen[s + 1] = engine->unseen[s] + engine->step[s].hides_uses;
		err = add_step(engine, &known, s);
	}
	ct_map_fini(&known);
	return err;
}
