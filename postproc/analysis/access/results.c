/* SPDX-License-Identifier: Apache-2.0 */
/* From rows and sums, which come sorted by fact, kernel, group and site, to results. */
#include "postproc/analysis/access/results.h"
#include "postproc/analysis/access/stages.h"
#include "postproc/analysis/calls/calls.h"

#include "base/array.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>

uint32_t ct_access_space(const struct ct_access_results *results, uint32_t group)
{
	static const uint8_t space[CT_ACCESS_BESIDES] = {[CT_ACCESS_SEVERAL] = CT_SPACE_GLOBAL,
							 [CT_ACCESS_SHARED] = CT_SPACE_SHARED,
							 [CT_ACCESS_CONSTANT] = CT_SPACE_CONSTANT,
							 [CT_ACCESS_LOCAL] = CT_SPACE_LOCAL};

	return group < results->groups ? CT_SPACE_GLOBAL : space[group - results->groups];
}

const struct ct_access_object *ct_access_touched(const struct ct_access_results *results,
						 const struct ct_access_row *row)
{
	for (size_t i = 0; i < results->touches; i++)
		if (results->touched[i].kernel == row->kernel &&
		    results->touched[i].group == row->group)
			return &results->touched[i];
	return NULL;
}

double ct_access_requests_of(const struct ct_access_results *results, const char *symbol)
{
	double requests = 0;

	for (size_t i = 0; i < results->rows; i++)
		if (!strcmp(results->kernels.list[results->row[i].kernel].symbol, symbol))
			requests += (double)results->row[i].figures.requests;
	return requests;
}

static int add_groups(struct ct_access_results *results, const struct ct_access_engine *engine)
{
	results->groups = ct_objects_groups(engine->objects);
	results->object = calloc(results->groups, sizeof(*results->object));
	results->objects = calloc(results->groups, sizeof(*results->objects));
	if (!results->object || !results->objects)
		return -ENOMEM;
	for (uint32_t g = 0; g < results->groups; g++)
		results->object[g] = ct_objects_of_group(engine->objects, g, &results->objects[g]);
	return 0;
}

/* Distinct bytes of rows come by kernel, group and site, as rows do; each row in global memory has
 * some, unless it accesses none. */
static size_t add_row_fact(struct ct_access_results *results, const struct ct_access_engine *engine,
			   const struct ct_sum *sum, size_t row)
{
	const struct ct_access_site *site = &engine->site[sum->key[1]];

	while (row < results->rows &&
	       (results->row[row].kernel != CT_ACCESS_FACT_KERNEL(sum->key[0]) ||
		results->row[row].group != (uint32_t)sum->key[0] ||
		results->row[row].unit != site->unit || results->row[row].site != site->site))
		row++;
	if (row < results->rows) {
		results->row[row].unique = sum->value[0];
		results->row[row].unique_sectors = sum->value[1];
	}
	return row;
}

static int add_object(struct ct_access_results *results, const struct ct_sum *sum)
{
	if (ct_array_grow(&results->touched, results->touches, sizeof(*results->touched)) < 0)
		return -ENOMEM;
	results->touched[results->touches++] =
	    (struct ct_access_object){.kernel = CT_ACCESS_FACT_KERNEL(sum->key[0]),
				      .group = (uint32_t)sum->key[0],
				      .unique = sum->value[0],
				      .unique_sectors = sum->value[1]};
	return 0;
}

static int add_launch(struct ct_access_results *results, const struct ct_access_engine *engine,
		      const struct ct_sum *sum)
{
	const struct ct_sum *lines = ct_sums_find(
	    engine->sums, CT_ACCESS_FACT_KEY(CT_ACCESS_FACT_LINES, 0, (uint32_t)sum->key[0]), 0);

	if (ct_array_grow(&results->launch, results->launches, sizeof(*results->launch)) < 0)
		return -ENOMEM;
	results->launch[results->launches++] =
	    (struct ct_access_launch){.launch = &engine->first_launch[(uint32_t)sum->key[0]],
				      .bytes = sum->value[0],
				      .sectors = sum->value[1],
				      .half_lines = lines->value[0],
				      .lines = lines->value[1]};
	return 0;
}

