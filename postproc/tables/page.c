/* SPDX-License-Identifier: Apache-2.0 */
/* Tables in the report's page, column by column. */
#include "postproc/tables/page.h"
#include "base/array.h"
#include "base/json.h"
#include "base/map.h"
#include "postproc/facts/place.h"
#include "postproc/facts/source_name.h"
#include "postproc/tables/short_names.h"
#include "postproc/tables/strings.h"
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define REAL_DIGITS 6
#define WEIGHTS_MAX 4

struct place {
	uint32_t file, line, column;
	bool is_near; /* the line of the function, as that of the site is not known */
};

/* A row that is kept: where its values are, and what it weighs. */
struct kept {
	double weight;
	uint64_t position; /* among all rows */
	size_t at;         /* in value, row by row */
};

struct state {
	struct ct_json json;
	struct ct_strings *texts;
	struct ct_map numbers; /* of places, from 1 */
	struct place *place;
	size_t places;
	struct ct_short_names names;
	/* The table that is written: a value of each cell, reals as their bits. */
	uint64_t *value;
	struct kept *row;
	size_t rows, value_room;
	bool is_heap; /* rows: the lightest first */
	size_t weighed[WEIGHTS_MAX], weights;
};

static int begin(struct ct_table_sink *sink)
{
	struct state *state = calloc(1, sizeof(*state));

	sink->state = state;
	if (!state || ct_strings_open(&state->texts) < 0)
		return -ENOMEM;
	ct_json_init(&state->json, sink->out, 0, CT_JSON_ASCII);
	ct_json_open_object(&state->json, NULL, CT_JSON_COMPACT);
	for (const char *const *text = sink->head; text && text[0]; text += 2)
		ct_json_put_text(&state->json, text[0], text[1]);
	ct_json_open_array(&state->json, "tables", CT_JSON_COMPACT);
	return 0;
}

/* The columns that rows are chosen by. */
static void find_weights(struct ct_table_sink *sink)
{
	const struct ct_page *page = sink->user;
	struct state *state = sink->state;
	char name[64];

	state->weights = 0;
	for (const char *word = page->heaviest; word && *word;) {
		size_t length = strcspn(word, " "), column;

		snprintf(name, sizeof(name), "%.*s", (int)length, word);
		column = ct_table_column_of(sink->table, name);
		if (column != SIZE_MAX && state->weights < WEIGHTS_MAX)
			state->weighed[state->weights++] = column;
		word += length + (word[length] == ' ');
	}
}

static int begin_table(struct ct_table_sink *sink)
{
	struct state *state = sink->state;

	state->rows = 0;
	state->is_heap = false;
	find_weights(sink);
	return 0;
}

/* 0: no line is known; or a negative error. */
static int64_t place_number(struct ct_table_sink *sink, const char *column,
			    const struct ct_place *of, bool is_near)
{
	const struct ct_page *page = sink->user;
	struct state *state = sink->state;
	union ct_map_value *known;
	long file;

	if (!of->file || !*of->file || !of->line)
		return 0;
	file = page->file(page->user, column, of->file, of->line);
	if (file < 0)
		return file;
	known = ct_map_put(&state->numbers, (uint64_t)file << 32 | of->line,
			   (uint64_t)of->column << 1 | is_near);
	if (!known)
		return -ENOMEM;
	if (known->number)
		return (int64_t)known->number;
	if (ct_array_grow(&state->place, state->places, sizeof(*state->place)) < 0)
		return -ENOMEM;
	state->place[state->places++] =
	    (struct place){(uint32_t)file, of->line, of->column, is_near};
	return (int64_t)(known->number = state->places);
}

/* Optimised code may have lost the line of a site: then that of its kernel. */
static int64_t line_number(struct ct_table_sink *sink, const char *column,
			   const struct ct_finding_site *line)
{
	const struct ct_unit *unit = line->unit;
	const struct ct_unit_site *site;
	const struct ct_unit_kernel *kernel;
	struct ct_place place;

	if (!unit || line->site >= unit->header->site_count)
		return 0;
	site = &unit->sites[line->site];
	place = ct_place_of(unit, site);
	if ((*place.file && place.line) || site->kernel == CT_NONE)
		return place_number(sink, column, &place, false);
	kernel = &unit->kernels[site->kernel];
	place = (struct ct_place){ct_unit_string(unit, kernel->file), kernel->line, 0};
	return place_number(sink, column, &place, true);
}

