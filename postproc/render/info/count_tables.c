/* SPDX-License-Identifier: Apache-2.0 */
/* Tables of what was counted in a trace. */
#include "postproc/analysis/totals/kernels.h"
#include "postproc/analysis/totals/regions.h"
#include "postproc/facts/counted.h"
#include "postproc/facts/words.h"
#include "postproc/render/info/tables.h"
#include "postproc/tables/sink.h"
#include <math.h>

#define TEXT_BYTES 1024

/* One space and class, or one operation of events. */
struct counts {
	uint64_t number;
	const char *space, *class, *operation;
	const struct ct_count *count;
};

struct row_launch_totals {
	const struct ct_launch_info *info;
	const struct ct_launch_totals *totals;
};

struct row_launch_counts {
	struct counts counts; /* the first: as of the next two */
	const struct ct_launch_info *info;
};

struct row_kernel_counts {
	struct counts counts;
	const struct ct_kernel_totals *kernel;
	uint64_t number;
};

struct row_total_counts {
	struct counts counts;
};

struct row_site_counts {
	uint64_t unit, site;
	const struct ct_count *count;
};

struct row_regions {
	const struct ct_region *region;
};

struct row_estimates {
	const struct ct_estimate *estimate;
	uint64_t number, kernel;
	const char *name, *class;
	int accesses, bytes; /* enum ct_quantity */
};

struct row_counted_sites {
	const struct ct_counted_site *site;
	uint64_t number, kernel;
};

struct row_counted_objects {
	const struct ct_counted_object *touched;
	const struct ct_object_info *object;
	const char *name;
	uint64_t number, kernel;
};

static uint64_t touched_bytes(const struct row_counted_objects *row, uint64_t sectors)
{
	return row->object ? sectors * CT_COUNTED_SECTOR_BYTES : CT_MISSING;
}

#define CT_DESCRIBED "postproc/render/info/count_tables.def"
#include "postproc/tables/described.h"

/* Puts the row that the counts begin, if there are any. */
static int put_count(struct ct_table_sink *sink, struct counts *row, const struct ct_count *count)
{
	int err;

	if (!count->warps)
		return 0;
	row->count = count;
	err = ct_table_put_row(sink, row);
	row->number++;
	return err;
}

static int put_space(struct ct_table_sink *sink, struct counts *row,
		     const struct ct_access_totals *totals, uint32_t space)
{
	int err = 0;

	row->space = ct_words_space(space);
	for (int class = 0; class < CT_ACCESS_CLASSES && err == 0; class ++) {
		row->class = ct_class_text((enum ct_class) class);
		err = put_count(sink, row, &totals->of[class]);
	}
	row->class = "reduction";
	return err == 0 ? put_count(sink, row, &totals->reduction) : err;
}

static int put_events(struct ct_table_sink *sink, struct counts *row,
		      const struct ct_other_totals *other)
{
	int err = 0;

	row->space = NULL;
	row->class = ct_class_text(CT_CLASS_EVENT);
	for (uint32_t operation = 0; operation < CT_OPERATIONS && err == 0; operation++) {
		row->operation = ct_operation_text(operation);
		err = put_count(sink, row, &other->event[operation]);
	}
	row->operation = NULL;
	return err;
}

/* All rows of one launch, or of several together. */
static int put_counts(struct ct_table_sink *sink, struct counts *row,
		      const struct ct_launch_totals *totals)
{
	int err = put_space(sink, row, &totals->global, CT_SPACE_GLOBAL);

	for (uint32_t space = 0; totals->other && space < CT_SPACES && err == 0; space++)
		if (space != CT_SPACE_GLOBAL)
			err = put_space(sink, row, &totals->other->space[space], space);
	return err == 0 && totals->other ? put_events(sink, row, totals->other) : err;
}

