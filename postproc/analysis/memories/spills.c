/* SPDX-License-Identifier: Apache-2.0 */
/* Local memory in machine code. */
#include "postproc/analysis/memories/spills.h"
#include "postproc/analysis/model/lowered.h"

#include <errno.h>

/* The kernel's own arrays, or those of what it calls. */
static bool has_arrays(const struct ct_model_job *job, const struct ct_model_kernel *kernel)
{
	const struct ct_model_results *results = &job->results;
	const struct ct_model_count *count =
	    &results->count[(size_t)kernel->kernel * results->blocks];
	const struct ct_unit *units;
	size_t n = ct_trace_units(job->trace, &units);

	for (size_t u = 0; u < n; u++)
		for (uint32_t b = 0; b < units[u].header->block_count; b++) {
			const struct ct_unit_block *block = &units[u].blocks[b];

			for (uint32_t s = 0;
			     count[results->first_block[u] + b].warps && s < block->step_count; s++)
				if (units[u].steps[block->step_first + s].space == CT_SPACE_LOCAL)
					return true;
		}
	return false;
}

int ct_spills_find(struct ct_spills *spills, const struct ct_inquiry *inquiry,
		   const struct ct_model_kernel *kernel)
{
	const struct ct_model_job *job = inquiry->model->job;
	struct ct_model_cubin cubin = kernel->cubin;
	struct ct_model_binary binary = kernel->binary;
	struct ct_lowered lowered;
	struct ct_elf elf;
	int err;

	*spills = (struct ct_spills){.registers = 0};
	if (!cubin.bytes && inquiry->sampled)
		ct_model_find_cubin(&cubin, &binary, inquiry->sampled, NULL, 0, kernel->symbol);
	if (!cubin.bytes || has_arrays(job, kernel) ||
	    ct_elf_view(&elf, cubin.bytes, cubin.size) < 0)
		return 1;
	err =
	    ct_lower(&lowered, job, kernel->kernel, kernel->symbol, &elf, &inquiry->model->machine);
	*spills = (struct ct_spills){lowered.local_loads, lowered.local_stores, binary.registers};
	ct_lowered_fini(&lowered);
	return err;
}
