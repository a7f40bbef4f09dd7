/* SPDX-License-Identifier: Apache-2.0 */
/* Blame for a terminal. */
#include "postproc/analysis/samples/samples.h"
#include "postproc/facts/source_name.h"
#include "postproc/render/blame/blame.h"
#include "postproc/render/blame/rows.h"
#include "postproc/tables/amount.h"
#include "trace/codec/site.h"

#include <errno.h>
#include <stdlib.h>

static void put_share(struct ct_table *table, double part, double whole)
{
	char text[CT_AMOUNT_BYTES];
	struct ct_amount amount = {whole > 0 ? 100.0 * part / whole : 0, "%"};

	ct_table_text(table, ct_amount_text(&amount, text));
}

static double percent(double part, double whole)
{
	return whole > 0 ? 100 * part / whole : 0;
}

static void write_head(FILE *out, const struct ct_blame_output *output)
{
	const struct ct_blame *blame = output->blame;

	if (output->sampled)
		ct_blame_write_sampling(out, output);
	else
		fprintf(out,
			"Weights are dynamic instruction counts, of %s: executions of basic blocks "
			"times "
			"their instructions\n",
			output->weigh == CT_BLAME_WARPS ? "warps" : "lanes");
	fprintf(out,
		"Coverage: %.1f %% have a variable, %.1f %% a path of calls that is known "
		"(%.1f %% by the static call graph alone)\n",
		percent(blame->blamed, blame->total), percent(blame->resolved, blame->total),
		percent(blame->one_path, blame->total));
}

/* "  .a" below what it is a part of. */
static void put_variable(struct ct_table *table, const struct ct_blame *blame, uint32_t v,
			 unsigned depth)
{
	char text[512];

	snprintf(text, sizeof(text), "%*s%s", (int)(2 * depth), "", blame->variable[v].name);
	ct_table_text(table, text);
}

/* What warps wait for that are to blame on a variable, and for the variable. */
static void put_stalls(struct ct_table *table, const struct ct_blame *blame, uint32_t v)
{
	const struct ct_weights *samples = blame->samples;
	const double *of = &blame->by_reason[v * samples->reason_count];
	char text[CT_REASON_BYTES + 32] = "", reason[CT_REASON_BYTES];
	size_t top = 0;

	for (size_t r = 1; r < samples->reason_count; r++)
		if (of[r] > of[top])
			top = r;
	if (samples->reason_count && of[top] > 0)
		snprintf(text, sizeof(text), "%s %.1f %%",
			 ct_samples_reason_text(samples->reasons[top], reason),
			 percent(of[top], blame->variable[v].inclusive));
	put_share(table, blame->variable[v].waits, blame->total);
	ct_table_text(table, text);
}

static int write_data(FILE *out, const struct ct_blame_output *output, const struct ct_style *style)
{
	static const struct ct_column columns[] = {
	    {"variable", 0, 8, 1}, {"type", 0, 8, 1},        {"context", 0, 12, 1},
	    {"blame", 1, 0, 0},    {"exclusive", 1, 0, 0},   {"reads", 1, 0, 0},
	    {"waits", 1, 0, 0},    {"waiting for", 0, 0, 0},
	};
	const struct ct_blame *blame = output->blame;
	size_t of_samples = blame->samples ? 0 : 2; /* columns that only they have */
	struct ct_blame_rows rows;
	struct ct_table *table = NULL;
	int err = ct_blame_rows_init(&rows, blame);

	if (err == 0)
		err = ct_table_begin(&table, out, "Variables", columns,
				     sizeof(columns) / sizeof(*columns) - of_samples, style);
	for (size_t i = 0; i < rows.count && i < output->rows && err == 0; i++) {
		const struct ct_blame_variable *v = &blame->variable[rows.row[i].variable];
		char *context = ct_source_name(v->function);

		put_variable(table, blame, rows.row[i].variable, rows.row[i].depth);
		ct_table_text(table, v->type);
		ct_table_name(table, context ? context : v->function);
		put_share(table, v->inclusive, blame->total);
		put_share(table, v->exclusive, blame->total);
		put_share(table, v->read, blame->total);
		if (blame->samples)
			put_stalls(table, blame, rows.row[i].variable);
		free(context);
	}
	if (table)
		err = ct_table_finish(table, out, style, rows.count, output->rows);
	ct_blame_rows_fini(&rows);
	if (err == 0 && blame->total > 0)
		fprintf(out, "%.1f %% flow into no variable of their kernel\n",
			percent(blame->unattributed, blame->total));
	return err;
}

/* "solve, solve.cu:12" of a descriptor. */
static void put_site(struct ct_table *table, const char *site)
{
	char function[256], file[512], line[32], text[900];

	ct_site_field(site, 4, function, sizeof(function));
	ct_site_field(site, 1, file, sizeof(file));
	ct_site_field(site, 2, line, sizeof(line));
	snprintf(text, sizeof(text), "%s%s%s%s%s", function, *function && *file ? ", " : "", file,
		 *file ? ":" : "", line);
	ct_table_text(table, text);
}

