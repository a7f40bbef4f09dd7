/* SPDX-License-Identifier: Apache-2.0 */
/* Parts of ctpost export: texts, times, outputs, rows. */
#include "postproc/formats/perfetto/out.h"
#include "postproc/formats/perfetto/timeline.h"
#include "postproc/render/export/tables.h"
#include "postproc/tables/output.h"
#include "postproc/tables/strings.h"
#include <criterion/criterion.h>
#include <dirent.h>
#include <jansson.h>
#include <math.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

Test(strings, a_text_has_one_number_and_the_empty_one_is_0)
{
	struct ct_strings *strings;
	const char *const *list;
	uint32_t number;
	char text[16];

	cr_assert_eq(ct_strings_open(&strings), 0);
	for (uint32_t round = 0; round < 2; round++) {
		cr_assert_eq(ct_strings_add(strings, "", &number), 0);
		cr_assert_eq(number, 0);
		for (uint32_t i = 1; i < 5000; i++) {
			snprintf(text, sizeof(text), "text %u", i);
			cr_assert_eq(ct_strings_add(strings, text, &number), 0);
			cr_assert_eq(number, i);
		}
	}
	cr_assert_eq(ct_strings_list(strings, &list), 5000);
	cr_assert_str_eq(list[4711], "text 4711");
	ct_strings_close(strings);
}

Test(perfetto, times_are_exact_for_readers_that_cut)
{
	uint64_t ns = 0;
	char *text = NULL;
	size_t bytes;
	FILE *out = open_memstream(&text, &bytes);
	struct ct_json json;

	for (int i = 0; i < 200000; i++) {
		double us;

		rewind(out);
		ct_json_init(&json, out, 0, CT_JSON_UTF8);
		ct_perfetto_put_time(&json, NULL, ns);
		fflush(out);
		text[ftell(out)] = '\0';
		us = strtod(text, NULL);
		cr_assert_eq((uint64_t)(us * 1000), ns, "%s", text);
		cr_assert_eq((uint64_t)llround(us * 1000), ns, "%s", text);
		ns += i < 100000 ? 1 : 7919 * (uint64_t)i;
	}
	fclose(out);
	free(text);
}

Test(perfetto, events_that_belong_together_fit_or_are_left_out_together)
{
	struct ct_perfetto_out out;
	char *text = NULL;
	size_t bytes, fit = 0, all = 0;
	FILE *file = open_memstream(&text, &bytes);
	json_t *read, *event;
	json_error_t error;
	size_t i, begun = 0, ended = 0;

	cr_assert_eq(ct_perfetto_begin(&out, file, 64 << 10), 0);
	for (; all < 2000; all++) {
		struct ct_perfetto_event arrow = {.name = "arrow", .phase = "s", .id = all + 1};

		ct_perfetto_open(&out, &arrow);
		ct_perfetto_close(&out);
		arrow.phase = "f";
		ct_perfetto_open(&out, &arrow);
		ct_perfetto_close(&out);
		fit += (size_t)ct_perfetto_take(&out);
	}
	ct_json_put_text(ct_perfetto_facts(&out), "key", "value");
	cr_assert_eq(ct_perfetto_end(&out), 0);
	fclose(file);
	cr_assert_leq(bytes, 64 << 10);
	cr_assert_gt(fit, 200);
	cr_assert_lt(fit, all);
	read = json_loads(text, 0, &error);
	cr_assert_not_null(read, "%s", error.text);
	cr_assert_str_eq(
	    json_string_value(json_object_get(json_object_get(read, "otherData"), "key")), "value");
	json_array_foreach(json_object_get(read, "traceEvents"), i, event)
	{
		const char *kind = json_string_value(json_object_get(event, "ph"));

		begun += *kind == 's';
		ended += *kind == 'f';
	}
	cr_assert_eq(begun, fit);
	cr_assert_eq(ended, fit);
	json_decref(read);
	free(text);
}

