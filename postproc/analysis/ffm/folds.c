/* SPDX-License-Identifier: Apache-2.0 */
/* Problems by function: sites are folded, then steps are grouped by their sites' folds. */
#include "postproc/analysis/ffm/folds.h"
#include "base/array.h"
#include "base/hash.h"
#include "base/intern.h"
#include "base/large.h"
#include "postproc/analysis/ffm/make_study.h"
#include "postproc/facts/folded_name.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* Stacks by base names, as a tree. */
struct naming {
	const struct ct_ffm_study *study;
	struct ct_intern names;
	uint32_t *name;       /* by frame: number of its folded name; 0: not asked for yet */
	struct ct_map frames; /* caller's number, name -> number, from 1 */
	uint32_t count;
	uint32_t *number; /* by node */
};

/* Returns 0 if memory is short. */
static uint32_t name_of(struct naming *naming, uint32_t frame)
{
	char *name;
	bool is_new;

	if (naming->name[frame])
		return naming->name[frame];
	name = ct_folded_name(ct_symbols_frame(naming->study->symbols, frame)->function);
	if (name)
		naming->name[frame] = ct_intern_add(&naming->names, name, strlen(name), &is_new);
	free(name);
	return naming->name[frame];
}

static int fold_node(struct naming *naming, uint32_t node)
{
	const struct ct_stack_tree_node *at = &naming->study->stacks.node[node];
	uint32_t number = naming->number[at->caller];
	const uint32_t *frames;
	size_t count = ct_symbols_frames(naming->study->symbols, at->place, &frames);

	while (count-- > 0) {
		uint32_t name = name_of(naming, frames[count]);
		union ct_map_value *known = name ? ct_map_put(&naming->frames, number, name) : NULL;

		if (!known)
			return -ENOMEM;
		if (!known->number)
			known->number = ++naming->count;
		number = (uint32_t)known->number;
	}
	naming->number[node] = number;
	return 0;
}

/* By node its stack's number; NULL: memory is short. */
static uint32_t *fold_stacks(const struct ct_ffm_study *study)
{
	struct naming naming = {
	    .study = study,
	    .name = calloc(ct_symbols_count(study->symbols) + 1, sizeof(uint32_t)),
	    .number = calloc(study->stacks.nodes, sizeof(uint32_t)),
	};
	int err = naming.name && naming.number ? 0 : -ENOMEM;

	for (uint32_t node = 1; node < study->stacks.nodes && err == 0; node++)
		err = fold_node(&naming, node);
	ct_intern_fini(&naming.names);
	ct_map_fini(&naming.frames);
	free(naming.name);
	if (err < 0) {
		free(naming.number);
		return NULL;
	}
	return naming.number;
}

/* A list of folds in the making. */
struct folding {
	const struct ct_ffm_study *study;
	const uint32_t *stack; /* by node; NULL: functions of the API are folded */
	struct ct_map numbers; /* text, stack -> fold + 1 */
	uint32_t *of_site;     /* its fold */
	struct ct_ffm_fold *fold;
	size_t folds;
};

static char *function_of(const struct folding *folding, uint32_t stack)
{
	const struct ct_code_frame *frame =
	    folding->stack ? ct_ffm_study_frame(folding->study, stack) : NULL;

	return frame ? ct_folded_name(frame->function) : strdup("");
}

static int fold_site(struct folding *folding, size_t number)
{
	const struct ct_ffm_site *site = &folding->study->site[number];
	union ct_map_value *known =
	    ct_map_put(&folding->numbers, ct_hash_join_string(0, site->call),
		       folding->stack ? folding->stack[site->stack] : 0);

	if (!known || (!known->number &&
		       ct_array_grow(&folding->fold, folding->folds, sizeof(*folding->fold)) < 0))
		return -ENOMEM;
	if (!known->number) {
		char *function = function_of(folding, site->stack);

		if (!function)
			return -ENOMEM;
		folding->fold[folding->folds] =
		    (struct ct_ffm_fold){.call = site->call, .function = function};
		known->number = ++folding->folds;
	}
	folding->of_site[number] = (uint32_t)known->number - 1;
	folding->fold[known->number - 1].occurrences += site->count;
	return 0;
}

static uint64_t worth_of(const struct ct_ffm_fold *fold)
{
	return ct_ffm_worth(fold->expected_ns, fold->replayed_ns, fold->is_replayed);
}

static void add_group(struct ct_ffm_fold *fold, const struct ct_ffm_group *group,
		      const struct ct_ffm_graph *graph)
{
	fold->count += group->times;
	if (fold->count > group->times && ct_ffm_worth(group->expected_ns, group->replayed_ns,
						       group->is_replayed) <= worth_of(fold))
		return;
	fold->expected_ns = group->expected_ns;
	fold->replayed_ns = group->replayed_ns;
	fold->is_replayed = group->is_replayed;
	fold->wait_ns = group->wait_ns;
	fold->call_ns = 0;
	for (size_t i = 0; i < group->times; i++)
		fold->call_ns +=
		    graph->step[group->step[i]].launch_ns + graph->step[group->step[i]].wait_ns;
}

