/* SPDX-License-Identifier: Apache-2.0 */
/* Tables of objects: when they live, what memory they take, who writes and reads them. */
#include "postproc/analysis/values/findings/findings.h"
#include "postproc/analysis/values/findings/tables.h"
#include "postproc/analysis/values/findings/words.h"
#include "postproc/facts/words.h"
#include "postproc/symbols/path_text.h"
#include "postproc/tables/mean.h"
#include "postproc/tables/sink.h"

#include <errno.h>
#include <stdlib.h>

struct row_value_lifetimes {
	const struct ct_values_lifetime *life;
	const char *name, *patterns;
	double used_share, redundant_share;
};

struct row_value_memory {
	uint64_t number, bytes, needed;
};

struct row_value_peaks {
	enum ct_values_life_id pattern;
	uint64_t bytes;
};

struct row_value_objects {
	uint64_t number, count;
	const struct ct_object_info *info;
	const char *name, *allocated, *patterns;
};

struct row_value_nodes {
	uint64_t number;
	const struct ct_values_node *node;
	const char *kernel, *launched, *path;
};

struct row_value_flows {
	uint64_t number;
	const struct ct_values_flow *flow;
	const char *from, *to, *object;
};

#define CT_DESCRIBED "postproc/analysis/values/findings/objects.def"
#include "postproc/tables/described.h"

/* By group: elements and those of them that are redundant. */
struct moved {
	uint64_t elements, redundant;
};

static struct moved *count_moved(const struct ct_values_figures *values)
{
	struct moved *moved = calloc(values->groups + 1, sizeof(*moved));

	for (size_t i = 0; i < values->rows && moved; i++) {
		const struct ct_values_row *row = &values->row[i];

		moved[row->group].elements += row->counts.elements;
		moved[row->group].redundant += ct_values_redundant(&row->counts, row->class);
	}
	return moved;
}

static int put_life(struct ct_table_sink *sink, const struct ct_values_figures *values,
		    const struct ct_values_lifetime *life, const struct moved *moved)
{
	struct ct_value_words words = {.used = 0};
	const struct row_value_lifetimes row = {
	    .life = life,
	    .name = ct_value_object_name(values, life->group),
	    .patterns = words.text,
	    .used_share =
		values->has_values ? ct_mean(life->usage.used, life->object->event->bytes) : NAN,
	    .redundant_share = ct_mean(moved->redundant, moved->elements),
	};

	ct_value_words_add_lives(&words, life->patterns);
	return ct_table_put_row(sink, &row);
}

/* The largest first. */
static int compare_bytes(const void *a, const void *b)
{
	const struct ct_values_lifetime *x = *(const struct ct_values_lifetime *const *)a;
	const struct ct_values_lifetime *y = *(const struct ct_values_lifetime *const *)b;
	uint64_t p = x->object->event->bytes, q = y->object->event->bytes;

	return p != q ? (p > q ? -1 : 1) : x < y ? -1 : x > y;
}

static int rows_value_lifetimes(const void *from, struct ct_table_sink *sink)
{
	const struct ct_values_figures *values = from;
	const struct ct_values_lifetime **list = calloc(values->lives + 1, sizeof(*list));
	struct moved *moved = count_moved(values);
	int err = list && moved ? 0 : -ENOMEM;

	for (size_t i = 0; i < values->lives && err == 0; i++)
		list[i] = &values->life[i];
	if (err == 0)
		qsort(list, values->lives, sizeof(*list), compare_bytes);
	for (size_t i = 0; i < values->lives && err == 0; i++)
		err = put_life(sink, values, list[i], &moved[list[i]->group]);
	free(list);
	free(moved);
	return err;
}

static int rows_value_memory(const void *from, struct ct_table_sink *sink)
{
	const struct ct_values_memory *memory = &((const struct ct_values_figures *)from)->memory;
	int err = 0;

	for (size_t i = 0; i < memory->steps && err == 0; i++)
		err = ct_table_put_row(
		    sink, &(struct row_value_memory){i, memory->bytes[i], memory->needed[i]});
	return err;
}

