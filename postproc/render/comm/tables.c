/* SPDX-License-Identifier: Apache-2.0 */
/* Tables of supersteps, kernels, objects, lines and CTAs for a terminal. */
#include "postproc/render/comm/tables.h"
#include "postproc/analysis/comm/figures/exchanged.h"
#include "postproc/analysis/comm/figures/pattern.h"
#include "postproc/render/comm/words.h"
#include <string.h>

#define TEXT_BYTES 1024

static void add_size(struct ct_table *table, uint64_t bytes)
{
	char text[CT_NUMBER_BYTES];

	ct_table_text(table, ct_size(bytes, text));
}

static int finish(struct ct_table *table, FILE *out, const struct ct_style *style)
{
	int err = ct_table_write(table, out, style);

	ct_table_close(table);
	return err;
}

/* What a table leaves out, and how to see it. */
static void write_more(FILE *out, size_t shown, size_t count, const char *what, const char *option)
{
	char number[CT_NUMBER_BYTES];

	if (count > shown)
		fprintf(out, "\xe2\x80\xa6 %s more %s; --by=%s shows all\n",
			ct_number(count - shown, number), what, option);
}

static bool has_regions(const struct ct_comm_figures *f)
{
	for (size_t s = 0; s < f->supersteps; s++)
		if (f->superstep[s].launch && *f->superstep[s].launch->region)
			return true;
	return false;
}

static void add_spread(struct ct_table *table, double mean, double deviation)
{
	char text[64];

	snprintf(text, sizeof(text), "%.1f \xc2\xb1 %.1f", mean, deviation);
	ct_table_text(table, text);
}

static void add_superstep(struct ct_table *table, const struct ct_superstep *step,
			  const struct ct_comm_superstep *figures, bool has_parts, bool has_region)
{
	const struct ct_event_launch *event = step->launch->event;
	char text[64];

	if (has_parts)
		snprintf(text, sizeof(text), "%u.%u", step->part, event->launch);
	else
		snprintf(text, sizeof(text), "%u", event->launch);
	ct_table_text(table, text);
	if (has_region)
		ct_table_text(table, step->launch->region);
	ct_table_name(table, step->launch->kernel);
	ct_table_number(table, step->stream);
	ct_table_number(table, step->level);
	if (!(event->flags & CT_LAUNCH_TRACED)) {
		ct_table_text(table, "not traced");
		for (int i = 0; i < 5; i++)
			ct_table_text(table, "");
		return;
	}
	add_size(table, figures->load_bytes);
	add_size(table, figures->communicated_load_bytes);
	add_size(table, figures->store_bytes);
	add_size(table, figures->communicated_store_bytes);
	add_spread(table, figures->out_degree_mean, figures->out_degree_sd);
	add_spread(table, figures->in_degree_mean, figures->in_degree_sd);
}

static void add_gap(struct ct_table *table, size_t columns)
{
	for (size_t i = 0; i < columns; i++)
		ct_table_text(table, i ? "" : "\xe2\x80\xa6");
}

int ct_comm_write_supersteps(FILE *out, const struct ct_comm_output *output,
			     const struct ct_style *style, size_t rows)
{
	static const struct ct_column columns[2][11] = {
	    {{"launch", 1, 0, 0},
	     {"kernel", 0, 12, 1},
	     {"stream", 1, 0, 0},
	     {"level", 1, 0, 0},
	     {"loads", 1, 0, 0},
	     {"communicated", 1, 0, 0},
	     {"stores", 1, 0, 0},
	     {"communicated", 1, 0, 0},
	     {"out-degree", 1, 0, 0},
	     {"in-degree", 1, 0, 0}},
	    {{"launch", 1, 0, 0},
	     {"region", 0, 8, 1},
	     {"kernel", 0, 12, 1},
	     {"stream", 1, 0, 0},
	     {"level", 1, 0, 0},
	     {"loads", 1, 0, 0},
	     {"communicated", 1, 0, 0},
	     {"stores", 1, 0, 0},
	     {"communicated", 1, 0, 0},
	     {"out-degree", 1, 0, 0},
	     {"in-degree", 1, 0, 0}},
	};
	const struct ct_comm_figures *f = output->figures;
	const bool has_region = has_regions(f);
	const size_t column_count = has_region ? 11 : 10;
	size_t count = 0, at = 0;
	struct ct_table *table;
	int err = ct_table_open(&table, columns[has_region], column_count);

	if (err < 0)
		return err;
	for (size_t s = 0; s < f->supersteps; s++)
		count += f->superstep[s].launch && f->of_superstep[s].passes;
	for (size_t s = 0; s < f->supersteps; s++) {
		if (!f->superstep[s].launch || !f->of_superstep[s].passes)
			continue;
		if (!rows || count <= 2 * rows || at < rows || at >= count - rows)
			add_superstep(table, &f->superstep[s], &f->of_superstep[s],
				      ct_comm_has_parts(f), has_region);
		else if (at == rows)
			add_gap(table, column_count);
		at++;
	}
	err = finish(table, out, style);
	if (rows)
		write_more(out, 2 * rows, count, "launches", "superstep");
	return err;
}

