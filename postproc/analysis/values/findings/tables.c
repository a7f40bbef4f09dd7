/* SPDX-License-Identifier: Apache-2.0 */
/* Tables of values: what lines move, what sets hold, what to do. */
#include "postproc/analysis/values/findings/tables.h"
#include "postproc/analysis/values/base/numbers.h"
#include "postproc/analysis/values/findings/findings.h"
#include "postproc/analysis/values/findings/words.h"
#include "postproc/symbols/path_text.h"
#include "postproc/tables/mean.h"
#include "postproc/tables/sink.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

struct row_value_totals {
	const struct ct_values_figures *figures;
	uint64_t equal, candidates;
};

struct row_value_sums {
	enum ct_class class;
	struct ct_values_counts sum;
	struct ct_values_spatial spatial;
	const struct ct_values_estimate *estimate; /* NULL: no CTAs are left out */
};

struct row_value_lines {
	uint64_t number;
	const struct ct_values_line *line;
	const char *kernel, *object, *memory;
	struct ct_values_saved saved;
};

struct row_value_sets {
	uint64_t number;
	const struct ct_values_set *set;
	const char *kernel, *object, *type, *top, *fits, *patterns;
};

struct row_value_tops {
	uint64_t rank, accesses;
	const char *value;
	double share;
};

struct row_value_summaries {
	uint64_t number;
	const struct ct_values_summary *summary;
	const char *kernel, *object, *type, *least, *greatest, *fits;
};

struct row_value_gaps {
	uint64_t number;
	const struct ct_valueless *gap;
};

struct row_value_contexts {
	uint64_t number;
	const struct ct_values_context *context;
	const char *kernel, *launched, *path;
};

struct row_value_launches {
	const struct ct_values_launch *launch;
	const char *kernel;
};

struct row_value_transfers {
	const struct ct_values_transfer *transfer;
	const char *object;
};

struct row_value_pairs {
	uint64_t number;
	const struct ct_values_pair *pair;
	const char *kernel;
};

#define CT_DESCRIBED "postproc/analysis/values/findings/tables.def"
#include "postproc/tables/described.h"

/* held: bits 1 << enum ct_values_width */
static void add_widths(struct ct_value_words *words, uint32_t held)
{
	for (unsigned w = 0; w < CT_VALUES_WIDTHS; w++)
		if (held >> w & 1)
			ct_value_words_add(words, ct_width_text((enum ct_values_width)w));
}

static int rows_value_totals(const void *from, struct ct_table_sink *sink)
{
	struct row_value_totals row = {.figures = from};

	for (size_t i = 0; i < row.figures->cell_count; i++) {
		row.equal += row.figures->cells[i].equal;
		row.candidates += row.figures->cells[i].candidates;
	}
	return ct_table_put_row(sink, &row);
}

static int put_sum(struct ct_table_sink *sink, const struct ct_values_figures *values,
		   enum ct_class class)
{
	const bool is_store = class == CT_CLASS_STORE;
	struct row_value_sums row = {.class = class,
				     .spatial = ct_values_spatial_of(values, is_store)};

	ct_values_sum(values, class, &row.sum);
	if (class != CT_CLASS_ATOMIC && values->sampled_launches && !values->is_summarised)
		row.estimate = is_store ? &values->store_estimate : &values->load_estimate;
	return ct_table_put_row(sink, &row);
}

static int rows_value_sums(const void *from, struct ct_table_sink *sink)
{
	int err = put_sum(sink, from, CT_CLASS_LOAD);

	if (err == 0)
		err = put_sum(sink, from, CT_CLASS_STORE);
	return err == 0 ? put_sum(sink, from, CT_CLASS_ATOMIC) : err;
}

