/* SPDX-License-Identifier: Apache-2.0 */
/* Instrumented clones of kernels and device functions. */
#ifndef CT_PASS_CLONE_H
#define CT_PASS_CLONE_H

#include "llvm/IR/Function.h"
#include "llvm/Transforms/Utils/ValueMapper.h"
#include "sites.h"
#include <memory>

namespace ct {

/// One function of the device code: a kernel or a device function it reaches.
struct TracedFunction {
  llvm::Function *Original = nullptr;
  ct::Pattern Context; // of the arguments; one function may be traced in several
  llvm::Function *Clone = nullptr; // null: calls of the original stay as they are
  llvm::Value *State = nullptr;    // the hooks' state within the clone
  std::unique_ptr<llvm::ValueToValueMapTy> Map; // original values to the clone's
  std::vector<Site> Sites;
  uint32_t FirstSite = 0; // index of Sites[0] in the unit's table
};

/// The symbol of a kernel's clone. Mergeable: the linker keeps one of several
/// kernels of this name (templates under -fgpu-rdc); their clones must stay apart,
/// because each speaks of the sites of its own unit.
std::string cloneName(llvm::StringRef Kernel, uint64_t UnitId, bool Mergeable);

/// __ct_<kernel>: one more parameter, struct ct_launch by value; may always be
/// launched with the block sizes that the pristine kernel takes.
void cloneKernel(TracedFunction &F, uint64_t UnitId);

/// __ct_<function>: one more parameter, the state.
void cloneDeviceFunction(TracedFunction &F);

} // namespace ct
#endif
