/* SPDX-License-Identifier: Apache-2.0 */
/* Tables of how CTAs and kernels communicate. */
#include "postproc/analysis/comm/tables/tables.h"
#include "postproc/analysis/comm/figures/exchanged.h"
#include "postproc/analysis/comm/figures/pattern.h"
#include "postproc/analysis/comm/tables/cells.h"
#include "postproc/facts/words.h"
#include "postproc/shuffle/sums.h"
#include "postproc/symbols/path_text.h"
#include "postproc/tables/mean.h"
#include "postproc/tables/sink.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define TEXT_BYTES CT_COMM_TEXT_BYTES
#define FILE_BYTES 4096

struct row_comm_totals {
	const struct ct_comm_shown *shown;
	const struct ct_comm_figures *figures;
	const struct ct_comm_volume *v;
};

struct row_supersteps {
	const struct ct_superstep *step;
	const struct ct_launch_info *launch; /* NULL: a transfer */
	const struct ct_comm_superstep *figures;
	uint64_t number, process, moved_bytes, host_path;
	const char *kind, *call, *note, *called_from;
	struct ct_source_line place;
	char grid[CT_COMM_EXTENT_BYTES], block[CT_COMM_EXTENT_BYTES], recorded[TEXT_BYTES];
	char *path; /* freed with the row */
	char *file; /* room for its name */
};

struct row_kernel_volumes {
	const struct ct_comm_kernel *kernel;
	uint64_t number;
	struct ct_source_line place;
};

struct row_cta_volumes {
	const struct ct_comm_cta *cta;
};

struct row_sm_volumes {
	const struct ct_launch_info *launch;
	uint64_t superstep, sm;
	uint64_t load_bytes, store_bytes;
	uint64_t communicated_load_bytes, communicated_store_bytes;
};

struct row_transfers {
	const struct ct_comm_transfer *transfer;
};

struct row_cta_figures {
	const struct ct_comm_cta_figures *figures;
	uint64_t cta;
};

struct row_kernel_pairs {
	const struct ct_comm_kernel_pair *pair;
	const struct ct_comm_kernel *source, *target;
	uint64_t source_number, target_number, bytes;
	char why[TEXT_BYTES];
};

struct row_line_pairs {
	const struct ct_comm_line_pair *pair;
	uint64_t number;
	const char *source_kernel, *target_kernel;
	const char *source_function, *target_function;
	double share;
	char source_access[TEXT_BYTES], target_access[TEXT_BYTES];
};

struct row_object_flows {
	const struct ct_comm_object *flow;
	uint64_t number, part, id, size_bytes;
	const char *name, *kind;
	struct ct_source_line place;
	char text[TEXT_BYTES], expression[TEXT_BYTES], file[FILE_BYTES];
};

#define CT_DESCRIBED "postproc/analysis/comm/tables/tables.def"
#include "postproc/tables/described.h"

static int rows_comm_totals(const void *from, struct ct_table_sink *sink)
{
	const struct ct_comm_shown *shown = from;
	const struct ct_comm_figures *figures = shown->figures;

	return ct_table_put_row(sink, &(struct row_comm_totals){shown, figures, &figures->volume});
}

const char *ct_comm_call_of(const struct ct_superstep *step)
{
	if (step->launch)
		return NULL;
	if (*step->transfer->call)
		return step->transfer->call;
	return step->transfer->event->kind == CT_TRANSFER_SET ? "memset" : "copy";
}

static void take_launch(struct row_supersteps *row, const struct ct_comm_shown *shown,
			const struct ct_launch_info *launch)
{
	uint32_t path = shown->paths ? ct_host_paths_of(shown->paths, launch) : 0;

	row->launch = launch;
	row->kind = "launch";
	if (!(launch->event->flags & CT_LAUNCH_TRACED))
		row->note = "not traced";
	ct_comm_tell_extent(launch->event->grid, row->grid);
	ct_comm_tell_extent(launch->event->block, row->block);
	row->place = ct_comm_place_of(launch->site, row->file, FILE_BYTES);
	if (shown->sampling)
		ct_comm_tell_recorded(shown->sampling, launch, row->recorded);
	if (path) {
		row->host_path = path;
		row->path = ct_host_path_text(shown->paths, path);
		row->called_from = row->path;
	}
}

