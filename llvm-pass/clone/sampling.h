/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Sampling in device code: of CTAs, which is decided at run time, and of sites,
 * which is decided here.
 */
#ifndef CT_LLVM_PASS_CLONE_SAMPLING_H
#define CT_LLVM_PASS_CLONE_SAMPLING_H

#include "llvm-pass/base/hooks.h"
#include "llvm-pass/base/options.h"
#include "llvm-pass/clone/clone.h"

namespace ct {

/// Gives the instrumented clone of a kernel a second body, that of the pristine
/// kernel, which CTAs run that are not recorded: a body with hooks costs 1.2 to
/// 2.8 times even where these are off. Both share arguments, shared memory and
/// local variables. Nothing happens to large kernels, whose code would take
/// long to generate: there __ct_enter leaves CTAs out.
void addPristineBody(TracedFunction &F, const Hooks &H);
/// Whether it would.
bool getsPristineBody(const TracedFunction &F, const Hooks &H);

/// Leaves out the accesses whose number in the unit --ct-sample-sites does not
/// choose. F's sites are numbered.
void sampleSites(TracedFunction &F, const Options &Opts);

} // namespace ct
#endif
