/* SPDX-License-Identifier: Apache-2.0 */
/* Describes what intrinsics do to memory. */
#ifndef CT_LLVM_PASS_SITES_INTRINSICS_H
#define CT_LLVM_PASS_SITES_INTRINSICS_H

#include "llvm-pass/sites/site.h"
#include "llvm/IR/IntrinsicInst.h"

namespace ct {

/// Adds the sites of an intrinsic: an access or an event each; those that
/// cannot be recorded with the reason. None if it touches no memory.
void addIntrinsicSites(llvm::IntrinsicInst &Call, std::vector<Site> &Out);

} // namespace ct
#endif
