/* SPDX-License-Identifier: Apache-2.0 */
/* Values for a terminal: what to do, what lines move in vain, what objects hold. */
#include "base/quantity.h"
#include "postproc/analysis/values/numbers.h"
#include "postproc/render/base/words.h"
#include "postproc/render/values/values.h"
#include "postproc/tables/amount.h"
#include "postproc/tables/wrap.h"

#include <string.h>

#define LINE_BYTES 256u

static void put_share(struct ct_table *table, uint64_t part, uint64_t whole)
{
	char text[CT_AMOUNT_BYTES];
	struct ct_amount amount = {whole ? 100.0 * (double)part / (double)whole : 0, "%"};

	ct_table_text(table, ct_amount_text(&amount, text));
}

static void write_total(FILE *out, const struct ct_values_figures *figures, enum ct_class class,
			const char *what)
{
	struct ct_values_counts sum = {0};
	uint64_t redundant;
	char number[2][CT_NUMBER_BYTES];

	for (size_t i = 0; i < figures->rows; i++)
		if (figures->row[i].class == class)
			ct_values_counts_add(&sum, &figures->row[i].counts);
	redundant = ct_values_redundant(&sum, class);
	if (sum.elements && class != CT_CLASS_STORE && figures->is_summarised)
		fprintf(out, "%s %s\n", what, ct_number(sum.elements, number[0]));
	else if (sum.elements)
		fprintf(out, "%s %s, of which %s (%.1f %%) redundant\n", what,
			ct_number(sum.elements, number[0]), ct_number(redundant, number[1]),
			100.0 * (double)redundant / (double)sum.elements);
}

static void write_sample(FILE *out, const struct ct_values_figures *figures)
{
	struct ct_values_spatial loads = ct_values_spatial_of(figures, false);
	struct ct_values_spatial stores = ct_values_spatial_of(figures, true);
	char number[CT_NUMBER_BYTES];

	fprintf(out,
		"Of %s launches some CTAs alone are recorded: of all of them threads load again "
		"what they had loaded in %.2f %% +- %.2f (standard error), and store what they "
		"know to be there in %.2f %% +- %.2f; values that others have, too, are about %.2f "
		"to %.2f %% of what they load and %.2f to %.2f %% of what they store; all else is "
		"of those CTAs\n",
		ct_number(figures->sampled_launches, number), 100 * figures->load_estimate.share,
		100 * figures->load_estimate.error, 100 * figures->store_estimate.share,
		100 * figures->store_estimate.error, 100 * loads.least, 100 * loads.most,
		100 * stores.least, 100 * stores.most);
}

static void write_limits(FILE *out, const struct ct_values_figures *figures)
{
	uint64_t all = 0, untold = 0, candidates = 0;
	char number[2][CT_NUMBER_BYTES];

	for (size_t i = 0; i < figures->rows; i++) {
		all += figures->row[i].counts.elements;
		untold += figures->row[i].counts.untold;
	}
	if (untold && figures->has_values)
		fprintf(
		    out,
		    "Of %s of %s accesses the trace has no value: they come from units compiled "
		    "without --ct-values, are ranges, or lost theirs\n",
		    ct_number(untold, number[0]), ct_number(all, number[1]));
	if (figures->sampled_launches && !figures->is_summarised)
		write_sample(out, figures);
	if (figures->opaque_launches && !figures->is_summarised)
		fprintf(out,
			"%s of %s launches may store what the trace does not tell; what memory "
			"held before them is not known behind them\n",
			ct_number(figures->opaque_launches, number[0]),
			ct_number(figures->launches, number[1]));
	for (size_t i = 0; i < figures->cell_count; i++)
		candidates += figures->cells[i].candidates;
	if (candidates)
		fprintf(out,
			"%s stores are to places where threads of a launch store different values: "
			"CTAs and warps have no order, so which is the last, and what it finds, is "
			"not known\n",
			ct_number(candidates, number[0]));
	if (figures->surprises)
		fprintf(out,
			"%s loads found other values than had been left: something that is not "
			"traced stores there, so stores may be less redundant than they seem\n",
			ct_number(figures->surprises, number[0]));
}

