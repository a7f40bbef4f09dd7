/* SPDX-License-Identifier: Apache-2.0 */
/* Calls of clones: to the callee's clone instead of the callee. */
#ifndef CT_LLVM_PASS_CLONE_CALLS_H
#define CT_LLVM_PASS_CLONE_CALLS_H

#include "llvm-pass/base/hooks.h"
#include "llvm-pass/clone/specialise.h"
#include "llvm/Analysis/LoopInfo.h"

namespace ct {

/// Adds a site for each call that will be redirected, at its place in program
/// order.
void addCallSites(TracedFunction &T, const TracedFunctions &Traced,
                  const llvm::LoopInfo &Loops);

/// Redirects calls of instrumented clones.
class CallRedirector {
public:
  CallRedirector(llvm::Module &M, const CallGraph &Calls,
                 const TracedFunctions &Traced, const Hooks &H)
      : M(M), Calls(Calls), Traced(Traced), H(H), B(M.getContext()) {}

  /// The calls of T's clone, whose state is known, between the events of their
  /// sites.
  void redirect(const TracedFunction &T);

private:
  llvm::Module &M;
  const CallGraph &Calls;
  const TracedFunctions &Traced;
  const Hooks &H;
  HookBuilder B;
  llvm::DenseMap<llvm::FunctionType *, llvm::Function *> Resolvers;

  llvm::Function *fallbackClone(llvm::Function &External);
  llvm::Function *cloneFor(const TracedFunction &T, const llvm::CallBase &Call);
  llvm::Function *resolver(const llvm::CallBase &Call);
  llvm::CallInst *callInstead(llvm::CallInst &Old, llvm::Value *Clone,
                              llvm::Value *State);
  void redirectDirect(llvm::CallInst &Old, llvm::Function &Clone,
                      llvm::Value *State);
  void redirectIndirect(llvm::CallInst &Old, llvm::Function &Resolver,
                        llvm::Value *State);
  void markPath(llvm::CallInst &Old, uint64_t Site, llvm::Value *State);
};

} // namespace ct
#endif