static int64_t text_number(struct state *state, const char *text)
{
	uint32_t number;
	int err = ct_strings_add(state->texts, text ? text : "", &number);

	return err < 0 ? err : (int64_t)number;
}

/* As in the source: of code without its names, a symbol is all that is known. */
static int64_t name_number(struct state *state, const char *name)
{
	char *source = strncmp(name, "_Z", 2) == 0 ? ct_source_name(name) : NULL;
	char brief[CT_BRIEF_NAME_BYTES];
	const char *full = ct_source_name_brief(source ? source : name, brief);
	int64_t number = text_number(state, full);
	int err = number > 0
		      ? ct_short_names_add(&state->names, state->texts, full, (uint64_t)number)
		      : 0;

	free(source);
	return err < 0 ? err : number;
}

/* A number of what the cell refers to, or a negative error. */
static int64_t reference(struct ct_table_sink *sink, const struct ct_column_def *column,
			 const union ct_cell *cell)
{
	struct ct_place place;
	char text[32];

	switch (column->type) {
	case CT_COLUMN_LINE:
		return line_number(sink, column->name, &cell->line);
	case CT_COLUMN_PLACE:
		place = (struct ct_place){cell->place.file, cell->place.line, 0};
		return place_number(sink, column->name, &place, false);
	case CT_COLUMN_ADDRESS:
		if (cell->number == CT_MISSING)
			return 0;
		snprintf(text, sizeof(text), "0x%llx", (unsigned long long)cell->number);
		return text_number(sink->state, text);
	case CT_COLUMN_NAME:
		return name_number(sink->state, cell->text ? cell->text : "");
	default:
		return text_number(sink->state, cell->text);
	}
}

static bool is_number(enum ct_column_type type)
{
	return type == CT_COLUMN_UINT || type == CT_COLUMN_ID || type == CT_COLUMN_BOOL ||
	       type == CT_COLUMN_REAL;
}

static int keep_value(struct ct_table_sink *sink, size_t column, const union ct_cell *cell,
		      uint64_t *value)
{
	const struct ct_column_def *def = &sink->table->column[column];
	int64_t number;

	if (is_number(def->type)) {
		memcpy(value,
		       def->type == CT_COLUMN_REAL ? (const void *)&cell->real : &cell->number,
		       sizeof(*value));
		return 0;
	}
	number = reference(sink, def, cell);
	*value = number < 0 ? 0 : (uint64_t)number;
	return number < 0 ? (int)number : 0;
}

static double weight_of(const struct ct_table_sink *sink, const union ct_cell *cell)
{
	const struct state *state = sink->state;
	double sum = 0;

	for (size_t i = 0; i < state->weights; i++) {
		const union ct_cell *of = &cell[state->weighed[i]];
		enum ct_column_type type = sink->table->column[state->weighed[i]].type;

		if (type == CT_COLUMN_REAL && !isnan(of->real))
			sum += of->real;
		else if (type != CT_COLUMN_REAL && of->number != CT_MISSING)
			sum += (double)of->number;
	}
	return sum;
}

/* The first of equal weight are kept. */
static bool is_lighter(const struct kept *a, const struct kept *b)
{
	return a->weight != b->weight ? a->weight < b->weight : a->position > b->position;
}

static void sift_down(struct kept *row, size_t rows, size_t at)
{
	for (size_t child; (child = 2 * at + 1) < rows; at = child) {
		struct kept top = row[at];

		if (child + 1 < rows && is_lighter(&row[child + 1], &row[child]))
			child++;
		if (!is_lighter(&row[child], &top))
			return;
		row[at] = row[child];
		row[child] = top;
	}
}

/* Where the values of another row go; NULL: it is not kept, or *err is set. */
static struct kept *place_row(struct ct_table_sink *sink, double weight, int *err)
{
	const struct ct_page *page = sink->user;
	struct state *state = sink->state;
	size_t columns = sink->table->columns;