int ct_comm_write_kernels(FILE *out, const struct ct_comm_output *output,
			  const struct ct_style *style, size_t rows)
{
	static const struct ct_column columns[] = {
	    {"kernel", 0, 12, 1},      {"launches", 1, 0, 0}, {"loads", 1, 0, 0},
	    {"communicated", 1, 0, 0}, {"stores", 1, 0, 0},   {"communicated", 1, 0, 0},
	};
	const struct ct_comm_figures *f = output->figures;
	size_t shown = rows && rows < f->kernels ? rows : f->kernels;
	struct ct_table *table;
	int err = ct_table_open(&table, columns, sizeof(columns) / sizeof(*columns));

	if (err < 0)
		return err;
	for (size_t k = 0; k < shown; k++) {
		ct_table_name(table, f->kernel[k].name);
		ct_table_number(table, f->kernel[k].launches);
		add_size(table, f->kernel[k].load_bytes);
		add_size(table, f->kernel[k].communicated_load_bytes);
		add_size(table, f->kernel[k].store_bytes);
		add_size(table, f->kernel[k].communicated_store_bytes);
	}
	err = finish(table, out, style);
	write_more(out, shown, f->kernels, "kernels", "kernel");
	return err;
}

int ct_comm_write_kernel_pairs(FILE *out, const struct ct_comm_output *output,
			       const struct ct_style *style, size_t rows)
{
	static const struct ct_column columns[] = {
	    {"written by", 0, 12, 1}, {"read by", 0, 12, 1},  {"bytes", 1, 0, 0},
	    {"transfers", 1, 0, 0},   {"to itself", 1, 0, 0}, {"pattern", 0, 0, 0},
	    {"because", 0, 12, 1},
	};
	const struct ct_comm_figures *f = output->figures;
	size_t shown = rows && rows < f->kernel_pairs ? rows : f->kernel_pairs;
	struct ct_table *table;
	char why[256];
	int err = ct_table_open(&table, columns, sizeof(columns) / sizeof(*columns));

	if (err < 0)
		return err;
	for (size_t i = 0; i < shown; i++) {
		const struct ct_comm_kernel_pair *pair = &f->kernel_pair[i];

		ct_table_name(table, f->kernel[pair->source].name);
		ct_table_name(table, f->kernel[pair->target].name);
		add_size(table, ct_comm_pair_bytes(f, pair));
		ct_table_number(table, pair->transfers);
		add_size(table, pair->self_bytes);
		ct_table_text(table, ct_pattern_text(pair->pattern));
		ct_table_text(table, ct_pattern_why(pair, why, sizeof(why)));
	}
	err = finish(table, out, style);
	write_more(out, shown, f->kernel_pairs, "pairs of kernels", "kernel");
	return err;
}

int ct_comm_write_objects(FILE *out, const struct ct_comm_output *output,
			  const struct ct_style *style, size_t rows)
{
	static const struct ct_column columns[] = {
	    {"object", 0, 16, 0},      {"allocations", 1, 0, 0},  {"transferred", 1, 0, 0},
	    {"loads", 1, 0, 0},        {"communicated", 1, 0, 0}, {"stores", 1, 0, 0},
	    {"communicated", 1, 0, 0},
	};
	const struct ct_comm_figures *f = output->figures;
	size_t shown = rows && rows < f->objects ? rows : f->objects;
	struct ct_table *table;
	char text[TEXT_BYTES];
	int err = ct_table_open(&table, columns, sizeof(columns) / sizeof(*columns));

	if (err < 0)
		return err;
	for (size_t i = 0; i < shown; i++) {
		const struct ct_comm_object *object = &f->object[i];

		ct_table_text(table, ct_comm_object_text(object->object, text, sizeof(text)));
		ct_table_number(table, object->objects);
		add_size(table, object->transferred_bytes);
		add_size(table, object->load_bytes);
		add_size(table, object->communicated_load_bytes);
		add_size(table, object->store_bytes);
		add_size(table, object->communicated_store_bytes);
	}
	err = finish(table, out, style);
	write_more(out, shown, f->objects, "objects", "object");
	return err;
}

