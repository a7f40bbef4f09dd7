/* SPDX-License-Identifier: Apache-2.0 */
/* A study in sentences: where figures come from, what is not known, what lists leave out. */
#include "base/quantity.h"
#include "postproc/analysis/ffm/place.h"
#include "postproc/render/ffm/ffm.h"
#include "postproc/render/ffm/figures.h"
#include "postproc/tables/wrap.h"
#include <errno.h>
#include <stdlib.h>

static void write_stage(FILE *out, const struct ct_ffm_study *study,
			const struct ct_ffm_stage *stage, const struct ct_ffm_view *view)
{
	char number[2][CT_NUMBER_BYTES], place[CT_FFM_PLACE_BYTES];
	char *line;
	int bytes;

	if (!stage->trace || stage->matched == stage->calls)
		return;
	ct_ffm_place(ct_ffm_study_frame(study, stage->differs.stack), place);
	bytes = asprintf(&line,
			 "The run of %s made other calls: %s of %s are the same. The first that "
			 "differs is %s at %s. Nothing is known of the others.",
			 stage->name, ct_number(stage->matched, number[0]),
			 ct_number(stage->calls, number[1]),
			 stage->differs.call ? stage->differs.call : "the end of a thread",
			 *place ? place : "an unknown place");
	if (bytes < 0)
		return;
	ct_write_wrapped(out, line, 0, view->style.width);
	free(line);
}

static void write_head(FILE *out, const struct ct_ffm_study *study, const struct ct_ffm_view *view)
{
	const struct ct_ffm_verdicts *verdicts = &study->verdicts;
	struct ct_ffm_stage stage[CT_FFM_STAGES];
	char number[6][CT_NUMBER_BYTES], time[3][CT_AMOUNT_BYTES], share[CT_AMOUNT_BYTES];

	fprintf(out, "A run of %s", ct_ffm_time((int64_t)study->run_ns, time[0]));
	if (study->processes > 1)
		fprintf(out, " of %zu processes", study->processes);
	fputc('\n', out);
	if (verdicts->has_uses)
		fprintf(out,
			"Waits: %s unnecessary, %s misplaced, %s needed, of %s it is not known",
			ct_number(verdicts->unnecessary, number[0]),
			ct_number(verdicts->misplaced, number[1]),
			ct_number(verdicts->needed, number[2]),
			ct_number(verdicts->unknown, number[3]));
	if (verdicts->has_uses && study->unknown_ns)
		fprintf(out, " (%s, %s of the run)",
			ct_ffm_time((int64_t)study->unknown_ns, time[1]),
			ct_ffm_percent(study->unknown_ns, study->run_ns, share));
	if (verdicts->has_uses)
		fputc('\n', out);
	if (verdicts->has_contents)
		fprintf(out, "Copies: %s of %s moved what was there already\n",
			ct_number(verdicts->repeated, number[4]),
			ct_number(verdicts->copies, number[5]));
	ct_ffm_study_stages(study, stage);
	for (size_t i = 0; i < CT_FFM_STAGES; i++)
		write_stage(out, study, &stage[i], view);
	if (!study->entries)
		return;
	ct_ffm_percent(ct_ffm_worth(study->expected_ns, study->replayed_ns, true), study->run_ns,
		       share);
	fprintf(out,
		"All fixed together: %s (%s of the run) by replay, bound %s; problems overlap: no "
		"sums\n",
		ct_ffm_time(study->replayed_ns, time[1]), share,
		ct_ffm_time((int64_t)study->expected_ns, time[2]));
}

/* Writes what lists leave out, and why. */
static void write_rest(FILE *out, const struct ct_ffm_study *study)
{
	size_t large = study->lists_all ? study->entries : ct_ffm_study_large(study);
	char time[CT_AMOUNT_BYTES];
	uint64_t calls = 0;

	if (large == study->entries)
		return;
	for (size_t i = large; i < study->entries; i++)
		calls += study->entry[i].site.count;
	fprintf(out,
		"%zu more with %llu calls are worth less than %.1f %% of the run each, the first "
		"%s (--all)\n",
		study->entries - large, (unsigned long long)calls, 100.0 / CT_FFM_SMALL_PART,
		ct_ffm_time((int64_t)ct_ffm_entry_worth(&study->entry[large]), time));
}

/* How to know of waits whether they are needed: each advice once, with all the time that it is
 * about. */
static void write_hows(FILE *out, const struct ct_ffm_study *study, const struct ct_ffm_view *view)
{
	for (size_t i = 0; i < study->unknowns; i++) {
		const char *how = ct_ffm_how_to_know(study->unknown[i].reason);
		uint64_t wait_ns = 0, calls = 0;
		char time[CT_AMOUNT_BYTES], *line;
		size_t first = 0;

		while (how && ct_ffm_how_to_know(study->unknown[first].reason) != how)
			first++;
		if (!how || first != i)
			continue;
		for (size_t j = i; j < study->unknowns; j++)
			if (ct_ffm_how_to_know(study->unknown[j].reason) == how) {
				wait_ns += study->unknown[j].wait_ns;
				calls += study->unknown[j].site.count;
			}
		if (asprintf(&line, "To know it of %llu of those that are not known, %s: %s.",
			     (unsigned long long)calls, ct_ffm_time((int64_t)wait_ns, time),
			     how) < 0)
			return;
		ct_write_wrapped(out, line, 0, view->style.width);
		free(line);
	}
}

void ct_ffm_write(FILE *out, const struct ct_ffm_study *study, const struct ct_ffm_view *view)
{
	write_head(out, study, view);
	write_hows(out, study, view);
	if (study->entries)
		write_rest(out, study);
	else
		fputs("\nNo problems\n", out);
}
