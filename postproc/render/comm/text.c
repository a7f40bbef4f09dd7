/* SPDX-License-Identifier: Apache-2.0 */
/* ctpost comm for a terminal: sums, a line each, the tables, what stands out. */
#include "postproc/analysis/comm/base/spread.h"
#include "postproc/analysis/comm/figures/pattern.h"
#include "postproc/facts/folded_name.h"
#include "postproc/render/base/host_path.h"
#include "postproc/render/comm/bins.h"
#include "postproc/render/comm/charts.h"
#include "postproc/render/comm/words.h"
#include "postproc/render/findings/findings.h"
#include "postproc/tables/sections.h"
#include <errno.h>
#include <string.h>

#define LABEL_WIDTH 15
#define TEXT_BYTES 512

static void label(FILE *out, const struct ct_style *style, const char *text)
{
	ct_emphasise(out, style, CT_BOLD, text);
	fprintf(out, "%*s", (int)(LABEL_WIDTH - strlen(text)), "");
}

static const char *many(uint64_t count)
{
	return count == 1 ? "" : "s";
}

static void write_header(FILE *out, const struct ct_comm_output *output,
			 const struct ct_style *style)
{
	const struct ct_comm_figures *f = output->shown->figures;
	uint64_t launches = 0, transfers = 0;
	char number[CT_NUMBER_BYTES];

	for (size_t s = 0; s < f->supersteps; s++) {
		launches += f->superstep[s].launch && f->of_superstep[s].passes;
		transfers += !f->superstep[s].launch && f->of_superstep[s].passes;
	}
	ct_emphasise(out, style, CT_BOLD, output->directory);
	fprintf(out, ": %s, ",
		*output->shown->program ? output->shown->program : "unknown program");
	fprintf(out, "%s launch%s of ", ct_number(launches, number), launches == 1 ? "" : "es");
	fprintf(out, "%s kernel%s, ", ct_number(f->kernels, number), many(f->kernels));
	fprintf(out, "%s %s, ", ct_number(transfers, number),
		transfers == 1 ? "copy or memset" : "copies and memsets");
	fprintf(out, "grids of up to %s thread block%s\n", ct_number(f->ctas, number),
		many(f->ctas));
}

static void write_sampling(FILE *out, const struct ct_comm_output *output,
			   const struct ct_style *style)
{
	const char *text;

	if (!output->sampling)
		return;
	ct_sampling_write(out, output->sampling, style);
	text = ct_sampling_of_communication(output->sampling);
	if (text)
		fprintf(out, "%s\n", text);
}

/* Without what a CTA sends itself. */
static void write_exchanged(FILE *out, const struct ct_comm_volume *v, const struct ct_style *style)
{
	char part[CT_NUMBER_BYTES], whole[CT_NUMBER_BYTES];

	label(out, style, "exchanged");
	fprintf(out,
		"%s of %s stored by thread blocks are read by another thread block in a later "
		"launch (%.1f %%)\n",
		ct_size(v->communicated_store_bytes, part), ct_size(v->store_bytes, whole),
		ct_comm_percent(v->communicated_store_bytes, v->store_bytes));
	label(out, style, "loads");
	fprintf(out,
		"%s of %s loaded by thread blocks come from another thread block in an earlier "
		"launch (%.1f %%)\n",
		ct_size(v->communicated_load_bytes, part), ct_size(v->load_bytes, whole),
		ct_comm_percent(v->communicated_load_bytes, v->load_bytes));
	label(out, style, "transfers");
	fprintf(out, "%s, %s", ct_number(v->transfers, part), ct_size(v->transferred_bytes, whole));
	fprintf(out, "; left out: %s, %s, from a thread block to itself\n",
		ct_number(v->self_transfers, part), ct_size(v->self_bytes, whole));
}

static void write_volume(FILE *out, const struct ct_comm_volume *v, const struct ct_style *style)
{
	char part[CT_NUMBER_BYTES], whole[CT_NUMBER_BYTES];

	label(out, style, "communication");
	fprintf(out, "%s of %s stored by thread blocks are read by a later launch (%.1f %%)",
		ct_size(v->communicated_store_bytes, part), ct_size(v->store_bytes, whole),
		ct_comm_percent(v->communicated_store_bytes, v->store_bytes));
	fprintf(out, ", %s by another thread block or kernel (%.1f %%)\n",
		ct_size(v->exchanged_store_bytes, part),
		ct_comm_percent(v->exchanged_store_bytes, v->store_bytes));
	label(out, style, "loads");
	fprintf(out, "%s of %s loaded by thread blocks come from an earlier launch (%.1f %%)\n",
		ct_size(v->communicated_load_bytes, part), ct_size(v->load_bytes, whole),
		ct_comm_percent(v->communicated_load_bytes, v->load_bytes));
	label(out, style, "transfers");
	fprintf(out, "%s, %s", ct_number(v->transfers, part), ct_size(v->transferred_bytes, whole));
	fprintf(out, "; of these %s, %s, from a thread block to itself\n",
		ct_number(v->self_transfers, part), ct_size(v->self_bytes, whole));
}