static int rows_value_lines(const void *from, struct ct_table_sink *sink)
{
	const struct ct_values_figures *values = from;
	struct ct_values_lines lines;
	int err = ct_values_lines_init(&lines, values);

	for (size_t i = 0; i < lines.count && err == 0; i++) {
		const struct ct_values_line *line = &lines.list[i];
		char memory[CT_VALUES_LINE_BYTES];
		const struct row_value_lines row = {
		    .number = i,
		    .line = line,
		    .kernel = values->kernel[line->kernel].name,
		    .object = ct_value_object_name(values, line->group),
		    .memory = ct_values_line_text(values, line, memory),
		    .saved = values->seconds ? ct_values_line_saved(values, line)
					     : (struct ct_values_saved){.seconds = 0},
		};

		err = ct_table_put_row(sink, &row);
	}
	ct_values_lines_fini(&lines);
	return err;
}

static int put_tops(struct ct_table_sink *sink, const struct ct_values_set *set)
{
	char text[CT_ELEMENT_TEXT_BYTES];
	int err = 0;

	for (uint32_t t = 0; t < set->tops && err == 0; t++) {
		const struct row_value_tops row = {
		    t + 1u, set->top[t].elements,
		    ct_element_text(set->type, set->top[t].value, text),
		    ct_share(set->top[t].elements, set->elements)};

		err = ct_table_put_child(sink, 0, &row);
	}
	return err;
}

static int put_set(struct ct_table_sink *sink, const struct ct_values_figures *values,
		   size_t number)
{
	const struct ct_values_set *set = &values->set[number];
	struct ct_values_pattern pattern[CT_VALUES_PATTERN_COUNT];
	size_t count = ct_values_patterns(set, pattern);
	char type[CT_ELEMENT_TEXT_BYTES], top[CT_ELEMENT_TEXT_BYTES];
	struct ct_value_words words = {.used = 0}, fits = {.used = 0};
	struct row_value_sets row = {
	    .number = number,
	    .set = set,
	    .kernel = values->kernel[set->kernel].name,
	    .object = ct_value_object_name(values, set->group),
	    .type = ct_element_type_text(set->type, type),
	    .fits = fits.text,
	    .patterns = words.text,
	};
	uint32_t held = 0;
	int err;

	for (size_t p = 0; p < count; p++)
		ct_value_words_add(&words, ct_values_pattern_text(pattern[p].id));
	for (unsigned w = 0; w < CT_VALUES_WIDTHS; w++)
		held |= (uint32_t)(set->held[w] == set->elements) << w;
	add_widths(&fits, held);
	if (set->tops)
		row.top = ct_element_text(set->type, set->top[0].value, top);
	err = ct_table_put_row(sink, &row);
	return err == 0 ? put_tops(sink, set) : err;
}

static int rows_value_sets(const void *from, struct ct_table_sink *sink)
{
	const struct ct_values_figures *values = from;
	int err = 0;

	for (size_t i = 0; i < values->sets && err == 0; i++)
		err = put_set(sink, values, i);
	return err;
}

static int rows_value_summaries(const void *from, struct ct_table_sink *sink)
{
	const struct ct_values_figures *values = from;
	int err = 0;

	for (size_t i = 0; i < values->summaries && err == 0; i++) {
		const struct ct_values_summary *summary = &values->summary[i];
		char type[CT_ELEMENT_TEXT_BYTES], least[CT_ELEMENT_TEXT_BYTES];
		char greatest[CT_ELEMENT_TEXT_BYTES];
		struct ct_value_words fits = {.used = 0};
		struct row_value_summaries row = {
		    .number = i,
		    .summary = summary,
		    .kernel = values->kernel[summary->kernel].name,
		    .object = ct_value_object_name(values, summary->group),
		    .type = ct_element_type_text(summary->type, type),
		    .fits = fits.text,
		};

		add_widths(&fits, summary->held);
		if (summary->has_range) {
			row.least = ct_element_text(summary->type, summary->least, least);
			row.greatest = ct_element_text(summary->type, summary->greatest, greatest);
		}
		err = ct_table_put_row(sink, &row);
	}
	return err;
}