static void write_tier(FILE *out, const struct ct_values_figures *figures)
{
	if (figures->is_summarised)
		fputs("tier values: summarised on the device, without addresses. Stores count as "
		      "redundant if memory held the value right before; whether loads and "
		      "atomics are is not known; values of atomics are what they are given. "
		      "Numbers of values are estimates (8 %)\n",
		      out);
}

static const char *last_part(const char *file)
{
	const char *slash = strrchr(file, '/');

	return slash ? slash + 1 : file;
}

/* "main.cu:12", "main.cu" without a line, "" of no file. */
static const char *place_of(const char *file, uint32_t line, char text[LINE_BYTES])
{
	if (line)
		snprintf(text, LINE_BYTES, "%.*s:%u", LINE_BYTES - 16, last_part(file), line);
	else
		snprintf(text, LINE_BYTES, "%.*s", LINE_BYTES - 1, last_part(file));
	return text;
}

static void write_memory(FILE *out, const struct ct_values_memory *memory)
{
	const struct ct_amount peak = {(double)memory->peak, "B"};
	const struct ct_amount needed = {(double)memory->needed_peak, "B"};
	char text[2][CT_AMOUNT_BYTES];

	if (memory->peak)
		fprintf(out,
			"Memory:  %s at the peak; %s if objects lived from their first to their "
			"last use\n",
			ct_amount_text(&peak, text[0]), ct_amount_text(&needed, text[1]));
	for (unsigned p = 0; p < CT_LIFE_PATTERNS && memory->peak; p++) {
		const struct ct_amount without = {(double)memory->without[p], "B"};

		if (memory->without[p] < memory->peak)
			fprintf(out, "         %s without %s\n", ct_amount_text(&without, text[0]),
				ct_values_life_text((enum ct_values_life_id)p));
	}
}

static void write_advice(FILE *out, const struct ct_values_output *output,
			 const struct ct_style *style)
{
	const struct ct_values_figures *figures = output->figures;
	size_t count = output->advices->count;

	if (!count)
		return;
	fputc('\n', out);
	ct_emphasise(out, style, CT_BOLD, "What to do");
	fputc('\n', out);
	for (size_t i = 0; i < count && i < output->rows; i++) {
		const struct ct_values_advice *advice = &output->advices->list[i];
		const struct ct_amount saved = {advice->saved_bytes, "B"};
		char place[LINE_BYTES], amount[CT_AMOUNT_BYTES];

		fprintf(out, "%s (%s%s%s): %s\n", advice->pattern,
			advice->kernel == CT_NONE ? "" : figures->kernel[advice->kernel].name,
			advice->kernel == CT_NONE ? "" : ", ",
			*advice->file ? place_of(advice->file, advice->line, place)
				      : "unknown line",
			advice->text);
		if (advice->evidence[0])
			fprintf(out, "    %s\n", advice->evidence);
		fprintf(out, "    %s", advice->fix);
		if (advice->saved_bytes > 0)
			fprintf(out, ": up to %s of %s", ct_amount_text(&saved, amount),
				advice->is_memory ? "memory at the peak" : "traffic");
		if (advice->launches && advice->sectors > 0)
			fprintf(out, ", %.0f sectors a launch",
				advice->sectors / (double)advice->launches);
		if (advice->seconds > 0)
			fprintf(out, ", %s at most",
				ct_amount_text(&(struct ct_amount){advice->seconds, "s"}, amount));
		if (advice->estimate > 0)
			fprintf(out, ", about %s%s",
				ct_amount_text(&(struct ct_amount){advice->estimate, "s"}, amount),
				advice->kernel == CT_NONE ? "" : " by what caches serve");
		fputs(".\n", out);
	}
	if (count > output->rows)
		fprintf(out, "%zu more (--rows=all)\n", count - output->rows);
}

