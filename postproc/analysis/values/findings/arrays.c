/* SPDX-License-Identifier: Apache-2.0 */
/* Sets and rows by group. */
#include "postproc/analysis/values/findings/arrays.h"

#include <errno.h>
#include <stdlib.h>

static int compare_sets(const void *a, const void *b)
{
	const struct ct_values_set *x = *(const struct ct_values_set *const *)a,
				   *y = *(const struct ct_values_set *const *)b;

	if (x->group != y->group)
		return x->group < y->group ? -1 : 1;
	if (x->type != y->type)
		return x->type < y->type ? -1 : 1;
	if (x->is_store != y->is_store)
		return x->is_store ? 1 : -1;
	if (x->elements != y->elements)
		return x->elements > y->elements ? -1 : 1;
	return x->kernel < y->kernel ? -1 : x->kernel > y->kernel;
}

static int compare_rows(const void *a, const void *b)
{
	const struct ct_values_row *x = *(const struct ct_values_row *const *)a,
				   *y = *(const struct ct_values_row *const *)b;

	if (x->group != y->group)
		return x->group < y->group ? -1 : 1;
	return x < y ? -1 : x > y;
}

static uint64_t elements_of(const struct ct_values_array *array)
{
	uint64_t elements = 0;

	for (size_t i = 0; i < array->sets; i++)
		elements += array->set[i]->elements;
	return elements;
}

/* Puts the arrays of a group with the most elements first. */
static int compare_arrays(const void *a, const void *b)
{
	const struct ct_values_array *x = a, *y = b;
	uint64_t of_x = elements_of(x), of_y = elements_of(y);

	if (x->subject->group != y->subject->group)
		return x->subject->group < y->subject->group ? -1 : 1;
	if (of_x != of_y)
		return of_x > of_y ? -1 : 1;
	return x->set[0]->type < y->set[0]->type ? -1 : x->set[0]->type > y->set[0]->type;
}

static void judge_sets(struct ct_values_array *array)
{
	for (size_t i = 0; i < array->sets; i++) {
		array->is_loaded |= !array->set[i]->is_store;
		array->is_stored |= array->set[i]->is_store;
		for (size_t j = 0; j < i; j++)
			array->is_updated |= array->set[i]->kernel == array->set[j]->kernel &&
					     array->set[i]->is_store != array->set[j]->is_store;
	}
	for (size_t i = 0; i < array->rows; i++)
		array->has_atomics |= array->row[i]->class == CT_CLASS_ATOMIC;
}

/* By group: a variable holds from the beginning what the program says. */
static bool *find_chance(const struct ct_values_figures *figures)
{
	bool *is_by_chance = calloc(figures->groups + 1, sizeof(*is_by_chance));

	for (size_t i = 0; i < figures->flows && is_by_chance; i++) {
		const struct ct_values_flow *flow = &figures->flow[i];
		const struct ct_object_info *object = figures->object[flow->group];

		if (flow->from == CT_NODE_ALLOC && flow->read && object &&
		    object->event->kind != CT_OBJECT_VARIABLE)
			is_by_chance[flow->group] = true;
	}
	return is_by_chance;
}

/* By group. */
static bool *find_input(const struct ct_values_figures *figures)
{
	bool *is_input = calloc(figures->groups + 1, sizeof(*is_input));

	for (size_t i = 0; i < figures->flows && is_input; i++) {
		const struct ct_values_flow *flow = &figures->flow[i];

		if (flow->from != CT_NODE_ALLOC && flow->read &&
		    figures->node[flow->from].way == CT_VALUES_COPY_IN)
			is_input[flow->group] = true;
	}
	return is_input;
}

static void sort_all(struct ct_values_arrays *arrays, const struct ct_values_figures *figures)
{
	for (size_t i = 0; i < figures->sets; i++)
		arrays->set[i] = &figures->set[i];
	for (size_t i = 0; i < figures->rows; i++)
		arrays->row[i] = &figures->row[i];
	if (figures->sets)
		qsort(arrays->set, figures->sets, sizeof(*arrays->set), compare_sets);
	if (figures->rows)
		qsort(arrays->row, figures->rows, sizeof(*arrays->row), compare_rows);
}

static void make_arrays(struct ct_values_arrays *arrays, const struct ct_values_figures *figures,
			const struct ct_values_subject *subject)
{
	struct ct_values_array *array = NULL;
	size_t row = 0;

	for (size_t i = 0; i < figures->sets; i++) {
		const struct ct_values_set *set = arrays->set[i];

		if (array && array->subject->group == set->group &&
		    array->set[0]->type == set->type) {
			array->sets++;
			continue;
		}
		while (row < figures->rows && arrays->row[row]->group < set->group)
			row++;
		array = &arrays->list[arrays->count++];
		*array = (struct ct_values_array){.subject = &subject[set->group],
						  .set = &arrays->set[i],
						  .sets = 1,
						  .row = &arrays->row[row]};
		while (row + array->rows < figures->rows &&
		       array->row[array->rows]->group == set->group)
			array->rows++;
	}
}

int ct_values_arrays_init(struct ct_values_arrays *arrays, const struct ct_values_figures *figures,
			  const struct ct_values_subject *subject)
{
	bool *is_by_chance = find_chance(figures), *is_input = find_input(figures);

	*arrays = (struct ct_values_arrays){
	    .list = malloc((figures->sets + 1) * sizeof(*arrays->list)),
	    .set = malloc((figures->sets + 1) * sizeof(*arrays->set)),
	    .row = malloc((figures->rows + 1) * sizeof(*arrays->row)),
	};
	if (!arrays->list || !arrays->set || !arrays->row || !is_by_chance || !is_input) {
		free(is_by_chance);
		free(is_input);
		return -ENOMEM;
	}
	sort_all(arrays, figures);
	make_arrays(arrays, figures, subject);
	for (size_t i = 0; i < arrays->count; i++) {
		judge_sets(&arrays->list[i]);
		arrays->list[i].is_by_chance = is_by_chance[arrays->list[i].subject->group];
		arrays->list[i].is_input = is_input[arrays->list[i].subject->group];
	}
	if (arrays->count)
		qsort(arrays->list, arrays->count, sizeof(*arrays->list), compare_arrays);
	free(is_by_chance);
	free(is_input);
	return 0;
}

void ct_values_arrays_fini(struct ct_values_arrays *arrays)
{
	free(arrays->list);
	free(arrays->set);
	free(arrays->row);
	*arrays = (struct ct_values_arrays){.list = NULL};
}

const struct ct_values_row *ct_values_array_row(const struct ct_values_array *array,
						const struct ct_values_set *set)
{
	const struct ct_values_row *most = NULL;
	enum ct_class class = set->is_store ? CT_CLASS_STORE : CT_CLASS_LOAD;

	for (size_t i = 0; i < array->rows; i++) {
		const struct ct_values_row *row = array->row[i];

		if (row->kernel == set->kernel && row->class == class &&
		    (!most || row->counts.elements > most->counts.elements))
			most = row;
	}
	return most;
}

bool ct_values_set_pattern(const struct ct_values_set *set, enum ct_values_pattern_id id,
			   struct ct_values_pattern *found)
{
	struct ct_values_pattern pattern[CT_VALUES_PATTERN_COUNT];
	size_t count = ct_values_patterns(set, pattern);

	for (size_t p = 0; p < count; p++) {
		if (pattern[p].id != id)
			continue;
		*found = pattern[p];
		return true;
	}
	return false;
}
