/* SPDX-License-Identifier: Apache-2.0 */
/* Tables of what the trace itself says. */
#include "postproc/facts/coverage.h"
#include "postproc/facts/folded_name.h"
#include "postproc/facts/sampling.h"
#include "postproc/facts/words.h"
#include "postproc/render/base/path.h"
#include "postproc/render/info/tables.h"
#include "postproc/tables/sink.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define TEXT_BYTES 1024
#define NAMES_BYTES 256

/* A launch or allocation descriptor, taken apart. */
struct place {
	char file[TEXT_BYTES], function[TEXT_BYTES], expression[TEXT_BYTES];
	uint64_t line, column;
};

struct row_meta {
	const char *key, *value;
};

struct row_trace_totals {
	const struct ct_summary *summary;
	uint64_t size_bytes, launches;
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
	char spaces[NAMES_BYTES], kinds[NAMES_BYTES], events[NAMES_BYTES];
};

struct row_kernels {
	const struct ct_numbered_kernel *kernel;
	uint64_t number;
	const char *short_name, *file, *reason;
	uint64_t line;
	char *parameters;
};

struct row_launches {
	const struct ct_launch_info *info;
	const struct ct_event_launch *event;
	const struct ct_launch_sample *sample;
	uint64_t kernel, start_ns;
	uint32_t path;
	struct place place;
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
	const struct ct_count *count; /* NULL: nothing was counted */
	uint64_t unit, number, kernel;
	struct ct_place place;
	char *function, *inlined;
	char type[32];
};

struct row_coverage {
	const struct ct_cover_part *part;
	const struct ct_cover_row *row;
	uint64_t code, number, unit;
};

struct row_losses {
	const struct ct_loss_info *info;
	uint64_t number;
};

struct row_warnings {
	uint64_t number;
	const char *text;
};

#define CT_DESCRIBED "postproc/render/info/trace_tables.def"
#include "postproc/tables/described.h"

static int rows_meta(const void *from, struct ct_table_sink *sink)
{
	int err = 0;

	for (const struct ct_meta_pair *pair = from; pair->key && err == 0; pair++) {
		const struct row_meta row = {pair->key, pair->value};

		err = ct_table_put_row(sink, &row);
	}
	return err;
}

static int rows_trace_totals(const void *from, struct ct_table_sink *sink)
{
	const struct ct_trace_facts *facts = from;
	const struct ct_launch_info *launches;
	const struct row_trace_totals row = {
	    .summary = facts->summary,
	    .size_bytes = ct_trace_bytes(facts->trace),
	    .launches = ct_trace_launches(facts->trace, &launches),
	};

	return ct_table_put_row(sink, &row);
}

/* By rank, then by part; those without a rank come last. */
static int by_rank(const void *a, const void *b)
{
	const struct ct_process_info *x = ((const struct row_processes *)a)->process->info;
	const struct ct_process_info *y = ((const struct row_processes *)b)->process->info;

	if (x->rank != y->rank)
		return x->rank < y->rank ? -1 : 1;
	return x->part < y->part ? -1 : x->part > y->part;
}

static int rows_processes(const void *from, struct ct_table_sink *sink)
{
	const struct ct_trace_facts *facts = from;
	const struct ct_processes *processes = &facts->summary->processes;
	struct row_processes *row = malloc(processes->count * sizeof(*row));
	int err = row || !processes->count ? 0 : -ENOMEM;

	for (size_t i = 0; i < processes->count && err == 0; i++)
		row[i].process = &processes->list[i];
	if (err == 0 && row)
		qsort(row, processes->count, sizeof(*row), by_rank);
	for (size_t i = 0; i < processes->count && err == 0; i++)
		err = ct_table_put_row(sink, &row[i]);
	free(row);
	return err;
}

static int rows_devices(const void *from, struct ct_table_sink *sink)
{
	const struct ct_trace_facts *facts = from;
	const struct ct_device_info *devices;
	size_t count = ct_trace_devices(facts->trace, &devices);
	int err = 0;

	for (size_t i = 0; i < count && err == 0; i++) {
		const struct row_devices row = {&devices[i]};

		err = ct_table_put_row(sink, &row);
	}
	return err;
}

