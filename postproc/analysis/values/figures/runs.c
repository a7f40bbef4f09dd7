/* SPDX-License-Identifier: Apache-2.0 */
/* Joins what each launch, launch site, copy and memset found in memory. */
#include "postproc/analysis/values/figures/runs.h"
#include "postproc/analysis/values/base/facts.h"
#include "postproc/analysis/values/figures/nodes.h"

#include "base/array.h"
#include "base/map.h"
#include "postproc/symbols/paths.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>

int ct_value_runs_init(struct ct_value_runs *runs, const struct ct_value_engine *engine)
{
	runs->run = calloc(engine->steps + 1, sizeof(*runs->run));
	return runs->run ? 0 : -ENOMEM;
}

void ct_value_runs_add(struct ct_value_runs *runs, const struct ct_sum *sum)
{
	struct ct_value_run *run = &runs->run[(uint32_t)sum->key[0]];

	switch (CT_VALUE_FACT_OF(sum->key[0])) {
	case CT_VALUE_FACT_LAUNCH_LOADS:
		run->done.loads = sum->value[0];
		run->done.temporal = sum->value[1];
		break;
	case CT_VALUE_FACT_LAUNCH_STORES:
		run->done.stores = sum->value[0];
		run->done.redundant = sum->value[1];
		break;
	case CT_VALUE_FACT_LAUNCH_OPEN:
		run->done.unknown = sum->value[0];
		run->done.unreported = sum->value[1];
		break;
	default:
		run->same = sum->value[0];
		run->unknown = sum->value[1];
	}
}

static int add_launch(struct ct_values_figures *figures, const struct ct_value_engine *engine,
		      const struct ct_values_done *done, size_t step)
{
	if (ct_array_grow(&figures->launch, figures->launched, sizeof(*figures->launch)) < 0)
		return -ENOMEM;
	figures->launch[figures->launched++] =
	    (struct ct_values_launch){.launch = engine->superstep[step].launch,
				      .kernel = engine->step[step].kernel,
				      .step = (uint32_t)step,
				      .is_open = engine->step[step].floor > step,
				      .done = *done};
	return 0;
}

static int add_transfer(struct ct_values_figures *figures, const struct ct_value_engine *engine,
			const struct ct_value_run *run, size_t step)
{
	const struct ct_transfer_info *transfer = engine->superstep[step].transfer;
	const struct ct_event_transfer *event = transfer->event;
	uint32_t object = ct_value_object_at(engine, (uint32_t)step, event->target);
	uint64_t bytes = event->width * event->height * event->depth;
	bool is_fill = event->kind == CT_TRANSFER_SET && event->value_bytes;

	if (object == CT_NONE)
		return 0;
	if (ct_array_grow(&figures->transfer, figures->transfers, sizeof(*figures->transfer)) < 0)
		return -ENOMEM;
	figures->transfer[figures->transfers++] = (struct ct_values_transfer){
	    .transfer = transfer,
	    .apart = engine->node[step],
	    .step = (uint32_t)step,
	    .group = engine->object[object].group,
	    .bytes = bytes,
	    .same = run->same,
	    .unknown = is_fill && engine->has_values ? run->unknown : bytes};
	return 0;
}

/* Adds what `ctrun --contents=on` has seen of the part's copies. */
static int add_contents(struct ct_values_figures *figures, struct ct_trace *trace, uint32_t part,
			const struct ct_map *by_id)
{
	const struct ct_row_content *row;
	size_t count;
	int err = ct_trace_rows(trace, part, CT_TABLE_CONTENT, (const void **)&row, &count);

	for (size_t i = 0; i < count && err == 0; i++) {
		const union ct_map_value *found = ct_map_find(by_id, part, row[i].transfer);
		struct ct_values_transfer *to = found ? &figures->transfer[found->number] : NULL;

		if (to && row[i].bytes == to->bytes && row[i].same_bytes <= to->bytes) {
			to->hash[0] = row[i].hash_low;
			to->hash[1] = row[i].hash_high;
			to->has_hash = true;
			to->same = row[i].same_bytes;
			to->unknown = 0;
		}
	}
	return err;
}

/* Tables are loaded when they are asked for: by the thread that runs the pass, as here. */
static int look_up_contents(struct ct_values_figures *figures, const struct ct_value_engine *engine)
{
	struct ct_trace *trace = (struct ct_trace *)(uintptr_t)engine->trace;
	struct ct_map by_id = {.entry = NULL};
	uint32_t part = CT_NONE;
	int err = 0;

	for (size_t i = 0; i < figures->transfers && err == 0; i++) {
		const struct ct_transfer_info *info = figures->transfer[i].transfer;
		union ct_map_value *at = ct_map_put(&by_id, info->part, info->event->transfer);

		if (at)
			at->number = i;
		err = at ? 0 : -ENOMEM;
	}
	for (size_t i = 0; i < figures->transfers && err == 0; i++) {
		if (figures->transfer[i].transfer->part == part)
			continue;
		part = figures->transfer[i].transfer->part;
		err = add_contents(figures, trace, part, &by_id);
	}
	ct_map_fini(&by_id);
	return err;
}

