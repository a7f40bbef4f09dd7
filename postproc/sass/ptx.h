/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The text of a cubin's PTX, as far as it takes to find what an instruction waits for: which
 * registers each instruction reads and writes. Virtual registers are written once, but for what
 * joins branches, so all writers of a register in the function count. Source: blame.md, section 6.
 */
#ifndef CT_POSTPROC_SASS_PTX_H
#define CT_POSTPROC_SASS_PTX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct ct_ptx;

/* text: lines that end with a zero each (ct_cubin_ptx), copied. 0 or -ENOMEM. */
int ct_ptx_open(struct ct_ptx **out, const char *text, size_t bytes);
void ct_ptx_close(struct ct_ptx *ptx); /* NULL is allowed */

/* Which instructions can make others wait for a reason. */
enum ct_ptx_producer {
	CT_PTX_NOTHING,
	CT_PTX_LONG,   /* long scoreboard: memory but shared, textures */
	CT_PTX_SHORT,  /* short scoreboard: shared memory, special functions, special registers */
	CT_PTX_ITSELF, /* queues of memory that are full: the access that finds no room */
	CT_PTX_BEFORE, /* barriers: what other warps still do before */
};

/* By a reason's name, "long_scoreboard". */
enum ct_ptx_producer ct_ptx_producer_of(const char *reason);

#define CT_PTX_PRODUCERS_MAX 16u

/* The lines of the instructions that the one at a line waits for: walking back over what it reads,
 * the nearest ones that can be waited for, all at the same distance, ascending. If some are in the
 * innermost loop that the line is in, the nearest of these: what was begun before the loop is there
 * when it is used again. Returns how many were put into lines; 0: none is known. */
size_t ct_ptx_producers(const struct ct_ptx *ptx, uint32_t line, enum ct_ptx_producer what,
			uint32_t lines[CT_PTX_PRODUCERS_MAX]);

/* By line: what runs before the barrier at a line, and behind the one before (ct_flow_before). */
bool *ct_ptx_before(const struct ct_ptx *ptx, uint32_t line);
size_t ct_ptx_lines(const struct ct_ptx *ptx);

#endif
