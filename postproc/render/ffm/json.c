/* SPDX-License-Identifier: Apache-2.0 */
/* A study as JSON: docs/json-schema.md. */
#include "postproc/render/ffm/json.h"
#include "postproc/render/ffm/ffm.h"
#include <errno.h>
#include <inttypes.h>

#define FRAMES_MAX 256u

void ct_ffm_put_seconds(struct ct_json *json, const char *key, int64_t ns)
{
	uint64_t size = ns < 0 ? -(uint64_t)ns : (uint64_t)ns;

	ct_json_put_key(json, key);
	fprintf(json->out, "%s%" PRIu64 ".%09" PRIu64, ns < 0 ? "-" : "", size / 1000000000u,
		size % 1000000000u);
}

void ct_ffm_put_share(struct ct_json *json, const char *key, uint64_t part, uint64_t whole)
{
	if (whole)
		ct_json_put_real(json, key, (double)part / (double)whole, 6);
	else
		ct_json_put_null(json, key);
}

static void put_text_or_null(struct ct_json *json, const char *key, const char *text)
{
	if (text)
		ct_json_put_text(json, key, text);
	else
		ct_json_put_null(json, key);
}

static void put_frame(struct ct_json *json, const struct ct_code_frame *frame)
{
	ct_json_put_text(json, "function", frame ? frame->function : "");
	ct_json_put_text(json, "file", frame ? frame->file : "");
	ct_json_put_number(json, "line", frame ? frame->line : 0);
}

void ct_ffm_put_site(struct ct_json *json, const struct ct_ffm_study *study,
		     const struct ct_ffm_site *site)
{
	const struct ct_code_frame *frame = ct_ffm_study_frame(study, site->stack);

	ct_json_put_text(json, "call", site->call);
	put_frame(json, frame);
	ct_json_put_text(json, "module", frame ? frame->module : "");
	ct_json_put_address(json, "offset", ct_ffm_study_offset(study, site->stack));
}

void ct_ffm_put_benefit(struct ct_json *json, const struct ct_ffm_study *study,
			uint64_t expected_ns, const int64_t *replayed_ns)
{
	uint64_t worth_ns;

	ct_ffm_put_seconds(json, "benefit_seconds", (int64_t)expected_ns);
	ct_ffm_put_share(json, "benefit_share", expected_ns, study->run_ns);
	if (replayed_ns)
		ct_ffm_put_seconds(json, "benefit_replay_seconds", *replayed_ns);
	else
		ct_json_put_null(json, "benefit_replay_seconds");
	worth_ns = ct_ffm_worth(expected_ns, replayed_ns ? *replayed_ns : 0, replayed_ns != NULL);
	ct_ffm_put_seconds(json, "worth_seconds", (int64_t)worth_ns);
	ct_ffm_put_share(json, "worth_share", worth_ns, study->run_ns);
}

static void put_stack(struct ct_json *json, const struct ct_ffm_study *study, uint32_t stack)
{
	const struct ct_code_frame *frame[FRAMES_MAX];
	size_t count = ct_ffm_study_frames(study, stack, frame, FRAMES_MAX);

	ct_json_open_array(json, "stack", CT_JSON_INLINE);
	for (size_t i = 0; i < count && i < FRAMES_MAX; i++) {
		ct_json_open_object(json, NULL, CT_JSON_INLINE);
		put_frame(json, frame[i]);
		ct_json_put_text(json, "module", frame[i]->module);
		ct_json_put_bool(json, "inlined", frame[i]->is_inlined);
		ct_json_close(json);
	}
	ct_json_close(json);
}

static void put_related(struct ct_json *json, const struct ct_ffm_study *study,
			const struct ct_ffm_entry *entry)
{
	ct_json_open_array(json, "related", CT_JSON_INLINE);
	for (size_t i = 0; i < entry->relations; i++) {
		const struct ct_ffm_related *related = &entry->related[i];

		ct_json_open_object(json, NULL, CT_JSON_INLINE);
		ct_json_put_text(json, "role", ct_ffm_role_name(related->role));
		ct_ffm_put_site(json, study, &related->site);
		ct_json_put_number(json, "count", related->site.count);
		ct_json_close(json);
	}
	ct_json_close(json);
}

static void put_problem(struct ct_json *json, const struct ct_ffm_study *study,
			const struct ct_ffm_entry *entry)
{
	ct_json_open_object(json, NULL, CT_JSON_INLINE);
	ct_json_put_text(json, "kind", ct_ffm_kind_name(entry->kind));
	ct_ffm_put_site(json, study, &entry->site);
	ct_json_put_number(json, "count", entry->site.count);
	ct_json_put_number(json, "occurrences", entry->occurrences);
	ct_ffm_put_benefit(json, study, entry->expected_ns,
			   entry->is_replayed ? &entry->replayed_ns : NULL);
	ct_ffm_put_seconds(json, "call_seconds", (int64_t)entry->call_ns);
	ct_ffm_put_seconds(json, "wait_seconds", (int64_t)entry->wait_ns);
	put_text_or_null(json, "evidence",
			 entry->evidence ? ct_wait_evidence_name(entry->evidence) : NULL);
	if (entry->kind == CT_FFM_MISPLACED_WAIT)
		ct_ffm_put_seconds(json, "first_use_seconds", (int64_t)entry->first_use_ns);
	else
		ct_json_put_null(json, "first_use_seconds");
	ct_json_put_number(json, "bytes", entry->bytes);
	ct_json_put_number(json, "processes", entry->processes);
	put_related(json, study, entry);
	put_text_or_null(json, "fix", entry->remedy.fix);
	put_text_or_null(json, "condition", entry->remedy.condition);
	put_text_or_null(json, "skeleton", entry->remedy.skeleton);
	put_stack(json, study, entry->site.stack);
	ct_json_close(json);
}