static void take_transfer(struct row_supersteps *row, const struct ct_event_transfer *event)
{
	row->kind = event->kind == CT_TRANSFER_SET ? "set" : "copy";
	row->moved_bytes = event->width * event->height * event->depth;
}

static int rows_supersteps(const void *from, struct ct_table_sink *sink)
{
	const struct ct_comm_shown *shown = from;
	const struct ct_comm_figures *f = shown->figures;
	const bool has_parts =
	    f->supersteps && f->superstep[f->supersteps - 1].part != f->superstep[0].part;
	char file[FILE_BYTES];
	int err = 0;

	for (size_t i = 0; i < f->supersteps && err == 0; i++) {
		const struct ct_superstep *step = &f->superstep[i];
		struct row_supersteps row = {
		    .step = step,
		    .figures = &f->of_superstep[i],
		    .number = i,
		    .process = has_parts ? step->part : CT_MISSING,
		    .moved_bytes = CT_MISSING,
		    .host_path = CT_MISSING,
		    .file = file,
		    .call = ct_comm_call_of(step),
		};

		if (shown->has_launches_only && !(step->launch && row.figures->passes))
			continue;
		if (shown->has_all_launches && !step->launch)
			continue;
		if (step->launch)
			take_launch(&row, shown, step->launch);
		else
			take_transfer(&row, step->transfer->event);
		err = ct_table_put_row(sink, &row);
		free(row.path);
	}
	return err;
}

static uint64_t number_of(const struct ct_comm_shown *shown, const struct ct_comm_kernel *kernel)
{
	return ct_numbered_kernel_of(shown->kernels, kernel->symbol);
}

static int rows_kernel_volumes(const void *from, struct ct_table_sink *sink)
{
	const struct ct_comm_shown *shown = from;
	int err = 0;

	for (size_t i = 0; i < shown->figures->kernels && err == 0; i++) {
		const struct ct_comm_kernel *kernel = &shown->figures->kernel[i];

		struct row_kernel_volumes row = {kernel, number_of(shown, kernel), {NULL, 0}};

		if (row.number != CT_MISSING)
			row.place = ct_comm_place_of_kernel(&shown->kernels->list[row.number]);
		err = ct_table_put_row(sink, &row);
	}
	return err;
}

static int put_cta(void *user, const struct ct_comm_cta *cta)
{
	return ct_table_put_row(user, &(struct row_cta_volumes){cta});
}

static int rows_cta_volumes(const void *from, struct ct_table_sink *sink)
{
	const struct ct_comm_lists *lists = &((const struct ct_comm_shown *)from)->lists;

	return lists->ctas(lists->user, put_cta, sink);
}

/* CTAs of traced launches. */
uint64_t ct_comm_count_cta_volumes(const struct ct_comm_figures *figures)
{
	uint64_t count = 0;

	for (size_t i = 0; i < figures->supersteps; i++) {
		const struct ct_launch_info *launch = figures->superstep[i].launch;

		if (launch && launch->event->flags & CT_LAUNCH_TRACED)
			count += (uint64_t)launch->event->grid[0] * launch->event->grid[1] *
				 launch->event->grid[2];
	}
	return count;
}

/* Adds two sums of an SM in a superstep: what it moved, and what of that was communicated. */
static int add_to_sm(void *user, const struct ct_comm_cta *cta)
{
	int err =
	    ct_sums_add(user, cta->superstep, 2ull * cta->sm, cta->load_bytes, cta->store_bytes);

	return err < 0 ? err
		       : ct_sums_add(user, cta->superstep, 2ull * cta->sm + 1,
				     cta->communicated_load_bytes, cta->communicated_store_bytes);
}

