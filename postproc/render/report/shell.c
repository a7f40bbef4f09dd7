/* SPDX-License-Identifier: Apache-2.0 */
/* The frame of a page. */
#include "postproc/render/report/shell.h"

void ct_shell_put_text(FILE *out, const char *text)
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

static void put_web(FILE *out, const struct ct_web_text *text)
{
	fwrite(text->data, 1, text->bytes, out);
}

void ct_shell_begin(FILE *out, const char *title, const char *what)
{
	fputs("<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
	      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
	      "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
	      "style-src 'unsafe-inline'; script-src 'unsafe-inline'; img-src data:\">\n"
	      "<meta name=\"generator\" content=\"ctpost report (cuda-trace)\">\n<title>",
	      out);
	ct_shell_put_text(out, title);
	fprintf(out, " - %s</title>\n<style>\n", what);
	put_web(out, &ct_web_css);
	fputs("</style>\n</head>\n<body>\n<noscript>This page is drawn by scripts it "
	      "contains; enable JavaScript to see it.</noscript>\n"
	      "<script type=\"application/json\" id=\"report-data\">",
	      out);
}

void ct_shell_end_data(FILE *out)
{
	fputs("</script>\n", out);
}

void ct_shell_end(FILE *out, const struct ct_web_text *scripts)
{
	fputs("<script>\n", out);
	put_web(out, &ct_web_d3);
	fputs("</script>\n<script>\n", out);
	put_web(out, &ct_web_kit);
	put_web(out, scripts);
	fputs("</script>\n</body>\n</html>\n", out);
}