static int write_lines(FILE *out, const struct ct_values_output *output,
		       const struct ct_style *style)
{
	static const struct ct_column columns[] = {
	    {"line", 0, 12, 0},  {"kernel", 0, 12, 1},  {"operation", 0, 0, 0},
	    {"object", 0, 8, 1}, {"accesses", 1, 0, 0}, {"redundant", 1, 0, 0},
	    {"share", 1, 0, 0},  {"own", 1, 0, 0},      {"before", 1, 0, 0},
	    {"agreed", 1, 0, 0}, {"unknown", 1, 0, 0},
	};
	const struct ct_values_lines *lines = output->lines;
	struct ct_table *table;
	int err = ct_table_begin(&table, out, "Lines", columns, sizeof(columns) / sizeof(*columns),
				 style);

	for (size_t i = 0; err == 0 && i < lines->count && i < output->rows; i++) {
		const struct ct_values_line *line = &lines->list[i];
		const struct ct_values_counts *c = &line->counts;
		uint64_t redundant = ct_values_line_redundant(line);
		char place[LINE_BYTES], object[CT_VALUES_LINE_BYTES];

		ct_table_text(table, ct_words_location(line->unit, &line->unit->sites[line->site],
						       place, sizeof(place)));
		ct_table_name(table, output->figures->kernel[line->kernel].name);
		ct_table_text(table, ct_operation_text(line->operation));
		ct_table_text(table, ct_values_line_text(output->figures, line, object));
		ct_table_number(table, c->elements);
		ct_table_number(table, redundant);
		put_share(table, redundant, c->elements);
		ct_table_number(table, line->class == CT_CLASS_LOAD ? c->temporal : c->silent);
		ct_table_number(table, c->known);
		ct_table_number(table, c->agreed);
		ct_table_number(table, c->unknown);
	}
	return err == 0 ? ct_table_finish(table, out, style, lines->count, output->rows) : err;
}

static int write_sets(FILE *out, const struct ct_values_output *output,
		      const struct ct_style *style)
{
	static const struct ct_column columns[] = {
	    {"object", 0, 8, 1},   {"kernel", 0, 12, 1},       {"access", 0, 0, 0},
	    {"type", 0, 0, 0},     {"elements", 1, 0, 0},      {"values", 1, 0, 0},
	    {"spatial", 1, 0, 0},  {"most frequent", 1, 8, 1}, {"share", 1, 0, 0},
	    {"patterns", 0, 0, 0},
	};
	const struct ct_values_figures *figures = output->figures;
	struct ct_table *table;
	int err = ct_table_begin(&table, out, "Values", columns, sizeof(columns) / sizeof(*columns),
				 style);

	for (size_t i = 0; err == 0 && i < figures->sets && i < output->rows; i++) {
		const struct ct_values_set *set = &figures->set[i];
		struct ct_values_pattern pattern[CT_VALUES_PATTERN_COUNT];
		size_t count = ct_values_patterns(set, pattern), used = 0;
		char text[CT_ELEMENT_TEXT_BYTES], names[LINE_BYTES] = "";

		for (size_t p = 0; p < count && used < sizeof(names); p++)
			used +=
			    (size_t)snprintf(names + used, sizeof(names) - used, "%s%s",
					     p ? ", " : "", ct_values_pattern_text(pattern[p].id));
		ct_table_text(table, ct_values_group_text(figures, set->group));
		ct_table_name(table, figures->kernel[set->kernel].name);
		ct_table_text(table, set->is_store ? "store" : "load");
		ct_table_text(table, ct_element_type_text(set->type, text));
		ct_table_number(table, set->elements);
		ct_table_number(table, set->distinct);
		put_share(table, set->elements - set->launch_distinct, set->elements);
		ct_table_text(table,
			      set->tops ? ct_element_text(set->type, set->top[0].value, text) : "");
		if (set->tops)
			put_share(table, set->top[0].elements, set->elements);
		else
			ct_table_text(table, "");
		ct_table_text(table, names);
	}
	return err == 0 ? ct_table_finish(table, out, style, figures->sets, output->rows) : err;
}