Test(timeline, what_is_in_one_stream_does_not_overlap)
{
	/* Called at 100, 150 and 400 in stream 3, done at 300, unknown and 380; one in a stream 3
	 * of another device. */
	const struct ct_event_launch event[4] = {
	    {.header.time_ns = 1100},
	    {.header.time_ns = 1150},
	    {.header.time_ns = 1400},
	    {.header.time_ns = 1160},
	};
	const struct ct_launch_info launch[4] = {
	    {.event = &event[0], .done = 1, .done_ns = 1300},
	    {.event = &event[1]},
	    {.event = &event[2], .done = 1, .done_ns = 1380},
	    {.event = &event[3], .done = 1, .done_ns = 1200},
	};
	const struct ct_superstep steps[4] = {
	    {.launch = &launch[0], .stream = 3},
	    {.launch = &launch[1], .stream = 3},
	    {.launch = &launch[2], .stream = 3},
	    {.launch = &launch[3], .stream = 3, .device = 1},
	};
	const struct ct_comm_figures figures = {.superstep = steps, .supersteps = 4};
	static const uint64_t want[4][3] = {
	    {100, 100, 150}, {150, 150, 400}, {400, 400, 400}, {160, 160, 200}};
	struct ct_timeline timeline;

	cr_assert_eq(ct_timeline_init(&timeline, &figures, 1000), 0);
	cr_assert_eq(timeline.tracks, 2);
	for (size_t i = 0; i < 4; i++) {
		cr_expect_eq(timeline.step[i].called_ns, want[i][0], "call of %zu", i);
		cr_expect_eq(timeline.step[i].start_ns, want[i][1], "start of %zu", i);
		cr_expect_eq(timeline.step[i].end_ns, want[i][2], "end of %zu", i);
		cr_expect_eq(timeline.step[i].track, i / 3);
	}
	cr_expect_eq(timeline.track[1].number, 2);
	ct_timeline_fini(&timeline);
}

static size_t entries(const char *path)
{
	DIR *directory = opendir(path);
	size_t count = 0;

	while (readdir(directory))
		count++;
	closedir(directory);
	return count - 2;
}

Test(output, it_appears_when_it_is_complete_and_leaves_nothing_else)
{
	char root[] = "/tmp/ct-export-XXXXXX", path[64], why[128];
	struct ct_output *output;
	FILE *file;

	cr_assert_not_null(mkdtemp(root));
	snprintf(path, sizeof(path), "%s/out", root);
	for (int is_directory = 0; is_directory < 2; is_directory++) {
		cr_assert_eq(ct_output_open(&output, path, is_directory, why, sizeof(why)), 0);
		file = ct_output_file(output, "part");
		cr_assert_not_null(file);
		fputs("half", file);
		fclose(file);
		cr_assert_neq(access(path, F_OK), 0);
		ct_output_discard(output);
		cr_assert_eq(entries(root), 0);

		cr_assert_eq(ct_output_open(&output, path, is_directory, why, sizeof(why)), 0);
		file = ct_output_file(output, "part");
		fclose(file);
		cr_assert_eq(ct_output_commit(output), 0);
		cr_assert_eq(entries(root), 1);
		if (is_directory) {
			snprintf(path, sizeof(path), "%s/out/part", root);
			cr_assert_eq(unlink(path), 0);
			snprintf(path, sizeof(path), "%s/out", root);
			rmdir(path);
		} else {
			unlink(path);
		}
	}
	rmdir(root);
}

/* A table of one text, and a format that keeps the last row. */
static const struct ct_column_def text_column[] = {
    {"text", CT_COLUMN_TEXT, CT_COLUMN_OPTIONAL, NULL, "", ""}};

static void fill_text(const void *row, union ct_cell *cell)
{
	cell->text = row;
}

static char kept[64];
static bool is_missing;

static int keep_row(struct ct_table_sink *sink, const union ct_cell *cell)
{
	is_missing = ct_cell_is_missing(&sink->table->column[0], cell);
	snprintf(kept, sizeof(kept), "%s", cell->text);
	return 0;
}