static void write_size(FILE *out, const struct ct_comm_histogram *sizes,
		       const struct ct_style *style)
{
	const struct ct_comm_count *mode = ct_comm_mode(sizes);
	char number[CT_NUMBER_BYTES];

	if (!mode)
		return;
	label(out, style, "transfer size");
	fprintf(out, "%s in %.1f %% of transfers", ct_size(mode->key, number),
		ct_comm_percent(mode->count, ct_comm_total(sizes)));
	if (sizes->count > 1) {
		fprintf(out, "; %s sizes", ct_number(sizes->count, number));
		fprintf(out, " from %s", ct_size(sizes->entry[0].key, number));
		fprintf(out, " to %s", ct_size(sizes->entry[sizes->count - 1].key, number));
	}
	fputc('\n', out);
}

static void write_partners(FILE *out, const struct ct_comm_histogram *degree)
{
	uint64_t ctas = ct_comm_total(degree), sum = 0;

	for (size_t i = 0; i < degree->count; i++)
		sum += degree->entry[i].key * degree->entry[i].count;
	fprintf(out, "%.1f", ctas ? (double)sum / (double)ctas : 0);
	if (degree->count)
		fprintf(out, " (%llu to %llu)", (unsigned long long)degree->entry[0].key,
			(unsigned long long)degree->entry[degree->count - 1].key);
}

static void write_spatial(FILE *out, const struct ct_comm_figures *f, const struct ct_style *style)
{
	static const char axis[] = "xyz";
	char number[CT_NUMBER_BYTES];

	label(out, style, "partners");
	fputs("a thread block receives from ", out);
	write_partners(out, &f->in_degree);
	fputs(" and sends to ", out);
	write_partners(out, &f->out_degree);
	fputs(" on average\n", out);
	label(out, style, "bisection");
	for (int d = 0; d < 3; d++)
		fprintf(out, "%s%c %s (%.1f %%)", d ? ", " : "", axis[d],
			ct_size(f->bisection[d].bytes, number), 100 * f->bisection[d].relative);
	fputc('\n', out);
}

static void write_stride(FILE *out, const struct ct_comm_histogram *strides, const char *what)
{
	struct ct_comm_spread spread = ct_comm_spread_of(strides);
	char median[CT_NUMBER_BYTES], low[CT_NUMBER_BYTES], high[CT_NUMBER_BYTES];
	char mean[CT_NUMBER_BYTES];

	if (spread.count)
		fprintf(out, "%s %s (90 %%: %s to %s; mean %s)", what,
			ct_size(spread.median, median), ct_size(spread.p5, low),
			ct_size(spread.p95, high), ct_size((uint64_t)spread.mean, mean));
	else
		fprintf(out, "%s none", what);
}

static void write_temporal(FILE *out, const struct ct_comm_figures *f, const struct ct_style *style)
{
	const struct ct_comm_histogram *distance = &f->distance;
	uint64_t total = ct_comm_total(distance), next = 0, most;
	char number[CT_NUMBER_BYTES];

	label(out, style, "strides");
	write_stride(out, &f->load_stride, "median of loads");
	write_stride(out, &f->store_stride, ", of stores");
	fputc('\n', out);
	if (!distance->count)
		return;
	most = distance->entry[distance->count - 1].key;
	if (distance->entry[0].key == 0)
		next = distance->entry[0].count;
	label(out, style, "distance");
	fprintf(out, "%.1f %% go to the next launch; ", ct_comm_percent(next, total));
	fprintf(out, "at most %s launch%s in between\n", ct_number(most, number),
		most == 1 ? "" : "es");
}

static void write_pattern(FILE *out, const struct ct_comm_figures *f, const struct ct_style *style)
{
	const struct ct_comm_kernel_pair *pair = f->kernel_pair;
	char source[CT_BRIEF_NAME_BYTES], target[CT_BRIEF_NAME_BYTES], why[256];

	if (!f->kernel_pairs)
		return;
	label(out, style, "main pattern");
	fprintf(out, "%s -> %s: %s: %s\n", ct_shown_name(f->kernel[pair->source].name, source),
		ct_shown_name(f->kernel[pair->target].name, target), ct_pattern_text(pair->pattern),
		ct_pattern_why(pair, why, sizeof(why)));
}

