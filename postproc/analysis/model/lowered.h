/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What became of a kernel's blocks in machine code: what the machine needs for a turn of a loop
 * (loop_pairs.h) is divided among the kernel's blocks by what their own
 * instructions would need. Where a loop has one block in both, and both access global memory as
 * often, it is what the machine does, access by access.
 */
#ifndef CT_POSTPROC_ANALYSIS_MODEL_LOWERED_H
#define CT_POSTPROC_ANALYSIS_MODEL_LOWERED_H

#include "postproc/analysis/model/script.h"
#include "postproc/sass/decode.h"

struct ct_lowered_block {
	bool is_known;
	double issue, chain;           /* as of struct ct_script */
	const struct ct_script_op *op; /* NULL: those of the kernel's own steps */
	uint32_t ops;
};

struct ct_lowered {
	struct ct_lowered_block *of; /* by block, of all units; NULL: nothing is known */
	uint32_t loops, found;       /* loops that were executed, the whole among them; of these
					in the machine code, or unrolled completely */
	double covered;              /* of what is issued, the part that they have */
	double instructions;         /* of the machine, of a warp; 0: nothing is known */
	/* Accesses to local memory in the machine code, as often as its loops were executed; of
	 * all warps that are counted. */
	double local_loads, local_stores;
	void *room;
};

/* Lowers by the kernel's cubin (binary.h), an ELF file that was checked. 0; 1: its code cannot be
 * read; -ENOMEM. ct_lowered_fini in any case. */
int ct_lower(struct ct_lowered *lowered, const struct ct_model_job *job, uint32_t kernel,
	     const char *symbol, const struct ct_elf *elf, const struct ct_machine *machine);
void ct_lowered_fini(struct ct_lowered *lowered);

#endif