static int write_flows(FILE *out, const struct ct_values_output *output,
		       const struct ct_style *style)
{
	static const struct ct_column columns[] = {
	    {"written by", 0, 12, 1}, {"then used by", 0, 12, 1}, {"object", 0, 8, 1},
	    {"read", 1, 0, 0},        {"overwritten", 1, 0, 0},   {"as it was", 1, 0, 0},
	};
	const struct ct_values_figures *figures = output->figures;
	struct ct_table *table;
	int err = ct_table_begin(&table, out, "Who writes what others read [bytes]", columns,
				 sizeof(columns) / sizeof(*columns), style);

	for (size_t i = 0; err == 0 && i < figures->flows && i < output->rows; i++) {
		const struct ct_values_flow *flow = &figures->flow[i];
		char text[CT_VALUES_NODE_BYTES];

		ct_table_text(table, ct_values_node_text(figures, flow->from, text));
		ct_table_text(table, ct_values_node_text(figures, flow->to, text));
		ct_table_text(table, ct_values_group_text(figures, flow->group));
		ct_table_number(table, flow->read);
		ct_table_number(table, flow->over);
		put_share(table, flow->same, flow->over);
	}
	return err == 0 ? ct_table_finish(table, out, style, figures->flows, output->rows) : err;
}

/* The profile view: where kernels are launched, and what of it is in vain. */
static int write_contexts(FILE *out, const struct ct_values_output *output,
			  const struct ct_style *style)
{
	static const struct ct_column columns[] = {
	    {"launched", 0, 12, 1}, {"region", 0, 8, 1},    {"kernel", 0, 12, 1},
	    {"launches", 1, 0, 0},  {"unchanged", 1, 0, 0}, {"loads", 1, 0, 0},
	    {"redundant", 1, 0, 0}, {"stores", 1, 0, 0},    {"redundant", 1, 0, 0},
	};
	const struct ct_values_figures *figures = output->figures;
	struct ct_table *table;
	int err = ct_table_begin(&table, out, "Launches, by where they are made", columns,
				 sizeof(columns) / sizeof(*columns), style);

	for (size_t i = 0; err == 0 && i < figures->contexts && i < output->rows; i++) {
		const struct ct_values_context *context = &figures->context[i];
		const struct ct_values_done *done = &context->done;
		char place[LINE_BYTES];

		ct_table_text(table,
			      ct_words_descriptor(context->first->site, place, sizeof(place)));
		ct_table_text(table, context->first->region);
		ct_table_name(table, figures->kernel[context->kernel].name);
		ct_table_number(table, context->launches);
		ct_table_number(table, context->unchanged);
		ct_table_number(table, done->loads);
		put_share(table, done->temporal, done->loads);
		ct_table_number(table, done->stores);
		put_share(table, done->redundant, done->stores);
	}
	return err == 0 ? ct_table_finish(table, out, style, figures->contexts, output->rows) : err;
}

static void add_summary(struct ct_table *table, const struct ct_values_figures *figures,
			const struct ct_values_summary *summary)
{
	char text[LINE_BYTES];

	ct_table_text(table, ct_words_location(summary->unit, &summary->unit->sites[summary->site],
					       text, sizeof(text)));
	ct_table_name(table, figures->kernel[summary->kernel].name);
	ct_table_text(table, ct_class_text(summary->class));
	ct_table_text(table, ct_values_group_text(figures, summary->group));
	ct_table_text(table, ct_element_type_text(summary->type, text));
	ct_table_number(table, summary->elements);
	if (summary->is_found)
		put_share(table, summary->same, summary->elements);
	else
		ct_table_text(table, "");
	if (summary->class != CT_CLASS_STORE)
		put_share(table, summary->same, summary->elements);
	else
		ct_table_text(table, "");
	put_share(table, summary->zeros, summary->elements);
	ct_table_number(table, summary->distinct);
	ct_table_text(
	    table, summary->has_range ? ct_element_text(summary->type, summary->least, text) : "");
	ct_table_text(table, summary->has_range
				 ? ct_element_text(summary->type, summary->greatest, text)
				 : "");
}

