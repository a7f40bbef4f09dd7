/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Problems of a study in sequences (seed 000, 5.2, Figures 5.2 and 5.4): from a problem on, those
 * of the thread until a wait that is needed; what one does not save is carried on to the next. Of
 * several processes it is the one with most to gain that is looked at.
 */
#ifndef CT_POSTPROC_ANALYSIS_FFM_SEQUENCES_H
#define CT_POSTPROC_ANALYSIS_FFM_SEQUENCES_H

#include "postproc/analysis/ffm/study.h"

struct ct_ffm_sequences {
	const struct ct_ffm_study *study;
	const struct ct_ffm_process *process; /* NULL: there is none */
	struct ct_ffm_groups groups;          /* of its steps */
};

/* 0 or -ENOMEM; fini is allowed in either case. */
int ct_ffm_sequences_init(struct ct_ffm_sequences *sequences, const struct ct_ffm_study *study);
void ct_ffm_sequences_fini(struct ct_ffm_sequences *sequences);

/* Place `at` of a sequence: the problem that it is. */
const struct ct_ffm_entry *ct_ffm_sequence_entry(const struct ct_ffm_sequences *sequences,
						 const struct ct_ffm_group *sequence, size_t at);

/* The places from `from` to `to` (both included) of a sequence, measured and replayed. Its steps
 * are the caller's to free after success. 0, -EINVAL or -ENOMEM */
int ct_ffm_sequence_part(const struct ct_ffm_sequences *sequences,
			 const struct ct_ffm_group *sequence, size_t from, size_t to,
			 struct ct_ffm_group *part);

#endif
