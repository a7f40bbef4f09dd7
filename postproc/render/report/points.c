/* SPDX-License-Identifier: Apache-2.0 */
/* How what is too long for the report is made shorter. */
#include "postproc/render/report/parts.h"
#include <stdlib.h>

uint64_t ct_report_per_point(uint64_t count)
{
	return count ? (count + CT_REPORT_POINTS - 1) / CT_REPORT_POINTS : 1;
}

void ct_report_point_add(struct ct_report_point *point, double value)
{
	if (!point->count || value < point->min)
		point->min = value;
	if (!point->count || value > point->max)
		point->max = value;
	point->sum += value;
	point->count++;
}

struct weighed {
	uint64_t weight;
	size_t index;
};

static int heavier(const void *a, const void *b)
{
	const struct weighed *x = a, *y = b;

	if (x->weight != y->weight)
		return x->weight < y->weight ? 1 : -1;
	return (x->index > y->index) - (x->index < y->index);
}

static int ascending(const void *a, const void *b)
{
	size_t x = *(const size_t *)a, y = *(const size_t *)b;

	return (x > y) - (x < y);
}

size_t *ct_report_heaviest(size_t count, uint64_t (*weight)(const void *user, size_t i),
			   const void *user, size_t *chosen)
{
	struct weighed *all = malloc((count + 1) * sizeof(*all));
	size_t *row = malloc((count + 1) * sizeof(*row));

	*chosen = count < CT_REPORT_ROWS ? count : CT_REPORT_ROWS;
	if (!all || !row) {
		free(all);
		free(row);
		return NULL;
	}
	for (size_t i = 0; i < count; i++)
		all[i] = (struct weighed){.weight = weight(user, i), .index = i};
	if (count > *chosen)
		qsort(all, count, sizeof(*all), heavier);
	for (size_t i = 0; i < *chosen; i++)
		row[i] = all[i].index;
	qsort(row, *chosen, sizeof(*row), ascending);
	free(all);
	return row;
}
