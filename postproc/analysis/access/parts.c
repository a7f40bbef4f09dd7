/* SPDX-License-Identifier: Apache-2.0 */
/* Accesses that code generation makes of one. */
#include "postproc/analysis/access/parts.h"

static bool is_place(const struct ct_unit_site *site, const struct ct_unit_site *other)
{
	return site->line && site->line == other->line && site->column == other->column &&
	       site->file == other->file && site->inlined_at == other->inlined_at &&
	       site->function == other->function;
}

/* Counts the sites from `at` on that are of this place, width and operation. */
static uint32_t count_parts(const struct ct_unit *unit, const struct ct_unit_site *like,
			    uint32_t at, uint8_t operation)
{
	uint32_t count = 0;

	while (at + count < unit->header->site_count) {
		const struct ct_unit_site *site = &unit->sites[at + count];

		if (!is_place(site, like) || site->bytes != like->bytes ||
		    site->operation != operation)
			break;
		count++;
	}
	return count;
}

uint32_t ct_access_parts(const struct ct_access_row *row)
{
	const struct ct_unit *unit = row->unit;
	const struct ct_unit_site *site = &unit->sites[row->site];
	uint32_t first = row->site, loads, stores;

	if (site->operation != CT_OP_LOAD && site->operation != CT_OP_STORE)
		return 1;
	while (first && site->operation == CT_OP_STORE &&
	       count_parts(unit, site, first - 1, CT_OP_STORE))
		first--;
	while (first && count_parts(unit, site, first - 1, CT_OP_LOAD))
		first--;
	loads = count_parts(unit, site, first, CT_OP_LOAD);
	stores = count_parts(unit, site, first + loads, CT_OP_STORE);
	return loads > 1 && loads == stores && site->bytes >= CT_ACCESS_PART &&
		       loads * site->bytes <= CT_ACCESS_WIDEST
		   ? loads
		   : 1;
}

bool ct_access_is_same_place(const struct ct_access_row *row, const struct ct_access_row *other)
{
	return row->unit == other->unit &&
	       is_place(&row->unit->sites[row->site], &other->unit->sites[other->site]);
}

void ct_access_join_parts(struct ct_access_figures *sum, const struct ct_access_figures *part)
{
	sum->sectors -= part->sectors < sum->sectors ? part->sectors : sum->sectors;
	sum->requests -= part->requests < sum->requests ? part->requests : sum->requests;
}
