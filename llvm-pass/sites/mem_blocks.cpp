/* SPDX-License-Identifier: Apache-2.0 */
/* Copied and filled blocks of memory, as NVPTX code generation expands them. */
#include "llvm-pass/sites/mem_blocks.h"
#include "llvm/Analysis/TargetTransformInfo.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/LowerMemIntrinsics.h"
#include <cudatrace/record.h>
#include <cudatrace/unit.h>

using namespace llvm;

static constexpr uint64_t WidestUnit = 8;        // of short blocks
static constexpr uint64_t ShortBlockLimit = 128; // from here on, into a loop

static bool isLong(const MemIntrinsic &Call) {
  auto *Length = dyn_cast<ConstantInt>(Call.getLength());
  return !Length || Length->getZExtValue() >= ShortBlockLimit;
}

/// The store that is all that becomes of a large aggregate.
static StoreInst *aggregateCopy(LoadInst &Load, const DataLayout &DL) {
  if (!Load.getType()->isAggregateType() || !Load.hasOneUse() ||
      DL.getTypeStoreSize(Load.getType()).getFixedValue() < ShortBlockLimit)
    return nullptr;
  auto *Store = dyn_cast<StoreInst>(Load.user_back());
  return Store && Store->getValueOperand() == &Load ? Store : nullptr;
}

/// Gives what was made between Before and After the line of what it replaces.
static void locate(Function &F, const SmallPtrSetImpl<BasicBlock *> &Known,
                   const DebugLoc &Line) {
  for (BasicBlock &Block : F)
    if (!Known.contains(&Block))
      for (Instruction &I : Block)
        if (!I.getDebugLoc())
          I.setDebugLoc(Line);
}

static void expand(Instruction &I, const TargetTransformInfo &TTI,
                   const DataLayout &DL) {
  if (auto *Copy = dyn_cast<MemCpyInst>(&I))
    expandMemCpyAsLoop(Copy, TTI);
  else if (auto *Move = dyn_cast<MemMoveInst>(&I)) {
    if (!expandMemMoveAsLoop(Move, TTI))
      return;
  } else if (auto *Fill = dyn_cast<MemSetInst>(&I))
    expandMemSetAsLoop(Fill);
  else {
    auto &Load = cast<LoadInst>(I);
    StoreInst *Store = aggregateCopy(Load, DL);
    auto *Bytes =
        ConstantInt::get(Type::getInt32Ty(I.getContext()),
                         DL.getTypeStoreSize(Load.getType()).getFixedValue());
    createMemCpyLoopKnownSize(
        Store, Load.getPointerOperand(), Store->getPointerOperand(), Bytes,
        Load.getAlign(), Store->getAlign(), Load.isVolatile(),
        Store->isVolatile(), /*CanOverlap=*/true, TTI);
    Store->eraseFromParent();
  }
  I.eraseFromParent();
}

PreservedAnalyses ct::ExpandBlocksPass::run(Function &F,
                                            FunctionAnalysisManager &FAM) {
  const DataLayout &DL = F.getParent()->getDataLayout();
  SmallVector<Instruction *, 8> Blocks;
  for (Instruction &I : instructions(F)) {
    auto *Call = dyn_cast<MemIntrinsic>(&I);
    auto *Load = dyn_cast<LoadInst>(&I);
    if ((Call && isLong(*Call)) || (Load && aggregateCopy(*Load, DL)))
      Blocks.push_back(&I);
  }
  if (Blocks.empty())
    return PreservedAnalyses::all();
  const TargetTransformInfo &TTI = FAM.getResult<TargetIRAnalysis>(F);
  for (Instruction *I : Blocks) {
    SmallPtrSet<BasicBlock *, 32> Known;
    for (BasicBlock &Block : F)
      Known.insert(&Block);
    DebugLoc Line = I->getDebugLoc();
    expand(*I, TTI, DL);
    locate(F, Known, Line);
  }
  return PreservedAnalyses::none();
}

/// The bytes that a side of a block copies or fills are known without a look at
/// the side.
static ct::SiteValue blockValue(MemIntrinsic &Call, int64_t Offset) {
  ct::SiteValue Value;
  auto *Copy = dyn_cast<MemTransferInst>(&Call);
  Value.Where = Copy ? ct::SiteValue::Memory : ct::SiteValue::Splat;
  Value.From = Copy ? Copy->getSource() : cast<MemSetInst>(Call).getValue();
  Value.Offset = Offset;
  return Value;
}

/// The accesses of one side, from widest to narrowest.
static void addSide(MemIntrinsic &Call, ct::Operation Op, Value *Pointer,
                    Align Unit, std::vector<ct::Site> &Out) {
  uint64_t Length = cast<ConstantInt>(Call.getLength())->getZExtValue();
  uint64_t Bytes = std::min<uint64_t>(Unit.value(), WidestUnit);
  for (uint64_t Offset = 0; Offset < Length; Offset += Bytes) {
    while (Bytes > Length - Offset)
      Bytes /= 2;
    ct::Site S = ct::accessSite(Call, Op, Pointer,
                                IntegerType::get(Call.getContext(), Bytes * 8));
    S.Offset = Offset;
    S.Flags = Call.isVolatile() ? CT_SITE_VOLATILE : 0;
    S.Values.push_back(blockValue(Call, Offset));
    Out.push_back(std::move(S));
  }
}

bool ct::addBlockSites(MemIntrinsic &Call, std::vector<Site> &Out) {
  if (isLong(Call))
    return false;
  Align Unit = Call.getDestAlign().valueOrOne();
  if (auto *Transfer = dyn_cast<MemTransferInst>(&Call)) {
    Unit = std::min(Unit, Transfer->getSourceAlign().valueOrOne());
    addSide(Call, OP_LOAD, Transfer->getSource(), Unit, Out);
  }
  addSide(Call, OP_STORE, Call.getDest(), Unit, Out);
  return true;
}
