/* SPDX-License-Identifier: Apache-2.0 */
/* A study in the making. All return 0 or a negative error. */
#ifndef CT_POSTPROC_ANALYSIS_FFM_MAKE_STUDY_H
#define CT_POSTPROC_ANALYSIS_FFM_MAKE_STUDY_H

#include "postproc/analysis/ffm/study.h"

/* sites.c: fills named; the sites of a process' steps. */
int ct_ffm_name_stacks(struct ct_ffm_study *study);
int ct_ffm_number_sites(struct ct_ffm_study *study, struct ct_ffm_process *process);

/* processes.c: pairs those of the runs, by rank, else in the order of their begins; of each its
 * graph, with the problems that all runs report. */
int ct_ffm_pair_processes(struct ct_ffm_study *study);
int ct_ffm_process_init(struct ct_ffm_study *study, struct ct_ffm_process *process);
void ct_ffm_process_fini(struct ct_ffm_process *process);

/* entries.c: adds a process' problems to the entries, and its calls to the profile. */
int ct_ffm_add_entries(struct ct_ffm_study *study, struct ct_ffm_process *process);
int ct_ffm_add_profile(struct ct_ffm_study *study, const struct ct_ffm_process *process);
/* All problems of a process at once, with what they would leave their waits to, and what else goes
 * with them (latent). */
int ct_ffm_add_union(struct ct_ffm_study *study, struct ct_ffm_process *process);
/* detect/pinning.c: takes from benefits what pinning costs, once all processes are looked at. */
void ct_ffm_charge_pinning(struct ct_ffm_study *study);

/* How many groups of a process' steps are replayed, so that those of a large trace take no longer
 * than reading it does some times over. */
size_t ct_ffm_replays_of(const struct ct_ffm_graph *graph);
/* Largest first. */
int ct_ffm_sort_entries(struct ct_ffm_study *study);

#endif