static int rows_launch_totals(const void *from, struct ct_table_sink *sink)
{
	const struct ct_trace_facts *facts = from;
	const struct ct_launch_info *launches;
	size_t count = ct_trace_launches(facts->trace, &launches);
	int err = 0;

	for (size_t i = 0; i < count && err == 0; i++) {
		const struct row_launch_totals row = {&launches[i],
						      ct_totals_launch(facts->totals, i)};

		if (!facts->filter || ct_filter_launch(facts->filter, &launches[i]))
			err = ct_table_put_row(sink, &row);
	}
	return err;
}

static int rows_launch_counts(const void *from, struct ct_table_sink *sink)
{
	const struct ct_trace_facts *facts = from;
	const struct ct_launch_info *launches;
	size_t count = ct_trace_launches(facts->trace, &launches);
	int err = 0;

	for (size_t i = 0; i < count && err == 0; i++) {
		struct row_launch_counts row = {.info = &launches[i]};

		if (!facts->filter || ct_filter_launch(facts->filter, &launches[i]))
			err = put_counts(sink, &row.counts, ct_totals_launch(facts->totals, i));
	}
	return err;
}

static int rows_kernel_counts(const void *from, struct ct_table_sink *sink)
{
	const struct ct_trace_facts *facts = from;
	struct ct_kernels kernels;
	int err = ct_kernels_init(&kernels, facts->trace, facts->totals, &facts->summary->sampling,
				  facts->filter);

	if (err < 0)
		return err;
	for (size_t i = 0; i < kernels.count && err == 0; i++) {
		struct row_kernel_counts row = {.kernel = &kernels.list[i]};

		row.number = ct_numbered_kernel_of(facts->kernels, row.kernel->first->kernel_name);
		err = put_counts(sink, &row.counts, &row.kernel->totals);
	}
	ct_kernels_fini(&kernels);
	return err;
}

static int rows_total_counts(const void *from, struct ct_table_sink *sink)
{
	const struct ct_trace_facts *facts = from;
	struct row_total_counts row = {.counts = {.number = 0}};

	return put_counts(sink, &row.counts, ct_totals_sum(facts->totals));
}

static int rows_site_counts(const void *from, struct ct_table_sink *sink)
{
	const struct ct_trace_facts *facts = from;
	const struct ct_unit *units;
	size_t count = ct_trace_units(facts->trace, &units);
	struct row_site_counts row = {.unit = 0};
	int err = 0;

	for (; row.unit < count; row.unit++) {
		for (row.site = 0; row.site < units[row.unit].header->site_count && err == 0;
		     row.site++) {
			row.count = ct_totals_site(facts->totals, row.unit, row.site);
			if (row.count->warps)
				err = ct_table_put_row(sink, &row);
		}
	}
	return err;
}

static int rows_regions(const void *from, struct ct_table_sink *sink)
{
	const struct ct_trace_facts *facts = from;
	struct ct_regions regions;
	int err = ct_regions_init(&regions, facts->trace, facts->totals);

	if (err < 0)
		return err;
	for (size_t i = 0; i < regions.count && err == 0; i++) {
		const struct row_regions row = {&regions.list[i]};

		err = ct_table_put_row(sink, &row);
	}
	ct_regions_fini(&regions);
	return err;
}

/* Nothing if the counts are exact, or tell nothing of it. */
static int put_estimate(struct ct_table_sink *sink, struct row_estimates *row,
			const struct ct_estimate *estimate)
{
	int err = 0;

	if (!estimate->is_sampled || !estimate->seen)
		return 0;
	row->estimate = estimate;
	for (int class = 0; class <= CT_ACCESS_CLASSES && err == 0; class ++) {
		bool is_all = class == CT_ACCESS_CLASSES;

		row->class = is_all ? "all" : ct_class_text((enum ct_class) class);
		row->accesses = is_all ? CT_QUANTITY_ALL_ACCESSES : CT_QUANTITY_ACCESSES + class;
		row->bytes = is_all ? CT_QUANTITY_ALL_BYTES : CT_QUANTITY_BYTES + class;
		err = ct_table_put_row(sink, row);
		row->number++;
	}
	return err;
}

