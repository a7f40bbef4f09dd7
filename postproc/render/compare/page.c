/* SPDX-License-Identifier: Apache-2.0 */
/* A comparison as one HTML file without scripts: a row for each figure, a panel for each trace. */
#include "postproc/comparison/tables.h"
#include "postproc/render/compare/comparison.h"
#include "postproc/render/compare/panel.h"
#include "postproc/render/compare/tables.h"
#include "postproc/render/report/web.h"
#include "postproc/tables/sections.h"

#include <errno.h>
#include <stdlib.h>

static void put_escaped(FILE *out, const char *text)
{
	for (; *text; text++)
		if (*text == '&')
			fputs("&amp;", out);
		else if (*text == '<')
			fputs("&lt;", out);
		else
			fputc(*text, out);
}

static void put_title(FILE *out, const struct ct_compare *compare, const char *title)
{
	if (title) {
		put_escaped(out, title);
		return;
	}
	for (size_t t = 0; t < compare->count; t++) {
		fputs(t ? ", " : "", out);
		put_escaped(out, compare->trace[t].label);
	}
}

/* As it is described, in an order of its own. 0 or -ENOMEM */
static int put_table(FILE *out, const struct ct_table_def *table, const void *from)
{
	struct ct_section section;
	char text[CT_CELL_BYTES];
	uint64_t count;
	int err = ct_section_init(&section, table, from, SIZE_MAX, &count);

	fputs("<table><thead><tr>", out);
	for (size_t c = 0; c < table->columns; c++)
		if (ct_section_shows(&section, c))
			fprintf(out, "<th class=\"%s\" title=\"%s\">%s</th>",
				ct_column_is_word(table->column[c].type) ? "" : "n",
				table->column[c].help, table->column[c].title);
	fputs("</tr></thead><tbody>\n", out);
	for (size_t r = 0; err == 0 && r < section.rows; r++) {
		fputs("<tr>", out);
		for (size_t c = 0; c < table->columns; c++) {
			const struct ct_column_def *column = &table->column[c];

			if (!ct_section_shows(&section, c))
				continue;
			fprintf(out, "<td class=\"%s\">",
				ct_column_is_word(column->type) ? "" : "n");
			put_escaped(out,
				    ct_cell_text(column, ct_section_cell(&section, r, c), text));
			fputs("</td>", out);
		}
		fputs("</tr>\n", out);
	}
	fputs("</tbody></table>\n", out);
	ct_section_fini(&section);
	return err;
}

/* The text, which is freed, and marks around it. */
static void put_text(FILE *out, const char *before, char *text, const char *after)
{
	fputs(before, out);
	put_escaped(out, text ? text : "");
	fputs(after, out);
	free(text);
}

static void put_problems(FILE *out, const struct ct_comparison *both, enum ct_compared_state state)
{
	if (!both->count[state])
		return;
	fprintf(out, "<h2>%s (%zu)</h2>\n<ol>\n", ct_compared_title(state), both->count[state]);
	for (size_t i = 0; i < both->problems; i++) {
		const struct ct_compared_problem *problem = &both->problem[i];

		if (problem->state != state || problem->is_small)
			continue;
		fputs("<li>", out);
		put_text(out, "<p><strong>", ct_compared_place(problem, both), "</strong><br>\n");
		put_text(out, "", ct_compared_told(problem, both), "</p>\n");
		if (state != CT_COMPARED_REMAINS)
			put_text(out, "<p>", ct_compared_text(problem), "</p>\n");
		fputs("</li>\n", out);
	}
	fputs("</ol>\n", out);
}

/* What a change has brought. 0 or -ENOMEM */
static int put_comparison(FILE *out, const struct ct_comparison *both)
{
	int err = 0;
	char *line;

	fputs("<p>Before: ", out);
	put_escaped(out, both->side[0]->name);
	fputs("; after: ", out);
	put_escaped(out, both->side[1]->name);
	fputs("</p>\n", out);
	for (unsigned number = 0; (line = ct_comparison_line(both, number)); number++)
		put_text(out, "<p>", line, "</p>\n");
	for (size_t i = 0; i < both->doubts; i++) {
		fputs("<p class=\"doubt\">Doubtful: ", out);
		put_escaped(out, both->doubt[i]);
		fputs("</p>\n", out);
	}
	if (!both->is_other_program && !both->count[CT_COMPARED_GONE] &&
	    !both->count[CT_COMPARED_NEW])
		fputs("<p>No problem is gone, and none is new.</p>\n", out);
	for (unsigned state = 0; state < CT_COMPARED_STATES; state++)
		put_problems(out, both, (enum ct_compared_state)state);
	for (size_t i = 0; ct_comparison_tables[i] && err == 0 && !both->is_other_program; i++) {
		if (!ct_comparison_tables[i]->title)
			continue;
		fprintf(out, "<h2>%s</h2>\n<p class=\"about\">%s</p>\n",
			ct_comparison_tables[i]->title, ct_comparison_tables[i]->help);
		fputs("<div class=\"wide\">", out);
		err = put_table(out, ct_comparison_tables[i], both);
		fputs("</div>\n", out);
	}
	return err;
}

