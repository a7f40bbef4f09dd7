/* SPDX-License-Identifier: Apache-2.0 */
/* Tables of memory checks. */
#include "postproc/analysis/check/tables.h"
#include "postproc/analysis/check/analysis.h"
#include "postproc/analysis/check/words.h"
#include "postproc/tables/sink.h"

struct row_checks {
	uint64_t number;
	const struct ct_check_cause *cause;
	struct ct_finding_site site, other;
	struct ct_source_line place, allocated, freed;
	const char *operation, *kernel;
	uint64_t size, beyond, part, launch, cta, thread, warp, other_cta, other_warp;
	struct ct_check_line line;
	const char *object, *hit; /* NULL: none */
	char object_name[CT_CHECK_NAME_BYTES], hit_name[CT_CHECK_NAME_BYTES];
};

struct row_check_totals {
	uint64_t number;
	const struct ct_check_results *results;
};

#define CT_DESCRIBED "postproc/analysis/check/tables.def"
#include "postproc/tables/described.h"

/* The first occurrence in a kernel. */
static void fill_launch(struct row_checks *row)
{
	const struct ct_check_cause *cause = row->cause;

	row->launch = row->cta = row->thread = row->warp = row->part = CT_MISSING;
	if (!cause->launch)
		return;
	row->kernel = cause->launch->kernel;
	row->part = cause->launch->part;
	row->launch = cause->launch->event->launch;
	row->cta = cause->cta;
	row->warp = cause->warp;
	if (cause->lane != CT_CHECK_NO_LANE)
		row->thread = cause->warp * CT_WARP_LANES + cause->lane;
}

static int put(struct ct_table_sink *sink, const struct ct_check_cause *cause, uint64_t number)
{
	struct row_checks row = {.number = number,
				 .cause = cause,
				 .site = {cause->unit, cause->site},
				 .other = {cause->other.unit, cause->other.site},
				 .other_cta = cause->other.unit ? cause->other.cta : CT_MISSING,
				 .other_warp = cause->other.unit ? cause->other.warp : CT_MISSING,
				 .operation = ct_check_operation(cause),
				 .size = CT_MISSING,
				 .beyond = cause->beyond ? cause->beyond : CT_MISSING};

	fill_launch(&row);
	ct_check_allocated(cause->object, &row.line);
	row.allocated = (struct ct_source_line){row.line.file, row.line.line};
	row.freed = (struct ct_source_line){cause->freed_file, cause->freed_line};
	if (!cause->unit || cause->transfer)
		row.place = (struct ct_source_line){cause->file, cause->line};
	if (cause->object) {
		row.size = cause->object->event->bytes;
		row.object = ct_check_object_name(cause->object, row.object_name);
	}
	if (cause->kind == CT_CHECK_LOCAL_OUT_OF_BOUNDS) {
		const struct ct_unit_site *site = &cause->unit->sites[cause->site];

		row.size = ct_check_variable_bytes(cause);
		row.object = site->variable ? ct_unit_string(cause->unit, site->variable) : NULL;
	}
	if (cause->hit)
		row.hit = ct_check_object_name(cause->hit, row.hit_name);
	return ct_table_put_row(sink, &row);
}

static int rows_checks(const void *from, struct ct_table_sink *sink)
{
	const struct ct_check_results *results = from;
	int err = 0;

	for (size_t i = 0; i < results->causes.count && err == 0; i++)
		err = put(sink, &results->causes.list[i], i);
	return err;
}

static int rows_check_totals(const void *from, struct ct_table_sink *sink)
{
	const struct row_check_totals row = {.results = from};

	return ct_table_put_row(sink, &row);
}

const struct ct_table_def ct_checks_table = {CT_TABLE_SHOWN(checks, NULL)};
const struct ct_table_def ct_check_totals_table = {CT_TABLE_PARTS(check_totals, NULL)};
