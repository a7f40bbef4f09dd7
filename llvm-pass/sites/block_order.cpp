/* SPDX-License-Identifier: Apache-2.0 */
/* List scheduling of blocks that stays within a loop as long as it can. */
#include "llvm-pass/sites/block_order.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/IR/CFG.h"

using namespace llvm;

namespace {

class BlockOrder {
public:
  BlockOrder(Function &F, const LoopInfo &Loops) : F(F), Loops(Loops) {}

  std::vector<BasicBlock *> run() {
    for (BasicBlock &Block : F)
      for (BasicBlock *Next : successors(&Block))
        if (!isBackEdge(&Block, Next))
          ++Pending[Next];
    // Blocks that are left in cycles without a header, or unreachable, keep
    // their place.
    for (BasicBlock &Block : F)
      emitFrom(&Block);
    return std::move(Order);
  }

private:
  Function &F;
  const LoopInfo &Loops;
  DenseMap<BasicBlock *, unsigned> Pending; // predecessors not yet emitted
  DenseSet<BasicBlock *> Emitted;
  std::vector<BasicBlock *> Ready, Order;

  bool isBackEdge(BasicBlock *From, BasicBlock *To) const {
    const Loop *L = Loops.getLoopFor(To);
    return L && L->getHeader() == To && L->contains(From);
  }

  /// Number of loops that hold both.
  unsigned commonDepth(BasicBlock *A, BasicBlock *B) const {
    const Loop *L = Loops.getLoopFor(A);
    while (L && !L->contains(B))
      L = L->getParentLoop();
    return L ? L->getLoopDepth() : 0;
  }

  void emit(BasicBlock *Block) {
    if (!Emitted.insert(Block).second)
      return;
    Order.push_back(Block);
    // Reversed, so that of equals the first successor is taken first.
    SmallVector<BasicBlock *> Nexts(successors(Block));
    for (BasicBlock *Next : reverse(Nexts))
      if (!isBackEdge(Block, Next) && --Pending[Next] == 0)
        Ready.push_back(Next);
  }

  /// Takes the block that can be next in the innermost loop we are in; of
  /// equals the one that became ready last.
  BasicBlock *takeReady() {
    size_t Best = Ready.size() - 1;
    for (size_t I = Ready.size(); I-- > 0;)
      if (commonDepth(Ready[I], Order.back()) >
          commonDepth(Ready[Best], Order.back()))
        Best = I;
    BasicBlock *Block = Ready[Best];
    Ready.erase(Ready.begin() + Best);
    return Block;
  }

  void emitFrom(BasicBlock *Block) {
    emit(Block);
    while (!Ready.empty())
      emit(takeReady());
  }
};

} // namespace

std::vector<BasicBlock *> ct::programOrder(Function &F, const LoopInfo &Loops) {
  return BlockOrder(F, Loops).run();
}
