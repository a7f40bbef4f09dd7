/* SPDX-License-Identifier: Apache-2.0 */
/* Compilation units of a module's debug information: by what each says of its own addresses, for
 * not every compiler writes an index of all of them. */
#include "postproc/symbols/units.h"
#include "base/array.h"
#include "base/search.h"
#include <dwarf.h>
#include <errno.h>
#include <stdlib.h>

static int add_spans(struct ct_code_units *units, size_t *room, Dwarf_Die *die, uint32_t unit)
{
	Dwarf_Addr base, low, high;
	ptrdiff_t at = 0;

	while ((at = dwarf_ranges(die, at, &base, &low, &high)) > 0) {
		if (low >= high)
			continue;
		if (ct_array_reserve(&units->span, room, units->spans + 1, sizeof(*units->span)) <
		    0)
			return -ENOMEM;
		units->span[units->spans++] = (struct ct_unit_span){low, high, unit};
	}
	return 0;
}

static int compare(const void *a, const void *b)
{
	const struct ct_unit_span *x = a, *y = b;

	if (x->low != y->low)
		return x->low < y->low ? -1 : 1;
	return x->unit < y->unit ? -1 : x->unit > y->unit;
}

static int add_unit(struct ct_code_units *units, size_t *room, size_t *span_room, Dwarf_Die *die,
		    Dwarf_Die *split)
{
	size_t spans = units->spans;
	int err = add_spans(units, span_room, die, (uint32_t)units->count);

	if (err < 0 || units->spans == spans)
		return err;
	if (ct_array_reserve(&units->unit, room, units->count + 1, sizeof(*units->unit)) < 0)
		return -ENOMEM;
	units->unit[units->count++] = (struct ct_code_unit){
	    .die = *die,
	    .split = split->addr ? *split : *die,
	};
	return 0;
}

int ct_code_units_init(struct ct_code_units *units, Dwarf *dwarf)
{
	size_t room = 0, span_room = 0;
	Dwarf_Die die, split;
	Dwarf_CU *unit = NULL;
	uint8_t kind;
	int err = 0;

	*units = (struct ct_code_units){0};
	while (dwarf && err == 0 &&
	       dwarf_get_units(dwarf, unit, &unit, NULL, &kind, &die, &split) == 0)
		if (kind == DW_UT_compile || kind == DW_UT_skeleton)
			err = add_unit(units, &room, &span_room, &die, &split);
	if (err < 0) {
		ct_code_units_fini(units);
		return err;
	}
	if (units->spans)
		qsort(units->span, units->spans, sizeof(*units->span), compare);
	return 0;
}

void ct_code_units_fini(struct ct_code_units *units)
{
	for (size_t i = 0; i < units->count; i++)
		ct_functions_fini(&units->unit[i].functions);
	free(units->unit);
	free(units->span);
	*units = (struct ct_code_units){0};
}

struct ct_code_unit *ct_code_units_find(struct ct_code_units *units, Dwarf_Addr address, int *err)
{
	size_t above = ct_search_above(units->span, units->spans, sizeof(*units->span), address);
	struct ct_code_unit *unit;

	*err = 0;
	if (!above || address >= units->span[above - 1].high)
		return NULL;
	unit = &units->unit[units->span[above - 1].unit];
	if (!unit->is_loaded) {
		unit->is_loaded = true;
		*err = ct_functions_init(&unit->functions, &unit->split);
	}
	return *err < 0 ? NULL : unit;
}
