/* SPDX-License-Identifier: Apache-2.0 */
/* Steps with problems, side by side in their groups. */
#include "postproc/analysis/ffm/groups.h"
#include "base/array.h"
#include "base/large.h"
#include "base/map.h"
#include "base/parallel.h"
#include <errno.h>
#include <stdlib.h>

static int add_step(struct ct_ffm_group *group, size_t count, uint32_t step)
{
	int err = ct_array_grow(&group->step, count, sizeof(*group->step));

	if (err == 0)
		group->step[count] = step;
	return err;
}

static struct ct_ffm_group *add_group(struct ct_ffm_groups *groups, uint32_t key)
{
	if (ct_array_grow(&groups->group, groups->count, sizeof(*groups->group)) < 0)
		return NULL;
	groups->group[groups->count] = (struct ct_ffm_group){.key = key, .entries = 1};
	return &groups->group[groups->count++];
}

/* In the order of their begins, as ct_ffm_expect wants it. */
static int measure(struct ct_ffm_group *group, const struct ct_ffm_graph *graph,
		   const struct ct_ffm_gap *gap)
{
	size_t count = group->times * group->entries;
	uint32_t *chosen = ct_large_alloc(count + 1, sizeof(*chosen));
	int err;

	if (!chosen)
		return -ENOMEM;
	for (size_t i = 0; i < count; i++) {
		chosen[i] = group->step[i];
		group->wait_ns += graph->step[chosen[i]].wait_ns;
	}
	err = ct_ffm_sort_steps(graph, chosen, count);
	if (err == 0)
		err = ct_ffm_expect(graph, gap, chosen, count, &group->expected_ns);
	ct_large_free(chosen);
	return err;
}

static int compare_groups(const void *a, const void *b)
{
	const struct ct_ffm_group *x = a, *y = b;

	uint64_t x_worth = ct_ffm_worth(x->expected_ns, x->replayed_ns, x->is_replayed);
	uint64_t y_worth = ct_ffm_worth(y->expected_ns, y->replayed_ns, y->is_replayed);

	if (x_worth != y_worth)
		return x_worth > y_worth ? -1 : 1;
	if (x->wait_ns != y->wait_ns)
		return x->wait_ns > y->wait_ns ? -1 : 1;
	return x->step[0] < y->step[0] ? -1 : x->step[0] > y->step[0];
}

static int finish(struct ct_ffm_groups *groups, const struct ct_ffm_graph *graph,
		  const struct ct_ffm_gap *gap, int err)
{
	for (size_t i = 0; i < groups->count && err == 0; i++)
		err = measure(&groups->group[i], graph, gap);
	if (err < 0)
		ct_ffm_groups_fini(groups);
	else if (groups->count)
		qsort(groups->group, groups->count, sizeof(*groups->group), compare_groups);
	return err;
}

int ct_ffm_groups_by_key(struct ct_ffm_groups *groups, const struct ct_ffm_graph *graph,
			 const struct ct_ffm_gap *gap, const uint32_t *key, uint32_t keys)
{
	uint32_t *number = calloc((size_t)keys + 1, sizeof(*number)); /* of the key's group, + 1 */
	int err = number ? 0 : -ENOMEM;

	*groups = (struct ct_ffm_groups){0};
	for (size_t s = 0; s < graph->steps && err == 0; s++) {
		struct ct_ffm_group *group;

		if (!graph->step[s].problem)
			continue;
		if (!number[key[s]]) {
			if (!add_group(groups, key[s]))
				err = -ENOMEM;
			number[key[s]] = (uint32_t)groups->count;
		}
		if (err == 0) {
			group = &groups->group[number[key[s]] - 1];
			err = add_step(group, group->times, (uint32_t)s);
			group->times += err == 0;
		}
	}
	free(number);
	return finish(groups, graph, gap, err);
}

/* Sequences as paths in a tree of keys, so that those with the same keys end at the same node. */
struct tree {
	struct ct_map nodes; /* node, key -> node, from 1 */
	uint32_t count;
	struct ct_map groups; /* node -> group + 1 */
};

static int go_down(struct tree *tree, uint32_t *node, uint32_t key)
{
	union ct_map_value *next = ct_map_put(&tree->nodes, *node, key);

	if (!next)
		return -ENOMEM;
	if (!next->number)
		next->number = ++tree->count;
	*node = (uint32_t)next->number;
	return 0;
}

/* It waits, however short, and must: a misplaced one, too. */
static bool is_needed(const struct ct_ffm_step *step)
{
	return step->scope != CT_FFM_NOTHING &&
	       !(step->problem & (CT_FFM_UNNECESSARY | CT_FFM_TRANSFER));
}

