/* SPDX-License-Identifier: Apache-2.0 */
/* Tables of how CTAs and kernels communicate. */
#include "postproc/analysis/comm/figures/pattern.h"
#include "postproc/render/export/tables.h"
#include "postproc/shuffle/sums.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>

struct row_supersteps {
	const struct ct_superstep *step;
	const struct ct_comm_superstep *figures;
	uint64_t number;
	const char *kind;
};

struct row_totals {
	const char *figure, *unit, *help;
	uint64_t value;
};

struct row_kernel_volumes {
	const struct ct_comm_kernel *kernel;
	uint64_t number;
};

struct row_cta_volumes {
	const struct ct_comm_cta *cta;
};

struct row_sm_volumes {
	uint64_t superstep, sm;
	uint64_t load_bytes, store_bytes;
	uint64_t communicated_load_bytes, communicated_store_bytes;
};

struct row_transfers {
	const struct ct_comm_transfer *transfer;
};

/* Of all histograms. */
struct row_histogram {
	const struct ct_comm_count *entry;
	const char *label;
};
#define row_transfer_sizes row_histogram
#define row_distances row_histogram
#define row_strides row_histogram
#define row_degrees row_histogram

struct row_cta_figures {
	const struct ct_comm_cta_figures *figures;
	uint64_t cta;
};

struct row_bisection {
	const struct ct_comm_bisection *bisection;
	const char *dimension;
};

struct row_density {
	const struct ct_comm_cell *cell;
	uint64_t source, target, per_bin;
};

struct row_kernel_pairs {
	const struct ct_comm_kernel_pair *pair;
	uint64_t source, target;
	char why[512];
};

struct row_line_pairs {
	const struct ct_comm_line_pair *pair;
	uint64_t source_unit, target_unit;
};

struct row_object_flows {
	const struct ct_comm_object *flow;
	uint64_t number, part, id;
	const char *name;
};

#define CT_DESCRIBE_COLUMNS
#include "postproc/tables/describe.h"

#include "postproc/render/export/comm_tables.def"
#define CT_DESCRIBE_FILL
#include "postproc/tables/describe.h"

#include "postproc/render/export/comm_tables.def"

static int rows_supersteps(const void *from, struct ct_table_sink *sink)
{
	const struct ct_export *export = from;
	const struct ct_comm_figures *figures = ct_comm_figures(export->comm);
	int err = 0;

	for (size_t i = 0; i < figures->supersteps && err == 0; i++) {
		const struct ct_superstep *step = &figures->superstep[i];
		const struct row_supersteps row = {
		    .step = step,
		    .figures = &figures->of_superstep[i],
		    .number = i,
		    .kind = step->launch                                     ? "launch"
			    : step->transfer->event->kind == CT_TRANSFER_SET ? "set"
									     : "copy",
		};

		err = ct_table_put_row(sink, &row);
	}
	return err;
}

/* Figures by their place in struct ct_comm_figures. */
#define TOTAL(member, unit, help)                                                                  \
	{                                                                                          \
#member, unit, help, offsetof(struct ct_comm_figures, member)                      \
	}
#define VOLUME(member, unit, help)                                                                 \
	{                                                                                          \
#member, unit, help, offsetof(struct ct_comm_figures, volume.member)               \
	}
