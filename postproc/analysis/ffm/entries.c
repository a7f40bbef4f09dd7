/* SPDX-License-Identifier: Apache-2.0 */
/* Steps with problems to entries, and calls to the profile. */
#include "base/array.h"
#include "base/hash.h"
#include "base/large.h"
#include "postproc/analysis/ffm/make_study.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define STEP_KINDS 3u            /* of enum ct_ffm_kind: those of steps */
#define REPLAYED_STEPS 30000000u /* of a process' entries together, */
#define REPLAYED_LEAST 3u        /* but of so many in any case */

enum ct_ffm_kind ct_ffm_kind_of(uint8_t problem)
{
	if (problem & CT_FFM_TRANSFER)
		return CT_FFM_REPEATED_COPY;
	return problem & CT_FFM_UNNECESSARY ? CT_FFM_UNNECESSARY_WAIT : CT_FFM_MISPLACED_WAIT;
}

static uint64_t key_of(enum ct_ffm_kind kind, uint32_t stack)
{
	return (uint64_t)kind << 32 | stack;
}

struct ct_ffm_entry *ct_ffm_study_entry(struct ct_ffm_study *study, enum ct_ffm_kind kind,
					const char *call, uint32_t stack)
{
	union ct_map_value *number;

	number =
	    ct_map_put(&study->entry_numbers, key_of(kind, stack), ct_hash_join_string(0, call));
	if (!number || (!number->number &&
			ct_array_grow(&study->entry, study->entries, sizeof(*study->entry)) < 0))
		return NULL;
	if (!number->number) {
		study->entry[study->entries] =
		    (struct ct_ffm_entry){.kind = kind, .site = {.call = call, .stack = stack}};
		number->number = ++study->entries;
	}
	return &study->entry[number->number - 1];
}

struct ct_ffm_entry *ct_ffm_study_find(const struct ct_ffm_study *study, enum ct_ffm_kind kind,
				       const char *call, uint32_t stack)
{
	const union ct_map_value *number =
	    ct_map_find(&study->entry_numbers, key_of(kind, stack), ct_hash_join_string(0, call));

	return number ? &study->entry[number->number - 1] : NULL;
}

const struct ct_ffm_entry *ct_ffm_study_entry_of(const struct ct_ffm_study *study,
						 const struct ct_ffm_process *process,
						 uint32_t step)
{
	uint8_t problem = process->program.graph.step[step].problem;
	const struct ct_ffm_site *site = &study->site[process->site[step]];

	return problem ? ct_ffm_study_find(study, ct_ffm_kind_of(problem), site->call, site->stack)
		       : NULL;
}

const struct ct_ffm_entry *ct_ffm_study_entry_at(const struct ct_ffm_study *study, uint32_t part,
						 const struct ct_row_call *call)
{
	for (size_t i = 0; i < study->processes; i++) {
		const struct ct_ffm_process *process = &study->process[i];
		uint32_t step = process->calls_part == part
				    ? ct_ffm_step_of(&process->program, call)
				    : CT_FFM_NONE;

		if (step != CT_FFM_NONE)
			return ct_ffm_study_entry_of(study, process, step);
	}
	return NULL;
}

int ct_ffm_entry_relate(struct ct_ffm_entry *entry, enum ct_ffm_site_role role, const char *call,
			uint32_t stack, uint64_t count)
{
	struct ct_ffm_related *related;
	size_t at = 0;

	for (; at < entry->relations; at++) {
		related = &entry->related[at];
		if (related->role == role && related->site.stack == stack &&
		    strcmp(related->site.call, call) == 0)
			break;
	}
	if (at == entry->relations) {
		if (ct_array_grow(&entry->related, at, sizeof(*entry->related)) < 0)
			return -ENOMEM;
		entry->related[entry->relations++] =
		    (struct ct_ffm_related){{.call = call, .stack = stack}, role};
	}
	entry->related[at].site.count += count;
	return 0;
}