static int rows_value_gaps(const void *from, struct ct_table_sink *sink)
{
	const struct ct_valueless_list *gaps = &((const struct ct_values_figures *)from)->valueless;
	int err = 0;

	for (size_t i = 0; i < gaps->count && err == 0; i++)
		err = ct_table_put_row(sink, &(struct row_value_gaps){i, &gaps->list[i]});
	return err;
}

static int rows_value_contexts(const void *from, struct ct_table_sink *sink)
{
	const struct ct_values_figures *values = from;
	int err = 0;

	for (size_t i = 0; i < values->contexts && err == 0; i++) {
		const struct ct_values_context *context = &values->context[i];
		char text[CT_VALUE_WORDS], *path = NULL;

		if (context->path) {
			path = ct_host_path_text(values->paths, context->path);
			err = path ? 0 : -ENOMEM;
		}
		if (err == 0)
			err = ct_table_put_row(
			    sink, &(struct row_value_contexts){
				      i, context, values->kernel[context->kernel].name,
				      ct_value_place_text(context->first->site, text), path});
		free(path);
	}
	return err;
}

static int rows_value_launches(const void *from, struct ct_table_sink *sink)
{
	const struct ct_values_figures *values = from;
	int err = 0;

	for (size_t i = 0; i < values->launched && err == 0; i++)
		err = ct_table_put_row(
		    sink, &(struct row_value_launches){
			      &values->launch[i], values->kernel[values->launch[i].kernel].name});
	return err;
}

static int rows_value_transfers(const void *from, struct ct_table_sink *sink)
{
	const struct ct_values_figures *values = from;
	int err = 0;

	for (size_t i = 0; i < values->transfers && err == 0; i++)
		err = ct_table_put_row(
		    sink, &(struct row_value_transfers){
			      &values->transfer[i],
			      ct_value_object_name(values, values->transfer[i].group)});
	return err;
}

static int rows_value_pairs(const void *from, struct ct_table_sink *sink)
{
	const struct ct_values_figures *values = from;
	int err = 0;

	for (size_t i = 0; i < values->pairs && err == 0; i++)
		err = ct_table_put_row(
		    sink, &(struct row_value_pairs){i, &values->pair[i],
						    values->kernel[values->pair[i].kernel].name});
	return err;
}

static const struct ct_table_link of_sites[] = {{"unit, site", "sites", "unit, site"}, {0}};
static const struct ct_table_link of_launches[] = {{"part, launch", "launches", "part, launch"},
						   {0}};
static const struct ct_table_link of_transfers[] = {
    {"part, transfer", "transfers_host", "part, transfer"}, {0}};

#define rows_value_tops NULL
static const struct ct_table_def tops = {CT_TABLE_PARTS(value_tops, NULL)};
static const struct ct_table_child of_set[] = {{"tops", &tops}, {NULL, NULL}};

const struct ct_table_def ct_value_totals_table = {CT_TABLE_PARTS(value_totals, NULL)};
const struct ct_table_def ct_value_sums_table = {CT_TABLE_PARTS(value_sums, NULL)};
const struct ct_table_def ct_value_gaps_table = {CT_TABLE_SHOWN(value_gaps, of_sites)};
const struct ct_table_def ct_value_pairs_table = {CT_TABLE_PARTS(value_pairs, NULL)};
const struct ct_table_def ct_value_lines_table = {CT_TABLE_SHOWN(value_lines, of_sites)};
const struct ct_table_def ct_value_sets_table = {CT_TABLE_SHOWN(value_sets, NULL), .child = of_set};
const struct ct_table_def ct_value_summaries_table = {CT_TABLE_SHOWN(value_summaries, of_sites)};
const struct ct_table_def ct_value_contexts_table = {CT_TABLE_SHOWN(value_contexts, NULL)};
const struct ct_table_def ct_value_launches_table = {CT_TABLE_PARTS(value_launches, of_launches)};
const struct ct_table_def ct_value_transfers_table = {
    CT_TABLE_PARTS(value_transfers, of_transfers)};
