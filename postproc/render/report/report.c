/* SPDX-License-Identifier: Apache-2.0 */
/* The report's page: style, data, D3, and what draws them. */
#include "postproc/render/report/report.h"
#include "postproc/analysis/comm/findings/lines.h"
#include "postproc/render/report/parts.h"
#include "postproc/render/report/web.h"
#include <errno.h>
#include <stdlib.h>

static void put_escaped(FILE *out, const char *text)
{
	for (; *text; text++)
		switch (*text) {
		case '&':
			fputs("&amp;", out);
			break;
		case '<':
			fputs("&lt;", out);
			break;
		default:
			fputc(*text, out);
		}
}

static const char *title_of(const struct ct_report *report)
{
	if (report->title)
		return report->title;
	return *report->summary->program ? report->summary->program : report->trace;
}

static int put_long(const struct ct_report_writer *w)
{
	int err = ct_report_put_timeline(w);

	if (err == 0)
		err = ct_report_put_supersteps(w);
	if (err == 0)
		err = ct_report_put_launches(w);
	if (err == 0)
		err = ct_report_put_density(w);
	if (err == 0)
		err = ct_report_put_views(w);
	if (err == 0)
		err = ct_report_put_ctas(w);
	if (err == 0)
		err = ct_report_put_exchanged(w);
	if (err == 0)
		err = ct_report_put_calls(w);
	if (err == 0)
		err = ct_report_put_paths(w);
	if (err == 0)
		err = ct_report_put_blame(w);
	return err;
}

static int put_data(FILE *file, const struct ct_report *report)
{
	struct ct_out out;
	struct ct_report_writer w = {.report = report, .out = &out};
	int err = ct_sources_open(&w.sources, report->source_root, report->quoting);

	if (err < 0)
		return err;
	ct_out_init(&out, file);
	err = ct_comm_merge_lines(report->figures, &w.line_pair, &w.line_pairs);
	if (err < 0)
		goto close_sources;
	ct_out_object(&out, NULL);
	ct_out_text(&out, "schema", "cudatrace-report-1");
	ct_out_text(&out, "title", title_of(report));
	ct_report_put_findings(&w);
	ct_report_put_trace(&w);
	ct_report_put_volume(&w);
	ct_report_put_histograms(&w);
	ct_report_put_bisection(&w);
	ct_report_put_kernels(&w);
	ct_report_put_kernel_pairs(&w);
	ct_report_put_objects(&w);
	ct_report_put_line_pairs(&w);
	ct_report_put_scaling(&w);
	err = put_long(&w);
	ct_report_put_sections(&w);
	ct_sources_write(w.sources, &out, "sources");
	ct_out_end(&out);
	err = err < 0 ? err : ct_out_error(&out);
	free(w.line_pair);

close_sources:
	ct_sources_close(w.sources);
	return err;
}

static void put_web(FILE *out, const struct ct_web_text *text)
{
	fwrite(text->data, 1, text->bytes, out);
}

int ct_report_write(FILE *out, const struct ct_report *report)
{
	int err;

	fputs("<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
	      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
	      "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
	      "style-src 'unsafe-inline'; script-src 'unsafe-inline'; img-src data:\">\n"
	      "<meta name=\"generator\" content=\"ctpost report (cuda-trace)\">\n<title>",
	      out);
	put_escaped(out, title_of(report));
	fputs(" - communication report</title>\n<style>\n", out);
	put_web(out, &ct_web_css);
	fputs("</style>\n</head>\n<body>\n<noscript>This report is drawn by scripts it "
	      "contains; enable JavaScript to see it.</noscript>\n"
	      "<script type=\"application/json\" id=\"report-data\">",
	      out);
	err = put_data(out, report);
	fputs("</script>\n<script>\n", out);
	put_web(out, &ct_web_d3);
	fputs("</script>\n<script>\n", out);
	put_web(out, &ct_web_js);
	fputs("</script>\n</body>\n</html>\n", out);
	if (err == 0 && ferror(out))
		err = -EIO;
	return err;
}