Test(rows, texts_are_utf8)
{
	static const struct {
		const char *is, *becomes;
	} texts[] = {
	    {"plain", "plain"},
	    {"gr\xc3\xb6\xc3\x9f"
	     "e",
	     "gr\xc3\xb6\xc3\x9f"
	     "e"},
	    {"gr\xf6\xdf"
	     "e",
	     "gr??e"},
	    {"\xe2\x82\xac \xf0\x9f\x98\x80", "\xe2\x82\xac \xf0\x9f\x98\x80"},
	    {"cut \xe2\x82", "cut ??"},
	    {"overlong \xc0\xaf", "overlong ??"},
	    {"surrogate \xed\xa0\x80", "surrogate ???"},
	    {"beyond \xf4\x90\x80\x80", "beyond ????"},
	};
	const struct ct_table_def table = {.column = text_column, .columns = 1, .fill = fill_text};
	const struct ct_table_format format = {.row = keep_row};
	struct ct_table_sink sink = {
	    .format = &format, .table = &table, .described = &table, .child = SIZE_MAX};

	for (size_t i = 0; i < sizeof(texts) / sizeof(*texts); i++) {
		cr_assert_eq(ct_table_put_row(&sink, texts[i].is), 0);
		cr_expect_str_eq(kept, texts[i].becomes);
		cr_expect_not(is_missing);
	}
	cr_assert_eq(ct_table_put_row(&sink, NULL), 0);
	cr_expect(is_missing);
	cr_expect_eq(sink.rows, sizeof(texts) / sizeof(*texts) + 1);
}

/* A row of the whole run needs no key. */
static bool is_one_row(const struct ct_table_def *table)
{
	const char *end = strrchr(table->name, '_');

	return end && (!strcmp(end, "_totals") || !strcmp(end, "_machine"));
}

Test(tables, their_keys_come_first_and_references_go_backwards)
{
	struct ct_export_entries entries;

	cr_assert_eq(ct_export_entries_init(&entries), 0);
	for (size_t i = 0; i < entries.count; i++) {
		const struct ct_table_def *table = entries.list[i]->table;

		cr_expect(is_one_row(table) || table->column[0].flags & CT_COLUMN_KEY,
			  "%s has no key", table->name);
		for (size_t c = 1; c < table->columns; c++)
			cr_expect(table->column[c - 1].flags & CT_COLUMN_KEY ||
				      !(table->column[c].flags & CT_COLUMN_KEY),
				  "%s.%s", table->name, table->column[c].name);
		for (const struct ct_table_link *link = table->link; link && link->columns;
		     link++) {
			bool is_known = !link->table;

			/* Rows may refer to earlier ones of their own table. */
			for (size_t before = 0; before <= i && !is_known; before++)
				is_known = !strcmp(entries.list[before]->table->name, link->table);
			cr_expect(is_known, "%s refers to %s", table->name, link->table);
		}
	}
	ct_export_entries_fini(&entries);
}

/* Columns that programs are given of a table. */
static size_t count_flat(const struct ct_table_def *table)
{
	size_t count = table->columns;

	for (size_t c = 0; c < table->columns; c++)
		count += table->column[c].type == CT_COLUMN_LINE ? 4 : 0;
	return count;
}

static void expect_room(const struct ct_table_def *table)
{
	size_t columns = count_flat(table);

	cr_expect_leq(columns, CT_TABLE_COLUMNS_MAX, "%s has %zu", table->name, columns);
	cr_expect(!table->title || !*table->order ||
		      ct_table_column_of(table, table->order) != SIZE_MAX,
		  "%s comes by no column", table->name);
	for (const struct ct_table_child *child = table->child; child && child->key; child++)
		cr_expect_leq(columns + count_flat(child->table), CT_TABLE_COLUMNS_MAX, "%s",
			      child->table->name);
}

static int list_has(const struct ct_export_entries *entries, const struct ct_table_def *table)
{
	int count = 0;

	for (size_t i = 0; i < entries->count; i++)
		count += entries->list[i]->table == table;
	return count;
}

Test(tables, programs_have_room_for_their_columns)
{
	struct ct_export_entries entries;

	cr_assert_eq(ct_export_entries_init(&entries), 0);
	/* All that analyses have are there. */
	for (size_t a = 0; a < CT_ANALYSES; a++)
		for (size_t t = 0; ct_finders[a]->tables && ct_finders[a]->tables[t].table; t++)
			cr_expect_eq(list_has(&entries, ct_finders[a]->tables[t].table), 1);
	for (size_t i = 0; i < entries.count; i++)
		expect_room(entries.list[i]->table);
	ct_export_entries_fini(&entries);
	for (size_t i = 0; ct_other_tables[i]; i++)
		expect_room(ct_other_tables[i]);
}