static int add_process(struct folding *folding, const struct ct_ffm_process *process)
{
	const struct ct_ffm_graph *graph = &process->program.graph;
	uint32_t *key = ct_large_alloc(graph->steps + 1, sizeof(*key));
	size_t replays = ct_ffm_replays_of(graph);
	struct ct_ffm_groups groups = {.count = 0};
	int err = key ? 0 : -ENOMEM;

	for (size_t s = 0; s < graph->steps && err == 0; s++)
		key[s] = folding->of_site[process->site[s]];
	if (err == 0)
		err = ct_ffm_groups_by_key(&groups, graph, process->gap, key,
					   (uint32_t)folding->folds);
	if (err == 0)
		err = ct_ffm_groups_replay(&groups, replays, graph, &process->program.streams);
	for (size_t i = 0; i < groups.count && err == 0; i++)
		add_group(&folding->fold[groups.group[i].key], &groups.group[i], graph);
	ct_ffm_groups_fini(&groups);
	ct_large_free(key);
	return err;
}

/* Entries of calls that are folded. */
static int list_entries(struct folding *folding)
{
	const struct ct_ffm_study *study = folding->study;

	for (uint32_t i = 0; i < study->entries; i++) {
		const struct ct_ffm_site *site = &study->entry[i].site;
		const union ct_map_value *known =
		    ct_map_find(&folding->numbers, ct_hash_join_string(0, site->call),
				folding->stack ? folding->stack[site->stack] : 0);
		struct ct_ffm_fold *fold = known ? &folding->fold[known->number - 1] : NULL;

		if (!fold)
			continue;
		if (ct_array_grow(&fold->entry, fold->entries, sizeof(*fold->entry)) < 0)
			return -ENOMEM;
		fold->entry[fold->entries++] = i;
	}
	return 0;
}

static int compare_folds(const void *a, const void *b)
{
	const struct ct_ffm_fold *x = a, *y = b;
	int names = strcmp(x->call, y->call);

	if (worth_of(x) != worth_of(y))
		return worth_of(x) > worth_of(y) ? -1 : 1;
	if (x->wait_ns != y->wait_ns)
		return x->wait_ns > y->wait_ns ? -1 : 1;
	return names ? names : strcmp(x->function, y->function);
}

static void free_fold(struct ct_ffm_fold *fold)
{
	free(fold->function);
	free(fold->entry);
}

/* Those without problems are dropped. */
static void finish(struct folding *folding, struct ct_ffm_fold **list, size_t *count)
{
	*count = 0;
	for (size_t i = 0; i < folding->folds; i++)
		if (folding->fold[i].count)
			folding->fold[(*count)++] = folding->fold[i];
		else
			free_fold(&folding->fold[i]);
	if (*count)
		qsort(folding->fold, *count, sizeof(*folding->fold), compare_folds);
	*list = folding->fold;
}

static int fold(const struct ct_ffm_study *study, const uint32_t *stack, struct ct_ffm_fold **list,
		size_t *count)
{
	struct folding folding = {
	    .study = study,
	    .stack = stack,
	    .of_site = malloc((study->sites + 1) * sizeof(uint32_t)),
	};
	int err = folding.of_site ? 0 : -ENOMEM;

	for (size_t i = 0; i < study->sites && err == 0; i++)
		err = fold_site(&folding, i);
	for (size_t i = 0; i < study->processes && err == 0; i++)
		err = add_process(&folding, &study->process[i]);
	if (err == 0)
		err = list_entries(&folding);
	finish(&folding, list, count);
	ct_map_fini(&folding.numbers);
	free(folding.of_site);
	return err;
}

int ct_ffm_folds_init(struct ct_ffm_folds *folds, const struct ct_ffm_study *study)
{
	uint32_t *stack = fold_stacks(study);
	int err = stack ? 0 : -ENOMEM;

	*folds = (struct ct_ffm_folds){0};
	if (err == 0)
		err = fold(study, NULL, &folds->call, &folds->calls);
	if (err == 0)
		err = fold(study, stack, &folds->function, &folds->functions);
	free(stack);
	return err;
}

void ct_ffm_folds_fini(struct ct_ffm_folds *folds)
{
	for (size_t i = 0; i < folds->calls; i++)
		free_fold(&folds->call[i]);
	for (size_t i = 0; i < folds->functions; i++)
		free_fold(&folds->function[i]);
	free(folds->call);
	free(folds->function);
	*folds = (struct ct_ffm_folds){0};
}
