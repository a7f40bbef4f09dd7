/* SPDX-License-Identifier: Apache-2.0 */
/* Branches for a terminal and as JSON. */
#include "base/quantity.h"
#include "postproc/analysis/branches/advice.h"
#include "postproc/render/access/beside.h"

#include <string.h>

#define LINE_BYTES 256u
#define DIGITS 9

static void put_share(struct ct_table *table, double share)
{
	char text[32];

	snprintf(text, sizeof(text), "%.1f %%", 100 * share);
	ct_table_text(table, text);
}

static void put_line(struct ct_table *table, const struct ct_branches_results *results,
		     const struct ct_branches_line *line)
{
	const struct ct_branches_figures *f = &line->figures;
	const char *slash = strrchr(line->place.file, '/');
	char text[LINE_BYTES];

	snprintf(text, sizeof(text), "%s:%u", slash ? slash + 1 : line->place.file,
		 line->place.line);
	ct_table_text(table, *line->place.file ? text : NULL);
	ct_table_name(table, results->kernels.list[line->kernel].name);
	ct_table_number(table, f->branches);
	ct_table_number(table, f->divergent);
	put_share(table, ct_branches_efficiency(f));
	snprintf(text, sizeof(text), "%.1f", (double)f->lanes / (double)f->branches);
	ct_table_text(table, text);
	if (!results->has_code)
		return;
	if (line->left.is_known)
		ct_table_number(table, line->left.branches);
	else
		ct_table_text(table, "-");
}

/* Of all kernels together. */
static void write_total(FILE *out, const struct ct_branches_results *results)
{
	struct ct_branches_kernel all = {.blocks = 0};
	char number[3][CT_NUMBER_BYTES];

	for (uint32_t k = 0; k < results->kernels.count; k++) {
		all.figures.branches += results->kernel[k].figures.branches;
		all.figures.divergent += results->kernel[k].figures.divergent;
		all.blocks += results->kernel[k].blocks;
		all.lanes += results->kernel[k].lanes;
	}
	fprintf(out,
		"%s of %s branches are divergent; %.1f of 32 lanes are active in the mean of %s "
		"blocks\n",
		ct_number(all.figures.divergent, number[0]),
		ct_number(all.figures.branches, number[1]),
		all.blocks ? (double)all.lanes / (double)all.blocks : 0,
		ct_number(all.blocks, number[2]));
}

static void put_known(struct ct_table *table, bool is_known, uint64_t number)
{
	if (is_known)
		ct_table_number(table, number);
	else
		ct_table_text(table, "-");
}

/* What is not known, and where; what the efficiency is if divisions go their fast way. */
static void put_unknown(struct ct_table *table, const struct ct_branches_machine *machine)
{
	char text[2 * LINE_BYTES], place[LINE_BYTES] = "", fast[LINE_BYTES] = "";
	double efficiency;

	if (*machine->file)
		snprintf(place, sizeof(place), " (%s:%u)", machine->file, machine->line);
	if (!ct_branches_machine_efficiency(machine, &efficiency) && efficiency > 0)
		snprintf(fast, sizeof(fast), "; if never: %.1f %%", 100 * efficiency);
	snprintf(text, sizeof(text), "%s%s%s", machine->why ? machine->why : "", place, fast);
	ct_table_text(table, text);
}

static void put_machine(struct ct_table *table, const struct ct_branches_machine *machine)
{
	double efficiency;
	bool is_known = ct_branches_machine_efficiency(machine, &efficiency);
	bool has_slow = machine->has_tests;

	put_known(table, machine->is_counted && !has_slow, machine->branches);
	put_known(table, machine->is_divergence_known && !has_slow, machine->divergent);
	if (is_known && (machine->branches || !machine->is_counted))
		put_share(table, efficiency);
	else
		ct_table_text(table, "-");
	put_unknown(table, machine);
}

/* Of kernels whose machine code is known. */
static int write_machine(FILE *out, const struct ct_access_output *output,
			 const struct ct_style *style)
{
	static const struct ct_column columns[] = {
	    {"kernel", 0, 12, 1},    {"branches", 1, 0, 0},   {"divergent", 1, 0, 0},
	    {"efficiency", 1, 0, 0}, {"not known", 0, 20, 1},
	};
	const struct ct_branches_results *results = output->branches;
	struct ct_table *table;
	size_t rows = 0;
	int err = ct_table_begin(&table, out, "Branches of the machine code", columns,
				 sizeof(columns) / sizeof(*columns), style);

	for (uint32_t k = 0; err == 0 && k < results->kernels.count; k++) {
		const struct ct_branches_machine *machine = &results->kernel[k].machine;

		if (!machine->has_code || rows++ >= output->rows)
			continue;
		ct_table_name(table, results->kernels.list[k].name);
		put_machine(table, machine);
	}
	return err == 0 ? ct_table_finish(table, out, style, rows, output->rows) : err;
}

static void write_advice(FILE *out, const struct ct_branches_results *results)
{
	struct ct_branches_advice advice[CT_BRANCHES_ADVICES];
	size_t count = ct_branches_advise(advice, results);

	for (size_t i = 0; i < count; i++)
		fprintf(out, "%s\n    %s.\n    %s: up to %.0f issue slots less.\n", advice[i].text,
			advice[i].evidence, advice[i].fix, advice[i].slots);
}

