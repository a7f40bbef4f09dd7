/* SPDX-License-Identifier: Apache-2.0 */
/* Trees of blame as rows. */
#include "postproc/analysis/blame/rows.h"
#include "postproc/facts/source_name.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* One of a tree. */
struct item {
	uint32_t parent, index;
	double weight, second;
	const char *name, *place;
	uint32_t line;
};

#define COMPARE(a, b)                                                                              \
	do {                                                                                       \
		if ((a) != (b))                                                                    \
			return (a) < (b) ? -1 : 1;                                                 \
	} while (0)

/* By parent; of one, what weighs most first. */
static int by_weight(const void *a, const void *b)
{
	const struct item *x = a, *y = b;
	int order;

	COMPARE(x->parent, y->parent);
	COMPARE(y->weight, x->weight);
	COMPARE(y->second, x->second);
	order = strcmp(x->name, y->name);
	if (!order)
		order = strcmp(x->place, y->place);
	if (order)
		return order;
	COMPARE(x->line, y->line);
	COMPARE(x->index, y->index);
	return 0;
}

static size_t first_below(const struct item *item, size_t count, uint32_t parent)
{
	size_t low = 0;

	while (low < count) {
		size_t middle = low + (count - low) / 2;

		if (item[middle].parent < parent)
			low = middle + 1;
		else
			count = middle;
	}
	return low;
}

static void add_below(struct ct_blame_rows *rows, const struct item *item, size_t count,
		      uint32_t parent, const struct ct_blame_row *above)
{
	size_t row_above = above ? (size_t)(above - rows->row) : SIZE_MAX;
	unsigned depth = above ? above->depth + 1 : 0;

	for (size_t i = first_below(item, count, parent); i < count && item[i].parent == parent;
	     i++) {
		struct ct_blame_row *row = &rows->row[rows->count++];

		*row = (struct ct_blame_row){item[i].index, depth, row_above, 0};
		add_below(rows, item, count, item[i].index, row);
		row->end = rows->count;
	}
}

static int make(struct ct_blame_rows *rows, struct item *item, size_t count, uint32_t top)
{
	rows->count = 0;
	rows->row = malloc((count + 1) * sizeof(*rows->row));
	if (!rows->row || !item) {
		free(item);
		return -ENOMEM;
	}
	if (count)
		qsort(item, count, sizeof(*item), by_weight);
	add_below(rows, item, count, top, NULL);
	free(item);
	return 0;
}

int ct_blame_rows_init(struct ct_blame_rows *rows, const struct ct_blame *blame)
{
	struct item *item = calloc(blame->variables + 1, sizeof(*item));
	size_t count = 0;

	for (uint32_t v = 0; item && v < blame->variables; v++) {
		const struct ct_blame_variable *of = &blame->variable[v];

		if (of->inclusive > 0 || of->read > 0 || of->waits > 0)
			item[count++] = (struct item){
			    of->parent,   v,       of->inclusive, of->read + of->waits, of->name,
			    of->function, of->line};
	}
	return make(rows, item, count, CT_NONE);
}

int ct_blame_code_rows_init(struct ct_blame_rows *rows, const struct ct_blame *blame)
{
	struct item *item = calloc(blame->nodes + 1, sizeof(*item));
	size_t count = 0;

	for (uint32_t n = 1; item && n < blame->nodes; n++) {
		const struct ct_blame_node *of = &blame->node[n];

		if (of->total > 0 || of->cpu_total > 0)
			item[count++] =
			    (struct item){of->parent,   n,        of->total, of->cpu_total,
					  of->function, of->file, of->line};
	}
	return make(rows, item, count, 0);
}

int ct_blame_launch_rows_init(struct ct_blame_rows *rows, const struct ct_blame *blame)
{
	struct item *item = calloc(blame->launches + 1, sizeof(*item));
	size_t count = 0;

	for (uint32_t l = 0; item && l < blame->launches; l++)
		if (blame->launch[l] > 0)
			item[count++] = (struct item){CT_NONE, l, blame->launch[l], 0, "", "", l};
	return make(rows, item, count, CT_NONE);
}

void ct_blame_rows_fini(struct ct_blame_rows *rows)
{
	free(rows->row);
	*rows = (struct ct_blame_rows){NULL, 0};
}

char *ct_blame_function_name(const struct ct_blame_node *node)
{
	return node->is_host ? strdup(node->function) : ct_source_name(node->function);
}
