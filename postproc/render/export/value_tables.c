/* SPDX-License-Identifier: Apache-2.0 */
/* Tables of values and of when objects live. */
#include "postproc/analysis/values/findings/findings.h"
#include "postproc/analysis/values/numbers.h"
#include "postproc/render/base/words.h"
#include "postproc/render/export/tables.h"

#include <stdio.h>

#define WORDS 512u

struct row_value_lines {
	uint64_t number;
	const struct ct_values_line *line;
	const char *kernel, *object;
};

struct row_value_sets {
	uint64_t number;
	const struct ct_values_set *set;
	const char *kernel, *object, *type, *patterns;
};

struct row_value_tops {
	uint64_t number, rank, accesses;
	const char *value;
	double share;
};

struct row_value_summaries {
	uint64_t number;
	const struct ct_values_summary *summary;
	struct ct_place place;
	const char *kernel, *object, *type, *least, *greatest, *fits;
};

struct row_value_contexts {
	uint64_t number;
	const struct ct_values_context *context;
	const char *kernel, *launched;
};

struct row_value_launches {
	const struct ct_values_launch *launch;
};

struct row_value_transfers {
	const struct ct_values_transfer *transfer;
	const char *object;
};

struct row_value_lifetimes {
	const struct ct_values_lifetime *life;
	const char *patterns;
};

struct row_value_memory {
	uint64_t number, bytes, needed;
};

struct row_value_flows {
	uint64_t number;
	const struct ct_values_flow *flow;
	const char *from, *to, *object;
};

#define CT_DESCRIBE_COLUMNS
#include "postproc/render/export/describe.h"

#include "postproc/render/export/value_tables.def"
#define CT_DESCRIBE_FILL
#include "postproc/render/export/describe.h"

#include "postproc/render/export/value_tables.def"

static const char *name_of(const struct ct_values_figures *values, uint32_t group)
{
	return values->object[group] ? ct_values_group_text(values, group) : NULL;
}

static int rows_value_lines(struct ct_export *export, struct ct_export_sink *sink)
{
	const struct ct_values_figures *values = export->values;
	struct ct_values_lines lines;
	int err = ct_values_lines_init(&lines, values);

	for (size_t i = 0; i < lines.count && err == 0; i++)
		err = ct_export_sink_row(
		    sink, &(struct row_value_lines){i, &lines.list[i],
						    values->kernel[lines.list[i].kernel].name,
						    name_of(values, lines.list[i].group)});
	ct_values_lines_fini(&lines);
	return err;
}

static int rows_value_sets(struct ct_export *export, struct ct_export_sink *sink)
{
	const struct ct_values_figures *values = export->values;
	int err = 0;

	for (size_t i = 0; i < values->sets && err == 0; i++) {
		const struct ct_values_set *set = &values->set[i];
		struct ct_values_pattern pattern[CT_VALUES_PATTERN_COUNT];
		size_t count = ct_values_patterns(set, pattern), used = 0;
		char type[CT_ELEMENT_TEXT_BYTES], words[WORDS] = "";

		for (size_t p = 0; p < count && used < sizeof(words); p++)
			used +=
			    (size_t)snprintf(words + used, sizeof(words) - used, "%s%s",
					     p ? ", " : "", ct_values_pattern_text(pattern[p].id));
		err = ct_export_sink_row(
		    sink, &(struct row_value_sets){i, set, values->kernel[set->kernel].name,
						   name_of(values, set->group),
						   ct_element_type_text(set->type, type), words});
	}
	return err;
}

static int rows_value_tops(struct ct_export *export, struct ct_export_sink *sink)
{
	const struct ct_values_figures *values = export->values;
	int err = 0;

	for (size_t i = 0; i < values->sets && err == 0; i++) {
		const struct ct_values_set *set = &values->set[i];

		for (uint32_t t = 0; t < set->tops && err == 0; t++) {
			char text[CT_ELEMENT_TEXT_BYTES];

			err = ct_export_sink_row(
			    sink, &(struct row_value_tops){
				      i, t + 1u, set->top[t].elements,
				      ct_element_text(set->type, set->top[t].value, text),
				      (double)set->top[t].elements / (double)set->elements});
		}
	}
	return err;
}

static int rows_value_summaries(struct ct_export *export, struct ct_export_sink *sink)
{
	const struct ct_values_figures *values = export->values;
	int err = 0;

	for (size_t i = 0; i < values->summaries && err == 0; i++) {
		const struct ct_values_summary *summary = &values->summary[i];
		char type[CT_ELEMENT_TEXT_BYTES], least[CT_ELEMENT_TEXT_BYTES];
		char greatest[CT_ELEMENT_TEXT_BYTES], words[WORDS] = "";
		struct row_value_summaries row = {
		    .number = i,
		    .summary = summary,
		    .place = ct_place_of(summary->unit, &summary->unit->sites[summary->site]),
		    .kernel = values->kernel[summary->kernel].name,
		    .object = name_of(values, summary->group),
		    .type = ct_element_type_text(summary->type, type),
		    .fits = words,
		};

		for (uint32_t w = 0, used = 0; w < CT_VALUES_WIDTHS && used < sizeof(words); w++)
			if (summary->held >> w & 1)
				used += (uint32_t)snprintf(words + used, sizeof(words) - used,
							   "%s%s", used ? ", " : "",
							   ct_width_text((enum ct_values_width)w));
		if (summary->has_range) {
			row.least = ct_element_text(summary->type, summary->least, least);
			row.greatest = ct_element_text(summary->type, summary->greatest, greatest);
		}
		err = ct_export_sink_row(sink, &row);
	}
	return err;
}