static const struct {
	const char *figure, *unit, *help;
	size_t offset; /* of a uint64_t */
} totals[] = {
    VOLUME(load_bytes, "bytes", "of CTAs; atomics in both"),
    VOLUME(store_bytes, "bytes", "of CTAs; atomics in both"),
    VOLUME(communicated_load_bytes, "bytes", "loads of communicated data"),
    VOLUME(communicated_store_bytes, "bytes", "that a CTA wrote and some CTA read later, once"),
    VOLUME(transfers, "", "distinct pairs of superstep and CTA"),
    VOLUME(transferred_bytes, "bytes", "sum of their sizes"),
    VOLUME(self_transfers, "", "of these: between CTAs of the same id"),
    VOLUME(self_bytes, "bytes", "of these: between CTAs of the same id"),
    VOLUME(from_host_bytes, "bytes", "read by CTAs, last written by a host transfer"),
    VOLUME(to_host_bytes, "bytes", "written by a CTA, read by a host transfer"),
    VOLUME(unwritten_bytes, "bytes", "read by CTAs, written by nothing that was seen"),
    VOLUME(unordered_bytes, "bytes", "written by a launch that may run at the same time"),
    VOLUME(same_superstep_bytes, "bytes", "also written by another CTA of the same launch"),
    TOTAL(ctas, "CTAs", "of the largest grid"),
    TOTAL(launches, "", "that pass the filter"),
    TOTAL(traced_launches, "", "of these; the others' accesses are unknown"),
    TOTAL(lost_chunks, "", "records lost while recording"),
    TOTAL(damaged_chunks, "", "records lost to damage of the files"),
};

static int rows_totals(const void *from, struct ct_table_sink *sink)
{
	const struct ct_export *export = from;
	const char *figures = (const char *)ct_comm_figures(export->comm);
	int err = 0;

	for (size_t i = 0; i < sizeof(totals) / sizeof(*totals) && err == 0; i++) {
		struct row_totals row = {totals[i].figure, totals[i].unit, totals[i].help, 0};

		memcpy(&row.value, figures + totals[i].offset, sizeof(row.value));
		err = ct_table_put_row(sink, &row);
	}
	return err;
}

static uint64_t kernel_of(const struct ct_export *export, uint32_t kernel)
{
	return ct_export_kernel_of(&export->kernels,
				   ct_comm_figures(export->comm)->kernel[kernel].symbol);
}

static int rows_kernel_volumes(const void *from, struct ct_table_sink *sink)
{
	const struct ct_export *export = from;
	const struct ct_comm_figures *figures = ct_comm_figures(export->comm);
	int err = 0;

	for (uint32_t i = 0; i < figures->kernels && err == 0; i++) {
		const struct row_kernel_volumes row = {&figures->kernel[i], kernel_of(export, i)};

		err = ct_table_put_row(sink, &row);
	}
	return err;
}

static int write_cta(void *user, const struct ct_comm_cta *cta)
{
	const struct row_cta_volumes row = {cta};

	return ct_table_put_row(user, &row);
}

static int rows_cta_volumes(const void *from, struct ct_table_sink *sink)
{
	const struct ct_export *export = from;
	return export->lists.ctas(export->lists.user, write_cta, sink);
}

/* CTAs of traced launches. */
static uint64_t count_cta_volumes(const struct ct_export *export)
{
	const struct ct_comm_figures *figures = ct_comm_figures(export->comm);
	uint64_t count = 0;

	for (size_t i = 0; i < figures->supersteps; i++) {
		const struct ct_launch_info *launch = figures->superstep[i].launch;

		if (launch && launch->event->flags & CT_LAUNCH_TRACED)
			count += (uint64_t)launch->event->grid[0] * launch->event->grid[1] *
				 launch->event->grid[2];
	}
	return count;
}

/* Of an SM in a superstep two sums: what it moved, and what of that was communicated. */
static int add_to_sm(void *user, const struct ct_comm_cta *cta)
{
	int err =
	    ct_sums_add(user, cta->superstep, 2ull * cta->sm, cta->load_bytes, cta->store_bytes);

	return err < 0 ? err
		       : ct_sums_add(user, cta->superstep, 2ull * cta->sm + 1,
				     cta->communicated_load_bytes, cta->communicated_store_bytes);
}