/* What lines of tier values move. */
static int write_summaries(FILE *out, const struct ct_values_output *output,
			   const struct ct_style *style)
{
	static const struct ct_column columns[] = {
	    {"line", 0, 12, 0},    {"kernel", 0, 12, 1},   {"operation", 0, 0, 0},
	    {"object", 0, 8, 1},   {"type", 0, 0, 0},      {"elements", 1, 0, 0},
	    {"as found", 1, 0, 0}, {"as lane 0", 1, 0, 0}, {"zeros", 1, 0, 0},
	    {"values", 1, 0, 0},   {"least", 1, 0, 0},     {"greatest", 1, 0, 0},
	};
	const struct ct_values_figures *figures = output->figures;
	struct ct_table *table;
	int err = ct_table_begin(&table, out, "Lines, summarised", columns,
				 sizeof(columns) / sizeof(*columns), style);

	for (size_t i = 0; err == 0 && i < figures->summaries && i < output->rows; i++)
		add_summary(table, figures, &figures->summary[i]);
	return err == 0 ? ct_table_finish(table, out, style, figures->summaries, output->rows)
			: err;
}

/* Of what code that ran accesses, tier values does not tell this. */
static int write_valueless(FILE *out, const struct ct_values_output *output,
			   const struct ct_style *style)
{
	static const struct ct_column columns[] = {{"line", 0, 12, 0},
						   {"kernel or function", 0, 12, 1},
						   {"operation", 0, 0, 0},
						   {"times", 1, 0, 0},
						   {"reason", 0, 0, 0}};
	const struct ct_values_figures *figures = output->figures;
	struct ct_table *table;
	int err = ct_table_begin(&table, out, "Without values", columns,
				 sizeof(columns) / sizeof(*columns), style);

	for (size_t i = 0; err == 0 && i < figures->valueless.count && i < output->rows; i++) {
		const struct ct_valueless *what = &figures->valueless.list[i];
		char place[LINE_BYTES];

		ct_table_text(table, place_of(what->file, what->line, place));
		ct_table_name(table, what->name);
		ct_table_text(table, what->operation);
		ct_table_number(table, what->times);
		ct_table_text(table, what->reason);
	}
	return err == 0 ? ct_table_finish(table, out, style, figures->valueless.count, output->rows)
			: err;
}

int ct_values_write(FILE *out, const struct ct_values_output *output, const struct ct_style *style)
{
	bool has_values = output->figures->has_values;
	int err = 0;

	write_tier(out, output->figures);
	write_total(out, output->figures, CT_CLASS_LOAD, "Loads:  ");
	write_total(out, output->figures, CT_CLASS_STORE, "Stores: ");
	write_total(out, output->figures, CT_CLASS_ATOMIC, "Atomics:");
	write_memory(out, &output->figures->memory);
	write_limits(out, output->figures);
	write_advice(out, output, style);
	if (output->figures->summaries)
		err = write_summaries(out, output, style);
	if (err == 0 && output->figures->valueless.count)
		err = write_valueless(out, output, style);
	if (err == 0 && has_values && !output->figures->is_summarised)
		err = write_lines(out, output, style);
	if (err == 0 && has_values)
		err = write_sets(out, output, style);
	if (err == 0 && has_values && !output->figures->is_summarised)
		err = write_contexts(out, output, style);
	return err == 0 && has_values && !output->figures->is_summarised
		   ? write_flows(out, output, style)
		   : err;
}