static void put_legend(FILE *out, const struct ct_compare_figure *figure)
{
	static const unsigned key[CT_COMPARE_SERIES] = {0, 1, 2, 4};

	if (!figure->series[1])
		return;
	fputs("<ul class=\"legend\">", out);
	for (unsigned s = 0; s < CT_COMPARE_SERIES && figure->series[s]; s++)
		fprintf(
		    out,
		    "<li><span class=\"swatch\" style=\"background: var(--k%u)\"></span>%s</li>",
		    key[s], figure->series[s]);
	fputs("</ul>\n", out);
}

static void put_figure(FILE *out, const struct ct_compare *compare, enum ct_compare_name name)
{
	const struct ct_compare_figure *figure = &ct_compare_figure[name];
	struct ct_compare_frame frame = ct_compare_frame_of(compare, name);

	fprintf(
	    out,
	    "<section class=\"figure\" id=\"%s\">\n<div class=\"figure-head\"><h2>%s</h2>"
	    "<span class=\"thesis\">thesis, figure %s</span></div>\n<p class=\"about\">%s</p>\n",
	    figure->name, figure->title, figure->thesis, figure->about);
	put_legend(out, figure);
	fputs("<div class=\"panels\">\n", out);
	for (size_t t = 0; t < compare->count; t++) {
		fputs("<figure class=\"chart\"><figcaption>", out);
		put_escaped(out, compare->trace[t].label);
		fputs("</figcaption>", out);
		ct_compare_put_panel(out, &compare->trace[t], name, frame);
		fputs("</figure>\n", out);
	}
	fputs("</div>\n</section>\n", out);
}

int ct_compare_write_page(FILE *out, const struct ct_compare *compare,
			  const struct ct_comparison *both, const char *title)
{
	int err = 0;

	fputs("<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
	      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
	      "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
	      "style-src 'unsafe-inline'\">\n"
	      "<meta name=\"generator\" content=\"ctpost report (cuda-trace)\">\n<title>",
	      out);
	put_title(out, compare, title);
	fputs(" - compared</title>\n<style>\n", out);
	fwrite(ct_web_css.data, 1, ct_web_css.bytes, out);
	fputs("body { padding: 1rem 1.6rem 3rem; }\n"
	      "table { border-collapse: collapse; } td, th { padding: .15rem .8rem .15rem 0; "
	      "text-align: left; } .n { text-align: right; }\n"
	      ".wide { overflow-x: auto; } .wide th, .wide td { white-space: nowrap; }\n"
	      ".figure { margin-top: 1.8rem; } .figure h2 { margin: 0; }\n"
	      ".panels { display: grid; grid-template-columns: repeat(auto-fill, minmax(300px, "
	      "1fr)); "
	      "gap: .8rem 1.4rem; }\n"
	      ".panels figure { margin: 0; } figcaption { font-weight: 600; }\n"
	      ".chart svg > line { stroke: var(--line); } .chart .ground { fill: var(--faint); }\n"
	      "</style>\n</head>\n<body>\n<h1>",
	      out);
	put_title(out, compare, title);
	fputs("</h1>\n", out);
	if (both)
		err = put_comparison(out, both);
	fputs("<h2>Communication</h2>\n<p>How CTAs communicate through global memory, side by "
	      "side. Axes of bytes and "
	      "sizes are logarithmic; those of a figure are the same for all traces, but for "
	      "time.</p>\n",
	      out);
	if (err == 0)
		err = put_table(out, &ct_compared_traces_table, compare);
	for (unsigned f = 0; f < CT_COMPARE_FIGURES; f++)
		put_figure(out, compare, (enum ct_compare_name)f);
	fputs("</body>\n</html>\n", out);
	return err == 0 && ferror(out) ? -EIO : err;
}