/* "global, shared": names of the bits of mask. */
static void write_names(char text[NAMES_BYTES], uint32_t mask, const char *(*name)(uint32_t bit))
{
	size_t used = 0;

	*text = '\0';
	for (uint32_t bit = 0; bit < 32 && used < NAMES_BYTES; bit++)
		if (mask >> bit & 1)
			used += (size_t)snprintf(text + used, NAMES_BYTES - used, "%s%s",
						 used ? ", " : "", name(bit));
}

static int rows_units(const void *from, struct ct_table_sink *sink)
{
	const struct ct_trace_facts *facts = from;
	const struct ct_unit *units;
	size_t count = ct_trace_units(facts->trace, &units);
	int err = 0;

	for (size_t i = 0; i < count && err == 0; i++) {
		struct row_units row = {.unit = &units[i], .number = i};

		snprintf(row.id, sizeof(row.id), "%016llx",
			 (unsigned long long)units[i].header->unit_id);
		write_names(row.spaces, units[i].header->spaces, ct_words_space);
		write_names(row.kinds, units[i].header->kinds, ct_words_kind);
		write_names(row.events, units[i].header->events, ct_words_event);
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
	const struct ct_trace_facts *facts = from;
	int err = 0;

	for (size_t i = 0; i < facts->kernels->count && err == 0; i++) {
		const struct ct_numbered_kernel *kernel = &facts->kernels->list[i];
		char name[CT_BRIEF_NAME_BYTES];
		struct row_kernels row = {
		    .kernel = kernel, .number = i, .short_name = ct_short_name(kernel->name, name)};

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
	char line[32], column[32];

	ct_site_field(descriptor, 1, place->file, sizeof(place->file));
	ct_site_field(descriptor, 2, line, sizeof(line));
	ct_site_field(descriptor, 3, column, sizeof(column));
	ct_site_field(descriptor, 4, place->function, sizeof(place->function));
	ct_site_field(descriptor, 6, place->expression, sizeof(place->expression));
	place->line = *line ? strtoull(line, NULL, 10) : CT_MISSING;
	place->column = *column ? strtoull(column, NULL, 10) : CT_MISSING;
}

static int rows_launches(const void *from, struct ct_table_sink *sink)
{
	const struct ct_trace_facts *facts = from;
	const struct ct_launch_info *launches;
	size_t count = ct_trace_launches(facts->trace, &launches);
	struct row_launches row = {.start_ns = facts->start_ns};
	int err = 0;

	for (size_t i = 0; i < count && err == 0; i++) {
		if (facts->filter && !ct_filter_launch(facts->filter, &launches[i]))
			continue;
		row.info = &launches[i];
		row.event = launches[i].event;
		row.sample = &facts->summary->sampling.launch[i];
		row.path = ct_host_paths_of(facts->paths, &launches[i]);
		row.kernel = ct_numbered_kernel_of(facts->kernels, launches[i].kernel_name);
		take_apart(&row.place, launches[i].site);
		err = ct_table_put_row(sink, &row);
	}
	return err;
}

static int rows_transfers_host(const void *from, struct ct_table_sink *sink)
{
	const struct ct_trace_facts *facts = from;
	const struct ct_transfer_info *transfers;
	size_t count = ct_trace_transfers(facts->trace, &transfers);
	int err = 0;

	for (size_t i = 0; i < count && err == 0; i++) {
		const struct row_transfers_host row = {&transfers[i], transfers[i].event,
						       facts->start_ns};

		err = ct_table_put_row(sink, &row);
	}
	return err;
}

static int rows_objects(const void *from, struct ct_table_sink *sink)
{
	const struct ct_trace_facts *facts = from;
	const struct ct_object_info *objects;
	size_t count = ct_trace_objects(facts->trace, &objects);
	struct row_objects row = {.start_ns = facts->start_ns};
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

static int write_site(const struct ct_trace_facts *facts, struct ct_table_sink *sink,
		      struct row_sites *row)
{
	const struct ct_unit *unit = row->from;
	const struct ct_unit_kernel *kernel;
	int err;

	row->info = &unit->sites[row->number];
	kernel = row->info->kernel == CT_NONE ? NULL : &unit->kernels[row->info->kernel];
	row->count = facts->totals ? ct_totals_site(facts->totals, row->unit, row->number) : NULL;
	row->place = ct_place_of(unit, row->info);
	row->kernel =
	    kernel ? ct_numbered_kernel_of(facts->kernels, ct_unit_string(unit, kernel->name))
		   : CT_MISSING;
	ct_words_type(row->info, row->type, sizeof(row->type));
	row->function = kernel ? strdup(ct_unit_string(unit, kernel->display))
			       : ct_source_name(ct_unit_string(unit, row->info->function));
	row->inlined = inlined_of(unit, (uint32_t)row->number);
	err = row->function && row->inlined ? ct_table_put_row(sink, row) : -ENOMEM;
	free(row->function);
	free(row->inlined);
	return err;
}

static int rows_sites(const void *from, struct ct_table_sink *sink)
{
	const struct ct_trace_facts *facts = from;
	const struct ct_unit *units;
	size_t count = ct_trace_units(facts->trace, &units);
	struct row_sites row = {.unit = 0};
	int err = 0;

	for (; row.unit < count && err == 0; row.unit++) {
		row.from = &units[row.unit];
		for (row.number = 0; row.number < row.from->header->site_count && err == 0;
		     row.number++)
			err = write_site(facts, sink, &row);
	}
	return err;
}

static int rows_coverage(const void *from, struct ct_table_sink *sink)
{
	const struct ct_trace_facts *facts = from;
	const struct ct_unit *units;
	struct ct_coverage coverage;
	int err = ct_coverage_init(&coverage, facts->trace);

	if (err < 0)
		return err;
	ct_trace_units(facts->trace, &units);
	for (size_t p = 0; p < coverage.count; p++) {
		for (size_t i = 0; i < coverage.part[p].count && err == 0; i++) {
			const struct row_coverage row = {&coverage.part[p],
							 &coverage.part[p].row[i], p, i,
							 (uint64_t)(coverage.part[p].unit - units)};

			err = ct_table_put_row(sink, &row);
		}
	}
	ct_coverage_fini(&coverage);
	return err;
}

static int rows_losses(const void *from, struct ct_table_sink *sink)
{
	const struct ct_trace_facts *facts = from;
	const struct ct_loss_info *losses;
	size_t count = ct_trace_losses(facts->trace, &losses);
	int err = 0;

	for (size_t i = 0; i < count && err == 0; i++) {
		const struct row_losses row = {&losses[i], i};

		err = ct_table_put_row(sink, &row);
	}
	return err;
}

static int rows_warnings(const void *from, struct ct_table_sink *sink)
{
	const struct ct_trace_facts *facts = from;
	const char *const *warnings;
	size_t count = ct_trace_warnings(facts->trace, &warnings);
	int err = 0;

	for (size_t i = 0; i < count && err == 0; i++) {
		const struct row_warnings row = {i, warnings[i]};

		err = ct_table_put_row(sink, &row);
	}
	return err;
}

static const struct ct_table_link of_launch[] = {{"kernel_number", "kernels", "kernel_number"},
						 {0}};
static const struct ct_table_link of_sites[] = {{"unit", "units", "unit"},
						{"kernel_number", "kernels", "kernel_number"},
						{"file, line", NULL, NULL},
						{0}};

const struct ct_table_def ct_meta_table = {CT_TABLE_PARTS(meta, NULL)};
const struct ct_table_def ct_trace_totals_table = {CT_TABLE_PARTS(trace_totals, NULL)};
const struct ct_table_def ct_processes_table = {CT_TABLE_SHOWN(processes, NULL)};
const struct ct_table_def ct_devices_table = {CT_TABLE_PARTS(devices, NULL)};
const struct ct_table_def ct_units_table = {CT_TABLE_PARTS(units, NULL)};
const struct ct_table_def ct_kernels_table = {CT_TABLE_PARTS(kernels, NULL)};
const struct ct_table_def ct_launches_table = {CT_TABLE_PARTS(launches, of_launch)};
const struct ct_table_def ct_transfers_host_table = {CT_TABLE_PARTS(transfers_host, NULL)};
const struct ct_table_def ct_objects_table = {CT_TABLE_PARTS(objects, NULL)};
const struct ct_table_def ct_sites_table = {CT_TABLE_SHOWN(sites, of_sites)};
const struct ct_table_def ct_coverage_table = {CT_TABLE_PARTS(coverage, NULL)};
const struct ct_table_def ct_losses_table = {CT_TABLE_PARTS(losses, NULL)};
const struct ct_table_def ct_warnings_table = {CT_TABLE_PARTS(warnings, NULL)};
