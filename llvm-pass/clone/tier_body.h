/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A body for the tier that reduces on the device. The hooks of an instrumented
 * body serve all tiers: each asks at run time which one it is, and calls what
 * is out of line. Launches of one tier run a copy of that body whose hooks know
 * it and are inlined.
 */
#ifndef CT_LLVM_PASS_CLONE_TIER_BODY_H
#define CT_LLVM_PASS_CLONE_TIER_BODY_H

#include "llvm-pass/base/hooks.h"
#include "llvm-pass/base/options.h"
#include "llvm-pass/clone/clone.h"
#include "llvm-pass/clone/placement.h"

namespace ct {

/// Gives the instrumented clone of a kernel such a body: for tier values where
/// values are recorded, else for tier counts. Its hooks are those of the table
/// in tier_body.cpp (device-rt/tiers.cuh); all others are the same, as the
/// warp's state is. Launches of graphs, which may not be recorded, stay with
/// the hooks of all tiers; so do kernels that are large, or have many accesses.
/// Before addPristineBody, which takes out the CTAs that are not sampled.
void addTierBody(TracedFunction &F, const Hooks &H, const Options &Opts,
                 const HookPlacement &Placement);

} // namespace ct
#endif
