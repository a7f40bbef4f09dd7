/* SPDX-License-Identifier: Apache-2.0 */
/* Several bodies in one kernel. */
#include "llvm-pass/clone/bodies.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Transforms/Utils/Cloning.h"

using namespace llvm;

/// Code generation of a body of so many instructions takes some 0.5 s
/// (measured, sm_90, -O2). Few kernels are larger, and those that are
/// (unrolled, generated) take long anyway.
static const unsigned BodyLimit = 4000;

/// Bounds the functions that it calls, which ptxas compiles anew for the body,
/// with the registers of the clone: 800 instructions took as long as all else
/// of a small file (rsbench of HeCBench, 0.5 s).
static const unsigned CalledLimit = 500;

/// Counts functions that F and those it calls call, as far as the limit.
static unsigned countCalled(const Function &F,
                            SmallPtrSetImpl<const Function *> &Seen) {
  unsigned Count = 0;
  for (const BasicBlock &BB : F)
    for (const Instruction &I : BB) {
      auto *Call = dyn_cast<CallBase>(&I);
      const Function *Callee = Call ? Call->getCalledFunction() : nullptr;
      if (Count > CalledLimit)
        return Count;
      if (Callee && !Callee->isDeclaration() && Seen.insert(Callee).second)
        Count += Callee->getInstructionCount() + countCalled(*Callee, Seen);
    }
  return Count;
}

bool ct::callsLittle(const Function &F) {
  SmallPtrSet<const Function *, 8> Seen;
  return countCalled(F, Seen) <= CalledLimit;
}

bool ct::bodyCanBeCopied(const Function &F) {
  return F.getInstructionCount() <= BodyLimit &&
         none_of(F, [](const BasicBlock &BB) { return BB.hasAddressTaken(); });
}

/// Local memory would double otherwise; one thread runs one of the bodies.
static void shareVariables(const Function &From, ValueToValueMapTy &Map,
                           const ValueToValueMapTy &Known) {
  for (const Instruction &I : From.getEntryBlock()) {
    auto *Variable = dyn_cast<AllocaInst>(&I);
    Value *Shared = Variable ? Known.lookup(Variable) : nullptr;
    if (!Shared || !Variable->isStaticAlloca() || !isa<AllocaInst>(Shared))
      continue;
    cast<Instruction>(static_cast<Value *>(Map[Variable]))->eraseFromParent();
    Map[Variable] = Shared;
  }
}

SmallVector<BasicBlock *, 16> ct::copyBody(const Function &From, Function &To,
                                           ValueToValueMapTy &Map,
                                           const Twine &Suffix) {
  constexpr RemapFlags Flags = RF_NoModuleLevelChanges;
  ValueToValueMapTy Known;
  SmallVector<const BasicBlock *, 16> Blocks;
  SmallVector<BasicBlock *, 16> Copies;

  for (auto Entry : Map)
    Known[Entry.first] = Entry.second;
  for (const BasicBlock &BB : From)
    Blocks.push_back(&BB);
  for (const BasicBlock *BB : Blocks) {
    BasicBlock *Copy = CloneBasicBlock(BB, Map, Suffix, &To);
    Map[BB] = Copy;
    Copies.push_back(Copy);
  }
  shareVariables(From, Map, Known);
  for (BasicBlock *BB : Copies)
    for (Instruction &I : *BB) {
      RemapDbgRecordRange(To.getParent(), I.getDbgRecordRange(), Map, Flags);
      RemapInstruction(&I, Map, Flags);
    }
  return Copies;
}

/// A new entry block, with all that lives on the stack from the start.
static BasicBlock *makeEntry(Function &F) {
  BasicBlock &Old = F.getEntryBlock();
  SmallVector<AllocaInst *, 16> Variables;
  for (Instruction &I : Old)
    if (auto *Variable = dyn_cast<AllocaInst>(&I);
        Variable && Variable->isStaticAlloca())
      Variables.push_back(Variable);
  BasicBlock *Entry = BasicBlock::Create(F.getContext(), "", &F, &Old);
  for (AllocaInst *Variable : Variables) {
    Variable->removeFromParent();
    Variable->insertInto(Entry, Entry->end());
  }
  return Entry;
}

void ct::chooseBody(Function &F, BasicBlock &Other,
                    function_ref<Value *(HookBuilder &)> Condition) {
  BasicBlock *Before = &F.getEntryBlock();
  BasicBlock *Entry = makeEntry(F);
  BranchInst *Placeholder = BranchInst::Create(Before, Entry);
  HookBuilder B(F.getContext());
  B.setPosition(Placeholder->getIterator(), DebugLoc());
  B.CreateCondBr(Condition(B), Before, &Other);
  Placeholder->eraseFromParent();
}
