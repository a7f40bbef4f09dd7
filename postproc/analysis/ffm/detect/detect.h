/* SPDX-License-Identifier: Apache-2.0 */
/* Detectors share this (study.h). All return 0 or a negative error, but where said. */
#ifndef CT_POSTPROC_ANALYSIS_FFM_DETECT_DETECT_H
#define CT_POSTPROC_ANALYSIS_FFM_DETECT_DETECT_H

#include "postproc/analysis/ffm/study.h"

/* Where a step of stage 1, or of `uses`, was asked for; count: 0. */
struct ct_ffm_site ct_ffm_site_of(const struct ct_ffm_study *study,
				  const struct ct_ffm_process *process, uint32_t step);
struct ct_ffm_site ct_ffm_site_in_uses(const struct ct_ffm_study *study,
				       const struct ct_ffm_process *process, uint32_t step);

/* Relates an entry to what a step (CT_FFM_NONE: nothing is done) of stage 1 did. */
int ct_ffm_relate_step(const struct ct_ffm_study *study, const struct ct_ffm_process *process,
		       struct ct_ffm_entry *entry, enum ct_ffm_site_role role, uint32_t step);

/* The step of `uses` that a step of stage 1 is; CT_FFM_NONE. */
uint32_t ct_ffm_in_uses(const struct ct_ffm_process *process, uint32_t step);
/* By step of `uses`, the same of stage 1; CT_FFM_NONE. NULL: memory is short. The caller frees it.
 */
uint32_t *ct_ffm_from_uses(const struct ct_ffm_process *process);

/* Computes what fixing these steps (in any order) would save if each was this problem. */
int ct_ffm_what_if(struct ct_ffm_process *process, uint32_t *step, size_t count, uint8_t problem,
		   uint64_t *expected_ns, int64_t *replayed_ns);

/* The memory of an entry's calls: one more. */
void ct_ffm_note_bytes(struct ct_ffm_facts *facts, uint64_t bytes);

#endif