uint64_t ct_ffm_entry_worth(const struct ct_ffm_entry *entry)
{
	return ct_ffm_worth(entry->expected_ns, entry->replayed_ns, entry->is_replayed);
}

static int compare_related(const void *a, const void *b)
{
	const struct ct_ffm_related *x = a, *y = b;

	if (x->site.count != y->site.count)
		return x->site.count > y->site.count ? -1 : 1;
	return x->role != y->role ? (x->role < y->role ? -1 : 1) : 0;
}

static int compare_entries(const void *a, const void *b)
{
	const struct ct_ffm_entry *x = a, *y = b;

	if (ct_ffm_entry_worth(x) != ct_ffm_entry_worth(y))
		return ct_ffm_entry_worth(x) > ct_ffm_entry_worth(y) ? -1 : 1;
	if (x->expected_ns != y->expected_ns)
		return x->expected_ns > y->expected_ns ? -1 : 1;
	if (x->call_ns != y->call_ns)
		return x->call_ns > y->call_ns ? -1 : 1;
	if (x->kind != y->kind)
		return x->kind < y->kind ? -1 : 1;
	return x->site.stack < y->site.stack ? -1 : x->site.stack > y->site.stack;
}

int ct_ffm_sort_entries(struct ct_ffm_study *study)
{
	ct_map_clear(&study->entry_numbers);
	if (study->entries)
		qsort(study->entry, study->entries, sizeof(*study->entry), compare_entries);
	for (size_t i = 0; i < study->entries; i++) {
		const struct ct_ffm_entry *entry = &study->entry[i];
		union ct_map_value *number =
		    ct_map_put(&study->entry_numbers, key_of(entry->kind, entry->site.stack),
			       ct_hash_join_string(0, entry->site.call));

		if (!number)
			return -ENOMEM;
		number->number = i + 1;
		if (entry->relations)
			qsort(entry->related, entry->relations, sizeof(*entry->related),
			      compare_related);
	}
	return 0;
}

static int compare_times(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return x < y ? -1 : x > y;
}

/* Returns the median of misplaced waits. */
static int median_first_use(const struct ct_ffm_group *group, const struct ct_ffm_graph *graph,
			    uint64_t *median_ns)
{
	uint64_t *time = malloc((group->times + 1) * sizeof(*time));

	if (!time)
		return -ENOMEM;
	for (size_t i = 0; i < group->times; i++)
		time[i] = graph->step[group->step[i]].first_use_ns;
	qsort(time, group->times, sizeof(*time), compare_times);
	*median_ns = time[group->times / 2];
	free(time);
	return 0;
}

/* By replay the program ends before work does that no later wait covers: that would be cut off, not
 * saved, so Figure 5.1 is the bound, for which the program's end is a wait. */
static int64_t bounded(const struct ct_ffm_process *process, const struct ct_ffm_group *group)
{
	bool is_last = true;

	for (size_t i = 0; i < group->times; i++)
		is_last &=
		    process->program.graph.step[group->step[i]].problem & CT_FFM_UNNECESSARY &&
		    process->gap[group->step[i]].next == CT_FFM_NONE;
	return is_last && group->replayed_ns > (int64_t)group->expected_ns
		   ? (int64_t)group->expected_ns
		   : group->replayed_ns;
}

