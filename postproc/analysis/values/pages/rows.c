/* SPDX-License-Identifier: Apache-2.0 */
/* Rows and pairs of a thread. */
#include "postproc/analysis/values/pages/rows.h"
#include "postproc/analysis/values/base/facts.h"

#include "base/array.h"
#include "base/map.h"
#include <errno.h>
#include <stdlib.h>

#define RECENT 64u

struct pair {
	uint32_t old, row;
	bool is_store;
	uint64_t elements;
};

struct ct_value_rows {
	struct ct_value_row *row;
	size_t count, room;
	struct ct_map number;    /* by owner and site */
	uint32_t recent[RECENT]; /* rows, by site */
	struct pair last;        /* of pairs, not in the map yet */
	struct ct_map pair;      /* old << 32 | row, is_store: elements */
};

int ct_value_rows_open(struct ct_value_rows **out)
{
	struct ct_value_rows *rows = calloc(1, sizeof(*rows));

	*out = rows;
	if (!rows || ct_array_reserve(&rows->row, &rows->room, 64, sizeof(*rows->row)) < 0)
		return -ENOMEM;
	rows->row[rows->count++] = (struct ct_value_row){.site = CT_NONE};
	return 0;
}

void ct_value_rows_close(struct ct_value_rows *rows)
{
	if (!rows)
		return;
	ct_map_fini(&rows->number);
	ct_map_fini(&rows->pair);
	free(rows->row);
	free(rows);
}

static int add_row(struct ct_value_rows *rows, const struct ct_value_row *row, uint32_t *number)
{
	union ct_map_value *found =
	    ct_map_put(&rows->number, ct_value_owner(row->kernel, row->group), row->site);

	if (!found)
		return -ENOMEM;
	if (!found->number) {
		if (ct_array_reserve(&rows->row, &rows->room, rows->count + 1, sizeof(*rows->row)) <
		    0)
			return -ENOMEM;
		rows->row[rows->count] = *row;
		found->number = rows->count++;
	}
	*number = (uint32_t)found->number;
	return 0;
}

int ct_value_rows_find(struct ct_value_rows *rows, uint32_t kernel, uint32_t group, uint32_t site,
		       uint32_t *number)
{
	uint32_t *recent = &rows->recent[site % RECENT];
	const struct ct_value_row *row = &rows->row[*recent];

	*number = 0;
	if (site == CT_NONE)
		return 0;
	if (*recent && row->site == site && row->group == group && row->kernel == kernel) {
		*number = *recent;
		return 0;
	}
	if (add_row(rows, &(struct ct_value_row){.kernel = kernel, .group = group, .site = site},
		    number) < 0)
		return -ENOMEM;
	*recent = *number;
	return 0;
}

struct ct_value_row *ct_value_rows_at(struct ct_value_rows *rows, uint32_t number)
{
	return &rows->row[number];
}

static int flush_pair(struct ct_value_rows *rows)
{
	const struct pair *last = &rows->last;
	union ct_map_value *sum;

	if (!last->elements || !last->old || !last->row)
		return 0;
	sum = ct_map_put(&rows->pair, (uint64_t)last->old << 32 | last->row, last->is_store);
	if (!sum)
		return -ENOMEM;
	sum->number += last->elements;
	return 0;
}

int ct_value_rows_pair(struct ct_value_rows *rows, bool is_store, uint32_t old, uint32_t row,
		       uint64_t elements)
{
	struct pair *last = &rows->last;
	int err;

	if (last->old == old && last->row == row && last->is_store == is_store) {
		last->elements += elements;
		return 0;
	}
	err = flush_pair(rows);
	*last = (struct pair){old, row, is_store, elements};
	return err;
}

static int sum_row(const struct ct_value_row *row, struct ct_sums *sums)
{
	const struct ct_values_counts *c = &row->counts;
	const uint64_t owner = ct_value_owner(row->kernel, row->group);
	const uint64_t fact[][2] = {
	    [CT_VALUE_FACT_ELEMENTS] = {c->elements, c->bytes},
	    [CT_VALUE_FACT_OWN] = {c->temporal, c->silent},
	    [CT_VALUE_FACT_MEMORY] = {c->known, c->agreed},
	    [CT_VALUE_FACT_NOTHING] = {c->unknown, c->unreported},
	    [CT_VALUE_FACT_SECTORS] = {c->sectors, c->avoided},
	};
	int err = 0;

	for (uint64_t f = CT_VALUE_FACT_ELEMENTS; f <= CT_VALUE_FACT_SECTORS && err == 0; f++)
		if (fact[f][0] || fact[f][1])
			err = ct_sums_add(sums, CT_VALUE_FACT_KEY(f, owner), row->site, fact[f][0],
					  fact[f][1]);
	if (err == 0 && (row->equal || row->candidates))
		err = ct_sums_add(sums, CT_VALUE_FACT_KEY(CT_VALUE_FACT_CELLS, owner), 0,
				  row->equal, row->candidates);
	if (err == 0 && row->surprises)
		err = ct_sums_add(sums, CT_VALUE_FACT_KEY(CT_VALUE_FACT_SURPRISES, 0), 0,
				  row->surprises, 0);
	return err;
}

static int sum_pairs(const struct ct_value_rows *rows, struct ct_sums *sums)
{
	int err = 0;

	for (const struct ct_map_entry *e = ct_map_next(&rows->pair, NULL); e && err == 0;
	     e = ct_map_next(&rows->pair, e)) {
		const struct ct_value_row *old = &rows->row[ct_map_key(e, 0) >> 32];
		const struct ct_value_row *row = &rows->row[(uint32_t)ct_map_key(e, 0)];
		uint64_t fact =
		    ct_map_key(e, 1) ? CT_VALUE_FACT_STORE_PAIR : CT_VALUE_FACT_LOAD_PAIR;

		err = ct_sums_add(sums, CT_VALUE_FACT_KEY(fact, row->kernel),
				  (uint64_t)old->site << 32 | row->site, e->value.number, 0);
	}
	return err;
}

int ct_value_rows_sum(struct ct_value_rows *rows, struct ct_sums *sums)
{
	int err = flush_pair(rows);

	for (size_t i = 1; i < rows->count && err == 0; i++)
		err = sum_row(&rows->row[i], sums);
	return err == 0 ? sum_pairs(rows, sums) : err;
}
