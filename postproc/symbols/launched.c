/* SPDX-License-Identifier: Apache-2.0 */
/* Which stack each launch and each transfer was made from. */
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

	/* The number of the part. */
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

/* A transfer is reported behind the real call, before the thread's next one. */
struct transfer_call {
	uint64_t begin_ns;
	uint32_t thread, stack, name;
};

static int by_begin(const void *a, const void *b)
{
	const struct transfer_call *x = a, *y = b;

	if (x->thread != y->thread)
		return x->thread < y->thread ? -1 : 1;
	return x->begin_ns < y->begin_ns ? -1 : x->begin_ns > y->begin_ns;
}

/* Those of a part with a stack, sorted; freed by the caller. NULL: *err is set. */
static struct transfer_call *transfer_calls(struct ct_trace *trace, uint32_t part, size_t *count,
					    int *err)
{
	const struct ct_row_call *call;
	struct transfer_call *found = NULL;
	size_t calls;

	*count = 0;
	*err = ct_trace_rows(trace, part, CT_TABLE_CALL, (const void **)&call, &calls);
	if (*err == 0)
		found = malloc((calls + 1) * sizeof(*found));
	if (*err == 0 && !found)
		*err = -ENOMEM;
	for (size_t i = 0; found && i < calls; i++)
		if (call[i].stack && call[i].kind <= CT_SPAN_DRIVER &&
		    !(call[i].flags & CT_SPAN_INNER))
			found[(*count)++] = (struct transfer_call){call[i].begin_ns, call[i].thread,
								   call[i].stack, call[i].name};
	if (found && *count)
		qsort(found, *count, sizeof(*found), by_begin);
	return found;
}

/* NULL: none. */
static const struct transfer_call *call_at(const struct transfer_call *call, size_t count,
					   uint32_t thread, uint64_t time_ns)
{
	size_t low = 0, high = count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (call[middle].thread < thread ||
		    (call[middle].thread == thread && call[middle].begin_ns <= time_ns))
			low = middle + 1;
		else
			high = middle;
	}
	return low && call[low - 1].thread == thread ? &call[low - 1] : NULL;
}

uint32_t *ct_transferred_from(struct ct_trace *trace, const struct ct_stack_tree *stacks, int *err)
{
	const struct ct_transfer_info *transfer;
	size_t count = ct_trace_transfers(trace, &transfer), calls = 0, rows = 0;
	uint32_t *node = calloc(count + 1, sizeof(*node));
	struct transfer_call *call = NULL;
	const uint32_t *of_row = NULL;

	*err = node ? 0 : -ENOMEM;
	for (size_t i = 0; i < count && *err == 0; i++) {
		const struct ct_event_transfer *event = transfer[i].event;
		const struct transfer_call *by;

		if (!i || transfer[i].part != transfer[i - 1].part) {
			free(call);
			call = transfer_calls(trace, transfer[i].part, &calls, err);
			of_row = ct_stacks_part(stacks, transfer[i].part, &rows);
		}
		by = call ? call_at(call, calls, event->thread, event->header.time_ns) : NULL;
		if (of_row && by && by->stack <= rows &&
		    !strcmp(ct_trace_string(trace, transfer[i].part, by->name), transfer[i].call))
			node[i] = of_row[by->stack];
	}
	free(call);
	if (*err < 0) {
		free(node);
		return NULL;
	}
	return node;
}
