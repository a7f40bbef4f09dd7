/* SPDX-License-Identifier: Apache-2.0 */
/* Tables of what the trace itself says. */
#include "postproc/facts/coverage.h"
#include "postproc/facts/processes.h"
#include "postproc/facts/sampling.h"
#include "postproc/facts/source_name.h"
#include "postproc/facts/words.h"
#include "postproc/render/base/path.h"
#include "postproc/render/export/tables.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define TEXT_BYTES 1024

/* A launch or allocation descriptor, taken apart. */
struct place {
	char file[TEXT_BYTES], function[TEXT_BYTES], expression[TEXT_BYTES];
	uint64_t line;
};

struct row_processes {
	const struct ct_process_totals *process;
};

struct row_devices {
	const struct ct_device_info *info;
};

struct row_units {
	const struct ct_unit *unit;
	uint64_t number;
	char id[20];
};

struct row_kernels {
	const struct ct_numbered_kernel *kernel;
	uint64_t number;
	const char *file, *reason;
	uint64_t line;
	char *parameters;
};

struct row_launches {
	const struct ct_launch_info *info;
	const struct ct_event_launch *event;
	const struct ct_launch_sample *sample;
	uint64_t kernel, start_ns;
	struct place place;
};

struct row_launch_counts {
	const struct ct_launch_info *info;
	uint64_t number;
	const char *space, *class;
	const struct ct_count *count;
};

struct row_transfers_host {
	const struct ct_transfer_info *info;
	const struct ct_event_transfer *event;
	uint64_t start_ns;
};

struct row_objects {
	const struct ct_object_info *info;
	uint64_t start_ns;
	struct place place;
};

struct row_sites {
	const struct ct_unit *from;
	const struct ct_unit_site *info;
	uint64_t unit, number, kernel;
	struct ct_place place;
	char *function, *inlined;
	char type[32];
};

struct row_site_counts {
	uint64_t unit, site;
	const struct ct_count *count;
};

struct row_coverage {
	const struct ct_cover_part *part;
	const struct ct_cover_row *row;
	uint64_t code, number;
};

struct row_losses {
	const struct ct_loss_info *info;
	uint64_t number;
};

struct row_warnings {
	uint64_t number;
	const char *text;
};

#define CT_DESCRIBE_COLUMNS
#include "postproc/tables/describe.h"

#include "postproc/render/export/trace_tables.def"
#define CT_DESCRIBE_FILL
#include "postproc/tables/describe.h"

#include "postproc/render/export/trace_tables.def"

static int rows_processes(const void *from, struct ct_table_sink *sink)
{
	const struct ct_export *export = from;
	struct ct_processes processes;
	int err = ct_processes_init(&processes, export->trace);

	for (size_t i = 0; i < processes.count && err == 0; i++) {
		const struct row_processes row = {&processes.list[i]};

		err = ct_table_put_row(sink, &row);
	}
	ct_processes_fini(&processes);
	return err;
}

static int rows_devices(const void *from, struct ct_table_sink *sink)
{
	const struct ct_export *export = from;
	const struct ct_device_info *devices;
	size_t count = ct_trace_devices(export->trace, &devices);
	int err = 0;

	for (size_t i = 0; i < count && err == 0; i++) {
		const struct row_devices row = {&devices[i]};

		err = ct_table_put_row(sink, &row);
	}
	return err;
}

static int rows_units(const void *from, struct ct_table_sink *sink)
{
	const struct ct_export *export = from;
	const struct ct_unit *units;
	size_t count = ct_trace_units(export->trace, &units);
	int err = 0;

	for (size_t i = 0; i < count && err == 0; i++) {
		struct row_units row = {.unit = &units[i], .number = i};

		snprintf(row.id, sizeof(row.id), "%016llx",
			 (unsigned long long)units[i].header->unit_id);
		err = ct_table_put_row(sink, &row);
	}
	return err;
}

/* "int *, float n"; to be freed. */
static char *parameters_of(const struct ct_unit *unit, const struct ct_unit_kernel *kernel)
{
	char *text = NULL;
	size_t bytes;
	FILE *out = open_memstream(&text, &bytes);

	if (!out)
		return NULL;
	for (uint32_t i = 0; i < kernel->param_count; i++) {
		const struct ct_unit_param *param = &unit->params[kernel->param_first + i];
		const char *name = ct_unit_string(unit, param->name);

		fprintf(out, "%s%s%s%s", i ? ", " : "", ct_unit_string(unit, param->type),
			*name ? " " : "", name);
	}
	return fclose(out) == 0 ? text : (free(text), NULL);
}