static int rows_sm_volumes(const void *from, struct ct_table_sink *sink)
{
	const struct ct_export *export = from;
	struct ct_sums *sums;
	const struct ct_sum *sum;
	size_t count = 0;
	int err = ct_sums_open(&sums);

	if (err < 0)
		return err;
	err = export->lists.ctas(export->lists.user, add_to_sm, sums);
	sum = err == 0 ? ct_sums_sorted(sums, &count) : NULL;
	if (err == 0 && !sum)
		err = -ENOMEM;
	for (size_t i = 0; i + 1 < count && err == 0; i += 2) {
		const struct row_sm_volumes row = {
		    sum[i].key[0],   sum[i].key[1] / 2,   sum[i].value[0],
		    sum[i].value[1], sum[i + 1].value[0], sum[i + 1].value[1],
		};

		err = ct_table_put_row(sink, &row);
	}
	ct_sums_close(sums);
	return err;
}

static int write_transfer(void *user, const struct ct_comm_transfer *transfer)
{
	const struct row_transfers row = {transfer};

	return ct_table_put_row(user, &row);
}

static int rows_transfers(const void *from, struct ct_table_sink *sink)
{
	const struct ct_export *export = from;
	return export->lists.transfers(export->lists.user, write_transfer, sink);
}

static uint64_t count_transfers(const struct ct_export *export)
{
	return ct_comm_figures(export->comm)->volume.transfers;
}

static int write_histogram(struct ct_table_sink *sink, const struct ct_comm_histogram *histogram,
			   const char *label)
{
	int err = 0;

	for (size_t i = 0; i < histogram->count && err == 0; i++) {
		const struct row_histogram row = {&histogram->entry[i], label};

		err = ct_table_put_row(sink, &row);
	}
	return err;
}

static int rows_transfer_sizes(const void *from, struct ct_table_sink *sink)
{
	const struct ct_export *export = from;
	return write_histogram(sink, &ct_comm_figures(export->comm)->transfer_size, NULL);
}

static int rows_distances(const void *from, struct ct_table_sink *sink)
{
	const struct ct_export *export = from;
	return write_histogram(sink, &ct_comm_figures(export->comm)->distance, NULL);
}

static int rows_strides(const void *from, struct ct_table_sink *sink)
{
	const struct ct_export *export = from;
	const struct ct_comm_figures *figures = ct_comm_figures(export->comm);
	int err = write_histogram(sink, &figures->load_stride, "load");

	return err < 0 ? err : write_histogram(sink, &figures->store_stride, "store");
}

static int rows_degrees(const void *from, struct ct_table_sink *sink)
{
	const struct ct_export *export = from;
	const struct ct_comm_figures *figures = ct_comm_figures(export->comm);
	int err = write_histogram(sink, &figures->in_degree, "in");

	return err < 0 ? err : write_histogram(sink, &figures->out_degree, "out");
}

static int rows_cta_figures(const void *from, struct ct_table_sink *sink)
{
	const struct ct_export *export = from;
	const struct ct_comm_figures *figures = ct_comm_figures(export->comm);
	int err = 0;

	for (uint64_t i = 0; i < figures->ctas && err == 0; i++) {
		const struct row_cta_figures row = {&figures->cta[i], i};

		if (ct_comm_lists_cta(figures, i))
			err = ct_table_put_row(sink, &row);
	}
	return err;
}

static int rows_bisection(const void *from, struct ct_table_sink *sink)
{
	const struct ct_export *export = from;
	static const char *const dimension[] = {"x", "y", "z"};
	const struct ct_comm_figures *figures = ct_comm_figures(export->comm);
	int err = 0;

	for (size_t i = 0; i < 3 && err == 0; i++) {
		const struct row_bisection row = {&figures->bisection[i], dimension[i]};

		err = ct_table_put_row(sink, &row);
	}
	return err;
}

static int rows_density(const void *from, struct ct_table_sink *sink)
{
	const struct ct_export *export = from;
	const struct ct_comm_density *density = &ct_comm_figures(export->comm)->density;
	int err = 0;

	for (size_t i = 0; i < density->cells && err == 0; i++) {
		const struct ct_comm_cell *cell = &density->cell[i];
		const struct row_density row = {
		    cell,
		    density->first_cta + cell->source * density->ctas_per_bin,
		    density->first_cta + cell->target * density->ctas_per_bin,
		    density->ctas_per_bin,
		};

		err = ct_table_put_row(sink, &row);
	}
	return err;
}

