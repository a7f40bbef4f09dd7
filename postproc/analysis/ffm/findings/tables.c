/* SPDX-License-Identifier: Apache-2.0 */
/* Tables of problems: waits and copies that are not needed, in groups, and the runs. */
#include "postproc/analysis/ffm/findings/tables.h"
#include "postproc/analysis/ffm/kinds.h"
#include "postproc/analysis/ffm/place.h"
#include "postproc/tables/mean.h"
#include "postproc/tables/sink.h"

#include <string.h>

#define FRAMES_MAX 256u
/* In a program without needed waits all problems of a thread are one sequence. */
#define SEQUENCES_MAX 1000u
#define PROBLEMS_MAX 1000u

/* Where a call is made. */
struct at {
	const struct ct_code_frame *frame; /* NULL: not known */
	uint64_t offset;
	const struct ct_code_frame *apart;
	char place[CT_FFM_PLACE_BYTES];
};

#define row_ffm_totals ct_ffm_study

struct row_needless_calls {
	uint64_t number, run_ns;
	const struct ct_ffm_entry *entry;
	struct at at;
};

struct row_needless_related {
	uint64_t position;
	const struct ct_ffm_related *related;
	struct at at;
};

struct row_needless_frames {
	uint64_t position;
	const struct ct_code_frame *frame;
};

struct row_needless_functions {
	uint64_t number, run_ns;
	const struct ct_ffm_fold *fold;
	const char *caller;
	char place[CT_FFM_PLACE_BYTES];
};

struct row_needless_sequences {
	uint64_t number, run_ns;
	const struct ct_ffm_group *sequence;
	const struct ct_ffm_entry *first;
	char place[CT_FFM_PLACE_BYTES];
};

#define row_function_problems row_problem
#define row_sequence_problems row_problem
struct row_problem {
	uint64_t position, problem;
};

struct row_unknown_waits {
	uint64_t number, run_ns;
	const struct ct_ffm_unknown *unknown;
	struct at at;
};

struct row_call_profile {
	uint64_t run_ns;
	const struct ct_ffm_profiled *p;
};

struct row_ffm_stages {
	const struct ct_ffm_stage *stage;
	struct at at;
};

#define CT_DESCRIBED "postproc/analysis/ffm/findings/tables.def"
#include "postproc/tables/described.h"

static void set_place(const struct ct_ffm_study *study, uint32_t stack, struct at *at)
{
	at->frame = ct_ffm_study_frame(study, stack);
	at->offset = ct_ffm_study_offset(study, stack);
	ct_ffm_place(at->frame, at->place);
}

static int rows_ffm_totals(const void *from, struct ct_table_sink *sink)
{
	return ct_table_put_row(sink, from);
}

enum { RELATED, FRAMES };

static int put_related(struct ct_table_sink *sink, const struct ct_ffm_study *study,
		       const struct ct_ffm_entry *entry)
{
	int err = 0;

	for (size_t i = 0; i < entry->relations && err == 0; i++) {
		struct row_needless_related row = {.position = i, .related = &entry->related[i]};

		set_place(study, row.related->site.stack, &row.at);
		err = ct_table_put_child(sink, RELATED, &row);
	}
	return err;
}

static int put_frames(struct ct_table_sink *sink, const struct ct_ffm_study *study, uint32_t stack)
{
	const struct ct_code_frame *frame[FRAMES_MAX];
	size_t count = ct_ffm_study_frames(study, stack, frame, FRAMES_MAX);
	int err = 0;

	for (size_t i = 0; i < count && i < FRAMES_MAX && err == 0; i++)
		err = ct_table_put_child(sink, FRAMES, &(struct row_needless_frames){i, frame[i]});
	return err;
}

static int rows_needless_calls(const void *from, struct ct_table_sink *sink)
{
	const struct ct_ffm_study *study = from;
	size_t count = study->lists_all ? study->entries : ct_ffm_study_large(study);
	int err = 0;

	for (size_t i = 0; i < count && err == 0; i++) {
		const struct ct_ffm_entry *entry = &study->entry[i];
		struct row_needless_calls row = {i + 1, study->run_ns, entry, {.offset = 0}};

		set_place(study, entry->site.stack, &row.at);
		row.at.apart = ct_ffm_study_apart(study, &entry->site);
		err = ct_table_put_row(sink, &row);
		if (err == 0)
			err = put_related(sink, study, entry);
		if (err == 0)
			err = put_frames(sink, study, entry->site.stack);
	}
	return err;
}

static int put_fold(struct ct_table_sink *sink, const struct ct_ffm_study *study,
		    const struct ct_ffm_fold *fold, bool is_caller)
{
	struct row_needless_functions row = {sink->given++, study->run_ns, fold, NULL, ""};
	int err;

	if (is_caller) {
		row.caller = *fold->function ? fold->function : "[unknown]";
		ct_ffm_place(ct_ffm_study_frame(study, study->entry[fold->entry[0]].site.stack),
			     row.place);
	}
	err = ct_table_put_row(sink, &row);
	for (size_t i = 0; i < fold->entries && i < PROBLEMS_MAX && err == 0; i++)
		err = ct_table_put_child(sink, 0, &(struct row_problem){i, fold->entry[i] + 1u});
	return err;
}

