/* SPDX-License-Identifier: Apache-2.0 */
/* How much of the hooks stands in clones, and how much they call. */
#ifndef CT_LLVM_PASS_CLONE_PLACEMENT_H
#define CT_LLVM_PASS_CLONE_PLACEMENT_H

#include "llvm-pass/base/hooks.h"
#include "llvm-pass/base/options.h"
#include "llvm-pass/clone/callgraph.h"
#include "llvm-pass/clone/specialise.h"

namespace ct {

/// Which functions of the runtime have names that tell ct-ptxas to compile them
/// apart from the unit: those that hardly ever run (CT_RARE of device-rt),
/// those of full traces as well (CT_RECORDS), or all that are not inlined.
enum class Apart { Nothing, Rare, Records, All };

/// ptxas compiles what kernels call once for each of them. Two ways out, both
/// taken by ct-ptxas: what is called is compiled apart and linked, or all of
/// the unit is relocatable, as are units that call through pointers and those
/// that the user has relocatable. That must not matter to pristine kernels: a
/// shared variable has one address in all kernels that use it, and those behind
/// the runtime's states would take their room; so clones bring their own.
struct HookPlacement {
  bool Far = false;         // accesses are hooks that are called
  size_t Inline = 256;      // so they are in a kernel with more of them
  uint64_t StatesBytes = 0; // of a clone's own states; 0: the runtime's
  Apart CompiledApart = Apart::Nothing;
  // The limit of a body for a tier (tier_body.h): in a kernel with more hooks
  // all are called; those in loops of which there is a copy without are, in
  // any.
  size_t TierInline = ~size_t(0);
  bool TierHooksOfLoopsCalled = false;

  bool isFar(const TracedFunction &F) const;
  bool tierHooksCalled(const TracedFunction &F) const;
};

/// For a unit whose runtime has so many bytes of states, 0 if it has none.
HookPlacement placeHooks(const TracedFunctions &Traced, const CallGraph &Calls,
                         const Options &Opts, uint64_t StatesBytes,
                         bool Relocatable);

/// Aligns the static shared memory of a unit that is linked only since it is
/// traced, as whoever knows the addresses finds it aligned. In linked code
/// ptxas does not, and would no longer join accesses side by side into one of
/// 16 bytes.
void alignShared(llvm::Module &M);

/// Enters a kernel's clone, given these fields of struct ct_launch; what the
/// hooks get as their state.
llvm::Value *callEnter(llvm::Function &Clone, const HookPlacement &Placement,
                       const Hooks &H, HookBuilder &B,
                       llvm::SmallVectorImpl<llvm::Value *> &Fields);

} // namespace ct
#endif
