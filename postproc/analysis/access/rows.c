/* SPDX-License-Identifier: Apache-2.0 */
/* Figures by kernel, site and group of objects. */
#include "postproc/analysis/access/rows.h"

#include "base/array.h"
#include "base/map.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>

struct row {
	uint32_t kernel, group, site;
	uint32_t reserved; /* 0: rows are sent as they are */
	struct ct_access_figures figures;
};

struct ct_access_rows {
	struct row *row;
	size_t count;
	struct ct_map number; /* from 1; key: kernel and group, site */
	uint32_t *last;       /* by site: number of the row found last; 0: none */
};

int ct_access_rows_open(struct ct_access_rows **out, uint32_t sites)
{
	struct ct_access_rows *rows = calloc(1, sizeof(*rows));

	*out = rows;
	if (!rows)
		return -ENOMEM;
	rows->last = calloc((size_t)sites + 1, sizeof(*rows->last));
	return rows->last ? 0 : -ENOMEM;
}

void ct_access_rows_close(struct ct_access_rows *rows)
{
	if (!rows)
		return;
	ct_map_fini(&rows->number);
	free(rows->row);
	free(rows->last);
	free(rows);
}

/* Its number; 0: no memory. */
static uint32_t add_row(struct ct_access_rows *rows, uint32_t kernel, uint32_t group, uint32_t site)
{
	if (ct_array_grow(&rows->row, rows->count, sizeof(*rows->row)) < 0)
		return 0;
	memset(&rows->row[rows->count], 0, sizeof(*rows->row));
	rows->row[rows->count].kernel = kernel;
	rows->row[rows->count].group = group;
	rows->row[rows->count].site = site;
	return (uint32_t)++rows->count;
}

struct ct_access_figures *ct_access_rows_find(struct ct_access_rows *rows, uint32_t kernel,
					      uint32_t group, uint32_t site)
{
	uint32_t last = rows->last[site];
	union ct_map_value *number;

	if (last && rows->row[last - 1].kernel == kernel && rows->row[last - 1].group == group)
		return &rows->row[last - 1].figures;
	number = ct_map_put(&rows->number, (uint64_t)kernel << 32 | group, site);
	if (!number)
		return NULL;
	if (!number->number)
		number->number = add_row(rows, kernel, group, site);
	if (!number->number)
		return NULL;
	rows->last[site] = (uint32_t)number->number;
	return &rows->row[number->number - 1].figures;
}

static int add_figures(struct ct_access_rows *rows, const struct row *from)
{
	struct ct_access_figures *to =
	    ct_access_rows_find(rows, from->kernel, from->group, from->site);

	if (!to)
		return -ENOMEM;
	ct_access_figures_add(to, &from->figures);
	return 0;
}

int ct_access_rows_join(struct ct_access_rows *rows, const struct ct_access_rows *from)
{
	int err = 0;

	for (size_t i = 0; i < from->count && err == 0; i++)
		err = add_figures(rows, &from->row[i]);
	return err;
}

int ct_access_rows_pack(const struct ct_access_rows *rows, struct ct_buffer *bytes)
{
	if (rows->count && !ct_buffer_append(bytes, rows->row, rows->count * sizeof(*rows->row)))
		return -ENOMEM;
	return 0;
}

int ct_access_rows_unpack(struct ct_access_rows *rows, const void *bytes, size_t count)
{
	struct row row;
	int err = count % sizeof(row) ? -EPROTO : 0;

	for (size_t at = 0; at < count && err == 0; at += sizeof(row)) {
		memcpy(&row, (const char *)bytes + at, sizeof(row));
		err = add_figures(rows, &row);
	}
	return err;
}

static int compare(const void *left, const void *right)
{
	const struct ct_access_row *a = left, *b = right;

	if (a->kernel != b->kernel)
		return a->kernel < b->kernel ? -1 : 1;
	if (a->group != b->group)
		return a->group < b->group ? -1 : 1;
	if (a->unit != b->unit)
		return a->unit < b->unit ? -1 : 1;
	return a->site < b->site ? -1 : a->site > b->site;
}

int ct_access_rows_sorted(const struct ct_access_rows *rows, const struct ct_access_engine *engine,
			  struct ct_access_row **sorted, size_t *count)
{
	*count = rows->count;
	*sorted = malloc((rows->count + 1) * sizeof(**sorted));
	if (!*sorted)
		return -ENOMEM;
	for (size_t i = 0; i < rows->count; i++) {
		const struct row *row = &rows->row[i];
		const struct ct_access_site *site = &engine->site[row->site];

		(*sorted)[i] = (struct ct_access_row){.kernel = row->kernel,
						      .group = row->group,
						      .unit = site->unit,
						      .site = site->site,
						      .class = site->class,
						      .figures = row->figures};
	}
	qsort(*sorted, rows->count, sizeof(**sorted), compare);
	return 0;
}