/* One line that is left out if there is nothing to tell. */
static void write_beside(FILE *out, const struct ct_style *style, const char *name, uint64_t bytes,
			 const char *what)
{
	char number[CT_NUMBER_BYTES];

	if (!bytes)
		return;
	label(out, style, name);
	fprintf(out, "%s %s\n", ct_size(bytes, number), what);
}

static void write_sums(FILE *out, const struct ct_comm_output *output, const struct ct_style *style)
{
	const struct ct_comm_figures *f = output->shown->figures;
	const struct ct_comm_volume *v = &f->volume;
	char from[CT_NUMBER_BYTES], to[CT_NUMBER_BYTES];

	if (f->is_exchanged)
		write_exchanged(out, v, style);
	else
		write_volume(out, v, style);
	if (v->transfers) {
		write_size(out, &f->transfer_size, style);
		write_spatial(out, f, style);
		write_temporal(out, f, style);
		write_pattern(out, f, style);
	}
	label(out, style, "host");
	fprintf(out, "%s from copies and memsets, %s to copies\n",
		ct_size(v->from_host_bytes, from), ct_size(v->to_host_bytes, to));
	write_beside(out, style, "no writer", v->unwritten_bytes,
		     "were read that nothing in the trace wrote");
	write_beside(out, style, "unordered", v->unordered_bytes,
		     "were last written by a launch that may run at the same time: a race, or an "
		     "order that the trace does not show");
	write_beside(out, style, "forgotten", v->forgotten_bytes,
		     "were overwritten by more unordered launches than are remembered");
	write_beside(out, style, "same launch", v->same_superstep_bytes,
		     "are also written by another thread block of the launch that reads them");
}

static void title(FILE *out, const struct ct_style *style, const char *text)
{
	fputc('\n', out);
	ct_emphasise(out, style, CT_BOLD, text);
	fputc('\n', out);
}

static int write_tier1(FILE *out, const struct ct_comm_output *output, const struct ct_style *style)
{
	static const char strides[] = "Tier I: strides of loads and stores in communication";
	char text[128];
	int err;

	title(out, style, "Tier I: transfer sizes");
	err = ct_comm_write_sizes(out, output, style);
	if (err < 0)
		return err;
	title(out, style,
	      output->shown->has_self
		  ? "Tier I: communication partners of thread blocks, themselves included"
		  : "Tier I: communication partners of thread blocks");
	err = ct_comm_write_degrees(out, output, style);
	if (err < 0)
		return err;
	title(out, style, "Tier I: bisection of the grid");
	err = ct_comm_write_bisection(out, output, style);
	if (err < 0)
		return err;
	if (output->shown->figures->stride_step > 1)
		snprintf(text, sizeof(text), "%s, of every %lluth block", strides,
			 (unsigned long long)output->shown->figures->stride_step);
	else
		snprintf(text, sizeof(text), "%s", strides);
	title(out, style, text);
	err = ct_comm_write_strides(out, output, style);
	if (err < 0)
		return err;
	title(out, style, "Tier I: density of transfers");
	ct_comm_write_density(out, output, style);
	return 0;
}

/* The tables, which end with NULL. */
static int show(FILE *out, const struct ct_comm_output *output, const struct ct_style *style,
		const struct ct_table_def *const *tables, size_t rows)
{
	int err = 0;

	for (; *tables && err == 0; tables++)
		err = ct_table_show(out, *tables, output->shown, rows, style);
	return err;
}

static int write_rest(FILE *out, const struct ct_comm_output *output, const struct ct_style *style)
{
	static const struct ct_table_def *const launches[] = {&ct_supersteps_table, NULL},
						*const others[] = {&ct_kernel_pairs_table,
								   &ct_object_flows_table,
								   &ct_line_pairs_table, NULL};
	int err = show(out, output, style, launches, output->rows);

	if (err < 0 || !output->shown->figures->volume.transfers)
		return err;
	title(out, style, "Tier II: launches between a store and its load");
	err = ct_comm_write_distance(out, output, style);
	return err == 0 ? show(out, output, style, others, output->rows) : err;
}

static int write_one(FILE *out, const struct ct_comm_output *output, const struct ct_style *style)
{
	static const struct ct_table_def *const tables[][3] = {
	    [CT_BY_KERNEL] = {&ct_kernel_volumes_table, &ct_kernel_pairs_table},
	    [CT_BY_OBJECT] = {&ct_object_flows_table},
	    [CT_BY_LINE] = {&ct_line_pairs_table},
	    [CT_BY_CTA] = {&ct_cta_figures_table},
	    [CT_BY_SM] = {&ct_sm_volumes_table},
	    [CT_BY_SUPERSTEP] = {&ct_supersteps_table},
	};

	return show(out, output, style, tables[output->by], SIZE_MAX);
}