static int rows_estimates(const void *from, struct ct_table_sink *sink)
{
	const struct ct_trace_facts *facts = from;
	const struct ct_unit *units;
	size_t count = ct_trace_units(facts->trace, &units);
	struct row_estimates row = {.number = 0};
	int err = 0;

	if (!facts->estimates)
		return 0;
	for (size_t u = 0; u < count; u++)
		for (uint32_t k = 0; k < units[u].header->kernel_count && err == 0; k++) {
			const struct ct_unit_kernel *kernel = &units[u].kernels[k];

			row.name = ct_unit_string(&units[u], kernel->display);
			row.kernel = ct_numbered_kernel_of(facts->kernels,
							   ct_unit_string(&units[u], kernel->name));
			err = put_estimate(sink, &row, ct_estimates_kernel(facts->estimates, u, k));
		}
	row.name = NULL;
	row.kernel = CT_MISSING;
	return err == 0 ? put_estimate(sink, &row, ct_estimates_sum(facts->estimates)) : err;
}

static int rows_counted_sites(const void *from, struct ct_table_sink *sink)
{
	const struct ct_trace_facts *facts = from;
	struct ct_counted counted;
	int err = ct_counted_init(&counted, facts->trace, facts->filter);

	if (err < 0)
		return err;
	for (size_t i = 0; i < counted.sites && err == 0; i++) {
		const struct ct_counted_site *site = &counted.site[i];
		const struct row_counted_sites row = {
		    site, i, ct_numbered_kernel_of(facts->kernels, site->launch->kernel_name)};

		err = ct_table_put_row(sink, &row);
	}
	ct_counted_fini(&counted);
	return err;
}

static int rows_counted_objects(const void *from, struct ct_table_sink *sink)
{
	const struct ct_trace_facts *facts = from;
	struct ct_counted counted;
	char name[TEXT_BYTES];
	int err = ct_counted_init(&counted, facts->trace, facts->filter);

	if (err < 0)
		return err;
	for (size_t i = 0; i < counted.objects && err == 0; i++) {
		const struct ct_counted_object *touched = &counted.object[i];
		const struct row_counted_objects row = {
		    .touched = touched,
		    .object = touched->object,
		    .name = touched->object ? ct_words_object(touched->object, name, sizeof(name))
					    : "not known: no room for maps of what is touched",
		    .number = i,
		    .kernel = ct_numbered_kernel_of(facts->kernels, touched->launch->kernel_name),
		};

		err = ct_table_put_row(sink, &row);
	}
	ct_counted_fini(&counted);
	return err;
}

static const struct ct_table_link of_launches[] = {{"part, launch", "launches", "part, launch"},
						   {0}};
static const struct ct_table_link of_kernels[] = {{"kernel_number", "kernels", "kernel_number"},
						  {0}};
static const struct ct_table_link of_sites[] = {{"unit, site", "sites", "unit, site"}, {0}};

const struct ct_table_def ct_launch_totals_table = {CT_TABLE_PARTS(launch_totals, of_launches)};
const struct ct_table_def ct_launch_counts_table = {CT_TABLE_PARTS(launch_counts, of_launches)};
const struct ct_table_def ct_kernel_counts_table = {CT_TABLE_PARTS(kernel_counts, of_kernels)};
const struct ct_table_def ct_total_counts_table = {CT_TABLE_PARTS(total_counts, NULL)};
const struct ct_table_def ct_site_counts_table = {CT_TABLE_PARTS(site_counts, of_sites)};
const struct ct_table_def ct_regions_table = {CT_TABLE_SHOWN(regions, NULL)};
const struct ct_table_def ct_estimates_table = {CT_TABLE_PARTS(estimates, of_kernels)};
const struct ct_table_def ct_counted_sites_table = {CT_TABLE_SHOWN(counted_sites, of_kernels)};
const struct ct_table_def ct_counted_objects_table = {CT_TABLE_SHOWN(counted_objects, of_kernels)};
