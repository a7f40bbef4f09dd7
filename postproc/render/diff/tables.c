/* SPDX-License-Identifier: Apache-2.0 */
/* Tables of two traces side by side. */
#include "postproc/facts/operation.h"
#include "postproc/facts/words.h"
#include "postproc/render/diff/diff.h"
#include "postproc/tables/sink.h"

#define NAME_BYTES 1024
#define EXTENT_BYTES 64

struct row_diff_totals {
	const char *verdict, *directory[2];
	struct ct_diff_counts counts;
};

struct row_diff_launches {
	const struct ct_pair *pair;
	const struct ct_launch_info *info, *launch[2];
	char grid[2][EXTENT_BYTES], block[2][EXTENT_BYTES], cta[EXTENT_BYTES];
	uint64_t thread, position;
};

struct row_diff_steps {
	const struct ct_match_step *s;
	const char *side, *kind, *object, *space, *phase, *role, *value;
	uint64_t address, content_offset;
};

#define CT_DESCRIBED "postproc/render/diff/tables.def"
#include "postproc/tables/described.h"

static int rows_diff_totals(const void *from, struct ct_table_sink *sink)
{
	const struct ct_diff *diff = from;
	const struct row_diff_totals row = {
	    ct_diff_verdict_text(ct_diff_verdict(diff->pairs)),
	    {ct_trace_directory(diff->trace[0]), ct_trace_directory(diff->trace[1])},
	    ct_diff_count(diff->pairs),
	};

	return ct_table_put_row(sink, &row);
}

static void take_value(struct row_diff_steps *row, char buffer[CT_VALUE_TEXT_BYTES])
{
	const struct ct_match_step *s = row->s;
	bool is_content = s->part == CT_PART_CONTENT;

	row->role = is_content ? "content" : ct_role_text((enum ct_role)(s->part / 4));
	row->value = ct_diff_value(s, buffer);
	if (is_content)
		row->content_offset = s->offset;
}

static int put_step(struct ct_table_sink *sink, const struct ct_pair *pair, int side)
{
	static const char *const kinds[] = {
	    [CT_STEP_ACCESS] = "access", [CT_STEP_EVENT] = "event", [CT_STEP_VALUE] = "value"};
	const struct ct_match_step *s = &pair->step[side];
	char name[NAME_BYTES], value[CT_VALUE_TEXT_BYTES];
	struct row_diff_steps row = {
	    .s = s,
	    .side = side ? "b" : "a",
	    .kind = kinds[s->kind],
	    .address = CT_MISSING,
	    .content_offset = CT_MISSING,
	};

	if (s->object)
		row.object = ct_words_object(s->object, name, sizeof(name));
	if (s->kind == CT_STEP_ACCESS) {
		row.address = s->object ? s->object->event->address + s->offset : s->offset;
		row.space = ct_words_space(s->space);
	} else if (s->kind == CT_STEP_EVENT) {
		row.phase = s->phase == CT_PHASE_LEAVE ? "leave" : "happens";
	} else {
		take_value(&row, value);
	}
	return ct_table_put_child(sink, 0, &row);
}

static void take_launches(struct row_diff_launches *row)
{
	for (int side = 0; side < 2; side++) {
		const struct ct_launch_info *launch = row->pair->launch[side];

		if (!launch)
			continue;
		row->info = row->info ? row->info : launch;
		row->launch[side] = launch;
		ct_words_extent(launch->event->grid, row->grid[side], EXTENT_BYTES);
		ct_words_extent(launch->event->block, row->block[side], EXTENT_BYTES);
	}
}

static void take_difference(struct row_diff_launches *row)
{
	const struct ct_pair *pair = row->pair;
	uint32_t cta[3];

	ct_words_cta(pair->launch[0], pair->first_thread / pair->cta_threads, cta);
	snprintf(row->cta, sizeof(row->cta), "%u,%u,%u", cta[0], cta[1], cta[2]);
	row->thread = pair->first_thread % pair->cta_threads;
	row->position = pair->position;
}

static int put_pair(struct ct_table_sink *sink, const struct ct_pair *pair)
{
	struct row_diff_launches row = {.pair = pair, .thread = CT_MISSING, .position = CT_MISSING};
	int err;

	take_launches(&row);
	if (pair->threads_differ)
		take_difference(&row);
	err = ct_table_put_row(sink, &row);
	for (int side = 0; side < 2 && err == 0 && pair->threads_differ; side++)
		if (pair->has[side])
			err = put_step(sink, pair, side);
	return err;
}

static int rows_diff_launches(const void *from, struct ct_table_sink *sink)
{
	const struct ct_pairs *pairs = ((const struct ct_diff *)from)->pairs;
	int err = 0;

	for (size_t i = 0; i < pairs->count && err == 0; i++)
		err = put_pair(sink, &pairs->pair[i]);
	return err;
}

#define rows_diff_steps NULL
static const struct ct_table_def steps = {CT_TABLE_PARTS(diff_steps, NULL)};
static const struct ct_table_child of_launch[] = {{"first_difference", &steps}, {NULL, NULL}};

const struct ct_table_def ct_diff_totals_table = {CT_TABLE_PARTS(diff_totals, NULL)};
const struct ct_table_def ct_diff_launches_table = {CT_TABLE_PARTS(diff_launches, NULL),
						    .child = of_launch};