int ct_comm_write_lines(FILE *out, const struct ct_comm_output *output,
			const struct ct_style *style, size_t rows)
{
	static const struct ct_column columns[] = {
	    {"written at", 0, 16, 0},
	    {"read at", 0, 16, 0},
	    {"transferred", 1, 0, 0},
	    {"loads", 1, 0, 0},
	};
	const struct ct_comm_figures *f = output->figures;
	size_t shown = rows && rows < f->line_pairs ? rows : f->line_pairs;
	struct ct_table *table;
	char text[TEXT_BYTES];
	int err = ct_table_open(&table, columns, sizeof(columns) / sizeof(*columns));

	if (err < 0)
		return err;
	for (size_t i = 0; i < shown; i++) {
		const struct ct_comm_line_pair *pair = &f->line_pair[i];

		ct_table_text(table, ct_comm_site_text(pair->source_unit, pair->source_site, text,
						       sizeof(text)));
		ct_table_text(table, ct_comm_site_text(pair->target_unit, pair->target_site, text,
						       sizeof(text)));
		add_size(table, pair->bytes);
		add_size(table, pair->loaded_bytes);
	}
	err = finish(table, out, style);
	write_more(out, shown, f->line_pairs, "pairs of lines", "line");
	return err;
}

static void add_stride(struct ct_table *table, uint64_t count, uint64_t sum, uint64_t most)
{
	char text[64], mean[CT_NUMBER_BYTES], max[CT_NUMBER_BYTES];

	snprintf(text, sizeof(text), "%s, %s", ct_size(count ? sum / count : 0, mean),
		 ct_size(most, max));
	ct_table_text(table, count ? text : "-");
}

int ct_comm_write_ctas(FILE *out, const struct ct_comm_output *output, const struct ct_style *style,
		       size_t rows)
{
	static const struct ct_column columns[] = {
	    {"CTA", 1, 0, 0},
	    {"receives from", 1, 0, 0},
	    {"received", 1, 0, 0},
	    {"sends to", 1, 0, 0},
	    {"sent", 1, 0, 0},
	    {"load stride, max", 1, 0, 0},
	    {"store stride, max", 1, 0, 0},
	};
	const struct ct_comm_figures *f = output->figures;
	uint64_t shown = rows && rows < f->ctas ? rows : f->ctas;
	struct ct_table *table;
	int err = ct_table_open(&table, columns, sizeof(columns) / sizeof(*columns));

	if (err < 0)
		return err;
	for (uint64_t c = 0; c < shown; c++) {
		const struct ct_comm_cta_figures *cta = &f->cta[c];

		ct_table_number(table, c);
		ct_table_number(table, cta->in_degree);
		add_size(table, cta->received_bytes);
		ct_table_number(table, cta->out_degree);
		add_size(table, cta->sent_bytes);
		add_stride(table, cta->load_strides, cta->load_stride_sum, cta->load_stride_max);
		add_stride(table, cta->store_strides, cta->store_stride_sum, cta->store_stride_max);
	}
	err = finish(table, out, style);
	write_more(out, shown, f->ctas, "CTAs", "cta");
	return err;
}

int ct_comm_write_sms(FILE *out, const struct ct_comm_output *output, const struct ct_style *style)
{
	static const struct ct_column columns[] = {
	    {"launch", 0, 12, 1},      {"SM", 1, 0, 0},     {"loads", 1, 0, 0},
	    {"communicated", 1, 0, 0}, {"stores", 1, 0, 0}, {"communicated", 1, 0, 0},
	};
	struct ct_table *table;
	char text[TEXT_BYTES];
	int err = ct_table_open(&table, columns, sizeof(columns) / sizeof(*columns));

	if (err < 0)
		return err;
	for (size_t i = 0; i < output->sms; i++) {
		const struct ct_comm_sm *sm = &output->sm[i];

		ct_table_text(table, ct_comm_superstep_text(output->figures, sm->superstep, text,
							    sizeof(text)));
		ct_table_number(table, sm->sm);
		add_size(table, sm->load_bytes);
		add_size(table, sm->communicated_load_bytes);
		add_size(table, sm->store_bytes);
		add_size(table, sm->communicated_store_bytes);
	}
	return finish(table, out, style);
}

