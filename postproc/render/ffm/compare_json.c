/* SPDX-License-Identifier: Apache-2.0 */
/* Two studies as JSON: docs/json-schema.md. */
#include "base/json.h"
#include "postproc/render/ffm/compare.h"
#include <stdlib.h>

#define DIGITS 15

static void put_seconds(struct ct_json *json, const char *key, int64_t ns)
{
	ct_json_put_real(json, key, (double)ns / 1e9, DIGITS);
}

/* [before, after] */
static void put_both(struct ct_json *json, const char *key, const uint64_t ns[2])
{
	ct_json_open_array(json, key, CT_JSON_INLINE);
	put_seconds(json, NULL, (int64_t)ns[0]);
	put_seconds(json, NULL, (int64_t)ns[1]);
	ct_json_close(json);
}

static void put_counts(struct ct_json *json, const char *key, const uint64_t count[2])
{
	ct_json_open_array(json, key, CT_JSON_INLINE);
	ct_json_put_number(json, NULL, count[0]);
	ct_json_put_number(json, NULL, count[1]);
	ct_json_close(json);
}

/* One of both; null where it is not. */
static void put_side(struct ct_json *json, const char *key, const struct ct_ffm_study *study,
		     const struct ct_ffm_entry *entry)
{
	const struct ct_code_frame *frame;

	if (!entry) {
		ct_json_put_null(json, key);
		return;
	}
	frame = ct_ffm_study_frame(study, entry->site.stack);
	ct_json_open_object(json, key, CT_JSON_INLINE);
	ct_json_put_number(json, "line", frame ? frame->line : 0);
	ct_json_put_number(json, "count", entry->site.count);
	put_seconds(json, "benefit_seconds", (int64_t)entry->expected_ns);
	if (entry->is_replayed)
		put_seconds(json, "benefit_replay_seconds", entry->replayed_ns);
	else
		ct_json_put_null(json, "benefit_replay_seconds");
	ct_json_close(json);
}

static void put_entry(struct ct_json *json, const struct ct_ffm_comparison *comparison,
		      const struct ct_ffm_compared *compared)
{
	const struct ct_ffm_entry *entry = compared->before ? compared->before : compared->after;
	const struct ct_code_frame *frame =
	    ct_ffm_study_frame(comparison->study[compared->before ? 0 : 1], entry->site.stack);
	const char *state = "new";

	if (compared->before)
		state = compared->after ? "remains" : "gone";
	ct_json_open_object(json, NULL, CT_JSON_INLINE);
	ct_json_put_text(json, "state", state);
	ct_json_put_text(json, "kind", ct_ffm_kind_name(entry->kind));
	ct_json_put_text(json, "call", entry->site.call);
	ct_json_put_text(json, "function", frame ? frame->function : "");
	ct_json_put_text(json, "file", frame ? frame->file : "");
	put_side(json, "before", comparison->study[0], compared->before);
	put_side(json, "after", comparison->study[1], compared->after);
	ct_json_close(json);
}

static void put_calls(struct ct_json *json, const struct ct_ffm_comparison *comparison)
{
	ct_json_open_array(json, "calls", CT_JSON_LINES);
	for (size_t i = 0; i < comparison->calls; i++) {
		const struct ct_ffm_compared_call *call = &comparison->call[i];

		ct_json_open_object(json, NULL, CT_JSON_INLINE);
		ct_json_put_text(json, "call", call->call);
		put_counts(json, "count", call->count);
		put_both(json, "seconds", call->call_ns);
		put_both(json, "wait_seconds", call->wait_ns);
		put_seconds(json, "predicted_seconds", (int64_t)call->predicted_ns);
		ct_json_close(json);
	}
	ct_json_close(json);
}

static void put_doubts(struct ct_json *json, const struct ct_ffm_comparison *comparison)
{
	size_t count;
	char **text = ct_ffm_doubt_texts(comparison, &count);

	ct_json_open_array(json, "doubts", CT_JSON_LINES);
	for (size_t i = 0; i < count; i++) {
		ct_json_put_text(json, NULL, text[i]);
		free(text[i]);
	}
	ct_json_close(json);
	free(text);
}

int ct_ffm_write_comparison_json(FILE *out, const struct ct_ffm_comparison *comparison,
				 const char *const name[2])
{
	const uint64_t run[2] = {comparison->study[0]->run_ns, comparison->study[1]->run_ns};
	struct ct_json json;

	ct_json_init(&json, out, 2, CT_JSON_UTF8);
	ct_json_open_object(&json, NULL, CT_JSON_LINES);
	ct_json_put_text(&json, "schema", "cudatrace-ffm-compare-1");
	ct_json_put_text(&json, "before", name[0]);
	ct_json_put_text(&json, "after", name[1]);
	put_both(&json, "run_seconds", run);
	put_seconds(&json, "saved_seconds", comparison->saved_ns);
	put_seconds(&json, "predicted_seconds", (int64_t)comparison->predicted_ns);
	put_seconds(&json, "predicted_replay_seconds", comparison->replayed_ns);
	put_counts(&json, "kernels", comparison->kernels);
	put_both(&json, "kernel_seconds", comparison->kernel_ns);
	put_doubts(&json, comparison);
	ct_json_open_array(&json, "problems", CT_JSON_LINES);
	for (size_t i = 0; i < comparison->entries; i++)
		put_entry(&json, comparison, &comparison->entry[i]);
	ct_json_close(&json);
	put_calls(&json, comparison);
	ct_json_close(&json);
	fputc('\n', out);
	return ct_json_error(&json);
}
