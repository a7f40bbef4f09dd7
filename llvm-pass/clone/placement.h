/* SPDX-License-Identifier: Apache-2.0 */
/* How much of the hooks stands in clones, and how much they call. */
#ifndef CT_PASS_PLACEMENT_H
#define CT_PASS_PLACEMENT_H

#include "llvm-pass/base/hooks.h"
#include "llvm-pass/base/options.h"
#include "llvm-pass/clone/callgraph.h"
#include "llvm-pass/clone/specialise.h"

namespace ct {

/// ptxas compiles what kernels call once for each of them, unless the device
/// code is relocatable, as ct-ptxas makes it where the clones share the
/// runtime. It then must not matter to pristine kernels: a shared variable has
/// one address in all kernels that use it, so clones bring their own states.
struct HookPlacement {
  bool Far = false;         // accesses are hooks that are called
  uint64_t StatesBytes = 0; // of a clone's own states; 0: the runtime's
};

/// For a unit whose runtime has so many bytes of states, 0 if it has none.
HookPlacement placeHooks(const TracedFunctions &Traced, const CallGraph &Calls,
                         Sharing Share, uint64_t StatesBytes, bool Relocatable);

/// Aligns a unit's static shared memory as whoever knows the addresses finds it
/// aligned. In linked code ptxas does not, and would no longer join accesses
/// side by side into one of 16 bytes.
void alignShared(llvm::Module &M);

/// Enters a kernel's clone, told of these fields of struct ct_launch; what the
/// hooks get as their state.
llvm::Value *callEnter(llvm::Function &Clone, const HookPlacement &Placement,
                       const Hooks &H, HookBuilder &B,
                       llvm::SmallVectorImpl<llvm::Value *> &Fields);

} // namespace ct
#endif