static int rows_kernels(const void *from, struct ct_table_sink *sink)
{
	const struct ct_export *export = from;
	int err = 0;

	for (size_t i = 0; i < export->kernels.count && err == 0; i++) {
		const struct ct_numbered_kernel *kernel = &export->kernels.list[i];
		struct row_kernels row = {.kernel = kernel, .number = i};

		if (kernel->unit) {
			const struct ct_unit_kernel *info = &kernel->unit->kernels[kernel->index];

			row.file = ct_unit_string(kernel->unit, info->file);
			row.line = info->line;
			row.reason = ct_unit_string(kernel->unit, info->reason);
			row.parameters = parameters_of(kernel->unit, info);
			if (!row.parameters)
				return -ENOMEM;
		}
		err = ct_table_put_row(sink, &row);
		free(row.parameters);
	}
	return err;
}

static void take_apart(struct place *place, const char *descriptor)
{
	char line[32];

	ct_site_field(descriptor, 1, place->file, sizeof(place->file));
	ct_site_field(descriptor, 2, line, sizeof(line));
	ct_site_field(descriptor, 4, place->function, sizeof(place->function));
	ct_site_field(descriptor, 6, place->expression, sizeof(place->expression));
	place->line = *line ? strtoull(line, NULL, 10) : CT_MISSING;
}

static int rows_launches(const void *from, struct ct_table_sink *sink)
{
	const struct ct_export *export = from;
	const struct ct_launch_info *launches;
	size_t count = ct_trace_launches(export->trace, &launches);
	struct row_launches row = {.start_ns = export->start_ns};
	struct ct_sampling sampling;
	int err = ct_sampling_init(&sampling, export->trace);

	for (size_t i = 0; i < count && err == 0; i++) {
		row.info = &launches[i];
		row.event = launches[i].event;
		row.sample = &sampling.launch[i];
		row.kernel = ct_numbered_kernel_of(&export->kernels, launches[i].kernel_name);
		take_apart(&row.place, launches[i].site);
		err = ct_table_put_row(sink, &row);
	}
	ct_sampling_fini(&sampling);
	return err;
}

static int launch_space(struct ct_table_sink *sink, struct row_launch_counts *row,
			const struct ct_access_totals *totals, uint32_t space)
{
	int err = 0;

	row->space = ct_words_space(space);
	for (int class = 0; class <= CT_ACCESS_CLASSES && err == 0; class ++) {
		row->class =
		    class < CT_ACCESS_CLASSES ? ct_class_text((enum ct_class) class) : "reduction";
		row->count = class < CT_ACCESS_CLASSES ? &totals->of[class] : &totals->reduction;
		if (!row->count->warps)
			continue;
		err = ct_table_put_row(sink, row);
		row->number++;
	}
	return err;
}

static int rows_launch_counts(const void *from, struct ct_table_sink *sink)
{
	const struct ct_export *export = from;
	struct row_launch_counts row;
	size_t count = ct_trace_launches(export->trace, &row.info);
	int err = 0;

	for (size_t i = 0; i < count && err == 0; i++, row.info++) {
		const struct ct_launch_totals *totals = ct_totals_launch(export->totals, i);

		row.number = 0;
		err = launch_space(sink, &row, &totals->global, CT_SPACE_GLOBAL);
		for (uint32_t space = 0; totals->other && space < CT_SPACES && err == 0; space++)
			if (space != CT_SPACE_GLOBAL)
				err = launch_space(sink, &row, &totals->other->space[space], space);
	}
	return err;
}

static int rows_transfers_host(const void *from, struct ct_table_sink *sink)
{
	const struct ct_export *export = from;
	const struct ct_transfer_info *transfers;
	size_t count = ct_trace_transfers(export->trace, &transfers);
	int err = 0;

	for (size_t i = 0; i < count && err == 0; i++) {
		const struct row_transfers_host row = {&transfers[i], transfers[i].event,
						       export->start_ns};

		err = ct_table_put_row(sink, &row);
	}
	return err;
}

static int rows_objects(const void *from, struct ct_table_sink *sink)
{
	const struct ct_export *export = from;
	const struct ct_object_info *objects;
	size_t count = ct_trace_objects(export->trace, &objects);
	struct row_objects row = {.start_ns = export->start_ns};
	int err = 0;

	for (size_t i = 0; i < count && err == 0; i++) {
		row.info = &objects[i];
		take_apart(&row.place, objects[i].site);
		err = ct_table_put_row(sink, &row);
	}
	return err;
}

/* "" if it was not inlined; to be freed. */
static char *inlined_of(const struct ct_unit *unit, uint32_t site)
{
	const struct ct_access access = {.unit = unit, .site = site, .info = &unit->sites[site]};
	char *text = NULL;
	size_t bytes;
	FILE *out;

	if (access.info->inlined_at == CT_NONE)
		return strdup("");
	out = open_memstream(&text, &bytes);
	if (!out)
		return NULL;
	ct_path_write(out, &access);
	return fclose(out) == 0 ? text : (free(text), NULL);
}