/* By kernel, place and who has called there. */
static int compare_place(const void *a, const void *b)
{
	const struct ct_values_context *x = a, *y = b;
	uint32_t p = x->first->event->context, q = y->first->event->context;
	int by_text;

	if (x->kernel != y->kernel)
		return x->kernel < y->kernel ? -1 : 1;
	if (x->first->part != y->first->part)
		return x->first->part < y->first->part ? -1 : 1;
	if (p != q)
		return p < q ? -1 : 1;
	if (x->path != y->path)
		return x->path < y->path ? -1 : 1;
	by_text = strcmp(x->first->site, y->first->site);
	return by_text ? by_text : strcmp(x->first->region, y->first->region);
}

/* Those of one place as they were launched. */
static int compare_launch(const void *a, const void *b)
{
	const struct ct_values_context *x = a, *y = b;
	int by_place = compare_place(a, b);

	if (by_place)
		return by_place;
	return x->first->event_index < y->first->event_index
		   ? -1
		   : x->first->event_index > y->first->event_index;
}

static int compare_elements(const void *a, const void *b)
{
	const struct ct_values_done *x = &((const struct ct_values_context *)a)->done;
	const struct ct_values_done *y = &((const struct ct_values_context *)b)->done;
	uint64_t p = x->loads + x->stores, q = y->loads + y->stores;

	return p != q ? (p > q ? -1 : 1) : compare_launch(a, b);
}

static void merge(struct ct_values_context *to, const struct ct_values_context *from)
{
	to->launches += from->launches;
	to->unchanged += from->unchanged;
	to->repeats += from->repeats;
	to->done.loads += from->done.loads;
	to->done.temporal += from->done.temporal;
	to->done.stores += from->done.stores;
	to->done.redundant += from->done.redundant;
	to->done.unknown += from->done.unknown;
	to->done.unreported += from->done.unreported;
}

static bool is_unchanged(const struct ct_values_launch *launch)
{
	const struct ct_values_done *done = &launch->done;

	return !launch->is_open && done->stores && done->redundant == done->stores;
}

/* The next launch of one place, with nothing between that writes. */
static bool follows(const struct ct_values_figures *figures, size_t number, size_t *transfer)
{
	const struct ct_values_launch *before = &figures->launch[number - 1],
				      *launch = &figures->launch[number];

	while (*transfer < figures->transfers && figures->transfer[*transfer].step < before->step)
		++*transfer;
	return (*transfer == figures->transfers ||
		figures->transfer[*transfer].step > launch->step) &&
	       before->kernel == launch->kernel && before->path == launch->path &&
	       before->launch->part == launch->launch->part &&
	       !strcmp(before->launch->site, launch->launch->site);
}

/* By the paths that are known now. */
static void mark_repeats(struct ct_values_figures *figures)
{
	size_t first = 0, transfer = 0, changed = 0;

	for (size_t i = 0; i <= figures->launched; i++) {
		if (i && (i == figures->launched || !follows(figures, i, &transfer))) {
			for (size_t k = first + 1; k < i; k++)
				figures->launch[k].is_repeat =
				    changed <= 1 && is_unchanged(&figures->launch[k]);
			first = i;
			changed = 0;
		}
		if (i == figures->launched)
			break;
		figures->launch[i].is_repeat = false;
		changed += !is_unchanged(&figures->launch[i]);
	}
}

static int make_contexts(struct ct_values_figures *figures)
{
	struct ct_values_context *list = calloc(figures->launched + 1, sizeof(*list));
	size_t count = 0;

	mark_repeats(figures);
	free(figures->context);
	figures->contexts = 0;
	figures->context = list;
	if (!list)
		return -ENOMEM;
	for (size_t i = 0; i < figures->launched; i++) {
		const struct ct_values_launch *launch = &figures->launch[i];

		list[i] = (struct ct_values_context){
		    .first = launch->launch,
		    .kernel = launch->kernel,
		    .path = launch->path,
		    .launches = 1,
		    .unchanged = is_unchanged(launch),
		    .repeats = launch->is_repeat,
		    .done = launch->done,
		};
	}
	qsort(list, figures->launched, sizeof(*list), compare_launch);
	for (size_t i = 0; i < figures->launched; i++) {
		if (count && !compare_place(&list[count - 1], &list[i]))
			merge(&list[count - 1], &list[i]);
		else
			list[count++] = list[i];
	}
	qsort(list, count, sizeof(*list), compare_elements);
	figures->contexts = count;
	return 0;
}

int ct_values_set_paths(struct ct_values_figures *figures, const struct ct_host_paths *paths)
{
	figures->paths = paths;
	for (size_t i = 0; i < figures->launched; i++)
		figures->launch[i].path = ct_host_paths_of(paths, figures->launch[i].launch);
	if (ct_value_nodes_join(figures) < 0)
		return -ENOMEM;
	return make_contexts(figures);
}

int ct_value_runs_finish(const struct ct_value_runs *runs, struct ct_values_figures *figures,
			 const struct ct_value_engine *engine)
{
	int err = 0;

	for (size_t i = 0; i < engine->steps && err == 0; i++) {
		const struct ct_values_done *done = &runs->run[i].done;

		if (engine->superstep[i].transfer)
			err = add_transfer(figures, engine, &runs->run[i], i);
		else if (done->loads || done->stores)
			err = add_launch(figures, engine, done, i);
	}
	if (err == 0)
		err = look_up_contents(figures, engine);
	return err == 0 ? make_contexts(figures) : err;
}
