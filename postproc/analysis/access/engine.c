/* SPDX-License-Identifier: Apache-2.0 */
/* Keeps what the scan and the stages look up. */
#include "postproc/analysis/access/engine.h"
#include "postproc/facts/numbered.h"

#include <errno.h>
#include <stdlib.h>

static int prepare_sites(struct ct_access_engine *engine)
{
	size_t count = ct_trace_units(engine->trace, &engine->units), at = 0;
	int err = ct_first_sites(engine->trace, &engine->first_site);

	if (err < 0)
		return err;
	engine->sites = engine->first_site[count];
	if (engine->sites >> CT_ACCESS_SITE_BITS)
		return -EOVERFLOW;
	engine->site = malloc(((size_t)engine->sites + 1) * sizeof(*engine->site));
	if (!engine->site)
		return -ENOMEM;
	for (size_t u = 0; u < count; u++) {
		const struct ct_unit *unit = &engine->units[u];

		for (uint32_t s = 0; s < unit->header->site_count; s++)
			engine->site[at++] = (struct ct_access_site){
			    unit, s, 0, ct_operation_class(unit->sites[s].operation)};
	}
	return 0;
}

struct order {
	const struct ct_access_site *site;
	const struct ct_unit_site *info;
	uint32_t number;
};

/* Copies of one access, as inlining and unrolling make them, come side by side, the first one
 * first. What has no line is a copy of none. */
static int compare_copies(const struct order *x, const struct order *y)
{
	const uint32_t a[] = {x->info->file,
			      x->info->line,
			      x->info->column,
			      x->info->operation,
			      x->info->bytes,
			      x->info->function,
			      x->info->line ? 0 : x->number},
		       b[] = {y->info->file,
			      y->info->line,
			      y->info->column,
			      y->info->operation,
			      y->info->bytes,
			      y->info->function,
			      y->info->line ? 0 : y->number};

	if (x->site->unit != y->site->unit)
		return x->site->unit < y->site->unit ? -1 : 1;
	for (unsigned i = 0; i < sizeof(a) / sizeof(*a); i++)
		if (a[i] != b[i])
			return a[i] < b[i] ? -1 : 1;
	return 0;
}

static int compare_order(const void *left, const void *right)
{
	const struct order *a = left, *b = right;
	int by_copies = compare_copies(a, b);

	return by_copies ? by_copies : a->number < b->number ? -1 : a->number > b->number;
}

static int find_copies(struct ct_access_engine *engine)
{
	struct order *order = malloc(((size_t)engine->sites + 1) * sizeof(*order));

	if (!order)
		return -ENOMEM;
	for (uint32_t i = 0; i < engine->sites; i++)
		order[i] = (struct order){&engine->site[i],
					  &engine->site[i].unit->sites[engine->site[i].site], i};
	qsort(order, engine->sites, sizeof(*order), compare_order);
	for (uint32_t i = 0; i < engine->sites; i++) {
		bool is_copy = i && !compare_copies(&order[i - 1], &order[i]);

		engine->site[order[i].number].first =
		    is_copy ? engine->site[order[i - 1].number].first : order[i].number;
	}
	free(order);
	return 0;
}

int ct_access_engine_prepare(struct ct_access_engine *engine)
{
	size_t launches = ct_trace_launches(engine->trace, &engine->first_launch);
	int err = prepare_sites(engine);

	if (err == 0)
		err = find_copies(engine);
	if (err == 0)
		err = ct_kernel_table_init(&engine->kernels, engine->trace, engine->filter);
	if (err == 0)
		err = ct_objects_open(&engine->objects, engine->trace, engine->filter);
	if (err == 0)
		err = ct_sums_open(&engine->sums);
	if (err < 0)
		return err;
	if (launches >= UINT32_MAX || engine->kernels.count >> (CT_ACCESS_FACT_BITS - 32) ||
	    (ct_objects_groups(engine->objects) + CT_ACCESS_BESIDES) >> CT_ACCESS_GROUP_BITS)
		return -EOVERFLOW;
	return 0;
}

void ct_access_engine_release(struct ct_access_engine *engine)
{
	ct_shuffle_close(engine->pieces);
	ct_shuffle_close(engine->atomics);
	ct_sums_close(engine->sums);
	ct_objects_close(engine->objects);
	ct_kernel_table_fini(&engine->kernels);
	free(engine->site);
	free(engine->first_site);
}
