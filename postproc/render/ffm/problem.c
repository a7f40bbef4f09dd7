/* SPDX-License-Identifier: Apache-2.0 */
/* One problem for a terminal: its stack, what it is related to, what to do. */
#include "base/quantity.h"
#include "postproc/analysis/ffm/place.h"
#include "postproc/facts/source_name.h"
#include "postproc/render/ffm/ffm.h"
#include "postproc/render/ffm/figures.h"
#include "postproc/tables/wrap.h"
#include <errno.h>
#include <string.h>

#define FRAMES_MAX 256u
#define INDENT 2u

static void write_frame(FILE *out, const struct ct_code_frame *frame)
{
	char brief[CT_BRIEF_NAME_BYTES], place[CT_FFM_PLACE_BYTES];

	fprintf(out, "%s  %s\n", ct_source_name_brief(frame->function, brief),
		ct_ffm_place(frame, place));
}

static const char *evidence_text(enum ct_wait_evidence evidence)
{
	switch (evidence) {
	case CT_EVIDENCE_EXPLICIT:
		return "it is there to wait";
	case CT_EVIDENCE_CALIBRATED:
		return "such calls wait on this driver, as ctrun calibrate has seen";
	case CT_EVIDENCE_RECORDED:
		return "CUPTI has recorded it as a wait";
	case CT_EVIDENCE_COINCIDENCE:
		return "calls from here end when work of the device ends";
	default:
		return "such calls wait, as CUDA's documentation has it";
	}
}

static void write_figures(FILE *out, const struct ct_ffm_study *study,
			  const struct ct_ffm_entry *entry)
{
	char time[4][CT_AMOUNT_BYTES], share[CT_AMOUNT_BYTES], number[2][CT_NUMBER_BYTES];

	ct_ffm_percent(ct_ffm_entry_worth(entry), study->run_ns, share);
	fprintf(out, "  saves     %s (%s of the run)",
		ct_ffm_time(entry->is_replayed ? entry->replayed_ns : (int64_t)entry->expected_ns,
			    time[0]),
		share);
	if (entry->is_replayed)
		fprintf(out, " by replay, bound %s",
			ct_ffm_time((int64_t)entry->expected_ns, time[1]));
	fprintf(out, "\n  calls     %s of %s from here; %s, of which %s waiting\n",
		ct_number(entry->site.count, number[0]), ct_number(entry->occurrences, number[1]),
		ct_ffm_time((int64_t)entry->call_ns, time[2]),
		ct_ffm_time((int64_t)entry->wait_ns, time[3]));
	if (entry->evidence)
		fprintf(out, "  it waits  %s\n", evidence_text(entry->evidence));
	if (entry->kind == CT_FFM_MISPLACED_WAIT)
		fprintf(out, "  first use %s after the wait (median)\n",
			ct_ffm_time((int64_t)entry->first_use_ns, time[0]));
	if (entry->bytes)
		fprintf(out, "  bytes     %s\n", ct_size(entry->bytes, number[0]));
	if (entry->processes > 1)
		fprintf(out, "  processes %u\n", entry->processes);
}

static void write_stack(FILE *out, const struct ct_ffm_study *study, uint32_t stack)
{
	const struct ct_code_frame *frame[FRAMES_MAX];
	size_t count = ct_ffm_study_frames(study, stack, frame, FRAMES_MAX);

	fputs("  called from\n", out);
	for (size_t i = 0; i < count && i < FRAMES_MAX; i++) {
		fprintf(out, "%*s", (int)(2 * INDENT), "");
		write_frame(out, frame[i]);
	}
	if (count > FRAMES_MAX)
		fprintf(out, "%*s%zu more\n", (int)(2 * INDENT), "", count - FRAMES_MAX);
	if (!count)
		fprintf(out, "%*s[unknown]\n", (int)(2 * INDENT), "");
}

static void write_related(FILE *out, const struct ct_ffm_study *study,
			  const struct ct_ffm_entry *entry)
{
	for (size_t i = 0; i < entry->relations; i++) {
		const struct ct_ffm_related *related = &entry->related[i];
		const struct ct_code_frame *frame = ct_ffm_study_frame(study, related->site.stack);
		char number[CT_NUMBER_BYTES];

		bool is_place =
		    related->role != CT_FFM_VARIABLE && related->role != CT_FFM_ON_STACK;

		fprintf(out, "  %s", ct_ffm_role_text(related->role));
		if (*related->site.call)
			fprintf(out, " %s%s", is_place ? "by " : "", related->site.call);
		fprintf(out, " %s times%s", ct_number(related->site.count, number),
			is_place ? " in " : "\n");
		if (!is_place)
			continue;
		if (frame)
			write_frame(out, frame);
		else
			fputs("[unknown]\n", out);
	}
}

/* As it is, but indented. */
static void write_lines(FILE *out, const char *text)
{
	while (*text) {
		size_t length = strcspn(text, "\n");

		fprintf(out, "%*s%.*s\n", (int)(2 * INDENT), "", (int)length, text);
		text += length + (text[length] == '\n');
	}
}

static void write_remedy(FILE *out, const struct ct_ffm_remedy *remedy, unsigned width)
{
	if (remedy->fix) {
		fputs("  ", out);
		ct_write_wrapped(out, remedy->fix, INDENT, width);
	}
	if (remedy->condition) {
		fputs("  ", out);
		ct_write_wrapped(out, remedy->condition, INDENT, width);
	}
	if (remedy->skeleton)
		write_lines(out, remedy->skeleton);
}

int ct_ffm_write_problem(FILE *out, const struct ct_ffm_study *study, size_t number,
			 const struct ct_ffm_view *view)
{
	const struct ct_ffm_entry *entry = &study->entry[number];
	const struct ct_code_frame *frame = ct_ffm_study_frame(study, entry->site.stack);
	char title[CT_FFM_PLACE_BYTES + 256], place[CT_FFM_PLACE_BYTES];

	ct_ffm_place(frame, place);
	snprintf(title, sizeof(title), "Problem %zu: %s: %s%s%s", number + 1,
		 ct_ffm_kind_name(entry->kind), entry->site.call, *place ? " at " : "", place);
	ct_emphasise(out, &view->style, CT_BOLD, title);
	fputs("\n  ", out);
	ct_write_wrapped(out, ct_ffm_kind_text(entry->kind), INDENT, view->style.width);
	write_figures(out, study, entry);
	write_stack(out, study, entry->site.stack);
	write_related(out, study, entry);
	write_remedy(out, &entry->remedy, view->style.width);
	return ferror(out) ? -EIO : 0;
}
