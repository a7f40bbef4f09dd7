/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Machine instructions of a kernel in a cubin, as far as models want them: what each is, what it
 * waits for, and where it leads. An instruction of sm_70 and later has 16 bytes:
 *
 *	bits 0-8     the opcode (opcodes.def)	9-11  in which form its operands are
 *	     12-15   its guard: predicate, and whether it is negated; 7: none
 *	     16-23,34-81  of a branch or call: (target - next) / 4, 34-81 the upper part; before
 *	             sm_90 bits 34-81 alone
 *	     87-90   of a branch: a second guard, likewise; 84, 91: it asks for more than its guards
 *	     73-75   of an access: width, 0 and 1 of a byte, 2 and 3 of two, 4, 5, 6: 4, 8, 16
 *	    105-108  cycles until the warp may issue the next
 *	    110-112  scoreboard that says when its result is there, 113-115 when its sources may be
 *	             overwritten; 7: none
 *	    116-121  scoreboards that it waits for
 *
 * Source: Jia and others, "Dissecting the NVIDIA Volta GPU Architecture via Microbenchmarking"
 * (2018), section 2, for the control bits; the rest was found with nvdisasm (docs/validation.md).
 */
#ifndef CT_POSTPROC_SASS_DECODE_H
#define CT_POSTPROC_SASS_DECODE_H

#include "postproc/sass/elf.h"

#define CT_SASS_BYTES 16u
#define CT_SASS_SCOREBOARDS 6u

struct ct_sass_instruction {
	uint8_t class;       /* of instructions.def */
	uint8_t space;       /* enum ct_site_space; of loads, stores, atomics */
	uint8_t bytes;       /* per lane, likewise */
	uint8_t stall;       /* cycles, at least 1 */
	uint8_t sets, frees; /* scoreboards; CT_SASS_SCOREBOARDS or more: none */
	uint8_t waits;       /* bits */
	bool is_guarded;
	bool asks;     /* a branch: whether other lanes are there, too (BRA.DIV, .CONV, .U.ANY) */
	bool is_table; /* a jump to what a register says (BRX) */
	bool is_call;
	bool ends;       /* the block ends behind it */
	bool goes_on;    /* with the next one; false: a jump, or the kernel's end */
	uint32_t target; /* index of the instruction that a branch leads to; UINT32_MAX: none */
	uint32_t callee; /* likewise of a call */
};

/* Straight code: what is behind `first` comes only from what is before it. */
struct ct_sass_block {
	uint32_t first, count;
	uint32_t next[2]; /* blocks; UINT32_MAX: none */
};

struct ct_sass_code {
	struct ct_sass_instruction *instruction;
	struct ct_sass_block *block;
	uint32_t instructions, blocks;
};

/* Decodes the kernel of that (mangled) name. 0; 1: the cubin does not have it, or it is of a
 * machine before sm_70, or of one whose encoding is not known; -ENOMEM. Nothing in it is trusted.
 * ct_sass_fini frees in any case. */
int ct_sass_decode(struct ct_sass_code *code, const struct ct_elf *elf, const char *symbol);
void ct_sass_fini(struct ct_sass_code *code);

#endif
