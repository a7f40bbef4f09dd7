/* SPDX-License-Identifier: Apache-2.0 */
/* Lists what the compiler pass decided about every site. */
#include "postproc/facts/coverage.h"
#include "base/array.h"
#include "postproc/facts/source_name.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>

const char *ct_cover_text(enum ct_cover cover)
{
	static const char *const text[CT_COVERS] = {
	    [CT_COVER_DEFINITE] = "definite",        [CT_COVER_CHECKED] = "checked",
	    [CT_COVER_ELSEWHERE] = "elsewhere",      [CT_COVER_FILTERED] = "filtered",
	    [CT_COVER_SKIPPED] = "not instrumented",
	};

	return text[cover];
}

enum ct_cover ct_cover_of(const struct ct_unit_site *site)
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

static struct ct_cover_part *add_part(struct ct_coverage *coverage,
				      const struct ct_cover_part *like, char *name)
{
	struct ct_cover_part *part;

	if (!name || ct_array_grow(&coverage->part, coverage->count, sizeof(*coverage->part)) < 0) {
		free(name);
		return NULL;
	}
	part = &coverage->part[coverage->count++];
	*part = *like;
	part->name = name;
	return part;
}

static int add_kernels(struct ct_coverage *coverage, const struct ct_unit *unit)
{
	for (uint32_t k = 0; k < unit->header->kernel_count; k++) {
		const struct ct_cover_part like = {
		    .unit = unit,
		    .kernel = k,
		    .symbol = ct_unit_string(unit, unit->kernels[k].name),
		    .pattern = "",
		};

		if (!add_part(coverage, &like,
			      strdup(ct_unit_string(unit, unit->kernels[k].display))))
			return -ENOMEM;
	}
	return 0;
}

int ct_cover_holds(const struct ct_cover_part *part, const struct ct_unit_site *site)
{
	if (part->kernel != CT_NONE || site->kernel != CT_NONE)
		return part->kernel == site->kernel;
	return !strcmp(part->symbol, ct_unit_string(part->unit, site->function)) &&
	       !strcmp(part->pattern, ct_unit_string(part->unit, site->pattern));
}

/* The part of a unit, whose parts begin at first, that holds a site; added if it is new. */
static struct ct_cover_part *part_of(struct ct_coverage *coverage, size_t first,
				     const struct ct_unit *unit, const struct ct_unit_site *site)
{
	const struct ct_cover_part like = {
	    .unit = unit,
	    .kernel = CT_NONE,
	    .symbol = ct_unit_string(unit, site->function),
	    .pattern = ct_unit_string(unit, site->pattern),
	};

	if (site->kernel != CT_NONE)
		return &coverage->part[first + site->kernel];
	/* The sites of a function stand together: the last part is the likeliest. */
	for (size_t i = coverage->count; i-- > first;)
		if (ct_cover_holds(&coverage->part[i], site))
			return &coverage->part[i];
	return add_part(coverage, &like, ct_source_name(like.symbol));
}

static int count_site(struct ct_cover_part *part, const struct ct_unit_site *site)
{
	size_t i = 0;

	while (i < part->count &&
	       (part->row[i].operation < site->operation ||
		(part->row[i].operation == site->operation && part->row[i].space < site->space)))
		i++;
	if (i == part->count || part->row[i].operation != site->operation ||
	    part->row[i].space != site->space) {
		if (ct_array_grow(&part->row, part->count, sizeof(*part->row)) < 0)
			return -ENOMEM;
		memmove(&part->row[i + 1], &part->row[i], (part->count - i) * sizeof(*part->row));
		part->row[i] =
		    (struct ct_cover_row){.operation = site->operation, .space = site->space};
		part->count++;
	}
	part->row[i].sites[ct_cover_of(site)]++;
	return 0;
}

static int add_unit(struct ct_coverage *coverage, const struct ct_unit *unit)
{
	size_t first = coverage->count;
	int err = add_kernels(coverage, unit);

	for (uint32_t s = 0; s < unit->header->site_count && err == 0; s++) {
		struct ct_cover_part *part = part_of(coverage, first, unit, &unit->sites[s]);

		err = part ? count_site(part, &unit->sites[s]) : -ENOMEM;
	}
	return err;
}

/* A call's reason is the name of what it calls, which may be of another unit. */
static int add_callees(const struct ct_coverage *coverage, const struct ct_unit *unit,
		       struct ct_cover_part *part, const struct ct_unit_site *site)
{
	const char *name = ct_unit_string(unit, site->reason);

	for (uint32_t i = 0; i < coverage->count; i++) {
		const struct ct_cover_part *callee = &coverage->part[i];

		if (callee->kernel != CT_NONE ||
		    (strcmp(callee->name, name) && strcmp(callee->symbol, name)))
			continue;
		if (ct_array_grow(&part->callee, part->callees, sizeof(*part->callee)) < 0)
			return -ENOMEM;
		part->callee[part->callees++] = i;
	}
	return 0;
}

static int link_calls(struct ct_coverage *coverage)
{
	int err = 0;

	for (size_t i = 0; i < coverage->count; i++) {
		struct ct_cover_part *part = &coverage->part[i];

		for (uint32_t s = 0; s < part->unit->header->site_count && err == 0; s++) {
			const struct ct_unit_site *site = &part->unit->sites[s];

			if (site->operation == CT_OP_CALL && ct_cover_holds(part, site))
				err = add_callees(coverage, part->unit, part, site);
		}
	}
	return err;
}

static void find_launched(struct ct_coverage *coverage, const struct ct_trace *trace)
{
	const struct ct_launch_info *launches;
	size_t count = ct_trace_launches(trace, &launches);

	for (size_t i = 0; i < count; i++) {
		/* A unit's kernels stand together, in order. */
		for (size_t p = 0;
		     launches[i].unit && launches[i].kernel_index != CT_NONE && p < coverage->count;
		     p++) {
			if (coverage->part[p].unit != launches[i].unit)
				continue;
			coverage->part[p + launches[i].kernel_index].is_launched = 1;
			break;
		}
	}
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
	if (err == 0)
		err = link_calls(coverage);
	if (err == 0)
		find_launched(coverage, trace);
	else
		ct_coverage_fini(coverage);
	return err;
}

void ct_coverage_fini(struct ct_coverage *coverage)
{
	for (size_t i = 0; i < coverage->count; i++) {
		free(coverage->part[i].name);
		free(coverage->part[i].row);
		free(coverage->part[i].callee);
	}
	free(coverage->part);
	memset(coverage, 0, sizeof(*coverage));
}

void ct_coverage_reach(const struct ct_coverage *coverage, size_t part, unsigned char *reached)
{
	const struct ct_cover_part *from = &coverage->part[part];

	for (size_t i = 0; i < from->callees; i++) {
		if (reached[from->callee[i]])
			continue;
		reached[from->callee[i]] = 1;
		ct_coverage_reach(coverage, from->callee[i], reached);
	}
}

bool ct_unit_has_branches(const struct ct_unit *unit)
{
	for (uint32_t s = 0; s < unit->header->site_count; s++)
		if (unit->sites[s].operation == CT_OP_BLOCK &&
		    unit->sites[s].flags & (CT_SITE_BRANCH | CT_SITE_RETURN | CT_SITE_ENTRY))
			return true;
	return false;
}
