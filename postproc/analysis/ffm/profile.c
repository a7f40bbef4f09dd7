/* SPDX-License-Identifier: Apache-2.0 */
/* Shows a profile of call times, and what of it is to be had (seed 000, Table 5.2). */
#include "base/array.h"
#include "base/hash.h"
#include "base/large.h"
#include "postproc/analysis/ffm/make_study.h"
#include <errno.h>
#include <stdlib.h>

/* Functions of a process. */
struct profiling {
	struct ct_ffm_profiled *row;
	size_t rows;
	struct ct_map numbers; /* text -> row + 1 */
};

/* Returns CT_FFM_NONE if memory is short. */
static uint32_t row_of(struct profiling *profiling, const char *call)
{
	union ct_map_value *number =
	    ct_map_put(&profiling->numbers, ct_hash_join_string(0, call), 0);

	if (!number || (!number->number && ct_array_grow(&profiling->row, profiling->rows,
							 sizeof(*profiling->row)) < 0))
		return CT_FFM_NONE;
	if (!number->number) {
		profiling->row[profiling->rows] = (struct ct_ffm_profiled){.call = call};
		number->number = ++profiling->rows;
	}
	return (uint32_t)number->number - 1;
}

/* function: by step, set here. */
static int add_steps(struct profiling *profiling, const struct ct_ffm_study *study,
		     const struct ct_ffm_process *process, uint32_t *function)
{
	const struct ct_ffm_graph *graph = &process->program.graph;
	uint32_t *of_site = malloc((study->sites + 1) * sizeof(*of_site));
	int err = of_site ? 0 : -ENOMEM;

	for (size_t i = 0; i < study->sites && err == 0; i++) {
		of_site[i] = row_of(profiling, study->site[i].call);
		err = of_site[i] == CT_FFM_NONE ? -ENOMEM : 0;
	}
	for (size_t s = 0; s < graph->steps && err == 0; s++) {
		struct ct_ffm_profiled *row;

		function[s] = of_site[process->site[s]];
		row = &profiling->row[function[s]];
		row->count++;
		row->call_ns += graph->step[s].launch_ns + graph->step[s].wait_ns;
		row->wait_ns += graph->step[s].wait_ns;
	}
	free(of_site);
	return err;
}

static int add_benefits(struct profiling *profiling, const struct ct_ffm_process *process,
			const uint32_t *function)
{
	struct ct_ffm_groups groups;
	int err = ct_ffm_groups_by_key(&groups, &process->program.graph, process->gap, function,
				       (uint32_t)profiling->rows);

	if (err == 0)
		err = ct_ffm_groups_replay(&groups, ct_ffm_replays_of(&process->program.graph),
					   &process->program.graph, &process->program.streams);
	for (size_t i = 0; i < groups.count && err == 0; i++) {
		const struct ct_ffm_group *group = &groups.group[i];
		struct ct_ffm_profiled *row = &profiling->row[group->key];

		row->expected_ns = group->expected_ns;
		row->replayed_ns = group->replayed_ns;
		row->is_replayed = group->is_replayed;
	}
	ct_ffm_groups_fini(&groups);
	return err;
}

static int compare_rows(const void *a, const void *b)
{
	const struct ct_ffm_profiled *x = a, *y = b;

	if (x->call_ns != y->call_ns)
		return x->call_ns > y->call_ns ? -1 : 1;
	return x->count != y->count ? (x->count > y->count ? -1 : 1) : 0;
}

/* Counts are sums; times those of the process that takes most in the function. */
static int join(struct ct_ffm_study *study, const struct profiling *process)
{
	struct profiling all = {.row = study->profile, .rows = study->profiled};
	int err = 0;

	for (size_t i = 0; i < study->profiled && err == 0; i++) {
		union ct_map_value *number =
		    ct_map_put(&all.numbers, ct_hash_join_string(0, all.row[i].call), 0);

		if (number)
			number->number = i + 1;
		err = number ? 0 : -ENOMEM;
	}
	for (size_t i = 0; i < process->rows && err == 0; i++) {
		const struct ct_ffm_profiled *row = &process->row[i];
		uint32_t number = row_of(&all, row->call);
		uint64_t count;

		err = number == CT_FFM_NONE ? -ENOMEM : 0;
		if (err < 0)
			break;
		count = all.row[number].count + row->count;
		if (row->call_ns >= all.row[number].call_ns)
			all.row[number] = *row;
		all.row[number].count = count;
	}
	ct_map_fini(&all.numbers);
	study->profile = all.row;
	study->profiled = all.rows;
	return err;
}

int ct_ffm_add_profile(struct ct_ffm_study *study, const struct ct_ffm_process *process)
{
	struct profiling profiling = {.rows = 0};
	uint32_t *function = ct_large_alloc(process->program.graph.steps + 1, sizeof(*function));
	int err = function ? add_steps(&profiling, study, process, function) : -ENOMEM;

	if (err == 0)
		err = add_benefits(&profiling, process, function);
	if (err == 0)
		err = join(study, &profiling);
	if (err == 0 && study->profiled)
		qsort(study->profile, study->profiled, sizeof(*study->profile), compare_rows);
	ct_large_free(function);
	free(profiling.row);
	ct_map_fini(&profiling.numbers);
	return err;
}