static int rows_value_peaks(const void *from, struct ct_table_sink *sink)
{
	const struct ct_values_figures *values = from;
	int err = 0;

	for (unsigned p = 0; p < CT_LIFE_PATTERNS && err == 0; p++)
		err = ct_table_put_row(sink, &(struct row_value_peaks){(enum ct_values_life_id)p,
								       values->memory.without[p]});
	return err;
}

/* Every pattern of the group's sets and objects, once. */
static void add_group(struct ct_value_words *words, const struct ct_values_figures *values,
		      uint32_t group)
{
	uint32_t found = 0, lives = 0;

	for (size_t i = 0; i < values->lives; i++)
		lives |= values->life[i].group == group ? values->life[i].patterns : 0;
	for (size_t i = 0; i < values->sets; i++) {
		struct ct_values_pattern pattern[CT_VALUES_PATTERN_COUNT];
		size_t count = values->set[i].group == group
				   ? ct_values_patterns(&values->set[i], pattern)
				   : 0;

		for (size_t p = 0; p < count; p++)
			found |= 1u << pattern[p].id;
	}
	for (unsigned p = 0; p < CT_VALUES_PATTERN_COUNT; p++)
		if (found >> p & 1)
			ct_value_words_add(words,
					   ct_values_pattern_text((enum ct_values_pattern_id)p));
	ct_value_words_add_lives(words, lives);
}

static int rows_value_objects(const void *from, struct ct_table_sink *sink)
{
	const struct ct_values_figures *values = from;
	uint64_t number = 0;
	int err = 0;

	for (size_t g = 0; g < values->groups && err == 0; g++) {
		struct ct_value_words words = {.used = 0};
		char text[CT_VALUE_WORDS];

		if (!values->object[g])
			continue;
		add_group(&words, values, (uint32_t)g);
		err = ct_table_put_row(sink, &(struct row_value_objects){
						 number++, values->objects[g], values->object[g],
						 ct_value_object_name(values, (uint32_t)g),
						 ct_value_place_text(values->object[g]->site, text),
						 words.text});
	}
	return err;
}

static int rows_value_nodes(const void *from, struct ct_table_sink *sink)
{
	const struct ct_values_figures *values = from;
	int err = 0;

	for (size_t i = 0; i < values->nodes && err == 0; i++) {
		const struct ct_values_node *node = &values->node[i];
		char text[CT_VALUE_WORDS], *path = NULL;

		if (node->path) {
			path = ct_host_path_text(values->paths, node->path);
			err = path ? 0 : -ENOMEM;
		}
		if (err == 0)
			err = ct_table_put_row(
			    sink,
			    &(struct row_value_nodes){
				i, node, node->launch ? values->kernel[node->kernel].name : NULL,
				node->launch ? ct_value_place_text(node->launch->site, text) : NULL,
				path});
		free(path);
	}
	return err;
}

static int rows_value_flows(const void *from, struct ct_table_sink *sink)
{
	const struct ct_values_figures *values = from;
	int err = 0;

	for (size_t i = 0; i < values->flows && err == 0; i++) {
		const struct ct_values_flow *flow = &values->flow[i];
		char from[CT_VALUES_NODE_BYTES], to[CT_VALUES_NODE_BYTES];

		err = ct_table_put_row(
		    sink, &(struct row_value_flows){i, flow,
						    ct_values_node_text(values, flow->from, from),
						    ct_values_node_text(values, flow->to, to),
						    ct_value_object_name(values, flow->group)});
	}
	return err;
}

const struct ct_table_def ct_value_lifetimes_table = {CT_TABLE_SHOWN(value_lifetimes, NULL)};
const struct ct_table_def ct_value_memory_table = {CT_TABLE_PARTS(value_memory, NULL)};
const struct ct_table_def ct_value_peaks_table = {CT_TABLE_PARTS(value_peaks, NULL)};
const struct ct_table_def ct_value_objects_table = {CT_TABLE_PARTS(value_objects, NULL)};
const struct ct_table_def ct_value_nodes_table = {CT_TABLE_PARTS(value_nodes, NULL)};
const struct ct_table_def ct_value_flows_table = {CT_TABLE_SHOWN(value_flows, NULL)};