static void put_unknown(struct ct_json *json, const struct ct_ffm_study *study)
{
	ct_json_open_array(json, "unknown_waits", CT_JSON_LINES);
	for (size_t i = 0; i < study->unknowns; i++) {
		const struct ct_ffm_unknown *unknown = &study->unknown[i];

		ct_json_open_object(json, NULL, CT_JSON_INLINE);
		ct_ffm_put_site(json, study, &unknown->site);
		ct_json_put_number(json, "count", unknown->site.count);
		ct_ffm_put_seconds(json, "wait_seconds", (int64_t)unknown->wait_ns);
		ct_json_put_text(json, "reason", unknown->reason);
		put_text_or_null(json, "how", ct_ffm_how_to_know(unknown->reason));
		ct_json_close(json);
	}
	ct_json_close(json);
}

static void put_profile(struct ct_json *json, const struct ct_ffm_study *study)
{
	ct_json_open_array(json, "profile", CT_JSON_LINES);
	for (size_t i = 0; i < study->profiled; i++) {
		const struct ct_ffm_profiled *row = &study->profile[i];

		ct_json_open_object(json, NULL, CT_JSON_INLINE);
		ct_json_put_text(json, "call", row->call);
		ct_json_put_number(json, "count", row->count);
		ct_ffm_put_seconds(json, "seconds", (int64_t)row->call_ns);
		ct_ffm_put_seconds(json, "wait_seconds", (int64_t)row->wait_ns);
		ct_ffm_put_seconds(
		    json, "worth_seconds",
		    (int64_t)ct_ffm_worth(row->expected_ns, row->replayed_ns, row->is_replayed));
		ct_ffm_put_seconds(json, "benefit_seconds", (int64_t)row->expected_ns);
		ct_json_close(json);
	}
	ct_json_close(json);
}

static void put_verdicts(struct ct_json *json, const struct ct_ffm_verdicts *verdicts)
{
	ct_json_open_object(json, "verdicts", CT_JSON_INLINE);
	ct_json_put_number(json, "unnecessary", verdicts->unnecessary);
	ct_json_put_number(json, "misplaced", verdicts->misplaced);
	ct_json_put_number(json, "needed", verdicts->needed);
	ct_json_put_number(json, "unknown", verdicts->unknown);
	ct_json_put_number(json, "copies", verdicts->copies);
	ct_json_put_number(json, "repeated", verdicts->repeated);
	ct_json_put_bool(json, "has_uses", verdicts->has_uses);
	ct_json_put_bool(json, "has_contents", verdicts->has_contents);
	ct_json_close(json);
}

static void put_stage(struct ct_json *json, const struct ct_ffm_study *study,
		      const struct ct_ffm_stage *stage)
{
	ct_json_open_object(json, NULL, CT_JSON_INLINE);
	ct_json_put_text(json, "stage", stage->name);
	put_text_or_null(json, "trace", stage->trace ? ct_trace_directory(stage->trace) : NULL);
	ct_json_put_number(json, "calls", stage->calls);
	ct_json_put_number(json, "matched", stage->matched);
	if (stage->differs.call) {
		ct_json_open_object(json, "difference", CT_JSON_INLINE);
		ct_ffm_put_site(json, study, &stage->differs);
		ct_json_close(json);
	} else {
		ct_json_put_null(json, "difference");
	}
	ct_json_close(json);
}

int ct_ffm_write_json(FILE *out, const struct ct_ffm_study *study, const char *name)
{
	struct ct_ffm_stage stage[CT_FFM_STAGES];
	struct ct_json json;
	int err;

	ct_ffm_study_stages(study, stage);
	ct_json_init(&json, out, 2, CT_JSON_UTF8);
	ct_json_open_object(&json, NULL, CT_JSON_LINES);
	ct_json_put_text(&json, "schema", "cudatrace-ffm-1");
	ct_json_put_text(&json, "study", name);
	ct_ffm_put_seconds(&json, "run_seconds", (int64_t)study->run_ns);
	ct_ffm_put_seconds(&json, "far_seconds", (int64_t)study->far_ns);
	ct_ffm_put_seconds(&json, "benefit_seconds", (int64_t)study->expected_ns);
	ct_ffm_put_seconds(&json, "benefit_replay_seconds", study->replayed_ns);
	ct_json_put_number(&json, "processes", study->processes);
	ct_json_open_array(&json, "problems", CT_JSON_LINES);
	for (size_t i = 0; i < study->entries; i++)
		put_problem(&json, study, &study->entry[i]);
	ct_json_close(&json);
	err = ct_ffm_put_folds(&json, study);
	if (err == 0)
		err = ct_ffm_put_sequences(&json, study);
	put_unknown(&json, study);
	put_profile(&json, study);
	put_verdicts(&json, &study->verdicts);
	ct_json_open_array(&json, "stages", CT_JSON_LINES);
	for (size_t i = 0; i < CT_FFM_STAGES; i++)
		put_stage(&json, study, &stage[i]);
	ct_json_close(&json);
	ct_json_close(&json);
	fputc('\n', out);
	if (err < 0)
		ct_json_fail(&json, err);
	return ct_json_error(&json);
}
