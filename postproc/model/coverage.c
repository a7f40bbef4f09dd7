/* SPDX-License-Identifier: Apache-2.0 */
/* What the compiler pass decided about every site. */
#include "coverage.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>

const char *ct_cover_class(const struct ct_cover_row *row)
{
	return row->is_reduction ? "reduction" : ct_class_text(row->class);
}

const char *ct_cover_text(enum ct_cover cover)
{
	static const char *const text[CT_COVERS] = {
	    [CT_COVER_DEFINITE] = "definite",   [CT_COVER_CHECKED] = "checked",
	    [CT_COVER_ELSEWHERE] = "elsewhere", [CT_COVER_FILTERED] = "filtered",
	    [CT_COVER_SKIPPED] = "skipped",
	};

	return text[cover];
}

static enum ct_cover cover_of(const struct ct_unit_site *site)
{
	switch (site->verdict) {
	case CT_VERDICT_GLOBAL:
		return CT_COVER_DEFINITE;
	case CT_VERDICT_CHECKED:
		return CT_COVER_CHECKED;
	case CT_VERDICT_ELSEWHERE:
		return CT_COVER_ELSEWHERE;
	case CT_VERDICT_FILTERED:
		return CT_COVER_FILTERED;
	default:
		return CT_COVER_SKIPPED;
	}
}

/* How far a unit's architecture is from the one that launches asked for. */
static uint32_t distance(const struct ct_unit *unit, uint32_t arch)
{
	uint32_t have = unit->header->arch;

	return have <= arch ? arch - have : UINT32_MAX / 2 + (have - arch);
}

int ct_coverage_counts(const struct ct_trace *trace, const struct ct_unit *unit)
{
	const struct ct_launch_info *launches;
	const struct ct_unit *units;
	size_t launch_count = ct_trace_launches(trace, &launches);
	size_t unit_count = ct_trace_units(trace, &units);
	uint32_t arch = UINT32_MAX;
	int is_launched = 0;

	for (size_t i = 0; i < launch_count; i++) {
		if (launches[i].unit == unit)
			return 1;
		if (launches[i].unit && arch == UINT32_MAX)
			arch = launches[i].event->unit_arch;
		is_launched |=
		    launches[i].unit && launches[i].unit->header->unit_id == unit->header->unit_id;
	}
	for (size_t u = 0; u < unit_count && !is_launched; u++)
		if (units[u].header->unit_id == unit->header->unit_id &&
		    (distance(&units[u], arch) < distance(unit, arch) ||
		     (distance(&units[u], arch) == distance(unit, arch) && &units[u] < unit)))
			return 0;
	return !is_launched;
}

static int is_same_row(const struct ct_cover_row *a, const struct ct_cover_row *b)
{
	return a->kernel == b->kernel && a->class == b->class &&
	       a->is_reduction == b->is_reduction && a->space == b->space &&
	       !strcmp(a->in, b->in) && !strcmp(a->pattern, b->pattern);
}

/* The row like `like` among those from first on, added if it is new. */
static struct ct_cover_row *find_row(struct ct_coverage *coverage, size_t first,
				     const struct ct_cover_row *like)
{
	struct ct_cover_row *bigger;

	/* The sites of a function stand together: the last rows are the likeliest. */
	for (size_t i = coverage->count; i-- > first;)
		if (is_same_row(&coverage->row[i], like))
			return &coverage->row[i];
	if (!(coverage->count & (coverage->count - 1))) {
		bigger = realloc(coverage->row,
				 (coverage->count ? 2 * coverage->count : 1) * sizeof(*bigger));
		if (!bigger)
			return NULL;
		coverage->row = bigger;
	}
	coverage->row[coverage->count] = *like;
	return &coverage->row[coverage->count++];
}

static int add_unit(struct ct_coverage *coverage, const struct ct_unit *unit)
{
	size_t first = coverage->count;

	for (uint32_t s = 0; s < unit->header->site_count; s++) {
		const struct ct_unit_site *site = &unit->sites[s];
		struct ct_cover_row like = {
		    .unit = unit,
		    .in = ct_unit_string(unit, site->kernel == CT_NONE
						   ? site->function
						   : unit->kernels[site->kernel].display),
		    .pattern = ct_unit_string(unit, site->pattern),
		    .kernel = site->kernel,
		    .class = ct_operation_class(site->operation),
		    .is_reduction = site->flags & CT_SITE_REDUCTION,
		    .space = site->space,
		};
		struct ct_cover_row *row = find_row(coverage, first, &like);

		if (!row)
			return -ENOMEM;
		row->sites[cover_of(site)]++;
	}
	return 0;
}

static int compare_rows(const void *a, const void *b)
{
	const struct ct_cover_row *x = a, *y = b;
	int order;

	if (x->unit != y->unit)
		return x->unit < y->unit ? -1 : 1;
	if (x->kernel != y->kernel)
		return x->kernel < y->kernel ? -1 : 1;
	order = strcmp(x->in, y->in);
	if (order)
		return order;
	order = strcmp(x->pattern, y->pattern);
	if (order)
		return order;
	if (x->class != y->class)
		return x->class < y->class ? -1 : 1;
	if (x->is_reduction != y->is_reduction)
		return x->is_reduction < y->is_reduction ? -1 : 1;
	return x->space < y->space ? -1 : x->space > y->space;
}

int ct_coverage_init(struct ct_coverage *coverage, const struct ct_trace *trace)
{
	const struct ct_unit *units;
	size_t count = ct_trace_units(trace, &units);
	int err = 0;

	memset(coverage, 0, sizeof(*coverage));
	for (size_t u = 0; u < count && err == 0; u++)
		if (ct_coverage_counts(trace, &units[u]))
			err = add_unit(coverage, &units[u]);
	if (coverage->count)
		qsort(coverage->row, coverage->count, sizeof(*coverage->row), compare_rows);
	if (err < 0)
		ct_coverage_fini(coverage);
	return err;
}

void ct_coverage_fini(struct ct_coverage *coverage)
{
	free(coverage->row);
	memset(coverage, 0, sizeof(*coverage));
}
