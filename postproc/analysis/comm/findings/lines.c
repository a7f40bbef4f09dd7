/* SPDX-License-Identifier: Apache-2.0 */
/* Line pairs by place: instructions of one place, as of an unrolled loop, are one. */
#include "postproc/analysis/comm/findings/lines.h"
#include "postproc/facts/place.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define ORDER(a, b) (((a) > (b)) - ((a) < (b)))

static int compare_sites(const struct ct_unit *a_unit, uint32_t a_index,
			 const struct ct_unit *b_unit, uint32_t b_index)
{
	const struct ct_unit_site *a, *b;
	struct ct_place x, y;
	int order;

	if (!a_unit || !b_unit)
		return (a_unit != NULL) - (b_unit != NULL);
	order = ORDER(a_unit->header->unit_id, b_unit->header->unit_id);
	order = order ? order : ORDER(a_unit->header->arch, b_unit->header->arch);
	a = &a_unit->sites[a_index];
	b = &b_unit->sites[b_index];
	x = ct_place_of(a_unit, a);
	y = ct_place_of(b_unit, b);
	order = order ? order : ORDER(x.line, y.line);
	order = order ? order : ORDER(x.column, y.column);
	order = order ? order : ORDER(a->operation, b->operation);
	order = order ? order : ORDER(a->function, b->function);
	order = order ? order : ORDER(a->variable, b->variable);
	return order ? order : strcmp(x.file, y.file);
}

static int by_place(const void *a, const void *b)
{
	const struct ct_comm_line_pair *x = a, *y = b;
	int order = compare_sites(x->source_unit, x->source_site, y->source_unit, y->source_site);

	return order
		   ? order
		   : compare_sites(x->target_unit, x->target_site, y->target_unit, y->target_site);
}

/* Pairs of the same bytes stay in the order of their places, whatever order they came in. */
static int by_bytes(const void *a, const void *b)
{
	const struct ct_comm_line_pair *x = a, *y = b;

	if (x->bytes != y->bytes)
		return x->bytes < y->bytes ? 1 : -1;
	return by_place(a, b);
}

int ct_comm_merge_lines(const struct ct_comm_figures *figures, struct ct_comm_line_pair **out,
			size_t *count)
{
	struct ct_comm_line_pair *pair = malloc((figures->line_pairs + 1) * sizeof(*pair));
	size_t kept = 0;

	*out = pair;
	*count = 0;
	if (!pair)
		return -ENOMEM;
	if (figures->line_pairs)
		memcpy(pair, figures->line_pair, figures->line_pairs * sizeof(*pair));
	qsort(pair, figures->line_pairs, sizeof(*pair), by_place);
	for (size_t i = 0; i < figures->line_pairs; i++) {
		if (kept && !by_place(&pair[kept - 1], &pair[i])) {
			pair[kept - 1].bytes += pair[i].bytes;
			pair[kept - 1].loaded_bytes += pair[i].loaded_bytes;
		} else {
			pair[kept++] = pair[i];
		}
	}
	qsort(pair, kept, sizeof(*pair), by_bytes);
	*count = kept;
	return 0;
}
