/* SPDX-License-Identifier: Apache-2.0 */
/* Tables of a page of several traces: those that people see as they are described, and what figures
 * and links need beside them. */
#include "postproc/render/compare/data.h"
#include "postproc/comparison/tables.h"
#include "postproc/render/compare/comparison.h"
#include "postproc/render/compare/tables.h"
#include "postproc/render/report/parts.h"
#include "postproc/tables/page.h"

#include <stdlib.h>
#include <string.h>

struct row_page_compared_words {
	uint64_t problem;
	const char *title;
	char *sentence, *text; /* freed when the row is written */
};

#define CT_DESCRIBED "postproc/render/compare/words.def"
#include "postproc/tables/described.h"

static int put_words(struct ct_table_sink *sink, uint64_t problem, const char *title,
		     char *sentence, char *text)
{
	int err = ct_table_put_row(
	    sink, &(struct row_page_compared_words){problem, title, sentence, text});

	free(sentence);
	free(text);
	return err;
}

static int rows_page_compared_words(const void *from, struct ct_table_sink *sink)
{
	const struct ct_comparison *both = from;
	int err = 0;
	char *line;

	for (unsigned number = 0; err == 0 && (line = ct_comparison_line(both, number)); number++)
		err = put_words(sink, CT_MISSING, NULL, line, NULL);
	for (size_t i = 0; i < both->problems && err == 0; i++) {
		const struct ct_compared_problem *problem = &both->problem[i];
		const struct ct_problem_part *part = problem->part[problem->part[0] ? 0 : 1];

		err = put_words(sink, i, ct_finding_id_title(part->finding->id),
				ct_compared_reported(problem, both), ct_compared_text(problem));
	}
	return err;
}

const struct ct_table_def ct_page_compared_words_table = {
    CT_TABLE_PARTS(page_compared_words, NULL)};

/* Whose files the places are that are written: those of columns named `after` are the second's. */
struct sides {
	struct ct_sources *sources;
	unsigned study;
};

static long want_line(void *user, const char *column, const char *file, uint32_t line)
{
	const struct sides *sides = user;
	unsigned study = strcmp(column, "after") == 0 ? 1 : sides->study;

	return ct_sources_want(sides->sources, study, file, line);
}

/* name: NULL: its own; else that of a copy with all its columns, for figures. */
static int put(struct ct_table_sink *sink, const struct ct_table_def *of, const void *from,
	       const char *name)
{
	struct ct_page *page = sink->user;
	struct ct_table_def table = *of;

	if (name) {
		table.name = name;
		table.title = NULL;
	}
	page->rows_max = table.title ? CT_REPORT_ROWS : 0;
	return ct_table_write_rows(sink, &table, from);
}

/* Puts what is known of the host of one of both: where its time went, and by line. */
static int put_side(struct ct_table_sink *sink, const struct ct_compare_page *page, unsigned study)
{
	static const char *const time[] = {"run_time_before", "run_time_after"};
	static const char *const lines[] = {"call_lines_before", "call_lines_after"};
	const struct ct_report report = {.calls = page->calls[study],
					 .call_paths = page->paths[study]};
	struct ct_page *format = sink->user;
	int err = 0;

	((struct sides *)format->user)->study = study;
	if (report.calls)
		err = put(sink, &ct_page_run_time_table, report.calls, time[study]);
	if (report.calls && report.call_paths && err == 0)
		err = put(sink, &ct_page_call_lines_table, &report, lines[study]);
	((struct sides *)format->user)->study = 0;
	return err;
}

static int put_both(struct ct_table_sink *sink, const struct ct_compare_page *page)
{
	struct ct_comparison all = *page->both;
	int err = put(sink, &ct_compared_runs_table, page->both, NULL);

	all.lists_all = true;
	if (err == 0)
		err = put(sink, &ct_page_compared_words_table, page->both, NULL);
	if (err == 0)
		err = put(sink, &ct_compared_doubts_table, page->both, NULL);
	if (page->both->is_other_program)
		return err;
	if (err == 0)
		err = put(sink, &ct_compared_problems_table, page->both, NULL);
	if (err == 0)
		err = put(sink, &ct_compared_kernels_table, page->both, NULL);
	if (err == 0)
		err = put(sink, &ct_compared_lines_table, page->both, NULL);
	if (err == 0)
		err = put(sink, &ct_compared_lines_table, &all, "compared_line_figures");
	return err == 0 ? put(sink, &ct_compared_calls_table, page->both, NULL) : err;
}

static int put_all(struct ct_table_sink *sink, const struct ct_compare_page *page,
		   const struct ct_report_writer *w)
{
	int err = ct_table_sink_begin(sink);

	if (err == 0 && page->both)
		err = put_both(sink, page);
	for (unsigned study = 0; study < 2 && page->both && err == 0; study++)
		err = put_side(sink, page, study);
	if (err == 0)
		err = put(sink, &ct_compared_traces_table, page->compare, NULL);
	if (err == 0)
		err = ct_table_write_rows(sink, &ct_page_sources_table, w);
	return err == 0 ? ct_table_sink_end(sink) : err;
}

int ct_compare_put_data(FILE *out, const struct ct_compare_page *page, const char *title)
{
	struct ct_report_writer w = {.sources = NULL};
	struct sides sides = {.sources = NULL};
	struct ct_page format = {.file = want_line, .user = &sides};
	const char *const head[] = {"schema", "cudatrace-page-1", "title", title, NULL};
	struct ct_table_sink sink = {
	    .format = &ct_format_page, .out = out, .head = head, .user = &format};
	int err = ct_sources_open(&w.sources, page->sources, CT_SOURCES_STUDIES);

	sides.sources = w.sources;
	if (err == 0)
		err = ct_table_sink_close(&sink, put_all(&sink, page, &w));
	ct_sources_close(w.sources);
	return err;
}