static int rows_needless_functions(const void *from, struct ct_table_sink *sink)
{
	const struct ct_ffm_grouped *grouped = from;
	const struct ct_ffm_folds *folds = &grouped->folds;
	int err = 0;

	for (size_t i = 0; i < folds->calls && err == 0; i++) {
		err = put_fold(sink, grouped->study, &folds->call[i], false);
		for (size_t f = 0; f < folds->functions && err == 0; f++)
			if (strcmp(folds->function[f].call, folds->call[i].call) == 0)
				err = put_fold(sink, grouped->study, &folds->function[f], true);
	}
	return err;
}

static int put_sequence(struct ct_table_sink *sink, const struct ct_ffm_sequences *sequences,
			size_t number)
{
	const struct ct_ffm_study *study = sequences->study;
	const struct ct_ffm_group *sequence = &sequences->groups.group[number];
	struct row_needless_sequences row = {
	    .number = number + 1,
	    .run_ns = study->run_ns,
	    .sequence = sequence,
	    .first = ct_ffm_sequence_entry(sequences, sequence, 0),
	};
	int err;

	ct_ffm_place(ct_ffm_study_frame(study, row.first->site.stack), row.place);
	err = ct_table_put_row(sink, &row);
	for (size_t i = 0; i < sequence->entries && i < PROBLEMS_MAX && err == 0; i++) {
		const struct ct_ffm_entry *entry = ct_ffm_sequence_entry(sequences, sequence, i);
		const struct row_problem problem = {i, (uint64_t)(entry - study->entry) + 1};

		err = ct_table_put_child(sink, 0, &problem);
	}
	return err;
}

static int rows_needless_sequences(const void *from, struct ct_table_sink *sink)
{
	const struct ct_ffm_sequences *sequences =
	    &((const struct ct_ffm_grouped *)from)->sequences;
	int err = 0;

	for (size_t i = 0; i < sequences->groups.count && i < SEQUENCES_MAX && err == 0; i++)
		err = put_sequence(sink, sequences, i);
	return err;
}

static int rows_unknown_waits(const void *from, struct ct_table_sink *sink)
{
	const struct ct_ffm_study *study = from;
	int err = 0;

	for (size_t i = 0; i < study->unknowns && err == 0; i++) {
		struct row_unknown_waits row = {
		    i, study->run_ns, &study->unknown[i], {.offset = 0}};

		set_place(study, row.unknown->site.stack, &row.at);
		row.at.apart = ct_ffm_study_apart(study, &row.unknown->site);
		err = ct_table_put_row(sink, &row);
	}
	return err;
}

static int rows_call_profile(const void *from, struct ct_table_sink *sink)
{
	const struct ct_ffm_study *study = from;
	int err = 0;

	for (size_t i = 0; i < study->profiled && err == 0; i++)
		err = ct_table_put_row(
		    sink, &(struct row_call_profile){study->run_ns, &study->profile[i]});
	return err;
}

static int rows_ffm_stages(const void *from, struct ct_table_sink *sink)
{
	struct ct_ffm_stage stage[CT_FFM_STAGES];
	int err = 0;

	ct_ffm_study_stages(from, stage);
	for (size_t i = 0; i < CT_FFM_STAGES && err == 0; i++) {
		struct row_ffm_stages row = {&stage[i], {.offset = 0}};

		if (stage[i].differs.call)
			set_place(from, stage[i].differs.stack, &row.at);
		err = ct_table_put_row(sink, &row);
	}
	return err;
}

/* Rows of a child come with those of its table. */
#define rows_needless_related NULL
#define rows_needless_frames NULL
#define rows_function_problems NULL
#define rows_sequence_problems NULL

static const struct ct_table_def related = {CT_TABLE_PARTS(needless_related, NULL)};
static const struct ct_table_def frames = {CT_TABLE_PARTS(needless_frames, NULL)};
static const struct ct_table_def of_functions = {CT_TABLE_PARTS(function_problems, NULL)};
static const struct ct_table_def of_sequences = {CT_TABLE_PARTS(sequence_problems, NULL)};
static const struct ct_table_child of_call[] = {
    [RELATED] = {"related", &related}, [FRAMES] = {"frames", &frames}, {NULL, NULL}};
static const struct ct_table_child of_function[] = {{"numbers", &of_functions}, {NULL, NULL}};
static const struct ct_table_child of_sequence[] = {{"numbers", &of_sequences}, {NULL, NULL}};

const struct ct_table_def ct_ffm_totals_table = {CT_TABLE_PARTS(ffm_totals, NULL)};
const struct ct_table_def ct_needless_calls_table = {CT_TABLE_SHOWN(needless_calls, NULL),
						     .child = of_call};
const struct ct_table_def ct_needless_functions_table = {CT_TABLE_SHOWN(needless_functions, NULL),
							 .child = of_function};
const struct ct_table_def ct_needless_sequences_table = {CT_TABLE_SHOWN(needless_sequences, NULL),
							 .child = of_sequence};
const struct ct_table_def ct_unknown_waits_table = {CT_TABLE_SHOWN(unknown_waits, NULL)};
const struct ct_table_def ct_call_profile_table = {CT_TABLE_SHOWN(call_profile, NULL)};
const struct ct_table_def ct_ffm_stages_table = {CT_TABLE_PARTS(ffm_stages, NULL)};