/* The first step behind those of the sequence that begins with `first`; *node is where they lead.
 */
static int walk(struct tree *tree, const struct ct_ffm_graph *graph, const uint32_t *key,
		size_t first, size_t *end, uint32_t *node)
{
	size_t s = first;
	int err = 0;

	*node = 0;
	for (; s < graph->steps && graph->step[s].thread == graph->step[first].thread && err == 0;
	     s++) {
		/* A misplaced wait is needed: it ends a sequence, or is one. */
		if (is_needed(&graph->step[s]) && s > first)
			break;
		if (graph->step[s].problem)
			err = go_down(tree, node, key[s]);
		if (is_needed(&graph->step[s])) {
			s++;
			break;
		}
	}
	*end = s;
	return err;
}

static int add_sequence(struct ct_ffm_groups *groups, struct tree *tree,
			const struct ct_ffm_graph *graph, const uint32_t *key, size_t first,
			size_t end, uint32_t node)
{
	union ct_map_value *number = ct_map_put(&tree->groups, node, 0);
	struct ct_ffm_group *group;
	size_t count, entries = 0;
	int err = 0;

	if (!number)
		return -ENOMEM;
	if (!number->number) {
		if (!add_group(groups, key[first]))
			return -ENOMEM;
		number->number = groups->count;
	}
	group = &groups->group[number->number - 1];
	count = group->times * group->entries;
	for (size_t s = first; s < end && err == 0; s++)
		if (graph->step[s].problem)
			err = add_step(group, count + entries++, (uint32_t)s);
	group->entries = entries;
	group->times += err == 0;
	return err;
}

int ct_ffm_groups_of_sequences(struct ct_ffm_groups *groups, const struct ct_ffm_graph *graph,
			       const struct ct_ffm_gap *gap, const uint32_t *key)
{
	struct tree tree = {.count = 0};
	int err = 0;

	*groups = (struct ct_ffm_groups){0};
	for (size_t s = 0, end; s < graph->steps && err == 0; s = end) {
		uint32_t node;

		end = s + 1;
		if (!graph->step[s].problem)
			continue;
		err = walk(&tree, graph, key, s, &end, &node);
		if (err == 0)
			err = add_sequence(groups, &tree, graph, key, s, end, node);
	}
	ct_map_fini(&tree.nodes);
	ct_map_fini(&tree.groups);
	return finish(groups, graph, gap, err);
}

void ct_ffm_groups_fini(struct ct_ffm_groups *groups)
{
	for (size_t i = 0; i < groups->count; i++)
		free(groups->group[i].step);
	free(groups->group);
	*groups = (struct ct_ffm_groups){0};
}

/* Every so many groups, from one on: each reads the graph, and changes its own alone. */
struct replaying {
	struct ct_ffm_group *group;
	const struct ct_ffm_graph *graph;
	const struct ct_ffm_streams *streams;
};

static int replay(void *user, size_t number)
{
	const struct replaying *replaying = user;
	struct ct_ffm_group *group = &replaying->group[number];

	group->is_replayed = true;
	return ct_ffm_replay(replaying->graph, replaying->streams, group->step,
			     group->times * group->entries, &group->replayed_ns);
}

int ct_ffm_groups_replay(struct ct_ffm_groups *groups, size_t first,
			 const struct ct_ffm_graph *graph, const struct ct_ffm_streams *streams)
{
	struct replaying replaying = {groups->group, graph, streams};
	int err = ct_parallel(first < groups->count ? first : groups->count, replay, &replaying);

	if (groups->count)
		qsort(groups->group, groups->count, sizeof(*groups->group), compare_groups);
	return err;
}

int ct_ffm_subsequence(const struct ct_ffm_group *group, size_t from, size_t to,
		       const struct ct_ffm_graph *graph, const struct ct_ffm_gap *gap,
		       struct ct_ffm_group *part)
{
	int err;

	*part = (struct ct_ffm_group){.times = group->times};
	if (from > to || to >= group->entries)
		return -EINVAL;
	part->entries = to - from + 1;
	part->step = malloc((part->entries * part->times + 1) * sizeof(*part->step));
	if (!part->step)
		return -ENOMEM;
	for (size_t t = 0; t < part->times; t++)
		for (size_t e = 0; e < part->entries; e++)
			part->step[t * part->entries + e] =
			    group->step[t * group->entries + from + e];
	err = measure(part, graph, gap);
	if (err < 0)
		free(part->step);
	return err;
}
