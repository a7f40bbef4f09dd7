/* SPDX-License-Identifier: Apache-2.0 */
/* Tables of values and of when objects live. */
#include "postproc/analysis/values/findings/tables.h"
#include "postproc/analysis/values/findings/findings.h"
#include "postproc/analysis/values/numbers.h"
#include "postproc/tables/describe.h"
#include "postproc/tables/mean.h"
#include "postproc/tables/sink.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#define WORDS 512u

struct row_value_lines {
	uint64_t number;
	const struct ct_values_line *line;
	const char *kernel, *object;
	struct ct_values_saved saved;
};

struct row_value_sets {
	uint64_t number;
	const struct ct_values_set *set;
	const char *kernel, *object, *type, *top, *patterns;
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
	const char *name, *patterns;
	double used_share, redundant_share;
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
#include "postproc/tables/describe.h"

#include "postproc/analysis/values/findings/tables.def"
#define CT_DESCRIBE_FILL
#include "postproc/tables/describe.h"

#include "postproc/analysis/values/findings/tables.def"

/* "main.cu:12"; NULL: not known. */
static const char *place_text(const char *site, char text[WORDS])
{
	char file[WORDS - 24], line[24];

	ct_site_field(site, 1, file, sizeof(file));
	ct_site_field(site, 2, line, sizeof(line));
	if (!*file)
		return NULL;
	snprintf(text, WORDS, "%s:%s", file, line);
	return text;
}

static const char *name_of(const struct ct_values_figures *values, uint32_t group)
{
	return values->object[group] ? ct_values_group_text(values, group) : NULL;
}

static int rows_value_lines(const void *from, struct ct_table_sink *sink)
{
	const struct ct_values_figures *values = from;
	struct ct_values_lines lines;
	int err = ct_values_lines_init(&lines, values);

	for (size_t i = 0; i < lines.count && err == 0; i++) {
		const struct ct_values_line *line = &lines.list[i];
		const struct row_value_lines row = {
		    .number = i,
		    .line = line,
		    .kernel = values->kernel[line->kernel].name,
		    .object = name_of(values, line->group),
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
	size_t count = ct_values_patterns(set, pattern), used = 0;
	char type[CT_ELEMENT_TEXT_BYTES], top[CT_ELEMENT_TEXT_BYTES], words[WORDS] = "";
	struct row_value_sets row = {
	    .number = number,
	    .set = set,
	    .kernel = values->kernel[set->kernel].name,
	    .object = name_of(values, set->group),
	    .type = ct_element_type_text(set->type, type),
	    .patterns = words,
	};
	int err;

	for (size_t p = 0; p < count && used < sizeof(words); p++)
		used += (size_t)snprintf(words + used, sizeof(words) - used, "%s%s", p ? ", " : "",
					 ct_values_pattern_text(pattern[p].id));
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
		char greatest[CT_ELEMENT_TEXT_BYTES], words[WORDS] = "";
		struct row_value_summaries row = {
		    .number = i,
		    .summary = summary,
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
		err = ct_table_put_row(sink, &row);
	}
	return err;
}

static int rows_value_contexts(const void *from, struct ct_table_sink *sink)
{
	const struct ct_values_figures *values = from;
	int err = 0;

	for (size_t i = 0; i < values->contexts && err == 0; i++) {
		const struct ct_values_context *context = &values->context[i];
		char text[WORDS];

		err = ct_table_put_row(sink, &(struct row_value_contexts){
						 i, context, values->kernel[context->kernel].name,
						 place_text(context->first->site, text)});
	}
	return err;
}

static int rows_value_launches(const void *from, struct ct_table_sink *sink)
{
	const struct ct_values_figures *values = from;
	int err = 0;

	for (size_t i = 0; i < values->launched && err == 0; i++)
		err = ct_table_put_row(sink, &(struct row_value_launches){&values->launch[i]});
	return err;
}

static int rows_value_transfers(const void *from, struct ct_table_sink *sink)
{
	const struct ct_values_figures *values = from;
	int err = 0;

	for (size_t i = 0; i < values->transfers && err == 0; i++)
		err = ct_table_put_row(
		    sink, &(struct row_value_transfers){
			      &values->transfer[i], name_of(values, values->transfer[i].group)});
	return err;
}

/* By group: elements and those of them that are redundant. */
struct moved {
	uint64_t elements, redundant;
};

static struct moved *count_moved(const struct ct_values_figures *values)
{
	struct moved *moved = calloc(values->groups + 1, sizeof(*moved));

	for (size_t i = 0; i < values->rows && moved; i++) {
		const struct ct_values_row *row = &values->row[i];

		moved[row->group].elements += row->counts.elements;
		moved[row->group].redundant += ct_values_redundant(&row->counts, row->class);
	}
	return moved;
}

static int put_life(struct ct_table_sink *sink, const struct ct_values_figures *values,
		    const struct ct_values_lifetime *life, const struct moved *moved)
{
	char words[WORDS] = "";
	const struct row_value_lifetimes row = {
	    .life = life,
	    .name = name_of(values, life->group),
	    .patterns = words,
	    .used_share =
		values->has_values ? ct_mean(life->usage.used, life->object->event->bytes) : NAN,
	    .redundant_share = ct_mean(moved->redundant, moved->elements),
	};
	size_t used = 0;

	for (unsigned p = 0; p < CT_LIFE_PATTERNS && used < sizeof(words); p++)
		if (life->patterns >> p & 1)
			used += (size_t)snprintf(words + used, sizeof(words) - used, "%s%s",
						 used ? ", " : "",
						 ct_values_life_text((enum ct_values_life_id)p));
	return ct_table_put_row(sink, &row);
}

/* The largest first. */
static int compare_bytes(const void *a, const void *b)
{
	const struct ct_values_lifetime *x = *(const struct ct_values_lifetime *const *)a;
	const struct ct_values_lifetime *y = *(const struct ct_values_lifetime *const *)b;
	uint64_t p = x->object->event->bytes, q = y->object->event->bytes;

	return p != q ? (p > q ? -1 : 1) : x < y ? -1 : x > y;
}

static int rows_value_lifetimes(const void *from, struct ct_table_sink *sink)
{
	const struct ct_values_figures *values = from;
	const struct ct_values_lifetime **list = calloc(values->lives + 1, sizeof(*list));
	struct moved *moved = count_moved(values);
	int err = list && moved ? 0 : -ENOMEM;

	for (size_t i = 0; i < values->lives && err == 0; i++)
		list[i] = &values->life[i];
	if (err == 0)
		qsort(list, values->lives, sizeof(*list), compare_bytes);
	for (size_t i = 0; i < values->lives && err == 0; i++)
		if (list[i]->object->event->kind != CT_OBJECT_HOST)
			err = put_life(sink, values, list[i], &moved[list[i]->group]);
	free(list);
	free(moved);
	return err;
}

static int rows_value_memory(const void *from, struct ct_table_sink *sink)
{
	const struct ct_values_memory *memory = &((const struct ct_values_figures *)from)->memory;
	int err = 0;

	for (size_t i = 0; i < memory->steps && err == 0; i++)
		err = ct_table_put_row(
		    sink, &(struct row_value_memory){i, memory->bytes[i], memory->needed[i]});
	return err;
}

static int rows_value_flows(const void *from, struct ct_table_sink *sink)
{
	const struct ct_values_figures *values = from;
	int err = 0;

	for (size_t i = 0; i < values->flows && err == 0; i++) {
		const struct ct_values_flow *flow = &values->flow[i];
		char from[CT_VALUES_NODE_BYTES], to[CT_VALUES_NODE_BYTES];

		err = ct_table_put_row(
		    sink, &(struct row_value_flows){i, flow,
						    ct_values_node_text(values, flow->from, from),
						    ct_values_node_text(values, flow->to, to),
						    name_of(values, flow->group)});
	}
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

const struct ct_table_def ct_value_lines_table = {CT_TABLE_SHOWN(value_lines, of_sites)};
const struct ct_table_def ct_value_sets_table = {CT_TABLE_SHOWN(value_sets, NULL), .child = of_set};
const struct ct_table_def ct_value_summaries_table = {CT_TABLE_PARTS(value_summaries, of_sites)};
const struct ct_table_def ct_value_contexts_table = {CT_TABLE_SHOWN(value_contexts, NULL)};
const struct ct_table_def ct_value_launches_table = {CT_TABLE_PARTS(value_launches, of_launches)};
const struct ct_table_def ct_value_transfers_table = {
    CT_TABLE_PARTS(value_transfers, of_transfers)};
const struct ct_table_def ct_value_lifetimes_table = {CT_TABLE_SHOWN(value_lifetimes, NULL)};
const struct ct_table_def ct_value_memory_table = {CT_TABLE_PARTS(value_memory, NULL)};
const struct ct_table_def ct_value_flows_table = {CT_TABLE_SHOWN(value_flows, NULL)};
