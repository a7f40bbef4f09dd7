/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Which kernels need fibers: those that may reach a barrier, a warp operation,
 * a hook (but those of the CTA clock, which wait for nothing) or a yield.
 * Yields are inserted where a thread may wait in a loop for what another thread
 * stores.
 */
#include "cpu-target/retarget/entry/blocking.h"
#include "cpu-target/retarget/unit/linkage.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace ct {

/// Functions of the execution runtime that suspend their caller.
static constexpr StringLiteral Suspending[] = {
    "__ct_cpu_barrier",        "__ct_cpu_barrier_arrive", "__ct_cpu_warp_op",
    "__ct_cpu_activemask",     "__ct_cpu_yield",          "__ct_cpu_exit",
    "__ct_cpu_cluster_arrive", "__ct_cpu_cluster_wait"};

static bool suspends(const Function &F) {
  if (!F.isDeclaration())
    return false;
  return is_contained(Suspending, F.getName()) ||
         (isHook(F) && !F.getName().starts_with("__ct_cta_"));
}

static bool callsAny(const Function &F,
                     const DenseSet<const Function *> &Blocking,
                     bool IndirectBlocks) {
  for (const Instruction &I : instructions(F)) {
    auto *Call = dyn_cast<CallBase>(&I);
    if (!Call || Call->isInlineAsm())
      continue;
    const Function *Callee = Call->getCalledFunction();
    if (Callee ? Blocking.count(Callee) != 0 : IndirectBlocks)
      return true;
  }
  return false;
}

DenseSet<const Function *> findBlockingFunctions(const Unit &U) {
  DenseSet<const Function *> Blocking;
  bool IndirectBlocks = U.Separate, Changed = true;
  for (const Function &F : U.M)
    if (suspends(F) || mayBeReplaced(F))
      Blocking.insert(&F);
  while (Changed) {
    Changed = false;
    for (const Function &F : U.M) {
      if (Blocking.count(&F) || !callsAny(F, Blocking, IndirectBlocks))
        continue;
      Blocking.insert(&F);
      IndirectBlocks |= F.hasAddressTaken();
      Changed = true;
    }
  }
  return Blocking;
}

/// Its result may be what another thread has just stored.
static bool observesOthers(const Instruction &I) {
  if (I.use_empty())
    return false;
  if (isa<AtomicRMWInst>(I) || isa<AtomicCmpXchgInst>(I))
    return true;
  if (auto *Load = dyn_cast<LoadInst>(&I))
    return Load->isVolatile() || Load->isAtomic();
  return false;
}

static bool isNVVMAtomic(const CallInst &Call) {
  const Function *Callee = Call.getCalledFunction();
  return Callee && !Call.use_empty() &&
         Callee->getName().starts_with("__ct_cpu_nvvm_atomic");
}

static void insertYields(Function &F, FunctionCallee Spin) {
  bool IsKernel = F.hasFnAttribute(KernelAttribute);
  DominatorTree Dominators(F);
  LoopInfo Loops(Dominators);
  SmallVector<Instruction *> Places;
  for (Instruction &I : instructions(F)) {
    // The loop around a call of a device function is not in sight.
    if (IsKernel && !Loops.getLoopFor(I.getParent()))
      continue;
    auto *Call = dyn_cast<CallInst>(&I);
    if (observesOthers(I) || (Call && isNVVMAtomic(*Call)))
      Places.push_back(&I);
  }
  for (Instruction *I : Places) {
    IRBuilder<> B(I);
    B.CreateCall(Spin);
  }
}

void insertSpinYields(Unit &U) {
  auto Spin = U.M.getOrInsertFunction("__ct_cpu_spin",
                                      Type::getVoidTy(U.M.getContext()));
  for (Function &F : U.M)
    if (!F.isDeclaration() && !isRuntime(F))
      insertYields(F, Spin);
}

} // namespace ct