static int write_site(const struct ct_export *export, struct ct_table_sink *sink,
		      struct row_sites *row)
{
	const struct ct_unit *unit = row->from;
	int err;

	row->info = &unit->sites[row->number];
	row->place = ct_place_of(unit, row->info);
	row->kernel = CT_MISSING;
	if (row->info->kernel != CT_NONE)
		row->kernel = ct_numbered_kernel_of(
		    &export->kernels, ct_unit_string(unit, unit->kernels[row->info->kernel].name));
	ct_words_type(row->info, row->type, sizeof(row->type));
	row->function = ct_source_name(ct_unit_string(unit, row->info->function));
	row->inlined = inlined_of(unit, (uint32_t)row->number);
	err = row->function && row->inlined ? ct_table_put_row(sink, row) : -ENOMEM;
	free(row->function);
	free(row->inlined);
	return err;
}

static int rows_sites(const void *from, struct ct_table_sink *sink)
{
	const struct ct_export *export = from;
	const struct ct_unit *units;
	size_t count = ct_trace_units(export->trace, &units);
	struct row_sites row = {.unit = 0};
	int err = 0;

	for (; row.unit < count && err == 0; row.unit++) {
		row.from = &units[row.unit];
		for (row.number = 0; row.number < row.from->header->site_count && err == 0;
		     row.number++)
			err = write_site(export, sink, &row);
	}
	return err;
}

static int rows_site_counts(const void *from, struct ct_table_sink *sink)
{
	const struct ct_export *export = from;
	const struct ct_unit *units;
	size_t count = ct_trace_units(export->trace, &units);
	struct row_site_counts row = {.unit = 0};
	int err = 0;

	for (; row.unit < count; row.unit++) {
		for (row.site = 0; row.site < units[row.unit].header->site_count && err == 0;
		     row.site++) {
			row.count = ct_totals_site(export->totals, row.unit, row.site);
			if (row.count->warps)
				err = ct_table_put_row(sink, &row);
		}
	}
	return err;
}

static int rows_coverage(const void *from, struct ct_table_sink *sink)
{
	const struct ct_export *export = from;
	struct ct_coverage coverage;
	int err = ct_coverage_init(&coverage, export->trace);

	if (err < 0)
		return err;
	for (size_t p = 0; p < coverage.count; p++) {
		for (size_t i = 0; i < coverage.part[p].count && err == 0; i++) {
			const struct row_coverage row = {&coverage.part[p],
							 &coverage.part[p].row[i], p, i};

			err = ct_table_put_row(sink, &row);
		}
	}
	ct_coverage_fini(&coverage);
	return err;
}

static int rows_losses(const void *from, struct ct_table_sink *sink)
{
	const struct ct_export *export = from;
	const struct ct_loss_info *losses;
	size_t count = ct_trace_losses(export->trace, &losses);
	int err = 0;

	for (size_t i = 0; i < count && err == 0; i++) {
		const struct row_losses row = {&losses[i], i};

		err = ct_table_put_row(sink, &row);
	}
	return err;
}

static int rows_warnings(const void *from, struct ct_table_sink *sink)
{
	const struct ct_export *export = from;
	const char *const *warnings;
	size_t count = ct_trace_warnings(export->trace, &warnings);
	int err = 0;

	for (size_t i = 0; i < count && err == 0; i++) {
		const struct row_warnings row = {i, warnings[i]};

		err = ct_table_put_row(sink, &row);
	}
	return err;
}

static const struct ct_table_link of_launch[] = {{"kernel_number", "kernels", "kernel_number"},
						 {0}};
static const struct ct_table_link of_launch_counts[] = {
    {"part, launch", "launches", "part, launch"}, {0}};
static const struct ct_table_link of_sites[] = {{"unit", "units", "unit"},
						{"kernel_number", "kernels", "kernel_number"},
						{"file, line", NULL, NULL},
						{0}};
static const struct ct_table_link of_site_counts[] = {{"unit, site", "sites", "unit, site"}, {0}};

CT_TABLE_OF(processes, 0, NULL, NULL);
CT_TABLE_OF(devices, 0, NULL, NULL);
CT_TABLE_OF(units, 0, NULL, NULL);
CT_TABLE_OF(kernels, 0, NULL, NULL);
CT_TABLE_OF(launches, 0, of_launch, NULL);
CT_TABLE_OF(launch_counts, CT_NEEDS_SCAN, of_launch_counts, NULL);
CT_TABLE_OF(transfers_host, 0, NULL, NULL);
CT_TABLE_OF(objects, 0, NULL, NULL);
CT_TABLE_OF(sites, 0, of_sites, NULL);
CT_TABLE_OF(site_counts, CT_NEEDS_SCAN, of_site_counts, NULL);
CT_TABLE_OF(coverage, 0, NULL, NULL);
CT_TABLE_OF(losses, 0, NULL, NULL);
CT_TABLE_OF(warnings, 0, NULL, NULL);