	if (!page->rows_max || state->rows < page->rows_max) {
		*err = ct_array_grow(&state->row, state->rows, sizeof(*state->row));
		if (*err == 0)
			*err = ct_array_reserve(&state->value, &state->value_room,
						(state->rows + 1) * columns, sizeof(*state->value));
		if (*err < 0)
			return NULL;
		state->row[state->rows].at = state->rows * columns;
		return &state->row[state->rows++];
	}
	if (!state->weights)
		return NULL;
	for (size_t i = state->is_heap ? 0 : state->rows / 2; i-- > 0;)
		sift_down(state->row, state->rows, i);
	state->is_heap = true;
	return weight > state->row[0].weight ? &state->row[0] : NULL;
}

static int row(struct ct_table_sink *sink, const union ct_cell *cell)
{
	struct state *state = sink->state;
	double weight = weight_of(sink, cell);
	int err = 0;
	struct kept *kept = place_row(sink, weight, &err);

	if (!kept)
		return err;
	for (size_t c = 0; c < sink->table->columns && err == 0; c++)
		err = keep_value(sink, c, &cell[c], &state->value[kept->at + c]);
	kept->weight = weight;
	kept->position = sink->rows;
	if (state->is_heap)
		sift_down(state->row, state->rows, 0);
	return err;
}

static int by_position(const void *a, const void *b)
{
	uint64_t x = ((const struct kept *)a)->position, y = ((const struct kept *)b)->position;

	return (x > y) - (x < y);
}

static uint64_t value_at(const struct state *state, size_t row, size_t column)
{
	return state->value[state->row[row].at + column];
}

static bool is_missing(enum ct_column_type type, uint64_t value)
{
	double real;

	if (type != CT_COLUMN_REAL)
		return is_number(type) ? value == CT_MISSING : value == 0;
	memcpy(&real, &value, sizeof(real));
	return isnan(real);
}

/* Has it a value in some row, for whom the table is for? */
static bool is_reported(const struct ct_table_sink *sink, size_t column)
{
	const struct ct_column_def *def = &sink->table->column[column];
	const struct state *state = sink->state;
	bool has_value = !(def->flags & CT_COLUMN_OPTIONAL);

	for (size_t r = 0; r < state->rows && !has_value; r++)
		has_value = !is_missing(def->type, value_at(state, r, column));
	return has_value && (def->title || !sink->table->title);
}

static void put_value(struct ct_json *json, enum ct_column_type type, uint64_t value)
{
	double real;

	if (type == CT_COLUMN_REAL) {
		memcpy(&real, &value, sizeof(real));
		ct_json_put_real(json, NULL, real, REAL_DIGITS);
	} else if (is_number(type) && value == CT_MISSING) {
		ct_json_put_null(json, NULL);
	} else {
		ct_json_put_number(json, NULL, value);
	}
}

/* All values; or each with how many times it comes in turn, if that is much shorter; or those that
 * are not 0, each behind its row. */
static void put_values(struct state *state, enum ct_column_type type, size_t column)
{
	size_t runs = 0, others = 0;
	struct ct_json *json = &state->json;

	for (size_t r = 0; r < state->rows; r++) {
		runs += !r || value_at(state, r, column) != value_at(state, r - 1, column);
		others += value_at(state, r, column) != 0;
	}
	if (4 * runs < state->rows && runs < others) {
		ct_json_open_array(json, "runs", CT_JSON_COMPACT);
		for (size_t r = 0, next; r < state->rows; r = next) {
			for (next = r + 1; next < state->rows; next++)
				if (value_at(state, next, column) != value_at(state, r, column))
					break;
			put_value(json, type, value_at(state, r, column));
			ct_json_put_number(json, NULL, next - r);
		}
	} else if (4 * others < state->rows) {
		ct_json_open_array(json, "others", CT_JSON_COMPACT);
		for (size_t r = 0; r < state->rows; r++) {
			if (!value_at(state, r, column))
				continue;
			ct_json_put_number(json, NULL, r);
			put_value(json, type, value_at(state, r, column));
		}
	} else {
		ct_json_open_array(json, "values", CT_JSON_COMPACT);
		for (size_t r = 0; r < state->rows; r++)
			put_value(json, type, value_at(state, r, column));
	}
	ct_json_close(json);
}

