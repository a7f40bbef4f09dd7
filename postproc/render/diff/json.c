/* SPDX-License-Identifier: Apache-2.0 */
/* ctpost diff as JSON: docs/json-schema.md. */
#include "postproc/render/base/json.h"
#include "postproc/facts/operation.h"
#include "postproc/facts/words.h"
#include "postproc/render/diff/diff.h"

#define NAME_BYTES 1024u

static json_t *both(const uint64_t value[2])
{
	return json_pack("{s:o,s:o}", "a", ct_json_number(value[0]), "b", ct_json_number(value[1]));
}

static json_t *step(const struct ct_pair *pair, int side)
{
	static const char *const kinds[] = {
	    [CT_STEP_ACCESS] = "access",
	    [CT_STEP_EVENT] = "event",
	    [CT_STEP_VALUE] = "value",
	};
	const struct ct_match_step *s = &pair->step[side];
	struct ct_place place;
	char buffer[CT_VALUE_TEXT_BYTES];
	uint64_t address;
	json_t *value;

	if (!pair->has[side])
		return json_null();
	place = ct_place_of(s->unit, s->site);
	address = s->object ? s->object->event->address + s->offset : s->offset;
	value = json_pack(
	    "{s:s,s:I,s:o,s:o,s:o,s:o,s:I,s:I,s:s}", "operation",
	    ct_operation_text(s->site->operation), "bytes", (json_int_t)s->bytes, "object",
	    s->object ? ct_json_text(ct_words_object(s->object, buffer, NAME_BYTES)) : json_null(),
	    "offset", s->object_key ? ct_json_number(s->offset) : json_null(), "address",
	    s->kind == CT_STEP_ACCESS ? ct_json_address(address) : json_null(), "file",
	    ct_json_text(place.file), "line", (json_int_t)place.line, "column",
	    (json_int_t)place.column, "step", kinds[s->kind]);
	if (s->kind == CT_STEP_ACCESS)
		json_object_set_new(value, "space", json_string(ct_words_space(s->space)));
	if (s->kind == CT_STEP_EVENT)
		json_object_set_new(value, "phase",
				    json_string(s->phase == CT_PHASE_LEAVE ? "leave" : "happens"));
	if (s->kind == CT_STEP_VALUE && s->part == CT_PART_CONTENT) {
		json_object_set_new(value, "content", json_string(ct_diff_value(s, buffer)));
		json_object_set_new(value, "content_offset", json_integer((json_int_t)s->offset));
	} else if (s->kind == CT_STEP_VALUE)
		json_object_set_new(value, ct_role_text((enum ct_role)(s->part / 4)),
				    json_string(ct_diff_value(s, buffer)));
	return value;
}

static json_t *first_difference(const struct ct_pair *pair)
{
	uint32_t cta[3];

	ct_words_cta(pair->launch[0], pair->first_thread / pair->cta_threads, cta);
	return json_pack("{s:o,s:I,s:o,s:o,s:o}", "cta", ct_json_extent(cta), "thread",
			 (json_int_t)(pair->first_thread % pair->cta_threads), "access",
			 ct_json_number(pair->position), "a", step(pair, 0), "b", step(pair, 1));
}

static json_t *launch(const struct ct_launch_info *info)
{
	if (!info)
		return json_null();
	return json_pack("{s:o,s:o,s:o,s:o,s:b}", "kernel", ct_json_text(info->kernel), "grid",
			 ct_json_extent(info->event->grid), "block",
			 ct_json_extent(info->event->block), "stream",
			 ct_json_number(info->event->stream), "traced",
			 (int)(info->event->flags & CT_LAUNCH_TRACED));
}

static json_t *pair_value(const struct ct_pair *pair)
{
	const struct ct_launch_info *info = pair->launch[0] ? pair->launch[0] : pair->launch[1];

	return json_pack(
	    "{s:I,s:I,s:s,s:o,s:o,s:o,s:o,s:o,s:o}", "launch", (json_int_t)info->event->launch,
	    "part", (json_int_t)info->part, "result", ct_pair_result_text(pair->result), "a",
	    launch(pair->launch[0]), "b", launch(pair->launch[1]), "accesses", both(pair->accesses),
	    "unknown", both(pair->unknown), "threads_differ", ct_json_number(pair->threads_differ),
	    "first_difference", pair->threads_differ ? first_difference(pair) : json_null());
}

int ct_diff_write_json(FILE *out, const struct ct_diff *diff)
{
	struct ct_diff_counts counts = ct_diff_count(diff->pairs);
	enum ct_diff_verdict verdict = ct_diff_verdict(diff->pairs);
	json_t *value = json_object(), *launches = json_array();

	for (size_t i = 0; i < diff->pairs->count; i++)
		json_array_append_new(launches, pair_value(&diff->pairs->pair[i]));
	json_object_set_new(value, "schema", json_string("cudatrace-diff-1"));
	json_object_set_new(value, "a", ct_json_text(ct_trace_directory(diff->trace[0])));
	json_object_set_new(value, "b", ct_json_text(ct_trace_directory(diff->trace[1])));
	json_object_set_new(value, "equal",
			    verdict == CT_DIFF_NOTHING ? json_null()
						       : json_boolean(verdict == CT_DIFF_EQUAL));
	json_object_set_new(value, "launches_equal", ct_json_number(counts.equal));
	json_object_set_new(value, "launches_different", ct_json_number(counts.different));
	json_object_set_new(value, "launches_not_traced", ct_json_number(counts.not_traced));
	json_object_set_new(value, "accesses", both(counts.accesses));
	json_object_set_new(value, "unknown", both(counts.unknown));
	json_object_set_new(value, "launches", launches);
	return ct_json_write(out, value, 1);
}