static void add_hot(struct ct_access_results *results, const struct ct_access_engine *engine,
		    const struct ct_access_entry *entry)
{
	const struct ct_access_site *site = &engine->site[entry->value[1]];

	results->hot[results->hots++] =
	    (struct ct_access_hot){.launch = &engine->first_launch[entry->key[0]],
				   .address = entry->key[1],
				   .lanes = entry->value[0],
				   .unit = site->unit,
				   .site = site->site};
}

static int compare_hot(const void *left, const void *right)
{
	return ct_access_is_hotter(left, right) ? -1 : ct_access_is_hotter(right, left);
}

/* Each thread has given its hottest ones, so the hottest of all are among them. */
static int add_hots(struct ct_access_results *results, const struct ct_access_engine *engine,
		    const struct ct_sum *sum, size_t count)
{
	struct ct_access_entry *all = malloc((count + 1) * sizeof(*all));

	if (!all)
		return -ENOMEM;
	for (size_t i = 0; i < count; i++)
		all[i] = (struct ct_access_entry){{(uint32_t)sum[i].key[0], sum[i].key[1]},
						  {sum[i].value[0], sum[i].value[1]}};
	qsort(all, count, sizeof(*all), compare_hot);
	for (size_t i = 0; i < count && i < CT_ACCESS_HOT; i++)
		add_hot(results, engine, &all[i]);
	free(all);
	return 0;
}

static int add_facts(struct ct_access_results *results, struct ct_access_engine *engine)
{
	size_t count, row = 0;
	const struct ct_sum *sum = ct_sums_sorted(engine->sums, &count);
	int err = sum ? 0 : -ENOMEM;

	for (size_t i = 0; i < count && err == 0; i++) {
		switch (CT_ACCESS_FACT_OF(sum[i].key[0])) {
		case CT_ACCESS_FACT_ROW:
			row = add_row_fact(results, engine, &sum[i], row);
			break;
		case CT_ACCESS_FACT_OBJECT:
			err = add_object(results, &sum[i]);
			break;
		case CT_ACCESS_FACT_LAUNCH:
			err = add_launch(results, engine, &sum[i]);
			break;
		case CT_ACCESS_FACT_LINES:
			break; /* with the launch's */
		case CT_ACCESS_FACT_ATOMICS:
			results->atomic_lanes = sum[i].value[0];
			results->atomic_addresses = sum[i].value[1];
			break;
		case CT_ACCESS_FACT_HOT: /* the last ones */
			return add_hots(results, engine, &sum[i], count - i);
		}
	}
	return err;
}

int ct_access_results_make(struct ct_access_results *results, struct ct_access_engine *engine,
			   const struct ct_access_rows *rows)
{
	int err = add_groups(results, engine);

	results->kernels = engine->kernels;
	results->all_launches = engine->first_launch;
	engine->kernels = (struct ct_kernel_table){.list = NULL};
	if (err == 0)
		err = ct_access_rows_sorted(rows, engine, &results->row, &results->rows);
	return err == 0 ? add_facts(results, engine) : err;
}

int ct_access_set_times(struct ct_access_results *results, const struct ct_calls *calls)
{
	uint32_t count = results->kernels.count;

	free(results->seconds);
	results->seconds = calloc((size_t)count + 1, sizeof(*results->seconds));
	if (!results->seconds)
		return -ENOMEM;
	for (uint32_t k = 0; k < count; k++)
		results->seconds[k] =
		    ct_calls_mean_seconds(calls, results->kernels.list[k].symbol) *
		    (double)results->kernels.list[k].launches;
	return 0;
}

void ct_access_results_fini(struct ct_access_results *results)
{
	ct_kernel_table_fini(&results->kernels);
	free(results->object);
	free(results->objects);
	free(results->row);
	free(results->touched);
	free(results->launch);
	free(results->seconds);
	ct_access_heat_fini(&results->heat);
	*results = (struct ct_access_results){.rows = 0};
}
