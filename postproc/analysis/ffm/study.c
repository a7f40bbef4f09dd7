/* SPDX-License-Identifier: Apache-2.0 */
/* Joins what the runs of a study say: names first, then process by process. */
#include "postproc/analysis/ffm/study.h"
#include "base/array.h"
#include "postproc/analysis/ffm/make_study.h"
#include <errno.h>
#include <stdlib.h>

/* In the order in which they look. */
static const struct ct_ffm_detector *const detectors[] = {
    &ct_ffm_detect_waits,        &ct_ffm_detect_related,
    &ct_ffm_detect_allocations,  &ct_ffm_detect_copies,
    &ct_ffm_detect_compilations, &ct_ffm_detect_parallel,
    &ct_ffm_detect_pinning,      &ct_ffm_detect_unknown,
    &ct_ffm_detect_idle,         NULL,
};

/* The process that looks them up is better begun while there is little in memory. */
static int name_stacks(struct ct_ffm_study *study, const struct ct_symbols_options *options)
{
	struct ct_trace *traces[3];
	size_t count = 0;
	int err;

	traces[count++] = study->calls;
	if (study->uses && study->uses != study->calls)
		traces[count++] = study->uses;
	if (study->first_uses && study->first_uses != study->calls &&
	    study->first_uses != study->uses)
		traces[count++] = study->first_uses;
	err = ct_stacks_init_of(&study->stacks, traces, count);
	if (err == 0)
		err = ct_symbols_open(&study->symbols, &study->stacks, options);
	return err == 0 ? ct_ffm_name_stacks(study) : err;
}

static void sum_verdicts(struct ct_ffm_verdicts *sum, const struct ct_ffm_verdicts *verdicts)
{
	sum->unnecessary += verdicts->unnecessary;
	sum->misplaced += verdicts->misplaced;
	sum->needed += verdicts->needed;
	sum->unknown += verdicts->unknown;
	sum->copies += verdicts->copies;
	sum->repeated += verdicts->repeated;
	sum->has_uses |= verdicts->has_uses;
	sum->has_contents |= verdicts->has_contents;
}

static int add_process(struct ct_ffm_study *study, struct ct_ffm_process *process)
{
	int err = ct_ffm_process_init(study, process);

	if (err < 0)
		return err;
	if (ct_ffm_program_run_ns(&process->program) > study->run_ns)
		study->run_ns = ct_ffm_program_run_ns(&process->program);
	sum_verdicts(&study->verdicts, &process->verdicts);
	err = ct_ffm_add_entries(study, process);
	return err == 0 ? ct_ffm_add_profile(study, process) : err;
}

static int detect(struct ct_ffm_study *study)
{
	int err = 0;

	for (size_t d = 0; detectors[d] && err == 0; d++)
		for (size_t i = 0; i < study->processes && err == 0; i++)
			err = detectors[d]->detect(study, &study->process[i]);
	for (size_t i = 0; i < study->processes && err == 0; i++)
		err = ct_ffm_add_union(study, &study->process[i]);
	return err;
}

/* Counts calls from a site in all, now that all processes are counted. */
static void count_occurrences(struct ct_ffm_study *study)
{
	for (size_t i = 0; i < study->sites; i++)
		for (enum ct_ffm_kind kind = 0; kind < CT_FFM_KINDS; kind++) {
			struct ct_ffm_entry *entry = ct_ffm_study_find(
			    study, kind, study->site[i].call, study->site[i].stack);

			if (entry)
				entry->occurrences = study->site[i].count;
		}
}

int ct_ffm_study_init(struct ct_ffm_study *study, struct ct_trace *calls, struct ct_trace *uses,
		      struct ct_trace *first_uses, const struct ct_ffm_options *options)
{
	int err;

	*study = (struct ct_ffm_study){
	    .calls = calls, .uses = uses, .first_uses = first_uses, .far_ns = options->far_ns};
	err = name_stacks(study, &options->symbols);
	if (err == 0)
		err = ct_ffm_pair_processes(study);
	for (size_t i = 0; i < study->processes && err == 0; i++)
		err = add_process(study, &study->process[i]);
	if (err == 0)
		err = detect(study);
	if (err == 0) {
		ct_ffm_charge_pinning(study);
		count_occurrences(study);
		err = ct_ffm_sort_entries(study);
	}
	if (err == 0)
		err = ct_ffm_remedies(study);
	return err;
}

static void fini_entry(struct ct_ffm_entry *entry)
{
	free(entry->related);
	free(entry->remedy.fix);
	free(entry->remedy.condition);
	free(entry->remedy.skeleton);
}

void ct_ffm_study_fini(struct ct_ffm_study *study)
{
	for (size_t i = 0; i < study->processes; i++)
		ct_ffm_process_fini(&study->process[i]);
	for (size_t i = 0; i < study->entries; i++)
		fini_entry(&study->entry[i]);
	free(study->process);
	free(study->entry);
	free(study->site);
	free(study->named);
	free(study->profile);
	free(study->unknown);
	ct_map_fini(&study->site_numbers);
	ct_map_fini(&study->entry_numbers);
	ct_symbols_close(study->symbols);
	ct_stacks_fini(&study->stacks);
	*study = (struct ct_ffm_study){0};
}
