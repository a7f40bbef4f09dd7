/* SPDX-License-Identifier: Apache-2.0 */
/* Problems in sequences: of the process with most to gain. */
#include "postproc/analysis/ffm/sequences.h"
#include "base/large.h"
#include "postproc/analysis/ffm/make_study.h"
#include <errno.h>
#include <stdlib.h>

static const struct ct_ffm_process *leading(const struct ct_ffm_study *study)
{
	const struct ct_ffm_process *most = NULL;

	for (size_t i = 0; i < study->processes; i++)
		if (!most || study->process[i].expected_ns > most->expected_ns)
			most = &study->process[i];
	return most;
}

int ct_ffm_sequences_init(struct ct_ffm_sequences *sequences, const struct ct_ffm_study *study)
{
	const struct ct_ffm_process *process = leading(study);
	const struct ct_ffm_graph *graph = process ? &process->program.graph : NULL;
	uint32_t *key;
	int err = 0;

	*sequences = (struct ct_ffm_sequences){.study = study, .process = process};
	if (!process)
		return 0;
	key = ct_large_alloc(graph->steps + 1, sizeof(*key));
	if (!key)
		return -ENOMEM;
	for (uint32_t s = 0; s < graph->steps; s++) {
		const struct ct_ffm_entry *entry = ct_ffm_study_entry_of(study, process, s);

		key[s] = entry ? (uint32_t)(entry - study->entry) : CT_FFM_NONE;
	}
	err = ct_ffm_groups_of_sequences(&sequences->groups, graph, process->gap, key);
	ct_large_free(key);
	return err == 0 ? ct_ffm_groups_replay(&sequences->groups, ct_ffm_replays_of(graph), graph,
					       &process->program.streams)
			: err;
}

void ct_ffm_sequences_fini(struct ct_ffm_sequences *sequences)
{
	ct_ffm_groups_fini(&sequences->groups);
	*sequences = (struct ct_ffm_sequences){0};
}

const struct ct_ffm_entry *ct_ffm_sequence_entry(const struct ct_ffm_sequences *sequences,
						 const struct ct_ffm_group *sequence, size_t at)
{
	return ct_ffm_study_entry_of(sequences->study, sequences->process, sequence->step[at]);
}

int ct_ffm_sequence_part(const struct ct_ffm_sequences *sequences,
			 const struct ct_ffm_group *sequence, size_t from, size_t to,
			 struct ct_ffm_group *part)
{
	const struct ct_ffm_program *program = &sequences->process->program;
	int err =
	    ct_ffm_subsequence(sequence, from, to, &program->graph, sequences->process->gap, part);

	if (err < 0)
		return err;
	err = ct_ffm_replay(&program->graph, &program->streams, part->step,
			    part->times * part->entries, &part->replayed_ns);
	if (err < 0)
		free(part->step);
	return err;
}
