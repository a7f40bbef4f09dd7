/* SPDX-License-Identifier: Apache-2.0 */
/* Which stack each launch was made from. */
#include "postproc/symbols/launched.h"
#include "base/array.h"
#include "base/map.h"
#include "base/search.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* A launch of a graph, by its end. */
struct graph_call {
	uint64_t end_ns;
	uint32_t thread, stack;
};

struct joining {
	struct ct_trace *trace;
	const struct ct_stack_tree *stacks;
	const struct ct_launch_info *launch;
	size_t launches;
	uint32_t *node; /* by launch */

	/* Of the part. */
	uint32_t part;
	const uint32_t *of_row;
	size_t rows;
	size_t first, last;        /* its launches: those of a part stand together */
	struct ct_map number;      /* launch -> index + 1 */
	struct ct_map correlation; /* -> row of STACK; of calls that name no launch */
	struct graph_call *graph;
	size_t graphs, graph_room;
};

static void take_stack(struct joining *joining, size_t launch, uint32_t row)
{
	if (!joining->node[launch] && row <= joining->rows)
		joining->node[launch] = joining->of_row[row];
}

static bool launches_graph(const struct joining *joining, const struct ct_row_call *call)
{
	return strstr(ct_trace_string(joining->trace, joining->part, call->name), "GraphLaunch");
}

static int add_call(struct joining *joining, const struct ct_row_call *call)
{
	union ct_map_value *known;

	if (!call->stack || call->kind > CT_SPAN_DRIVER)
		return 0;
	known = call->launch ? ct_map_find(&joining->number, call->launch, 0) : NULL;
	if (known) {
		take_stack(joining, known->number - 1, call->stack);
		return 0;
	}
	if (!call->correlation || call->flags & CT_SPAN_INNER)
		return 0;
	known = ct_map_put(&joining->correlation, call->correlation, 0);
	if (!known)
		return -ENOMEM;
	known->number = call->stack;
	if (!launches_graph(joining, call))
		return 0;
	if (ct_array_reserve(&joining->graph, &joining->graph_room, joining->graphs + 1,
			     sizeof(*joining->graph)) < 0)
		return -ENOMEM;
	joining->graph[joining->graphs++] = (struct graph_call){
	    call->begin_ns + call->duration_ns,
	    call->thread,
	    call->stack,
	};
	return 0;
}

static int add_calls(struct joining *joining)
{
	const struct ct_row_call *call;
	size_t count;
	int err = ct_trace_rows(joining->trace, joining->part, CT_TABLE_CALL, (const void **)&call,
				&count);

	for (size_t i = 0; i < count && err == 0; i++)
		err = add_call(joining, &call[i]);
	return err;
}

static int add_activities(struct joining *joining)
{
	const struct ct_row_activity *row;
	size_t count;
	int err = ct_trace_rows(joining->trace, joining->part, CT_TABLE_ACTIVITY,
				(const void **)&row, &count);

	for (size_t i = 0; i < count && err == 0; i++) {
		const union ct_map_value *launch, *stack;

		if (!row[i].launch || !row[i].correlation)
			continue;
		launch = ct_map_find(&joining->number, row[i].launch, 0);
		stack = ct_map_find(&joining->correlation, row[i].correlation, 0);
		if (launch && stack)
			take_stack(joining, launch->number - 1, (uint32_t)stack->number);
	}
	return err;
}

static int compare(const void *a, const void *b)
{
	const struct graph_call *x = a, *y = b;

	return x->end_ns < y->end_ns ? -1 : x->end_ns > y->end_ns;
}

static void add_graphs(struct joining *joining)
{
	if (joining->graphs)
		qsort(joining->graph, joining->graphs, sizeof(*joining->graph), compare);
	for (size_t i = joining->first; i < joining->last && joining->graphs; i++) {
		const struct ct_event_launch *event = joining->launch[i].event;
		size_t at = ct_search_above(joining->graph, joining->graphs,
					    sizeof(*joining->graph), event->header.time_ns);

		if (joining->node[i])
			continue;
		while (at < joining->graphs && joining->graph[at].thread != event->thread)
			at++;
		if (at < joining->graphs)
			take_stack(joining, i, joining->graph[at].stack);
	}
}

/* Launches that a graph makes come without a call that names them. */
static int join_part(struct joining *joining)
{
	int err = 0;

	joining->part = joining->launch[joining->first].part;
	joining->of_row = ct_stacks_part(joining->stacks, joining->part, &joining->rows);
	if (!joining->of_row || !joining->rows)
		return 0;
	joining->graphs = 0;
	for (size_t i = joining->first; i < joining->last; i++) {
		union ct_map_value *number =
		    ct_map_put(&joining->number, joining->launch[i].event->launch, 0);

		if (!number)
			return -ENOMEM;
		number->number = i + 1;
	}
	err = add_calls(joining);
	if (err == 0)
		err = add_activities(joining);
	if (err == 0)
		add_graphs(joining);
	ct_map_clear(&joining->number);
	ct_map_clear(&joining->correlation);
	return err;
}

uint32_t *ct_launched_from(struct ct_trace *trace, const struct ct_stack_tree *stacks, int *err)
{
	struct joining joining = {.trace = trace, .stacks = stacks};

	joining.launches = ct_trace_launches(trace, &joining.launch);
	joining.node = calloc(joining.launches + 1, sizeof(*joining.node));
	*err = joining.node ? 0 : -ENOMEM;
	for (; joining.first < joining.launches && *err == 0; joining.first = joining.last) {
		for (joining.last = joining.first; joining.last < joining.launches; joining.last++)
			if (joining.launch[joining.last].part != joining.launch[joining.first].part)
				break;
		*err = join_part(&joining);
	}
	ct_map_fini(&joining.number);
	ct_map_fini(&joining.correlation);
	free(joining.graph);
	if (*err < 0) {
		free(joining.node);
		return NULL;
	}
	return joining.node;
}
