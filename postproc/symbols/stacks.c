/* SPDX-License-Identifier: Apache-2.0 */
/* Host stacks of all parts of traces as one tree. */
#include "postproc/symbols/stacks.h"
#include "base/array.h"
#include "base/intern.h"
#include "postproc/symbols/stored.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>

struct ct_stack_tree_part {
	size_t trace;
	uint32_t part;
	uint32_t *node; /* by row, from 1 */
	size_t rows;
};

/* These are needed while they are put together. */
struct merge {
	struct ct_stack_tree *stacks;
	struct ct_trace *trace; /* the one at hand */
	struct ct_intern files; /* by path and build id */
	struct ct_map module;   /* of it: part, module -> number of the file */
	struct ct_map places;   /* offset, file -> place + 1 */
	struct ct_map nodes;    /* caller, place -> node */
	size_t place_room, node_room;
};

static int add_file(struct merge *merge, const struct ct_host_event *event)
{
	const struct ct_event_module *module = event->module;
	const struct ct_code_file file = {
	    .path = ct_trace_string(merge->trace, event->part, module->path),
	    .build_id = ct_trace_string(merge->trace, event->part, module->build_id),
	    .seen_ns = module->header.time_ns,
	};
	size_t path = strlen(file.path) + 1, id = strlen(file.build_id);
	struct ct_stack_tree *stacks = merge->stacks;
	char *key = malloc(path + id);
	union ct_map_value *number;
	uint32_t found = 0;
	bool is_new = false;

	if (key) {
		memcpy(key, file.path, path);
		memcpy(key + path, file.build_id, id);
		found = ct_intern_add(&merge->files, key, path + id, &is_new);
		free(key);
	}
	number = found ? ct_map_put(&merge->module, event->part, module->module) : NULL;
	if (!number ||
	    (is_new && ct_array_grow(&stacks->file, stacks->files, sizeof(*stacks->file)) < 0))
		return -ENOMEM;
	if (is_new)
		stacks->file[stacks->files++] = file;
	else if (file.seen_ns < stacks->file[found - 1].seen_ns)
		stacks->file[found - 1].seen_ns = file.seen_ns;
	number->number = found;
	return 0;
}

/* Returns the place + 1, or 0 if memory is short. */
static uint32_t add_place(struct merge *merge, uint64_t offset, uint32_t file)
{
	union ct_map_value *known = ct_map_put(&merge->places, offset, file);
	struct ct_stack_tree *stacks = merge->stacks;

	if (!known ||
	    (!known->number && ct_array_reserve(&stacks->place, &merge->place_room,
						stacks->places + 1, sizeof(*stacks->place)) < 0))
		return 0;
	if (!known->number) {
		stacks->place[stacks->places] = (struct ct_code_place){offset, file};
		known->number = ++stacks->places;
	}
	return (uint32_t)known->number;
}

/* Returns 0 if memory is short. */
static uint32_t add_node(struct merge *merge, uint32_t caller, uint32_t place)
{
	union ct_map_value *known = ct_map_put(&merge->nodes, caller, place);
	struct ct_stack_tree *stacks = merge->stacks;

	if (!known ||
	    (!known->number && ct_array_reserve(&stacks->node, &merge->node_room, stacks->nodes + 1,
						sizeof(*stacks->node)) < 0))
		return 0;
	if (!known->number) {
		stacks->node[stacks->nodes] = (struct ct_stack_tree_node){caller, place};
		known->number = stacks->nodes++;
	}
	return (uint32_t)known->number;
}

/* A row that is lost is zeros: a frame that nothing is known of. Neither is of a caller that does
 * not stand before it. */
static int add_row(struct merge *merge, struct ct_stack_tree_part *part,
		   const struct ct_row_stack *row, uint32_t number)
{
	union ct_map_value *file = ct_map_find(&merge->module, part->part, row->module);
	uint32_t caller = row->caller < number ? part->node[row->caller] : 0;
	uint64_t offset = row->module && !file ? 0 : row->offset;
	uint32_t place = add_place(merge, offset, file ? (uint32_t)file->number : 0);

	part->node[number] = place ? add_node(merge, caller, place - 1) : 0;
	return part->node[number] ? 0 : -ENOMEM;
}

