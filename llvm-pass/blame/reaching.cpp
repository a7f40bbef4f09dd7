/* SPDX-License-Identifier: Apache-2.0 */
/* Which instructions may run before which. */
#include "llvm-pass/blame/reaching.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/Transforms/Utils/PromoteMemToReg.h"

using namespace llvm;

namespace ct {

Reachability::Reachability(const Function &F) : Behind(F.size()) {
  for (const BasicBlock &Block : F)
    Numbers.try_emplace(&Block, unsigned(Numbers.size()));
}

const BitVector &Reachability::behind(const BasicBlock &Block) {
  BitVector &Found = Behind[Numbers[&Block]];
  if (!Found.empty())
    return Found;
  Found.resize(unsigned(Behind.size()));
  SmallVector<const BasicBlock *, 16> Left(successors(&Block));
  while (!Left.empty()) {
    const BasicBlock *Next = Left.pop_back_val();
    if (Found.test(Numbers[Next]))
      continue;
    Found.set(Numbers[Next]);
    Left.append(succ_begin(Next), succ_end(Next));
  }
  return Found;
}

bool Reachability::reaches(const Instruction &From, const Instruction &To) {
  if (From.getParent() == To.getParent() && From.comesBefore(&To))
    return true;
  return behind(*From.getParent()).test(Numbers[To.getParent()]);
}

ScalarStores::ScalarStores(Function &F) {
  for (Instruction &I : instructions(F)) {
    auto *Alloca = dyn_cast<AllocaInst>(&I);
    if (!Alloca || !isAllocaPromotable(Alloca))
      continue;
    auto &Own = Stores[Alloca];
    for (const User *U : Alloca->users())
      if (auto *Store = dyn_cast<StoreInst>(U))
        Own.push_back(Store);
  }
}

bool ScalarStores::find(const LoadInst &Load,
                        SmallVectorImpl<const StoreInst *> &Reaching) {
  auto Own = Stores.find(Load.getPointerOperand());
  if (Own == Stores.end())
    return false;
  DenseMap<const BasicBlock *, const StoreInst *> Last; // of each block
  const StoreInst *Before =
      nullptr; // the last one before the load in its block
  for (const StoreInst *Store : Own->second) {
    const StoreInst *&Known = Last[Store->getParent()];
    if (!Known || Known->comesBefore(Store))
      Known = Store;
    if (Store->getParent() == Load.getParent() && Store->comesBefore(&Load) &&
        (!Before || Before->comesBefore(Store)))
      Before = Store;
  }
  if (Before) {
    Reaching.push_back(Before);
    return true;
  }
  SmallPtrSet<const BasicBlock *, 16> Seen;
  SmallVector<const BasicBlock *, 16> Left(predecessors(Load.getParent()));
  while (!Left.empty()) {
    const BasicBlock *Block = Left.pop_back_val();
    if (!Seen.insert(Block).second)
      continue;
    if (const StoreInst *Store = Last.lookup(Block))
      Reaching.push_back(Store);
    else
      Left.append(pred_begin(Block), pred_end(Block));
  }
  return true;
}

void walkBack(const Instruction &From,
              function_ref<bool(const Instruction &)> Each) {
  SmallPtrSet<const BasicBlock *, 16> Seen;
  SmallVector<const BasicBlock *, 16> Left;
  const Instruction *At = From.getPrevNode();
  const BasicBlock *Block = From.getParent();
  for (;;) {
    while (At && Each(*At))
      At = At->getPrevNode();
    if (!At)
      Left.append(pred_begin(Block), pred_end(Block));
    do {
      if (Left.empty())
        return;
      Block = Left.pop_back_val();
    } while (!Seen.insert(Block).second);
    At = &Block->back();
  }
}

} // namespace ct
