/* SPDX-License-Identifier: Apache-2.0 */
/* A sequence of problems with its entries (seed 000, Figures 5.2, 5.4). */
#include "postproc/analysis/ffm/place.h"
#include "postproc/render/ffm/ffm.h"
#include "postproc/render/ffm/figures.h"
#include <errno.h>
#include <stdlib.h>

static void write_head(FILE *out, const struct ct_ffm_sequences *sequences,
		       const struct ct_ffm_group *part, const char *of)
{
	char time[3][CT_AMOUNT_BYTES], percent[CT_AMOUNT_BYTES], number[3][CT_NUMBER_BYTES];
	size_t waits = 0, copies = 0;

	for (size_t i = 0; i < part->entries; i++) {
		enum ct_ffm_kind kind = ct_ffm_sequence_entry(sequences, part, i)->kind;

		copies += kind == CT_FFM_REPEATED_COPY;
		waits += sequences->process->program.graph.step[part->step[i]].wait_ns > 0;
	}
	fprintf(out, "Benefit of the %s: %s (%s of the run) by replay, bound %s; %s times\n", of,
		ct_ffm_time(part->replayed_ns, time[0]),
		ct_ffm_percent(ct_ffm_worth(part->expected_ns, part->replayed_ns, true),
			       sequences->study->run_ns, percent),
		ct_ffm_time((int64_t)part->expected_ns, time[1]),
		ct_number(part->times, number[0]));
	fprintf(out, "%s of its problems wait, %s are transfers; waited %s in all\n",
		ct_number(waits, number[1]), ct_number(copies, number[2]),
		ct_ffm_time((int64_t)part->wait_ns, time[2]));
}

int ct_ffm_write_sequence(FILE *out, const struct ct_ffm_sequences *sequences, size_t number,
			  size_t from, size_t to, const struct ct_ffm_view *view)
{
	const struct ct_ffm_group *sequence = &sequences->groups.group[number];
	bool is_all = from == 0 && to + 1 == sequence->entries;
	struct ct_ffm_group part;
	int err = ct_ffm_sequence_part(sequences, sequence, from, to, &part);

	if (err < 0)
		return err;
	write_head(out, sequences, &part, is_all ? "sequence" : "subsequence");
	for (size_t i = 0; i < part.entries && i < view->rows; i++) {
		const struct ct_ffm_entry *entry = ct_ffm_sequence_entry(sequences, &part, i);
		const struct ct_code_frame *frame =
		    ct_ffm_study_frame(sequences->study, entry->site.stack);
		char place[CT_FFM_PLACE_BYTES];

		ct_ffm_place(frame, place);
		fprintf(out, "%zu. %s%s%s  %s\n", from + i + 1, entry->site.call,
			*place ? " at " : "", place, ct_ffm_kind_name(entry->kind));
	}
	if (part.entries > view->rows)
		fprintf(out, "%zu more (--rows=all)\n", part.entries - view->rows);
	free(part.step);
	return ferror(out) ? -EIO : 0;
}
