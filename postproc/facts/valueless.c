/* SPDX-License-Identifier: Apache-2.0 */
/* Whether a site has values is determined by what it is: a device that summarises counts nothing
 * else. */
#include "postproc/facts/valueless.h"
#include "base/array.h"
#include "base/intern.h"
#include "postproc/facts/coverage.h"
#include "postproc/facts/kernel_table.h"
#include "postproc/facts/place.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static bool is_of_memory(const struct ct_unit_site *site)
{
	switch (site->operation) {
	case CT_OP_TEXTURE_LOAD:
	case CT_OP_SURFACE_LOAD:
	case CT_OP_SURFACE_STORE:
	case CT_OP_COPY_TENSOR:
	case CT_OP_ASSEMBLY:
	case CT_OP_LAUNCH:
		return true;
	default:
		return ct_operation_class(site->operation) < CT_ACCESS_CLASSES;
	}
}

/* NULL: there is a summary of it, or it is in memory that is not asked for. */
static const char *reason_of(const struct ct_unit *unit, const struct ct_unit_site *site)
{
	if (site->verdict == CT_VERDICT_ELSEWHERE || !is_of_memory(site))
		return NULL;
	if (site->verdict == CT_VERDICT_SKIPPED || site->verdict == CT_VERDICT_FILTERED)
		return ct_unit_string(unit, site->reason);
	switch (site->operation) {
	case CT_OP_TEXTURE_LOAD:
	case CT_OP_SURFACE_LOAD:
	case CT_OP_SURFACE_STORE:
		return "a texture or surface: its values are in full traces";
	case CT_OP_COPY_TENSOR:
		return "a tensor map: device code cannot read it";
	case CT_OP_ASSEMBLY:
		return "inline PTX that is not understood";
	case CT_OP_LAUNCH:
		return "the kernel that it launches runs pristine";
	default:
		break;
	}
	if (!unit->header->values)
		return "compiled without --ct-values";
	if (site->flags & CT_SITE_RANGE)
		return "a range or tile: its values are in full traces";
	return site->flags & CT_SITE_VALUES ? NULL : "no value that the compiler could name";
}

/* Rows that are alike become one: numbers of texts, and of the rows of the list by their texts'
 * numbers. */
struct gathering {
	struct ct_valueless_list *all;
	struct ct_intern texts, rows;
};

/* Counts from 1; 0: memory is short. */
static uint32_t row_of(struct gathering *gathering, const struct ct_valueless *what, bool *is_new)
{
	const struct ct_place place = what->unit
					  ? ct_place_of(what->unit, &what->unit->sites[what->site])
					  : (struct ct_place){.file = ""};
	const char *const text[] = {what->name, place.file, what->operation, what->reason};
	uint32_t key[1 + sizeof(text) / sizeof(*text)] = {place.line};

	for (size_t i = 0; i < sizeof(text) / sizeof(*text); i++) {
		key[1 + i] = ct_intern_add(&gathering->texts, text[i], strlen(text[i]), is_new);
		if (!key[1 + i])
			return 0;
	}
	return ct_intern_add(&gathering->rows, key, sizeof(key), is_new);
}

static int add(struct gathering *gathering, const struct ct_valueless *what)
{
	struct ct_valueless_list *all = gathering->all;
	struct ct_valueless *to;
	bool is_new;
	uint32_t row = row_of(gathering, what, &is_new);

	if (row && !is_new) {
		all->list[row - 1].times++;
		return 0;
	}
	if (!row || ct_array_grow(&all->list, all->count, sizeof(*all->list)) < 0)
		return -ENOMEM;
	to = &all->list[all->count];
	*to = *what;
	to->times = 1;
	to->name = strdup(what->name);
	all->count += to->name != NULL;
	return to->name ? 0 : -ENOMEM;
}

static int add_site(struct gathering *gathering, const struct ct_cover_part *part,
		    const struct ct_unit_site *site)
{
	const char *reason = ct_cover_holds(part, site) ? reason_of(part->unit, site) : NULL;

	if (!reason)
		return 0;
	return add(gathering,
		   &(struct ct_valueless){.name = part->name,
					  .is_kernel = part->kernel != CT_NONE,
					  .unit = part->unit,
					  .site = (uint32_t)(site - part->unit->sites),
					  .operation = ct_operation_text(site->operation),
					  .reason = reason});
}

static int add_sites(struct gathering *gathering, const struct ct_cover_part *part)
{
	int err = 0;

	for (uint32_t s = 0; s < part->unit->header->site_count && err == 0; s++)
		err = add_site(gathering, part, &part->unit->sites[s]);
	return err;
}

/* Kernels that pass, and all that they call. */
static void find_parts(const struct ct_coverage *coverage, const struct ct_kernel_table *kernels,
		       unsigned char *reached)
{
	for (size_t p = 0; p < coverage->count; p++)
		for (uint32_t k = 0; k < kernels->count && coverage->part[p].is_launched; k++)
			if (kernels->list[k].launches &&
			    !strcmp(kernels->list[k].symbol, coverage->part[p].symbol)) {
				reached[p] = 1;
				ct_coverage_reach(coverage, p, reached);
			}
}

static int add_parts(struct gathering *gathering, const struct ct_coverage *coverage,
		     const struct ct_kernel_table *kernels)
{
	unsigned char *reached = calloc(coverage->count + 1, 1);
	int err = 0;

	if (!reached)
		return -ENOMEM;
	find_parts(coverage, kernels, reached);
	for (size_t p = 0; p < coverage->count && err == 0; p++)
		if (reached[p])
			err = add_sites(gathering, &coverage->part[p]);
	free(reached);
	return err;
}

static int add_launches(struct gathering *gathering, const struct ct_trace *trace,
			const struct ct_filter *filter)
{
	const struct ct_launch_info *launches;
	size_t count = ct_trace_launches(trace, &launches);
	int err = 0;

	for (size_t i = 0; i < count && err == 0; i++) {
		const struct ct_valueless what = {.name = (char *)launches[i].kernel,
						  .is_kernel = true,
						  .operation = "launch",
						  .reason = launches[i].reason};

		if (!(launches[i].event->flags & CT_LAUNCH_TRACED) &&
		    (!filter || ct_filter_launch(filter, &launches[i])))
			err = add(gathering, &what);
	}
	return err;
}

int ct_valueless_find(struct ct_valueless_list *all, const struct ct_trace *trace,
		      const struct ct_filter *filter)
{
	struct ct_kernel_table kernels = {.list = NULL};
	struct ct_coverage coverage = {.part = NULL};
	struct gathering gathering = {.all = all};
	int err = ct_kernel_table_init(&kernels, trace, filter);

	if (err == 0)
		err = ct_coverage_init(&coverage, trace);
	if (err == 0)
		err = add_parts(&gathering, &coverage, &kernels);
	if (err == 0)
		err = add_launches(&gathering, trace, filter);
	ct_intern_fini(&gathering.texts);
	ct_intern_fini(&gathering.rows);
	ct_coverage_fini(&coverage);
	ct_kernel_table_fini(&kernels);
	return err;
}

void ct_valueless_fini(struct ct_valueless_list *all)
{
	for (size_t i = 0; i < all->count; i++)
		free(all->list[i].name);
	free(all->list);
	*all = (struct ct_valueless_list){.list = NULL};
}
