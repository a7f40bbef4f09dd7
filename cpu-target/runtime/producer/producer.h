/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The CPU target's trace producer: the hooks of hooks.def on fibers, the
 * alignment of lanes (align.h), segments and chunks, the ring.
 */
#ifndef CT_CPU_TARGET_RUNTIME_PRODUCER_PRODUCER_H
#define CT_CPU_TARGET_RUNTIME_PRODUCER_PRODUCER_H

#include <stdint.h>

/* Tells the execution about the producer; before the first grid. */
void ct_producer_init(void);

/* In place of __ct_event(state, site, CT_PHASE_HAPPENS) at sites of calls, which
 * ct-retarget tells from other events by their CT_PHASE_LEAVE: what the lane
 * does until then belongs to the call. */
void __ct_cpu_enter_call(uint32_t state, uint64_t site);

/* The hooks, as hooks.def declares them. */
#define u32 uint32_t
#define u64 uint64_t
#define CT_DEVICE_HOOK(name, type, parameters, text) type name parameters;
#include <cudatrace/hooks.def>
#undef CT_DEVICE_HOOK
#undef u32
#undef u64

#endif
