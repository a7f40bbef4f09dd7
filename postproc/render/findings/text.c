/* SPDX-License-Identifier: Apache-2.0 */
/* Findings for a terminal: what stands out, why, where, what to do and what that is worth. */
#include "base/quantity.h"
#include "postproc/facts/words.h"
#include "postproc/render/findings/findings.h"
#include "postproc/tables/amount.h"
#include "postproc/tables/wrap.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define KIND_WIDTH 9
#define LOCATION_BYTES 1024

const char *ct_finding_worth(const struct ct_finding *finding, char buffer[CT_WORTH_BYTES])
{
	char amount[CT_AMOUNT_BYTES];

	*buffer = '\0';
	if (finding->worth.unit && finding->worth.value > 0)
		snprintf(buffer, CT_WORTH_BYTES, "%s %s",
			 finding->worth_is_estimate ? "about" : "up to",
			 ct_amount_text(&finding->worth, amount));
	if (finding->estimate.unit)
		snprintf(buffer + strlen(buffer), CT_WORTH_BYTES - strlen(buffer), "%sabout %s",
			 *buffer ? ", " : "", ct_amount_text(&finding->estimate, amount));
	return buffer;
}

/* " at a, b": each of the places, then what else there is. */
static void write_places(FILE *line, const struct ct_finding *finding)
{
	const char *before = " At ";
	char text[LOCATION_BYTES];

	for (size_t i = 0; i < finding->sites; i++) {
		const struct ct_finding_site *at = &finding->site[i];

		fprintf(
		    line, "%s%s", before,
		    ct_words_location(at->unit, &at->unit->sites[at->site], text, sizeof(text)));
		before = ", ";
	}
	if (finding->sites)
		fputc('.', line);
	before = " In ";
	for (size_t i = 0; i < finding->objects; i++) {
		fprintf(line, "%s%s", before,
			ct_words_object(finding->object[i], text, sizeof(text)));
		before = ", ";
	}
	if (finding->objects)
		fputc('.', line);
}

/* A sentence, with more in parentheses ahead of its full stop. more: "" nothing */
static void write_sentence(FILE *line, const char *text, const char *before, const char *more)
{
	size_t length = strlen(text);
	bool has_stop = length && text[length - 1] == '.';

	if (!*more) {
		fputs(text, line);
		return;
	}
	fprintf(line, "%.*s (%s%s)%s", (int)(length - has_stop), text, before, more,
		has_stop ? "." : "");
}

static char *line_of(const struct ct_finding *finding)
{
	char *text = NULL, worth[CT_WORTH_BYTES];
	size_t bytes;
	FILE *line = open_memstream(&text, &bytes);

	if (!line)
		return NULL;
	write_sentence(line, finding->text, "", finding->evidence ? finding->evidence : "");
	write_places(line, finding);
	if (finding->fix) {
		fputs(" \xe2\x86\x92 ", line);
		write_sentence(line, finding->fix, "worth ", ct_finding_worth(finding, worth));
	}
	if (fclose(line) != 0) {
		free(text);
		return NULL;
	}
	return text;
}

void ct_finding_write(FILE *out, const struct ct_finding *finding, const struct ct_style *style)
{
	bool is_bad = finding->kind == CT_FINDING_LIMIT || finding->kind == CT_FINDING_PROBLEM;
	const char *kind = ct_finding_kind_text(finding->kind);
	char *line = line_of(finding);

	ct_emphasise(out, style, is_bad ? CT_BAD : CT_BOLD, kind);
	fprintf(out, "%*s", (int)(KIND_WIDTH - strlen(kind)), "");
	ct_write_wrapped(out, line ? line : finding->text, KIND_WIDTH, style->width);
	free(line);
}

void ct_findings_write(FILE *out, const struct ct_findings *findings, size_t rows_max,
		       const struct ct_style *style)
{
	char number[CT_NUMBER_BYTES];
	size_t reported = 0;

	for (size_t i = 0; i < findings->count; i++) {
		if (findings->list[i].is_reported_first && !findings->list[i].fix)
			continue;
		if (reported++ == 0 && rows_max) {
			fputc('\n', out);
			ct_emphasise(out, style, CT_BOLD, "Findings");
			fputc('\n', out);
		}
		if (reported <= rows_max)
			ct_finding_write(out, &findings->list[i], style);
	}
	if (reported > rows_max)
		fprintf(out, "\xe2\x80\xa6 and %s more finding%s: --rows=all\n",
			ct_number(reported - rows_max, number),
			reported - rows_max == 1 ? "" : "s");
}