int ct_access_write_branches(FILE *out, const struct ct_access_output *output,
			     const struct ct_style *style)
{
	static const struct ct_column columns[] = {
	    {"line", 0, 12, 0},     {"kernel", 0, 12, 1},    {"branches", 1, 0, 0},
	    {"divergent", 1, 0, 0}, {"efficiency", 1, 0, 0}, {"lanes", 1, 0, 0},
	    {"machine", 1, 0, 0},
	};
	const size_t count = sizeof(columns) / sizeof(*columns);
	const struct ct_branches_results *results = output->branches;
	struct ct_table *table;
	int err;

	if (!results->is_recorded)
		return 0;
	err = ct_table_begin(&table, out, "Branches", columns, count - !results->has_code, style);
	for (size_t i = 0; err == 0 && i < results->lines && i < output->rows; i++)
		put_line(table, results, &results->line[i]);
	if (err == 0)
		err = ct_table_finish(table, out, style, results->lines, output->rows);
	write_total(out, results);
	write_advice(out, results);
	if (err == 0 && results->has_code)
		err = write_machine(out, output, style);
	return err;
}

static void put_figures(struct ct_json *json, const struct ct_branches_figures *f)
{
	ct_json_put_number(json, "branches", f->branches);
	ct_json_put_number(json, "divergent", f->divergent);
	ct_json_put_real(json, "efficiency", ct_branches_efficiency(f), DIGITS);
}

static void put_number_if(struct ct_json *json, const char *name, bool is_known, uint64_t number)
{
	if (is_known)
		ct_json_put_number(json, name, number);
	else
		ct_json_put_null(json, name);
}

static void put_real_if(struct ct_json *json, const char *name, bool is_known, double number)
{
	if (is_known)
		ct_json_put_real(json, name, number, DIGITS);
	else
		ct_json_put_null(json, name);
}

static void put_machine_json(struct ct_json *json, const struct ct_branches_machine *machine)
{
	double efficiency;
	bool is_known = ct_branches_machine_efficiency(machine, &efficiency);
	bool has_slow = machine->has_tests;

	if (!machine->has_code) {
		ct_json_put_null(json, "machine");
		return;
	}
	ct_json_open_object(json, "machine", CT_JSON_INLINE);
	put_number_if(json, "branches", machine->is_counted && !has_slow, machine->branches);
	put_number_if(json, "divergent", machine->is_divergence_known && !has_slow,
		      machine->divergent);
	put_real_if(json, "efficiency", is_known, efficiency);
	put_number_if(json, "fast_branches", machine->is_counted, machine->branches);
	put_number_if(json, "fast_divergent", machine->is_divergence_known, machine->divergent);
	put_real_if(json, "fast_efficiency", is_known || efficiency > 0, efficiency);
	ct_json_put_number(json, "ways_back", machine->ways_back);
	ct_json_put_number(json, "division_tests", machine->tests);
	if (machine->why)
		ct_json_put_text(json, "unknown", machine->why);
	else
		ct_json_put_null(json, "unknown");
	ct_json_put_text(json, "file", machine->file);
	ct_json_put_number(json, "line", machine->line);
	ct_json_close(json);
}

static void put_kernels(struct ct_json *json, const struct ct_branches_results *results)
{
	ct_json_open_array(json, "block_kernels", CT_JSON_LINES);
	for (uint32_t k = 0; k < results->kernels.count; k++) {
		const struct ct_branches_kernel *kernel = &results->kernel[k];

		if (!kernel->blocks)
			continue;
		ct_json_open_object(json, NULL, CT_JSON_INLINE);
		ct_json_put_text(json, "kernel", results->kernels.list[k].name);
		put_figures(json, &kernel->figures);
		ct_json_put_number(json, "blocks", kernel->blocks);
		ct_json_put_number(json, "lanes", kernel->lanes);
		put_machine_json(json, &kernel->machine);
		ct_json_close(json);
	}
	ct_json_close(json);
}

void ct_access_put_branches(struct ct_json *json, const struct ct_branches_results *results)
{
	if (!results->is_recorded) {
		ct_json_put_null(json, "branches");
		ct_json_put_null(json, "block_kernels");
		return;
	}
	ct_json_open_array(json, "branches", CT_JSON_LINES);
	for (size_t i = 0; i < results->lines; i++) {
		const struct ct_branches_line *line = &results->line[i];

		ct_json_open_object(json, NULL, CT_JSON_INLINE);
		ct_json_put_text(json, "kernel", results->kernels.list[line->kernel].name);
		if (*line->place.file)
			ct_json_put_text(json, "file", line->place.file);
		else
			ct_json_put_null(json, "file");
		ct_json_put_number(json, "line", line->place.line);
		put_figures(json, &line->figures);
		ct_json_put_number(json, "lanes", line->figures.lanes);
		put_number_if(json, "machine_branches", line->left.is_known, line->left.branches);
		put_number_if(json, "machine_divergent", line->left.is_known, line->left.divergent);
		ct_json_close(json);
	}
	ct_json_close(json);
	put_kernels(json, results);
}
