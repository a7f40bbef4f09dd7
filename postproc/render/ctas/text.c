/* SPDX-License-Identifier: Apache-2.0 */
/* A chart of how many CTAs a launch had resident. */
#include "postproc/analysis/ctas/tables.h"
#include "postproc/facts/folded_name.h"
#include "postproc/render/ctas/ctas.h"
#include "postproc/tables/amount.h"

#define LINES 8

/* A column for each part of the time, '#' up to its mean number of resident CTAs. */
static void write_course(FILE *out, const struct ct_ctas_launch *launch,
			 const struct ct_style *style)
{
	double resident[CT_CTAS_COURSE], peak = (double)launch->peak;
	int lines = launch->peak < LINES ? (int)launch->peak : LINES;
	char title[256], text[CT_AMOUNT_BYTES], name[CT_BRIEF_NAME_BYTES];

	ct_ctas_course(launch, resident, CT_CTAS_COURSE);
	snprintf(title, sizeof(title), "Resident thread blocks of launch %u, %.160s",
		 launch->launch->event->launch, ct_shown_name(launch->launch->kernel, name));
	fputc('\n', out);
	ct_emphasise(out, style, CT_BOLD, title);
	fputc('\n', out);
	for (int line = lines; line > 0; line--) {
		double least = peak * (line - 0.5) / lines;

		fprintf(out, "%8.0f |", peak * line / lines);
		for (size_t i = 0; i < CT_CTAS_COURSE; i++)
			fputc(resident[i] >= least ? '#' : ' ', out);
		fputc('\n', out);
	}
	fprintf(out, "%8s +", "0");
	for (size_t i = 0; i < CT_CTAS_COURSE; i++)
		fputc('-', out);
	fprintf(
	    out, "> %s\n",
	    ct_amount_text(&(struct ct_amount){(double)ct_ctas_time_ns(launch) / 1e9, "s"}, text));
}

static bool has_traced(const struct ct_ctas *ctas)
{
	for (size_t i = 0; i < ctas->kernels; i++)
		if (ctas->kernel[i].is_traced)
			return true;
	return false;
}

void ct_ctas_write_course(FILE *out, const struct ct_ctas *ctas,
			  const struct ct_ctas_launch *launch, const struct ct_style *style)
{
	write_course(out, launch, style);
	if (has_traced(ctas))
		fputs("\nTraced: times of the instrumented kernel, not the program's; for those "
		      "trace with ctrun --tier=clock.\n",
		      out);
}
