/* SPDX-License-Identifier: Apache-2.0 */
/* Tables of how warps access memory. */
#include "postproc/render/base/words.h"
#include "postproc/render/export/tables.h"

#include <math.h>

struct row_accesses {
	const struct ct_access_row *row;
	uint64_t number, kernel, unit;
	const char *space, *object, *pattern;
};

struct row_object_heat {
	const char *object;
	uint64_t group, part, sectors;
};

#define CT_DESCRIBE_COLUMNS
#include "postproc/render/export/describe.h"

#include "postproc/render/export/access_tables.def"
#define CT_DESCRIBE_FILL
#include "postproc/render/export/describe.h"

#include "postproc/render/export/access_tables.def"

static int rows_accesses(struct ct_export *export, struct ct_export_sink *sink)
{
	const struct ct_access_results *results = export->access;
	const struct ct_unit *units;
	int err = 0;

	ct_trace_units(export->trace, &units);
	for (size_t i = 0; i < results->rows && err == 0; i++) {
		const struct ct_access_row *own = &results->row[i];
		const char *symbol = results->kernels.list[own->kernel].symbol;
		char words[CT_ACCESS_WORDS_BYTES];
		const struct row_accesses row = {
		    .row = own,
		    .number = i,
		    .kernel = ct_export_kernel_of(&export->kernels, symbol),
		    .unit = (uint64_t)(own->unit - units),
		    .space = ct_words_space(ct_access_space(results, own->group)),
		    .object = own->group < results->groups
				  ? ct_access_group_text(results, own->group)
				  : NULL,
		    .pattern = ct_access_words(results, own, words),
		};

		err = ct_export_sink_row(sink, &row);
	}
	return err;
}

static int rows_object_heat(struct ct_export *export, struct ct_export_sink *sink)
{
	const struct ct_access_heat *heat = &export->access->heat;
	int err = 0;

	for (uint32_t g = 0; g < heat->groups; g++)
		for (uint32_t b = 0; heat->sectors[g] && b < CT_ACCESS_HEAT_BINS && err == 0; b++) {
			const struct row_object_heat row = {ct_access_group_text(export->access, g),
							    g, b, heat->sectors[g][b]};

			err = ct_export_sink_row(sink, &row);
		}
	return err;
}

static const struct ct_export_link of_accesses[] = {
    {"kernel", "kernels", "kernel"}, {"unit, site", "sites", "unit, site"}, {0}};

CT_TABLE_OF(accesses, CT_NEEDS_ACCESS | CT_IS_ON_REQUEST, of_accesses, NULL);
CT_TABLE_OF(object_heat, CT_NEEDS_ACCESS | CT_IS_ON_REQUEST, NULL, NULL);
