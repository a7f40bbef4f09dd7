/* SPDX-License-Identifier: Apache-2.0 */
/* Problems as a compiler reports them, which editors and code hosts read. */
#include "postproc/formats/diagnostics/diagnostics.h"

#include "postproc/tables/amount.h"

#include <errno.h>
#include <math.h>
#include <string.h>

/* On one line. */
static void put_text(FILE *out, const char *text)
{
	for (; *text; text++)
		fputc((unsigned char)*text < ' ' ? ' ' : *text, out);
}

static void put_place(FILE *out, const struct ct_shown_place *place)
{
	if (!*place->path) {
		fputs("ctpost", out);
		return;
	}
	put_text(out, place->path);
	fprintf(out, ":%u:%u", place->line ? place->line : 1, place->column ? place->column : 1);
}

static void put_worth(FILE *out, const struct ct_identity *identity)
{
	const struct ct_amount amount = {identity->seconds, "s"};
	char text[CT_AMOUNT_BYTES];

	if (isnan(identity->seconds))
		return;
	fprintf(out, " (%s %s", identity->is_estimate ? "about" : "at most",
		ct_amount_text(&amount, text));
	if (!isnan(identity->share))
		fprintf(out, ", %.*f %%", identity->share < 0.1, 100 * identity->share);
	fputc(')', out);
}

static void write_notes(FILE *out, const struct ct_problem_export *problems,
			const struct ct_finding *finding)
{
	struct ct_shown_place place;
	char words[512];

	for (size_t i = 0; ct_shown_place_other(&place, problems, finding, i, words); i++) {
		if (!*place.path)
			continue;
		put_place(out, &place);
		fputs(": note: ", out);
		put_text(out, words);
		fputc('\n', out);
	}
}

int ct_problems_write_gcc(FILE *out, const struct ct_problem_export *problems)
{
	const struct ct_verdict *verdict = problems->verdict;

	for (size_t i = 0; i < verdict->identities.count; i++) {
		const struct ct_identity *identity = &verdict->identities.list[i];
		const struct ct_finding *finding = identity->finding;
		struct ct_shown_place place;

		if (identity->share < CT_PROBLEM_SMALL && !problems->has_small)
			continue;
		ct_shown_place_of(&place, problems, identity);
		put_place(out, &place);
		fprintf(out, ": %s: ", identity->is_wrong ? "error" : "warning");
		put_text(out, finding->text);
		fputc(' ', out);
		put_text(out, finding->fix);
		put_worth(out, identity);
		fprintf(out, "%s [-Wct-%s]\n", ct_verdict_is_new(verdict, i) ? " (new)" : "",
			ct_finding_id_text(identity->id));
		write_notes(out, problems, finding);
	}
	return ferror(out) ? -EIO : 0;
}
