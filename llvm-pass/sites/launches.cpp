/* SPDX-License-Identifier: Apache-2.0 */
/* Kernel launches in device code (dynamic parallelism). */
#include "llvm-pass/sites/launches.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Demangle/Demangle.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

static StringRef calleeName(const CallBase &Call) {
  auto *Callee = dyn_cast<Function>(
      Call.getCalledOperand()->stripPointerCastsAndAliases());
  return Callee ? Callee->getName() : "";
}

/// Follows the first argument of a launch, or of what made its parameter
/// buffer.
static std::string kernelName(const Value *V) {
  SmallVector<const Value *, 8> Pending = {V};
  SmallPtrSet<const Value *, 8> Seen;
  while (!Pending.empty()) {
    V = Pending.pop_back_val()->stripPointerCastsAndAliases();
    if (!Seen.insert(V).second)
      continue;
    if (auto *F = dyn_cast<Function>(V))
      return demangle(F->getName());
    if (auto *Phi = dyn_cast<PHINode>(V))
      Pending.append(Phi->op_begin(), Phi->op_end());
    if (auto *Call = dyn_cast<CallBase>(V))
      if (calleeName(*Call).contains("GetParameterBuffer"))
        Pending.push_back(Call->getArgOperand(0));
    if (auto *Load = dyn_cast<LoadInst>(V)) // the buffer's address in a local
      for (const User *U : Load->getPointerOperand()->users())
        if (auto *Store = dyn_cast<StoreInst>(U))
          Pending.push_back(Store->getValueOperand());
  }
  return "unknown kernel";
}

std::optional<std::string> ct::launchedKernel(const CallBase &Call) {
  StringRef Name = calleeName(Call);
  bool Launches = Name.starts_with("cudaLaunch") ||
                  Name.starts_with("__cudaCDP2Launch") ||
                  Name.starts_with("__cudaLaunch");
  if (!Launches || Call.arg_size() == 0)
    return std::nullopt;
  return kernelName(Call.getArgOperand(0));
}