static int put_sms(struct ct_table_sink *sink, const struct ct_comm_figures *figures,
		   const struct ct_sum *sum, size_t count)
{
	int err = 0;

	for (size_t i = 0; i + 1 < count && err == 0; i += 2) {
		const struct row_sm_volumes row = {
		    figures->superstep[sum[i].key[0]].launch,
		    sum[i].key[0],
		    sum[i].key[1] / 2,
		    sum[i].value[0],
		    sum[i].value[1],
		    sum[i + 1].value[0],
		    sum[i + 1].value[1],
		};

		err = ct_table_put_row(sink, &row);
	}
	return err;
}

static int rows_sm_volumes(const void *from, struct ct_table_sink *sink)
{
	const struct ct_comm_shown *shown = from;
	struct ct_sums *sums;
	const struct ct_sum *sum;
	size_t count = 0;
	int err = ct_sums_open(&sums);

	if (err < 0)
		return err;
	err = shown->lists.ctas(shown->lists.user, add_to_sm, sums);
	sum = err == 0 ? ct_sums_sorted(sums, &count) : NULL;
	if (err == 0)
		err = sum ? put_sms(sink, shown->figures, sum, count) : -ENOMEM;
	ct_sums_close(sums);
	return err;
}

static int put_transfer(void *user, const struct ct_comm_transfer *transfer)
{
	return ct_table_put_row(user, &(struct row_transfers){transfer});
}

static int put_exchanged(void *user, const struct ct_comm_transfer *transfer)
{
	return transfer->source_cta == transfer->target_cta ? 0 : put_transfer(user, transfer);
}

static int rows_transfers(const void *from, struct ct_table_sink *sink)
{
	const struct ct_comm_shown *shown = from;

	return shown->lists.transfers(
	    shown->lists.user, shown->figures->is_exchanged ? put_exchanged : put_transfer, sink);
}

static int rows_cta_figures(const void *from, struct ct_table_sink *sink)
{
	const struct ct_comm_figures *figures = ((const struct ct_comm_shown *)from)->figures;
	int err = 0;

	for (uint64_t i = 0; i < figures->ctas && err == 0; i++)
		if (ct_comm_lists_cta(figures, i))
			err =
			    ct_table_put_row(sink, &(struct row_cta_figures){&figures->cta[i], i});
	return err;
}

static int rows_kernel_pairs(const void *from, struct ct_table_sink *sink)
{
	const struct ct_comm_shown *shown = from;
	const struct ct_comm_figures *figures = shown->figures;
	int err = 0;

	for (size_t i = 0; i < figures->kernel_pairs && err == 0; i++) {
		const struct ct_comm_kernel_pair *pair = &figures->kernel_pair[i];
		struct row_kernel_pairs row = {
		    .pair = pair,
		    .source = &figures->kernel[pair->source],
		    .target = &figures->kernel[pair->target],
		    .bytes = ct_comm_pair_bytes(figures, pair),
		};

		row.source_number = number_of(shown, row.source);
		row.target_number = number_of(shown, row.target);
		ct_pattern_why(pair, row.why, sizeof(row.why));
		err = ct_table_put_row(sink, &row);
	}
	return err;
}

/* The kernel whose body holds a site; NULL of a device function. */
static const char *kernel_of(const struct ct_comm_shown *shown, const struct ct_unit *unit,
			     uint32_t site)
{
	uint32_t kernel =
	    unit && site < unit->header->site_count ? unit->sites[site].kernel : CT_NONE;
	uint64_t number =
	    kernel == CT_NONE
		? CT_MISSING
		: ct_numbered_kernel_of(shown->kernels,
					ct_unit_string(unit, unit->kernels[kernel].name));

	return number == CT_MISSING ? NULL : shown->kernels->list[number].name;
}

