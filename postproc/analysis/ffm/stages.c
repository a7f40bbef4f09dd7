/* SPDX-License-Identifier: Apache-2.0 */
/* The runs of a study beside each other. */
#include "postproc/analysis/ffm/study.h"

/* matched: of a process in that run; NULL: it is the same run. */
static void add_process(const struct ct_ffm_study *study, struct ct_ffm_stage *stage,
			const struct ct_ffm_process *process, uint32_t part,
			const struct ct_ffm_matched *matched)
{
	size_t steps = process->program.graph.steps;
	uint32_t differs = CT_FFM_NONE;

	stage->calls += steps;
	if (!matched)
		stage->matched += steps;
	else if (part == CT_FFM_NONE)
		differs = 0;
	else {
		stage->matched += matched->both;
		differs = matched->step;
	}
	if (differs < steps && !stage->differs.call)
		stage->differs = study->site[process->site[differs]];
}

void ct_ffm_study_stages(const struct ct_ffm_study *study, struct ct_ffm_stage stage[CT_FFM_STAGES])
{
	bool is_one = study->uses == study->calls;

	stage[CT_FFM_STAGE_CALLS] = (struct ct_ffm_stage){.name = "calls", .trace = study->calls};
	stage[CT_FFM_STAGE_USES] = (struct ct_ffm_stage){.name = "uses", .trace = study->uses};
	stage[CT_FFM_STAGE_FIRST_USES] =
	    (struct ct_ffm_stage){.name = "first uses", .trace = study->first_uses};
	for (size_t i = 0; i < study->processes; i++) {
		const struct ct_ffm_process *process = &study->process[i];

		add_process(study, &stage[CT_FFM_STAGE_CALLS], process, 0, NULL);
		if (study->uses)
			add_process(study, &stage[CT_FFM_STAGE_USES], process, process->uses_part,
				    is_one ? NULL : &process->matched_uses);
		if (study->first_uses)
			add_process(study, &stage[CT_FFM_STAGE_FIRST_USES], process,
				    process->first_uses_part,
				    study->first_uses == study->uses && is_one
					? NULL
					: &process->matched_first_uses);
	}
}