static int rows_value_contexts(struct ct_export *export, struct ct_export_sink *sink)
{
	const struct ct_values_figures *values = export->values;
	int err = 0;

	for (size_t i = 0; i < values->contexts && err == 0; i++) {
		const struct ct_values_context *context = &values->context[i];
		char text[WORDS];

		err = ct_export_sink_row(
		    sink, &(struct row_value_contexts){
			      i, context, values->kernel[context->kernel].name,
			      ct_words_descriptor(context->first->site, text, sizeof(text))});
	}
	return err;
}

static int rows_value_launches(struct ct_export *export, struct ct_export_sink *sink)
{
	const struct ct_values_figures *values = export->values;
	int err = 0;

	for (size_t i = 0; i < values->launched && err == 0; i++)
		err = ct_export_sink_row(sink, &(struct row_value_launches){&values->launch[i]});
	return err;
}

static int rows_value_transfers(struct ct_export *export, struct ct_export_sink *sink)
{
	const struct ct_values_figures *values = export->values;
	int err = 0;

	for (size_t i = 0; i < values->transfers && err == 0; i++)
		err = ct_export_sink_row(
		    sink, &(struct row_value_transfers){
			      &values->transfer[i], name_of(values, values->transfer[i].group)});
	return err;
}

static int rows_value_lifetimes(struct ct_export *export, struct ct_export_sink *sink)
{
	const struct ct_values_figures *values = export->values;
	int err = 0;

	for (size_t i = 0; i < values->lives && err == 0; i++) {
		char words[WORDS] = "";
		size_t used = 0;

		for (unsigned p = 0; p < CT_LIFE_PATTERNS && used < sizeof(words); p++)
			if (values->life[i].patterns >> p & 1)
				used += (size_t)snprintf(
				    words + used, sizeof(words) - used, "%s%s", used ? ", " : "",
				    ct_values_life_text((enum ct_values_life_id)p));
		err = ct_export_sink_row(sink,
					 &(struct row_value_lifetimes){&values->life[i], words});
	}
	return err;
}

static int rows_value_memory(struct ct_export *export, struct ct_export_sink *sink)
{
	const struct ct_values_memory *memory = &export->values->memory;
	int err = 0;

	for (size_t i = 0; i < memory->steps && err == 0; i++)
		err = ct_export_sink_row(
		    sink, &(struct row_value_memory){i, memory->bytes[i], memory->needed[i]});
	return err;
}

static int rows_value_flows(struct ct_export *export, struct ct_export_sink *sink)
{
	const struct ct_values_figures *values = export->values;
	int err = 0;

	for (size_t i = 0; i < values->flows && err == 0; i++) {
		const struct ct_values_flow *flow = &values->flow[i];
		char from[CT_VALUES_NODE_BYTES], to[CT_VALUES_NODE_BYTES];

		err = ct_export_sink_row(
		    sink, &(struct row_value_flows){i, flow,
						    ct_values_node_text(values, flow->from, from),
						    ct_values_node_text(values, flow->to, to),
						    name_of(values, flow->group)});
	}
	return err;
}

static const struct ct_export_link of_tops[] = {{"value_set", "value_sets", "value_set"}, {0}};
static const struct ct_export_link of_launches[] = {{"part, launch", "launches", "part, launch"},
						    {0}};
static const struct ct_export_link of_transfers[] = {
    {"part, transfer", "transfers_host", "part, transfer"}, {0}};

CT_TABLE_OF(value_lines, CT_NEEDS_VALUES, NULL, NULL);
CT_TABLE_OF(value_sets, CT_NEEDS_VALUES, NULL, NULL);
CT_TABLE_OF(value_tops, CT_NEEDS_VALUES, of_tops, NULL);
CT_TABLE_OF(value_summaries, CT_NEEDS_VALUES, NULL, NULL);
CT_TABLE_OF(value_contexts, CT_NEEDS_VALUES, NULL, NULL);
CT_TABLE_OF(value_launches, CT_NEEDS_VALUES, of_launches, NULL);
CT_TABLE_OF(value_transfers, CT_NEEDS_VALUES, of_transfers, NULL);
CT_TABLE_OF(value_lifetimes, CT_NEEDS_VALUES, NULL, NULL);
CT_TABLE_OF(value_memory, CT_NEEDS_VALUES, NULL, NULL);
CT_TABLE_OF(value_flows, CT_NEEDS_VALUES, NULL, NULL);