static int rows_kernel_pairs(const void *from, struct ct_table_sink *sink)
{
	const struct ct_export *export = from;
	const struct ct_comm_figures *figures = ct_comm_figures(export->comm);
	int err = 0;

	for (size_t i = 0; i < figures->kernel_pairs && err == 0; i++) {
		const struct ct_comm_kernel_pair *pair = &figures->kernel_pair[i];
		struct row_kernel_pairs row = {
		    .pair = pair,
		    .source = kernel_of(export, pair->source),
		    .target = kernel_of(export, pair->target),
		};

		ct_pattern_why(pair, row.why, sizeof(row.why));
		err = ct_table_put_row(sink, &row);
	}
	return err;
}

static int rows_line_pairs(const void *from, struct ct_table_sink *sink)
{
	const struct ct_export *export = from;
	const struct ct_comm_figures *figures = ct_comm_figures(export->comm);
	const struct ct_unit *units;
	int err = 0;

	ct_trace_units(export->trace, &units);
	for (size_t i = 0; i < figures->line_pairs && err == 0; i++) {
		const struct ct_comm_line_pair *pair = &figures->line_pair[i];
		const struct row_line_pairs row = {
		    pair,
		    (uint64_t)(pair->source_unit - units),
		    (uint64_t)(pair->target_unit - units),
		};

		err = ct_table_put_row(sink, &row);
	}
	return err;
}

static int rows_object_flows(const void *from, struct ct_table_sink *sink)
{
	const struct ct_export *export = from;
	const struct ct_comm_figures *figures = ct_comm_figures(export->comm);
	int err = 0;

	for (size_t i = 0; i < figures->objects && err == 0; i++) {
		const struct ct_object_info *first = figures->object[i].object;
		const struct row_object_flows row = {
		    .flow = &figures->object[i],
		    .number = i,
		    .part = first ? first->part : CT_MISSING,
		    .id = first ? first->event->object : CT_MISSING,
		    .name = first ? first->name : NULL,
		};

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

CT_TABLE_OF(supersteps, CT_NEEDS_COMM, of_supersteps, NULL);
CT_TABLE_OF(totals, CT_NEEDS_COMM, NULL, NULL);
CT_TABLE_OF(kernel_volumes, CT_NEEDS_COMM, of_kernel, NULL);
CT_TABLE_OF(cta_volumes, CT_NEEDS_COMM | CT_NEEDS_CTAS | CT_IS_LARGE, of_superstep,
	    count_cta_volumes);
CT_TABLE_OF(sm_volumes, CT_NEEDS_COMM | CT_NEEDS_CTAS, of_superstep, NULL);
CT_TABLE_OF(transfers, CT_NEEDS_COMM | CT_NEEDS_TRANSFERS | CT_IS_LARGE, of_transfers,
	    count_transfers);
CT_TABLE_OF(transfer_sizes, CT_NEEDS_COMM, NULL, NULL);
CT_TABLE_OF(distances, CT_NEEDS_COMM, NULL, NULL);
CT_TABLE_OF(strides, CT_NEEDS_COMM, NULL, NULL);
CT_TABLE_OF(cta_figures, CT_NEEDS_COMM, NULL, NULL);
CT_TABLE_OF(degrees, CT_NEEDS_COMM, NULL, NULL);
CT_TABLE_OF(bisection, CT_NEEDS_COMM, NULL, NULL);
CT_TABLE_OF(density, CT_NEEDS_COMM, NULL, NULL);
CT_TABLE_OF(kernel_pairs, CT_NEEDS_COMM, of_kernel_pairs, NULL);
CT_TABLE_OF(line_pairs, CT_NEEDS_COMM, of_line_pairs, NULL);
CT_TABLE_OF(object_flows, CT_NEEDS_COMM, of_object_flows, NULL);
