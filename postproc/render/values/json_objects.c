/* SPDX-License-Identifier: Apache-2.0 */
/* Of the JSON of values: when objects live, memory over time, what flows between objects. */
#include "postproc/render/values/json_objects.h"
#include "postproc/render/base/words.h"

#define SHARE_DIGITS 9

void ct_values_put_life_patterns(struct ct_json *json, unsigned patterns)
{
	for (unsigned p = 0; p < CT_LIFE_PATTERNS; p++)
		if (patterns >> p & 1)
			ct_json_put_text(json, NULL,
					 ct_values_life_text((enum ct_values_life_id)p));
}

/* A superstep; null: there is none. */
static void put_step(struct ct_json *json, const char *key, uint32_t step)
{
	if (step == CT_NONE)
		ct_json_put_null(json, key);
	else
		ct_json_put_number(json, key, step);
}

static void put_usage(struct ct_json *json, const struct ct_values_lifetime *life)
{
	const struct ct_values_usage *usage = &life->usage;

	ct_json_put_number(json, "used_bytes", usage->used);
	ct_json_put_real(json, "fragmentation", usage->fragmentation, SHARE_DIGITS);
	ct_json_put_real(json, "access_mean", usage->mean, SHARE_DIGITS);
	ct_json_put_real(json, "access_deviation", usage->deviation, SHARE_DIGITS);
	ct_json_put_number(json, "slice_bytes", usage->slice);
	ct_json_put_number(json, "shared_bytes", usage->shared);
	ct_json_put_number(json, "written_bytes", usage->written);
	ct_json_put_number(json, "dead_bytes", usage->dead);
}

static void put_life(struct ct_json *json, const struct ct_values_lifetime *life)
{
	char text[512];

	ct_json_open_object(json, NULL, CT_JSON_INLINE);
	ct_json_put_text(json, "name", ct_words_object(life->object, text, sizeof(text)));
	ct_json_put_number(json, "part", life->object->part);
	ct_json_put_number(json, "object", life->object->event->object);
	ct_json_put_number(json, "bytes", life->object->event->bytes);
	ct_json_put_number(json, "born", life->born);
	put_step(json, "first_use", life->first);
	put_step(json, "last_use", life->last);
	ct_json_put_number(json, "died", life->died);
	ct_json_put_number(json, "launches_before", life->early);
	ct_json_put_number(json, "launches_after", life->late);
	ct_json_put_number(json, "idle_launches", life->idle);
	ct_json_put_number(json, "dead_writes", life->dead_writes);
	ct_json_put_bool(json, "is_sure", life->is_sure);
	put_usage(json, life);
	ct_json_open_array(json, "patterns", CT_JSON_INLINE);
	ct_values_put_life_patterns(json, life->patterns);
	ct_json_close(json);
	ct_json_close(json);
}

void ct_values_put_lives(struct ct_json *json, const struct ct_values_figures *figures)
{
	ct_json_open_array(json, "lifetimes", CT_JSON_LINES);
	for (size_t i = 0; i < figures->lives; i++)
		put_life(json, &figures->life[i]);
	ct_json_close(json);
}

#define COURSE 200u /* points in time, at most */

void ct_values_put_memory(struct ct_json *json, const struct ct_values_memory *memory)
{
	size_t step = memory->steps / COURSE + 1;

	ct_json_open_object(json, "memory", CT_JSON_LINES);
	ct_json_put_number(json, "peak_bytes", memory->peak);
	ct_json_put_number(json, "needed_peak_bytes", memory->needed_peak);
	ct_json_open_array(json, "without", CT_JSON_INLINE);
	for (unsigned p = 0; p < CT_LIFE_PATTERNS; p++) {
		ct_json_open_object(json, NULL, CT_JSON_INLINE);
		ct_json_put_text(json, "pattern", ct_values_life_text((enum ct_values_life_id)p));
		ct_json_put_number(json, "peak_bytes", memory->without[p]);
		ct_json_close(json);
	}
	ct_json_close(json);
	ct_json_open_array(json, "course", CT_JSON_INLINE);
	for (size_t s = 0; s < memory->steps; s += step) {
		ct_json_open_object(json, NULL, CT_JSON_INLINE);
		ct_json_put_number(json, "superstep", s);
		ct_json_put_number(json, "bytes", memory->bytes[s]);
		ct_json_put_number(json, "needed_bytes", memory->needed[s]);
		ct_json_close(json);
	}
	ct_json_close(json);
	ct_json_close(json);
}

static void put_node(struct ct_json *json, const struct ct_values_figures *figures,
		     const struct ct_values_node *node)
{
	char text[512];

	ct_json_open_object(json, NULL, CT_JSON_INLINE);
	ct_json_put_text(json, "kind", ct_values_way_text(node->way));
	if (node->launch) {
		ct_json_put_text(json, "kernel", figures->kernel[node->kernel].name);
		ct_json_put_text(json, "launched",
				 ct_words_descriptor(node->launch->site, text, sizeof(text)));
	} else {
		ct_json_put_text(json, "call", node->transfer->call);
	}
	ct_json_put_number(json, "times", node->times);
	ct_json_close(json);
}

static void put_flow(struct ct_json *json, const struct ct_values_figures *figures,
		     const struct ct_values_flow *flow)
{
	const struct ct_object_info *object = figures->object[flow->group];
	char text[512];

	ct_json_open_object(json, NULL, CT_JSON_INLINE);
	if (flow->from == CT_NODE_ALLOC)
		ct_json_put_null(json, "from");
	else
		ct_json_put_number(json, "from", flow->from);
	ct_json_put_number(json, "to", flow->to);
	ct_json_put_text(json, "object", object ? ct_words_object(object, text, sizeof(text)) : "");
	ct_json_put_number(json, "read_bytes", flow->read);
	ct_json_put_number(json, "overwritten_bytes", flow->over);
	ct_json_put_number(json, "same_bytes", flow->same);
	ct_json_close(json);
}

void ct_values_put_flows(struct ct_json *json, const struct ct_values_figures *figures)
{
	ct_json_open_array(json, "nodes", CT_JSON_LINES);
	for (size_t i = 0; i < figures->nodes; i++)
		put_node(json, figures, &figures->node[i]);
	ct_json_close(json);
	ct_json_open_array(json, "flows", CT_JSON_LINES);
	for (size_t i = 0; i < figures->flows; i++)
		put_flow(json, figures, &figures->flow[i]);
	ct_json_close(json);
}
