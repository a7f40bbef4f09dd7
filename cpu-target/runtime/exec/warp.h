/* SPDX-License-Identifier: Apache-2.0 */
/* Operations that the lanes of a warp perform together. */
#ifndef CT_CPU_TARGET_RUNTIME_EXEC_WARP_H
#define CT_CPU_TARGET_RUNTIME_EXEC_WARP_H

#include <stdint.h>

enum ct_cpu_warp_op {
#define CT_WARP_OP(name, text) CT_WARP_##name,
#include "cpu-target/runtime/exec/warp_op.def"
#undef CT_WARP_OP
	CT_WARP_OPS
};

struct ct_cpu_lanes;

/* Complete every operation for which all lanes of its mask that have not
 * exited are there. Returns the lanes that became ready. The warp is idle. */
uint32_t ct_cpu_warp_finish(struct ct_cpu_lanes *warp);

/* Answer one group of lanes that ask for the active mask at the same place:
 * called when nothing else can free a lane of this warp. Returns them. */
uint32_t ct_cpu_warp_answer_activemask(struct ct_cpu_lanes *warp);

const char *ct_cpu_warp_op_name(uint32_t operation);

/* Retargeted code calls these. */

/* Predicate results (shuffle in range, match_all) go to thread->predicate. */
uint64_t __ct_cpu_warp_op(uint32_t operation, uint32_t mask, uint64_t value, uint32_t a,
			  uint32_t b);

/* Lanes that ask at the same site, together. */
uint32_t __ct_cpu_activemask(uint32_t site);

#endif
