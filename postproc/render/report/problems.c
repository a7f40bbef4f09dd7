/* SPDX-License-Identifier: Apache-2.0 */
/* Problems of a study on the time line of calls. */
#include "postproc/analysis/ffm/kinds.h"
#include "postproc/render/report/parts.h"

static void put_problem(const struct ct_report_writer *w, const struct ct_ffm_study *study,
			const struct ct_ffm_entry *entry)
{
	const struct ct_code_frame *frame = ct_ffm_study_frame(study, entry->site.stack);
	struct ct_out *out = w->out;

	ct_out_object(out, NULL);
	ct_out_text(out, "kind", ct_ffm_kind_name(entry->kind));
	ct_out_text(out, "call", entry->site.call);
	if (frame)
		ct_sources_put(w->sources, out, "place", frame->file, frame->line);
	ct_out_real(out, "benefit_ns", (double)entry->expected_ns);
	if (entry->is_replayed)
		ct_out_real(out, "benefit_replay_ns", (double)entry->replayed_ns);
	ct_out_integer(out, "count", entry->site.count);
	ct_out_integer(out, "occurrences", entry->occurrences);
	if (entry->remedy.fix)
		ct_out_text(out, "fix", entry->remedy.fix);
	ct_out_end(out);
}

void ct_report_put_problems(const struct ct_report_writer *w)
{
	const struct ct_ffm_study *study = w->report->ffm;

	ct_out_array(w->out, "problems");
	for (size_t i = 0; study && i < study->entries; i++)
		put_problem(w, study, &study->entry[i]);
	ct_out_end(w->out);
}

uint32_t ct_report_problem_of(const struct ct_report_writer *w, uint32_t part,
			      const struct ct_row_call *call)
{
	const struct ct_ffm_study *study = w->report->ffm;
	const struct ct_ffm_entry *entry = study ? ct_ffm_study_entry_at(study, part, call) : NULL;

	return entry ? (uint32_t)(entry - study->entry) + 1 : 0;
}