static void put_text_if(struct ct_json *json, const char *key, const char *text)
{
	if (text && *text)
		ct_json_put_text(json, key, text);
}

static void put_column(struct ct_table_sink *sink, size_t column)
{
	const struct ct_column_def *def = &sink->table->column[column];
	struct state *state = sink->state;

	ct_json_open_object(&state->json, NULL, CT_JSON_COMPACT);
	ct_json_put_text(&state->json, "key", def->name);
	ct_json_put_text(&state->json, "type", ct_column_type_text(def->type));
	if (sink->table->title) {
		ct_json_put_text(&state->json, "title", def->title);
		put_text_if(&state->json, "help", def->help);
	}
	put_text_if(&state->json, "unit", def->unit);
	if (def->flags & CT_COLUMN_DETAIL)
		ct_json_put_bool(&state->json, "detail", true);
	put_values(state, def->type, column);
	ct_json_close(&state->json);
}

static void put_head(struct ct_table_sink *sink, const struct ct_page *page)
{
	struct ct_json *json = &((struct state *)sink->state)->json;
	const struct ct_table_def *table = sink->table;
	bool is_shown = table->title;

	ct_json_put_text(json, "name", table->name);
	put_text_if(json, "analysis", page->analysis);
	put_text_if(json, "title", table->title);
	put_text_if(json, "about", is_shown ? page->about ? page->about : table->help : NULL);
	put_text_if(json, "order", is_shown ? table->order : NULL);
	put_text_if(json, "heaviest", page->heaviest);
	ct_json_put_number(json, "count", sink->rows);
	ct_json_put_number(json, "rows", ((struct state *)sink->state)->rows);
}

static int end_table(struct ct_table_sink *sink)
{
	struct ct_page *page = sink->user;
	struct state *state = sink->state;

	if (state->is_heap)
		qsort(state->row, state->rows, sizeof(*state->row), by_position);
	ct_json_open_object(&state->json, NULL, CT_JSON_COMPACT);
	put_head(sink, page);
	ct_json_open_array(&state->json, "columns", CT_JSON_COMPACT);
	for (size_t c = 0; c < sink->table->columns; c++)
		if (is_reported(sink, c))
			put_column(sink, c);
	ct_json_close(&state->json);
	ct_json_close(&state->json);
	free(state->row);
	state->row = NULL;
	page->analysis = page->about = page->heaviest = NULL;
	page->rows_max = 0;
	return ct_json_error(&state->json);
}

static void put_place(struct ct_json *json, const struct place *place)
{
	ct_json_open_array(json, NULL, CT_JSON_COMPACT);
	ct_json_put_number(json, NULL, place->file);
	ct_json_put_number(json, NULL, place->line);
	if (place->column || place->is_near)
		ct_json_put_number(json, NULL, place->column);
	if (place->is_near)
		ct_json_put_bool(json, NULL, true);
	ct_json_close(json);
}

static int end(struct ct_table_sink *sink)
{
	struct state *state = sink->state;
	struct ct_json *json = &state->json;
	const char *const *list;
	size_t count = ct_strings_list(state->texts, &list);

	ct_json_close(json);
	ct_json_open_array(json, "texts", CT_JSON_COMPACT);
	for (size_t i = 0; i < count; i++)
		ct_json_put_text(json, NULL, list[i]);
	ct_json_close(json);
	ct_short_names_put(&state->names, json);
	ct_json_open_array(json, "places", CT_JSON_COMPACT);
	for (size_t i = 0; i < state->places; i++)
		put_place(json, &state->place[i]);
	ct_json_close(json);
	ct_json_close(json);
	return ct_json_error(json);
}

static void close_state(struct ct_table_sink *sink)
{
	struct state *state = sink->state;

	if (!state)
		return;
	ct_strings_close(state->texts);
	ct_map_fini(&state->numbers);
	ct_short_names_fini(&state->names);
	free(state->place);
	free(state->value);
	free(state->row);
	free(state);
}

const struct ct_table_format ct_format_page = {
    .name = "page",
    .is_described = true,
    .begin = begin,
    .begin_table = begin_table,
    .row = row,
    .end_table = end_table,
    .end = end,
    .close = close_state,
};