static int add_part(struct merge *merge, struct ct_stack_tree_part *part)
{
	const struct ct_row_stack *rows;
	size_t count;
	int err =
	    ct_trace_rows(merge->trace, part->part, CT_TABLE_STACK, (const void **)&rows, &count);

	if (err < 0)
		return err;
	part->node = calloc(count + 1, sizeof(*part->node));
	if (!part->node)
		return -ENOMEM;
	part->rows = count;
	for (size_t i = 0; i < count && err == 0; i++)
		err = add_row(merge, part, &rows[i], (uint32_t)(i + 1));
	return err;
}

static int merge_trace(struct merge *merge, struct ct_trace *trace, size_t number)
{
	const struct ct_process_info *processes;
	size_t parts = ct_trace_processes(trace, &processes), count;
	const struct ct_host_event *events;
	struct ct_stack_tree *stacks = merge->stacks;
	int err = 0;

	merge->trace = trace;
	ct_map_clear(&merge->module);
	count = ct_trace_events(trace, CT_EVENT_MODULE, &events);
	for (size_t i = 0; i < count && err == 0; i++)
		err = add_file(merge, &events[i]);
	for (size_t i = 0; i < parts && err == 0; i++) {
		err = ct_array_grow(&stacks->part, stacks->parts, sizeof(*stacks->part));
		if (err < 0)
			return err;
		stacks->part[stacks->parts] =
		    (struct ct_stack_tree_part){.trace = number, .part = processes[i].part};
		err = add_part(merge, &stacks->part[stacks->parts++]);
	}
	for (size_t i = 0; i < parts && err == 0; i++)
		err = ct_stored_add(stacks,
				    &(struct ct_stored_from){trace, &merge->module, &merge->places},
				    processes[i].part);
	return err;
}

static int begin(struct merge *merge)
{
	struct ct_stack_tree *stacks = merge->stacks;
	int err = ct_array_reserve(&stacks->node, &merge->node_room, 1, sizeof(*stacks->node));

	if (err == 0)
		stacks->node[stacks->nodes++] = (struct ct_stack_tree_node){0, 0};
	return err;
}

int ct_stacks_init(struct ct_stack_tree *stacks, struct ct_trace *trace)
{
	return ct_stacks_init_of(stacks, &trace, 1);
}

int ct_stacks_init_of(struct ct_stack_tree *stacks, struct ct_trace *const *trace, size_t traces)
{
	struct merge merge = {.stacks = stacks};
	int err;

	*stacks = (struct ct_stack_tree){0};
	err = begin(&merge);
	for (size_t i = 0; i < traces && err == 0; i++)
		err = merge_trace(&merge, trace[i], i);
	ct_intern_fini(&merge.files);
	ct_map_fini(&merge.module);
	ct_map_fini(&merge.places);
	ct_map_fini(&merge.nodes);
	if (err < 0)
		ct_stacks_fini(stacks);
	return err;
}

void ct_stacks_fini(struct ct_stack_tree *stacks)
{
	for (size_t i = 0; i < stacks->parts; i++)
		free(stacks->part[i].node);
	free(stacks->part);
	free(stacks->file);
	free(stacks->place);
	free(stacks->stored);
	free(stacks->node);
	*stacks = (struct ct_stack_tree){0};
}

const uint32_t *ct_stacks_part(const struct ct_stack_tree *stacks, uint32_t part, size_t *rows)
{
	return ct_stacks_part_of(stacks, 0, part, rows);
}

const uint32_t *ct_stacks_part_of(const struct ct_stack_tree *stacks, size_t trace, uint32_t part,
				  size_t *rows)
{
	*rows = 0;
	for (size_t i = 0; i < stacks->parts; i++) {
		if (stacks->part[i].trace != trace || stacks->part[i].part != part)
			continue;
		*rows = stacks->part[i].rows;
		return stacks->part[i].node;
	}
	return NULL;
}