/* Writes what each kernel exchanged, by the path that it was launched from. */
static int write_paths(FILE *out, const struct ct_comm_output *output, const struct ct_style *style)
{
	struct ct_host_path_rows rows = {.count = 0};
	int err;

	if (!ct_host_paths_count(output->shown->paths))
		return 0;
	err = ct_comm_path_rows(&rows, output->shown);
	if (err == 0)
		err = ct_host_path_rows_write(out, &rows, style);
	ct_host_path_rows_fini(&rows);
	return err;
}

static int write_scaling(FILE *out, const struct ct_comm_output *output,
			 const struct ct_style *style)
{
	const struct ct_comm_shown *shown = output->shown;
	char text[CT_NUMBER_BYTES];
	int err = ct_table_show(out, &ct_scaling_table, shown, SIZE_MAX, style);

	fprintf(out, "links of %s/s each way, latency %g us a superstep\n",
		ct_size((uint64_t)shown->links->bandwidth, text), shown->links->latency * 1e6);
	if (shown->scaling_rows && shown->scaling[0].is_bound)
		fprintf(out, "upper bounds: memory (--memory) did not hold which thread blocks "
			     "read the same "
			     "bytes, so these count for each of them\n");
	if (shown->alone)
		fprintf(out,
			"on one device %.4g ms, kernels and copies of the host; host: to ask for "
			"kernels and exchange\n",
			shown->alone->seconds * 1e3);
	if (shown->alone && shown->untimed)
		fprintf(out, "of %llu launches no time is known; they count nothing\n",
			(unsigned long long)shown->untimed);
	return err;
}

struct list {
	FILE *out;
	const struct ct_comm_figures *figures;
};

/* A line each: there may be too many of them to be held. */
static int write_transfer(void *user, const struct ct_comm_transfer *transfer)
{
	const struct list *list = user;
	char source[TEXT_BYTES], target[TEXT_BYTES];

	if (list->figures->is_exchanged && transfer->source_cta == transfer->target_cta)
		return 0;
	ct_comm_superstep_text(list->figures, transfer->source_superstep, source, sizeof(source));
	ct_comm_superstep_text(list->figures, transfer->target_superstep, target, sizeof(target));
	fprintf(list->out, "%s block %u -> %s block %u: %llu B, %llu loads\n", source,
		transfer->source_cta, target, transfer->target_cta,
		(unsigned long long)transfer->bytes, (unsigned long long)transfer->loads);
	return ferror(list->out) ? -EIO : 0;
}

/* The one table that is asked for, or all of them. */
static int write_tables(FILE *out, const struct ct_comm_output *output,
			const struct ct_style *style)
{
	int err = 0;

	if (output->by != CT_BY_NONE) {
		err = write_one(out, output, style);
		return err == 0 ? write_paths(out, output, style) : err;
	}
	if (output->lists_transfers || output->shown->history || output->shown->links ||
	    output->shows_density)
		return 0;
	if (output->shown->figures->volume.transfers)
		err = write_tier1(out, output, style);
	if (err == 0)
		err = write_rest(out, output, style);
	if (err == 0)
		err = write_paths(out, output, style);
	if (err == 0)
		ct_findings_write(out, output->findings, SIZE_MAX, style);
	return err;
}

static int stop(void *user, const struct ct_history_entry *entry)
{
	(void)user;
	(void)entry;
	return 1;
}

static int write_lists(FILE *out, const struct ct_comm_output *output, const struct ct_style *style)
{
	const struct ct_comm_shown *shown = output->shown;
	struct list list = {out, shown->figures};
	int err = 0;

	if (output->lists_transfers)
		err = shown->lists.transfers(shown->lists.user, write_transfer, &list);
	if (err == 0 && shown->history)
		err = ct_table_show(out, &ct_address_history_table, shown, SIZE_MAX, style);
	if (err == 0 && shown->history && ct_history_each(shown->history, stop, NULL) == 0)
		fputs("nothing in the trace accesses these addresses\n", out);
	return err;
}

int ct_comm_write_text(FILE *out, const struct ct_comm_output *output, const struct ct_style *style)
{
	int err;

	if (!output->lists_transfers && !output->shown->history) {
		write_header(out, output, style);
		write_sampling(out, output, style);
		fputc('\n', out);
		write_sums(out, output, style);
	}
	err = write_tables(out, output, style);
	if (err == 0 && output->shows_density) {
		title(out, style, "Tier I: density of transfers");
		ct_comm_write_density(out, output, style);
	}
	if (err == 0 && output->shown->links)
		err = write_scaling(out, output, style);
	return err == 0 ? write_lists(out, output, style) : err;
}