static int rows_line_pairs(const void *from, struct ct_table_sink *sink)
{
	const struct ct_comm_shown *shown = from;
	int err = 0;

	for (size_t i = 0; i < shown->figures->line_pairs && err == 0; i++) {
		const struct ct_comm_line_pair *pair = &shown->figures->line_pair[i];
		struct row_line_pairs row = {
		    pair,
		    i,
		    kernel_of(shown, pair->source_unit, pair->source_site),
		    kernel_of(shown, pair->target_unit, pair->target_site),
		    ct_comm_function_of(pair->source_unit, pair->source_site),
		    ct_comm_function_of(pair->target_unit, pair->target_site),
		    ct_mean(pair->bytes, shown->figures->volume.transferred_bytes),
		    "",
		    "",
		};

		ct_comm_tell_access(pair->source_unit, pair->source_site, row.source_access);
		ct_comm_tell_access(pair->target_unit, pair->target_site, row.target_access);
		err = ct_table_put_row(sink, &row);
	}
	return err;
}

static void take_object(struct row_object_flows *row, const struct ct_object_info *object)
{
	row->part = object->part;
	row->id = object->event->object;
	row->name = object->name;
	row->kind = ct_words_object_kind(object->event->kind);
	row->size_bytes = object->event->bytes;
	row->place = ct_comm_place_of(object->site, row->file, sizeof(row->file));
	ct_site_field(object->site, 6, row->expression, sizeof(row->expression));
	ct_words_object(object, row->text, sizeof(row->text));
}

static int rows_object_flows(const void *from, struct ct_table_sink *sink)
{
	const struct ct_comm_figures *figures = ((const struct ct_comm_shown *)from)->figures;
	int err = 0;

	for (size_t i = 0; i < figures->objects && err == 0; i++) {
		struct row_object_flows row = {
		    .flow = &figures->object[i],
		    .number = i,
		    .part = CT_MISSING,
		    .id = CT_MISSING,
		    .size_bytes = CT_MISSING,
		    .text = "no known object",
		};

		if (row.flow->object)
			take_object(&row, row.flow->object);
		err = ct_table_put_row(sink, &row);
	}
	return err;
}

static const struct ct_table_link of_supersteps[] = {
    {"part, launch", "launches", "part, launch"},
    {"part, transfer", "transfers_host", "part, transfer"},
    {0}};
static const struct ct_table_link of_kernel[] = {{"kernel_number", "kernels", "kernel_number"},
						 {0}};
static const struct ct_table_link of_superstep[] = {{"superstep", "supersteps", "superstep"}, {0}};
static const struct ct_table_link of_transfers[] = {{"source_superstep", "supersteps", "superstep"},
						    {"target_superstep", "supersteps", "superstep"},
						    {0}};
static const struct ct_table_link of_kernel_pairs[] = {
    {"source_kernel_number", "kernels", "kernel_number"},
    {"target_kernel_number", "kernels", "kernel_number"},
    {0}};
static const struct ct_table_link of_line_pairs[] = {
    {"source_unit, source_site", "sites", "unit, site"},
    {"target_unit, target_site", "sites", "unit, site"},
    {0}};
static const struct ct_table_link of_object_flows[] = {
    {"part, object_number", "objects", "part, object_number"}, {0}};

#define TABLE(name, links)                                                                         \
	const struct ct_table_def ct_##name##_table = {CT_TABLE_PARTS(name, links)}
#define SHOWN(name, links)                                                                         \
	const struct ct_table_def ct_##name##_table = {CT_TABLE_SHOWN(name, links)}

TABLE(comm_totals, NULL);
SHOWN(supersteps, of_supersteps);
SHOWN(kernel_volumes, of_kernel);
TABLE(cta_volumes, of_superstep);
SHOWN(sm_volumes, of_superstep);
TABLE(transfers, of_transfers);
SHOWN(cta_figures, NULL);
SHOWN(kernel_pairs, of_kernel_pairs);
SHOWN(line_pairs, of_line_pairs);
SHOWN(object_flows, of_object_flows);
