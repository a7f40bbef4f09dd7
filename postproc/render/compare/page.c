/* SPDX-License-Identifier: Apache-2.0 */
/* The page of several traces: data that its scripts draw, and the figures of communication as they
 * are, a row for each figure, a panel for each trace. */
#include "postproc/render/compare/data.h"
#include "postproc/render/compare/panel.h"
#include "postproc/render/report/shell.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* "shift, halo"; to be freed. NULL: memory is short */
static char *title_of(const struct ct_compare_page *page)
{
	char *text = NULL;
	size_t bytes;
	FILE *out = page->title ? NULL : open_memstream(&text, &bytes);

	if (page->title)
		return strdup(page->title);
	for (size_t t = 0; out && t < page->compare->count; t++)
		fprintf(out, "%s%s", t ? ", " : "", page->compare->trace[t].label);
	if (out && fclose(out) == 0)
		return text;
	free(text);
	return NULL;
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

	fprintf(out,
		"<section class=\"figure wide\" id=\"%s\">\n<div "
		"class=\"figure-head\"><h3>%s</h3></div>\n"
		"<p class=\"about\">%s</p>\n",
		figure->name, figure->title, figure->about);
	put_legend(out, figure);
	fputs("<div class=\"panels\">\n", out);
	for (size_t t = 0; t < compare->count; t++) {
		fputs("<figure class=\"chart\"><figcaption>", out);
		ct_shell_put_text(out, compare->trace[t].label);
		fputs("</figcaption>", out);
		ct_compare_put_panel(out, &compare->trace[t], name, frame);
		fputs("</figure>\n", out);
	}
	fputs("</div>\n</section>\n", out);
}

int ct_compare_write_page(FILE *out, const struct ct_compare_page *page)
{
	char *title = title_of(page);
	int err = title ? 0 : -ENOMEM;

	ct_shell_begin(out, title ? title : "", "compared");
	if (err == 0)
		err = ct_compare_put_data(out, page, title);
	free(title);
	ct_shell_end_data(out);
	/* The scripts move it into its section. */
	fputs("<template id=\"communication-panels\">\n", out);
	for (unsigned f = 0; f < CT_COMPARE_FIGURES; f++)
		put_figure(out, page->compare, (enum ct_compare_name)f);
	fputs("</template>\n", out);
	ct_shell_end(out, &ct_web_compare);
	return err == 0 && ferror(out) ? -EIO : err;
}
