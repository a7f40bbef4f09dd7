/* SPDX-License-Identifier: Apache-2.0 */
/* Curves of kernels and groups of objects, and how sure they are. */
#include "postproc/analysis/reuse/rows.h"

#include "base/array.h"
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static uint32_t octave_of(uint64_t distance)
{
	uint32_t octave = distance ? 64 - (uint32_t)__builtin_clzll(distance) : 0;

	return octave < CT_REUSE_OCTAVES ? octave : CT_REUSE_OCTAVES - 1;
}

struct ct_reuse_row *ct_reuse_rows_find(struct ct_reuse_rows *rows, uint32_t kernel, uint32_t group)
{
	struct ct_reuse_row *row = rows->last ? &rows->row[rows->last - 1] : NULL;
	union ct_map_value *number;

	if (row && row->kernel == kernel && row->group == group)
		return row;
	number = ct_map_put(&rows->number, kernel, group);
	if (!number)
		return NULL;
	if (!number->number) {
		if (ct_array_grow(&rows->row, rows->count, sizeof(*rows->row)) < 0)
			return NULL;
		row = memset(&rows->row[rows->count], 0, sizeof(*row));
		row->kernel = kernel;
		row->group = group;
		number->number = ++rows->count;
	}
	rows->last = (uint32_t)number->number;
	return &rows->row[rows->last - 1];
}

void ct_reuse_rows_fini(struct ct_reuse_rows *rows)
{
	ct_map_fini(&rows->number);
	free(rows->row);
}

void ct_reuse_count(struct ct_reuse_row *row, struct ct_reuse_kernel *kernel, uint32_t size,
		    uint32_t launch, const struct ct_reuse_touch *touch)
{
	struct ct_reuse_share *share = &kernel->share[size][touch->hash % CT_REUSE_SHARES];
	struct ct_reuse_curve *curve = &row->curve[size];

	share->references += touch->weight;
	if (touch->launch == CT_REUSE_NO_LAUNCH) {
		curve->cold += touch->weight;
		share->cold += touch->weight;
	} else if (touch->launch == launch) {
		curve->within[ct_reuse_bin(touch->distance)] += touch->weight;
		share->within[octave_of(touch->distance)] += touch->weight;
	} else {
		curve->across[ct_reuse_bin(touch->distance)] += touch->weight;
		share->across[octave_of(touch->distance)] += touch->weight;
	}
}

/* Brings the counts of a sample to as many as there were: the difference is of the shortest
 * distances, since few lines that are accessed very often make most of it (SHARDS-adj). */
static void adjust(struct ct_reuse_curve *curve)
{
	uint64_t counted = ct_reuse_compulsory(curve), excess;

	for (uint32_t bin = 0; bin < CT_REUSE_BINS; bin++)
		counted += curve->within[bin];
	if (counted <= curve->references) {
		curve->within[0] += curve->references - counted;
		return;
	}
	excess = counted - curve->references;
	for (uint32_t bin = 0; bin < 2 * CT_REUSE_BINS && excess; bin++) {
		uint64_t *count =
		    bin < CT_REUSE_BINS ? &curve->within[bin] : &curve->across[bin - CT_REUSE_BINS];
		uint64_t taken = *count < excess ? *count : excess;

		*count -= taken;
		excess -= taken;
	}
	curve->cold -= excess;
}

static int compare(const void *left, const void *right)
{
	const struct ct_reuse_row *a = left, *b = right;

	if (a->kernel != b->kernel)
		return a->kernel < b->kernel ? -1 : 1;
	return a->group < b->group ? -1 : a->group > b->group;
}

void ct_reuse_rows_finish(struct ct_reuse_rows *rows, struct ct_reuse_results *results)
{
	for (size_t i = 0; i < rows->count; i++)
		for (uint32_t size = 0; size < CT_REUSE_SIZES; size++)
			adjust(&rows->row[i].curve[size]);
	if (rows->count)
		qsort(rows->row, rows->count, sizeof(*rows->row), compare);
	results->row = rows->row;
	results->rows = rows->count;
	rows->row = NULL;
	rows->count = rows->last = 0;
	for (size_t i = 0; i < results->rows; i++) {
		const struct ct_reuse_row *row = &results->row[i];

		for (uint32_t size = 0; size < CT_REUSE_SIZES; size++)
			ct_reuse_curve_add(&results->kernel[row->kernel].curve[size],
					   &row->curve[size]);
	}
}

/* As ct_reuse_transfers, of all lines, as a share of them has it. */
static double transfers_of(const struct ct_reuse_share *share, double lines, bool is_warm)
{
	double transfers = (double)share->cold;

	for (uint32_t octave = 0; octave < CT_REUSE_OCTAVES; octave++) {
		double begin = octave ? exp2(octave - 1) : 0, end = exp2(octave);
		double part = lines <= begin ? 1 : lines >= end ? 0 : (end - lines) / (end - begin);

		transfers += part * (double)share->within[octave];
		transfers += (is_warm ? part : 1) * (double)share->across[octave];
	}
	return transfers * CT_REUSE_SHARES;
}

double ct_reuse_error(const struct ct_reuse_results *results, uint32_t kernel, uint32_t size,
		      double lines, bool is_warm)
{
	const struct ct_reuse_kernel *own = &results->kernel[kernel];
	double references = (double)own->curve[size].references;
	double sum = 0, squares = 0, ratio[CT_REUSE_SHARES];

	if (!results->sampled[size] || references == 0)
		return 0;
	for (uint32_t i = 0; i < CT_REUSE_SHARES; i++) {
		ratio[i] = transfers_of(&own->share[size][i], lines, is_warm) / references;
		sum += ratio[i];
	}
	for (uint32_t i = 0; i < CT_REUSE_SHARES; i++)
		squares += (ratio[i] - sum / CT_REUSE_SHARES) * (ratio[i] - sum / CT_REUSE_SHARES);
	return sqrt(squares / (CT_REUSE_SHARES * (CT_REUSE_SHARES - 1)));
}
