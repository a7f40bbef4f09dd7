/* SPDX-License-Identifier: Apache-2.0 */
/* Groups of problems as JSON: docs/json-schema.md. */
#include "postproc/analysis/ffm/folds.h"
#include "postproc/analysis/ffm/sequences.h"
#include "postproc/render/ffm/json.h"
#include <string.h>

/* Of a program without needed waits all problems of a thread are one sequence. */
#define SEQUENCES_MOST 1000u
#define ENTRIES_MOST 1000u

static void put_fold(struct ct_json *json, const struct ct_ffm_study *study,
		     const struct ct_ffm_fold *fold)
{
	ct_json_put_number(json, "count", fold->count);
	ct_json_put_number(json, "occurrences", fold->occurrences);
	ct_json_put_bool(json, "conditional", fold->count < fold->occurrences);
	ct_ffm_put_benefit(json, study, fold->expected_ns,
			   fold->is_replayed ? &fold->replayed_ns : NULL);
	ct_ffm_put_seconds(json, "call_seconds", (int64_t)fold->call_ns);
	ct_ffm_put_seconds(json, "wait_seconds", (int64_t)fold->wait_ns);
}

static void put_function(struct ct_json *json, const struct ct_ffm_study *study,
			 const struct ct_ffm_fold *fold)
{
	ct_json_open_object(json, NULL, CT_JSON_INLINE);
	ct_json_put_text(json, "function", fold->function);
	put_fold(json, study, fold);
	ct_json_open_array(json, "problem_numbers", CT_JSON_INLINE);
	for (size_t i = 0; i < fold->entries; i++)
		ct_json_put_number(json, NULL, fold->entry[i] + 1u);
	ct_json_close(json);
	ct_json_close(json);
}

int ct_ffm_put_folds(struct ct_json *json, const struct ct_ffm_study *study)
{
	struct ct_ffm_folds folds;
	int err = ct_ffm_folds_init(&folds, study);

	ct_json_open_array(json, "folded", CT_JSON_LINES);
	for (size_t i = 0; i < folds.calls && err == 0; i++) {
		ct_json_open_object(json, NULL, CT_JSON_INLINE);
		ct_json_put_text(json, "call", folds.call[i].call);
		put_fold(json, study, &folds.call[i]);
		ct_json_open_array(json, "functions", CT_JSON_INLINE);
		for (size_t f = 0; f < folds.functions; f++)
			if (strcmp(folds.function[f].call, folds.call[i].call) == 0)
				put_function(json, study, &folds.function[f]);
		ct_json_close(json);
		ct_json_close(json);
	}
	ct_json_close(json);
	ct_ffm_folds_fini(&folds);
	return err;
}

static void put_sequence(struct ct_json *json, const struct ct_ffm_sequences *sequences,
			 size_t number)
{
	const struct ct_ffm_group *sequence = &sequences->groups.group[number];

	ct_json_open_object(json, NULL, CT_JSON_INLINE);
	ct_json_put_number(json, "times", sequence->times);
	ct_ffm_put_benefit(json, sequences->study, sequence->expected_ns,
			   sequence->is_replayed ? &sequence->replayed_ns : NULL);
	ct_ffm_put_seconds(json, "wait_seconds", (int64_t)sequence->wait_ns);
	ct_json_put_number(json, "length", sequence->entries);
	ct_json_open_array(json, "entries", CT_JSON_INLINE);
	for (size_t i = 0; i < sequence->entries && i < ENTRIES_MOST; i++)
		ct_json_put_number(json, NULL,
				   (uint64_t)(ct_ffm_sequence_entry(sequences, sequence, i) -
					      sequences->study->entry) +
				       1);
	ct_json_close(json);
	ct_json_close(json);
}

int ct_ffm_put_sequences(struct ct_json *json, const struct ct_ffm_study *study)
{
	struct ct_ffm_sequences sequences;
	int err = ct_ffm_sequences_init(&sequences, study);

	ct_json_open_array(json, "sequences", CT_JSON_LINES);
	for (size_t i = 0; i < sequences.groups.count && i < SEQUENCES_MOST && err == 0; i++)
		put_sequence(json, &sequences, i);
	ct_json_close(json);
	ct_ffm_sequences_fini(&sequences);
	return err;
}
