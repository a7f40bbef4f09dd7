/* SPDX-License-Identifier: Apache-2.0 */
/* Instrumented clones of kernels and device functions. */
#ifndef CT_LLVM_PASS_CLONE_CLONE_H
#define CT_LLVM_PASS_CLONE_CLONE_H

#include "llvm-pass/blocks/blocks.h"
#include "llvm-pass/sites/sites.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallSet.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/Transforms/Utils/ValueMapper.h"
#include <memory>

namespace ct {

/// One function of the device code, a kernel or a device function it reaches,
/// in one context.
struct TracedFunction {
  llvm::Function *Original = nullptr;
  ct::Pattern
      Context; // of the arguments; one function may be traced in several
  bool IsEntry = true; // Context is what holds whoever the caller is
  bool NeedsClone = false;
  llvm::DenseMap<const llvm::CallBase *, TracedFunction *>
      Callees; // of direct calls
  llvm::Function *Clone =
      nullptr;                  // null: calls of the original stay as they are
  llvm::Value *State = nullptr; // the hooks' state within the clone
  std::unique_ptr<llvm::ValueToValueMapTy>
      Map; // original values to the clone's
  std::vector<Site> Sites;
  std::vector<BlockFacts> Blocks; // of the original, before anything is added
  uint32_t FirstSite = 0;         // index of Sites[0] in the unit's table
  unsigned Groups = 0, GroupSites = 0; // recorded together (groups.h)
  llvm::SmallSet<size_t, 8> LoopSites; // and those of whole loops (loops.h)
  uint32_t Tag = 0; // the unit's, if kernels of other units can get here

  /// Returns the number by which hooks call the I-th site.
  uint64_t site(size_t I) const {
    return uint64_t(Tag) << 32 | (FirstSite + I);
  }
  llvm::Value *inClone(llvm::Value *V) const {
    llvm::Value *Own = Map->lookup(V);
    return Own ? Own : V;
  }
  llvm::Instruction &inClone(const Site &S) const {
    return *llvm::cast<llvm::Instruction>(
        inClone(static_cast<llvm::Value *>(S.Inst)));
  }
};

/// Fields of struct ct_launch: those up to block_offset are what __ct_enter is
/// reported.
constexpr unsigned LaunchFlags = 2, LaunchBlockPeriod = 3,
                   LaunchBlockOffset = 4, LaunchClock = 5, LaunchRowBytes = 7;
constexpr uint64_t LaunchBytes = 48;

/// __ct_<kernel>: one more parameter, struct ct_launch by value; may always be
/// launched with the block sizes that the pristine kernel takes.
/// CallsOthers: functions of other units, which may take more registers than a
/// bound leaves; the clone then has none.
void cloneKernel(TracedFunction &F, uint64_t UnitId, bool CallsOthers);

/// __ct_<kernel> of one that records nothing: the pristine kernel with that
/// parameter.
void cloneSilentKernel(TracedFunction &F, uint64_t UnitId);

/// __ctc_<kernel>: the pristine kernel with the parameter that its
/// instrumented clone has, for the CTA clock alone (clock.h).
void cloneKernelForClock(TracedFunction &F, uint64_t UnitId);
/// __ctc_<function>: two more parameters, those of __ct_cta_end.
llvm::Function *cloneForClock(TracedFunction &F);

/// __ctb_<kernel>: the same for counting blocks alone (block_counts.h).
void cloneKernelForBlocks(TracedFunction &F, uint64_t UnitId);
/// __ctb_<function>: one more parameter, its state, the counters.
void cloneForBlocks(TracedFunction &F);

/// __ct_<function>, or __ct_<function>.<pattern> if specialised: one more
/// parameter, the state. Exported: __ct_<function> is what other units call and
/// goes on to the clone, which stays internal: what ptxas may assume of
/// functions that others can call costs registers.
void cloneDeviceFunction(TracedFunction &F, bool Exported);

/// A function of Type and linkage that calls Target with as many of its
/// parameters as Target has.
llvm::Function *makeForwarder(llvm::FunctionType *Type,
                              llvm::GlobalValue::LinkageTypes Linkage,
                              const llvm::Twine &Name, llvm::Function &Target);

} // namespace ct
#endif