/* Times, where those of one device are known. */
static int write_speedups(FILE *out, const struct ct_comm_output *output,
			  const struct ct_style *style)
{
	static const struct ct_column columns[] = {
	    {"devices", 1, 0, 0},
	    {"placement", 0, 0, 0},
	    {"kernels", 1, 0, 0},
	    {"exchange", 1, 0, 0},
	    {"host", 1, 0, 0},
	    {"time", 1, 0, 0},
	    {"with copies to all", 1, 0, 0},
	    {"overlapped", 1, 0, 0},
	    {"speed-up", 1, 0, 0},
	    {"efficiency", 1, 0, 0},
	    {"", 0, 0, 0},
	};
	char text[CT_NUMBER_BYTES];
	struct ct_table *table;
	int err = ct_table_open(&table, columns, sizeof(columns) / sizeof(*columns));

	if (err < 0)
		return err;
	fprintf(out,
		"\non one device %.4g ms, kernels and copies of the host; host: to ask for kernels "
		"and exchange\n",
		output->alone->seconds * 1e3);
	for (size_t i = 0; i < output->scaling_rows; i++) {
		const struct ct_speedup *s = &output->speedup[i];
		const double times[] = {s->kernels, s->exchange,   s->host,
					s->seconds, s->replicated, s->overlapped};

		ct_table_number(table, output->scaling[i].devices);
		ct_table_text(table, ct_placement_text(output->scaling[i].placement));
		for (size_t t = 0; t < sizeof(times) / sizeof(*times); t++) {
			snprintf(text, sizeof(text), "%.3g ms", times[t] * 1e3);
			ct_table_text(table, text);
		}
		snprintf(text, sizeof(text), "%.2f", s->speedup);
		ct_table_text(table, text);
		snprintf(text, sizeof(text), "%.0f %%", 100 * s->efficiency);
		ct_table_text(table, text);
		ct_table_text(table, s->is_best ? "best" : "");
	}
	err = finish(table, out, style);
	if (output->untimed)
		fprintf(out, "of %llu launches no time is known; they count nothing\n",
			(unsigned long long)output->untimed);
	return err;
}

int ct_comm_write_scaling(FILE *out, const struct ct_comm_output *output,
			  const struct ct_style *style)
{
	static const struct ct_column columns[] = {
	    {"devices", 1, 0, 0}, {"placement", 0, 0, 0}, {"crossing", 1, 0, 0},
	    {"of all", 1, 0, 0},  {"transfers", 1, 0, 0}, {"time", 1, 0, 0},
	    {"balance", 1, 0, 0}, {"", 0, 0, 0},
	};
	const struct ct_scaling_options *options = output->scaling_options;
	char text[CT_NUMBER_BYTES];
	struct ct_table *table;
	int err = ct_table_open(&table, columns, sizeof(columns) / sizeof(*columns));

	if (err < 0)
		return err;
	fprintf(out, "links of %s/s each way, latency %g us a superstep\n",
		ct_size((uint64_t)options->bandwidth, text), options->latency * 1e6);
	for (size_t i = 0; i < output->scaling_rows; i++) {
		const struct ct_scaling_row *row = &output->scaling[i];

		ct_table_number(table, row->devices);
		ct_table_text(table, ct_placement_text(row->placement));
		add_size(table, row->crossing_bytes);
		snprintf(text, sizeof(text), "%.1f %%", 100 * row->crossing_part);
		ct_table_text(table, text);
		ct_table_number(table, row->crossing_transfers);
		snprintf(text, sizeof(text), "%.3g ms", row->predicted_seconds * 1e3);
		ct_table_text(table, text);
		snprintf(text, sizeof(text), "%.2f", row->balance);
		ct_table_text(table, text);
		ct_table_text(table, row->is_best ? "best" : "");
	}
	err = finish(table, out, style);
	if (output->scaling_rows && output->scaling[0].is_bound)
		fprintf(out,
			"upper bounds: memory (--memory) did not hold which CTAs read the same "
			"bytes, so these count for each of them\n");
	return err == 0 && output->speedup ? write_speedups(out, output, style) : err;
}
