/* SPDX-License-Identifier: Apache-2.0 */
/* Rows of global memory brought together. */
#include "postproc/analysis/access/sums.h"

#include <errno.h>
#include <stdlib.h>

static void key_of(struct ct_access_sum *key, const struct ct_access_row *row, enum ct_access_by by)
{
	*key = (struct ct_access_sum){.kernel = 0};
	switch (by) {
	case CT_ACCESS_BY_KERNEL:
		key->kernel = row->kernel;
		break;
	case CT_ACCESS_BY_OBJECT:
		key->group = row->group;
		break;
	case CT_ACCESS_BY_WIDTH:
		key->class = row->class;
		key->bytes = row->unit->sites[row->site].bytes;
	}
}

static int compare_key(const void *left, const void *right)
{
	const struct ct_access_sum *a = left, *b = right;

	if (a->kernel != b->kernel)
		return a->kernel < b->kernel ? -1 : 1;
	if (a->group != b->group)
		return a->group < b->group ? -1 : 1;
	if (a->class != b->class)
		return a->class < b->class ? -1 : 1;
	return a->bytes < b->bytes ? -1 : a->bytes > b->bytes;
}

static int compare_sectors(const void *left, const void *right)
{
	const struct ct_access_sum *a = left, *b = right;

	if (a->figures.sectors != b->figures.sectors)
		return a->figures.sectors > b->figures.sectors ? -1 : 1;
	return compare_key(left, right);
}

static void add_unique(struct ct_access_sums *sums, const struct ct_access_results *results)
{
	for (size_t i = 0; i < results->touches; i++) {
		const struct ct_access_object *touched = &results->touched[i];
		const struct ct_access_sum key = {.group = touched->group};
		struct ct_access_sum *sum =
		    bsearch(&key, sums->list, sums->count, sizeof(key), compare_key);

		if (sum) {
			sum->unique += touched->unique;
			sum->unique_sectors += touched->unique_sectors;
		}
	}
}

static void add_launches(struct ct_access_sums *sums, const struct ct_access_results *results)
{
	const struct ct_launch_info *first;

	if (!results->launches)
		return;
	first = results->all_launches;
	for (size_t i = 0; i < results->launches; i++) {
		const struct ct_access_launch *launch = &results->launch[i];
		const struct ct_access_sum key = {
		    .kernel = results->kernels.of_launch[launch->launch - first]};
		struct ct_access_sum *sum =
		    bsearch(&key, sums->list, sums->count, sizeof(key), compare_key);

		if (!sum)
			continue;
		sum->unique += launch->bytes;
		sum->unique_sectors += launch->sectors;
		if (!sum->largest || launch->bytes > sum->largest->bytes)
			sum->largest = launch;
	}
}

int ct_access_sums_init(struct ct_access_sums *sums, const struct ct_access_results *results,
			enum ct_access_by by)
{
	size_t count = 0, used = 0;

	*sums = (struct ct_access_sums){
	    .list = malloc((results->rows + 1) * sizeof(*sums->list)),
	};
	if (!sums->list)
		return -ENOMEM;
	for (size_t i = 0; i < results->rows; i++) {
		if (ct_access_space(results, results->row[i].group) != CT_SPACE_GLOBAL)
			continue;
		key_of(&sums->list[count], &results->row[i], by);
		sums->list[count++].figures = results->row[i].figures;
	}
	qsort(sums->list, count, sizeof(*sums->list), compare_key);
	for (size_t i = 0; i < count; i++) {
		if (used && !compare_key(&sums->list[used - 1], &sums->list[i]))
			ct_access_figures_add(&sums->list[used - 1].figures,
					      &sums->list[i].figures);
		else
			sums->list[used++] = sums->list[i];
	}
	sums->count = used;
	if (by == CT_ACCESS_BY_OBJECT)
		add_unique(sums, results);
	if (by == CT_ACCESS_BY_KERNEL)
		add_launches(sums, results);
	qsort(sums->list, used, sizeof(*sums->list), compare_sectors);
	return 0;
}

void ct_access_sums_fini(struct ct_access_sums *sums)
{
	free(sums->list);
	*sums = (struct ct_access_sums){.list = NULL};
}