/* Counts are sums; times those of the process that has most to gain. */
static int add_group(struct ct_ffm_study *study, const struct ct_ffm_process *process,
		     const struct ct_ffm_group *group)
{
	const struct ct_ffm_program *program = &process->program;
	enum ct_ffm_kind kind = group->key % STEP_KINDS;
	const struct ct_ffm_site *site = &study->site[group->key / STEP_KINDS];
	struct ct_ffm_entry *entry = ct_ffm_study_entry(study, kind, site->call, site->stack);
	bool is_first;
	int err = 0;

	if (!entry)
		return -ENOMEM;
	is_first = entry->processes++ == 0;
	entry->site.count += group->times;
	for (size_t i = 0; i < group->times; i++)
		entry->bytes += program->calls[program->call[group->step[i]]].bytes;
	if (!is_first && ct_ffm_worth(group->expected_ns, group->replayed_ns, group->is_replayed) <=
			     ct_ffm_entry_worth(entry))
		return 0;
	entry->expected_ns = group->expected_ns;
	entry->replayed_ns = bounded(process, group);
	entry->is_replayed = group->is_replayed;
	entry->wait_ns = group->wait_ns;
	entry->evidence = program->graph.step[group->step[0]].evidence;
	entry->call_ns = 0;
	for (size_t i = 0; i < group->times; i++)
		entry->call_ns += program->graph.step[group->step[i]].launch_ns +
				  program->graph.step[group->step[i]].wait_ns;
	if (kind == CT_FFM_MISPLACED_WAIT)
		err = median_first_use(group, &program->graph, &entry->first_use_ns);
	return err;
}

static bool is_small(const struct ct_ffm_study *study, const struct ct_ffm_entry *entry)
{
	return entry->expected_ns * CT_FFM_SMALL_PART < study->run_ns &&
	       ct_ffm_entry_worth(entry) * CT_FFM_SMALL_PART < study->run_ns;
}

size_t ct_ffm_study_large(const struct ct_ffm_study *study)
{
	size_t count = study->entries;

	while (count && is_small(study, &study->entry[count - 1]))
		count--;
	return count;
}

size_t ct_ffm_replays_of(const struct ct_ffm_graph *graph)
{
	size_t count = REPLAYED_STEPS / (graph->steps + 1);

	return count > REPLAYED_LEAST ? count : REPLAYED_LEAST;
}

int ct_ffm_add_union(struct ct_ffm_study *study, struct ct_ffm_process *process)
{
	const struct ct_ffm_program *program = &process->program;
	const struct ct_ffm_graph *graph = &program->graph;
	uint32_t *chosen = ct_large_alloc(graph->steps + 1, sizeof(*chosen));
	size_t count = 0;
	int err = chosen ? 0 : -ENOMEM;

	for (size_t s = 0; s < graph->steps && err == 0; s++)
		if (graph->step[s].problem || graph->step[s].latent)
			chosen[count++] = (uint32_t)s;
	if (err == 0)
		err = ct_ffm_sort_steps(graph, chosen, count);
	if (err == 0)
		err = ct_ffm_expect(graph, process->gap, chosen, count, &process->expected_ns);
	if (err == 0 && count)
		err = ct_ffm_replay(graph, &program->streams, chosen, count, &process->replayed_ns);
	ct_large_free(chosen);
	if (err == 0 && process->expected_ns >= study->expected_ns) {
		study->expected_ns = process->expected_ns;
		study->replayed_ns = process->replayed_ns;
	}
	return err;
}

int ct_ffm_add_entries(struct ct_ffm_study *study, struct ct_ffm_process *process)
{
	const struct ct_ffm_program *program = &process->program;
	const struct ct_ffm_graph *graph = &program->graph;
	uint32_t *key = ct_large_alloc(graph->steps + 1, sizeof(*key));
	size_t replays = ct_ffm_replays_of(graph);
	struct ct_ffm_groups groups = {.count = 0};
	int err = key ? 0 : -ENOMEM;

	for (size_t s = 0; s < graph->steps && err == 0; s++)
		key[s] = process->site[s] * STEP_KINDS + ct_ffm_kind_of(graph->step[s].problem);
	if (err == 0)
		err = ct_ffm_groups_by_key(&groups, graph, process->gap, key,
					   (uint32_t)study->sites * STEP_KINDS);
	if (err == 0)
		err = ct_ffm_groups_replay(&groups, replays, graph, &program->streams);
	for (size_t i = 0; i < groups.count && err == 0; i++)
		err = add_group(study, process, &groups.group[i]);
	ct_ffm_groups_fini(&groups);
	ct_large_free(key);
	return err;
}