static int write_objects(FILE *out, const struct ct_blame_output *output,
			 const struct ct_style *style)
{
	static const struct ct_column columns[] = {
	    {"object", 0, 8, 1}, {"scope", 0, 0, 0}, {"context", 0, 12, 1}, {"blame", 1, 0, 0}};
	const struct ct_blame *blame = output->blame;
	struct ct_table *table = NULL;
	int err;

	if (!blame->objects)
		return 0;
	err = ct_table_begin(&table, out, "Objects, over the whole run", columns,
			     sizeof(columns) / sizeof(*columns), style);
	for (size_t i = 0; i < blame->objects && i < output->rows && err == 0; i++) {
		const struct ct_blame_object *object = &blame->object[i];

		ct_table_text(table, object->own_name ? object->own_name
				     : *object->name  ? object->name
						      : "(unnamed)");
		ct_table_text(table, object->is_host ? "CPU" : "GPU");
		put_site(table, object->site);
		put_share(table, object->inclusive, blame->total);
	}
	return table ? ct_table_finish(table, out, style, blame->objects, output->rows) : err;
}

static int write_code(FILE *out, const struct ct_blame_output *output, const struct ct_style *style)
{
	static const struct ct_column columns[] = {
	    {"function", 0, 16, 1}, {"called at", 0, 12, 0}, {"scope", 0, 0, 0},
	    {"blame", 1, 0, 0},     {"itself", 1, 0, 0},     {"CPU", 1, 0, 0},
	    {"itself", 1, 0, 0},
	};
	const struct ct_blame *blame = output->blame;
	size_t of_host = blame->cpu_total > 0 ? 0 : 2; /* columns that only its samples have */
	struct ct_blame_rows rows;
	struct ct_table *table = NULL;
	int err = ct_blame_code_rows_init(&rows, blame);

	if (err == 0)
		err = ct_table_begin(&table, out, "Paths of calls", columns,
				     sizeof(columns) / sizeof(*columns) - of_host, style);
	for (size_t i = 0; i < rows.count && i < output->rows && err == 0; i++) {
		const struct ct_blame_node *node = &blame->node[rows.row[i].variable];
		char *name = ct_blame_function_name(node), text[4096], place[1024] = "";

		snprintf(text, sizeof(text), "%*s%s", (int)(2 * rows.row[i].depth), "",
			 name ? name : node->function);
		if (*node->file)
			snprintf(place, sizeof(place), "%s:%u", node->file, node->line);
		ct_table_name(table, text);
		ct_table_text(table, place);
		ct_table_text(table, node->is_host ? "CPU" : "GPU");
		put_share(table, node->total, blame->total);
		put_share(table, node->self, blame->total);
		if (!of_host) {
			put_share(table, node->cpu_total, blame->cpu_total);
			put_share(table, node->cpu_self, blame->cpu_total);
		}
		free(name);
	}
	if (table)
		err = ct_table_finish(table, out, style, rows.count, output->rows);
	ct_blame_rows_fini(&rows);
	if (err == 0 && !of_host)
		fprintf(out,
			"CPU: of %.0f samples of host threads, one every 10 ms of processor time "
			"outside of the kernel\n",
			blame->cpu_total);
	if (err == 0 && *output->cpu_missing)
		fprintf(out, "CPU: not all was sampled: %s\n", output->cpu_missing);
	return err;
}

static int write_launches(FILE *out, const struct ct_blame_output *output,
			  const struct ct_style *style)
{
	static const struct ct_column columns[] = {{"launch", 1, 0, 0},
						   {"kernel", 0, 12, 1},
						   {"launched in", 0, 12, 1},
						   {"blame", 1, 0, 0}};
	const struct ct_blame *blame = output->blame;
	struct ct_blame_rows rows;
	struct ct_table *table = NULL;
	int err = ct_blame_launch_rows_init(&rows, blame);

	if (err == 0)
		err = ct_table_begin(&table, out, "Launches", columns,
				     sizeof(columns) / sizeof(*columns), style);
	for (size_t i = 0; i < rows.count && i < output->rows && err == 0; i++) {
		const struct ct_launch_info *info = &blame->launch_info[rows.row[i].variable];

		ct_table_number(table, info->event->launch);
		ct_table_name(table, info->kernel);
		put_site(table, info->site);
		put_share(table, blame->launch[rows.row[i].variable], blame->total);
	}
	if (table)
		err = ct_table_finish(table, out, style, rows.count, output->rows);
	ct_blame_rows_fini(&rows);
	return err;
}

int ct_blame_write(FILE *out, const struct ct_blame_output *output, const struct ct_style *style)
{
	int err;

	if (output->blame->total > 0)
		write_head(out, output);
	if (output->by == CT_BLAME_CODE)
		err = write_code(out, output, style);
	else if (output->by == CT_BLAME_LAUNCHES)
		err = write_launches(out, output, style);
	else
		err = output->scope & CT_BLAME_LAUNCH ? write_data(out, output, style) : 0;
	if (err == 0 && output->by == CT_BLAME_DATA && output->sampled)
		err = ct_blame_write_waits(out, output, style);
	if (err == 0 && output->by == CT_BLAME_DATA && output->sampled)
		err = ct_blame_write_advices(out, output, style);
	if (err == 0 && output->by == CT_BLAME_DATA && output->scope & CT_BLAME_RUN)
		err = write_objects(out, output, style);
	return err == 0 && ferror(out) ? -EIO : err;
}
