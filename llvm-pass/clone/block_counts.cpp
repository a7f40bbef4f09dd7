/* SPDX-License-Identifier: Apache-2.0 */
/* Clones that count how often the blocks of a kernel run. */
#include "llvm-pass/clone/block_counts.h"
#include "llvm-pass/base/compat.h"
#include "llvm-pass/clone/block_places.h"
#include "llvm-pass/clone/exits.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/IR/InstIterator.h"

using namespace llvm;

namespace {

/// Counts in one function.
class BlockCounter {
public:
  BlockCounter(ct::TracedFunction &F, Value *Counters, const ct::Hooks &H,
               FunctionAnalysisManager &FAM)
      : F(F), Counters(Counters), H(H), B(F.Clone->getContext()),
        Places(*F.Clone, FAM) {}

  void run() {
    for (size_t I = 0; I < F.Sites.size(); I++)
      if (F.Sites[I].Operation == ct::OP_BLOCK && F.Sites[I].hasHook())
        plan(I);
    for (Count &C : Counts)
      count(C);
    addUp();
  }

private:
  /// More of them would take the registers that the kernel needs.
  static constexpr unsigned MostRegisters = 16;
  static constexpr unsigned Members = 4; // besides the first, of one hook

  struct Count {
    BasicBlock *Block;
    size_t Site;
    ct::BlockPlace Place;
    SmallVector<size_t, Members> Others; // sites that count alike
  };

  ct::TracedFunction &F;
  Value *Counters;
  const ct::Hooks &H;
  ct::HookBuilder B;
  ct::BlockPlaces Places;
  SmallVector<Count, 16> Counts;
  MapVector<size_t, AllocaInst *> Registers; // by site

  /// Values of the loops' trip counts are made before the first hook is there.
  void plan(size_t Site) {
    BasicBlock *Block = F.inClone(F.Sites[Site]).getParent();
    ct::BlockPlace Place = Places.of(*Block);
    if (Place.At == Block && !Place.InLoop)
      for (Count &C : Counts)
        if (C.Place.At == C.Block && !C.Place.InLoop &&
            C.Others.size() < Members && Site - C.Site <= UINT16_MAX &&
            (Places.areEqual(*C.Block, *Block) ||
             Places.areEqual(*Block, *C.Block))) {
          C.Others.push_back(Site);
          return;
        }
    Counts.push_back({Block, Site, Place, {}});
  }

  Value *number(size_t Site) {
    return B.getInt32(static_cast<uint32_t>(F.FirstSite + Site));
  }

  /// At the end of the block, when its loads are under way; at its beginning if
  /// it may be left before.
  void setAt(BasicBlock &Block) {
    Instruction *Where = Block.getTerminator();
    if (isa<UnreachableInst>(Where) || any_of(Block, ct::mayLeave))
      Where = &*Block.getFirstNonPHIOrDbgOrAlloca();
    auto *Own = dyn_cast<Instruction>(Counters); // known behind it only
    if (Own && Own->getParent() == &Block &&
        (Where == Own || Where->comesBefore(Own)))
      Where = Own->getNextNode();
    B.setPosition(Where->getIterator(), DebugLoc());
  }

  void count(Count &C) {
    if (C.Place.InLoop && !C.Place.Times && Registers.size() < MostRegisters) {
      countInRegister(C.Site);
      return;
    }
    Value *Times = C.Place.Times ? Places.expand(C.Place) : nullptr;
    uint64_t Others = 0;
    for (size_t I = 0; I < C.Others.size(); I++)
      Others |= uint64_t(C.Others[I] - C.Site) << 16 * I;
    if (Times)
      B.setPosition(C.Place.At->getTerminator()->getIterator(), DebugLoc());
    else
      setAt(*C.Block);
    if (Times)
      B.callHook(H.__ct_block_times, {Counters, number(C.Site), Times});
    else
      B.callHook(H.__ct_block, {Counters, number(C.Site), B.getInt64(Others)});
  }

  void countInRegister(size_t Site) {
    BasicBlock &Entry = F.Clone->getEntryBlock();
    IRBuilder<> First(&Entry, Entry.getFirstInsertionPt());
    AllocaInst *Own = First.CreateAlloca(B.getInt64Ty(), nullptr, "ct.block");
    First.CreateStore(B.getInt64(0), Own);
    Registers[Site] = Own;
    B.setPosition(F.inClone(F.Sites[Site]).getIterator(), DebugLoc());
    Value *Step = B.callHook(H.__ct_block_step, {Counters, number(Site)});
    B.CreateStore(B.CreateAdd(B.CreateLoad(B.getInt64Ty(), Own), Step), Own);
  }

  void addUp() {
    SmallVector<Instruction *, 4> Ends;
    for (Instruction &I : instructions(*F.Clone))
      if (ct::isExit(I) || isa<ReturnInst>(I))
        Ends.push_back(&I);
    for (Instruction *End : Ends)
      for (auto &[Site, Own] : Registers) {
        B.setPosition(End->getIterator(), DebugLoc());
        B.callHook(H.__ct_block_sum,
                   {Counters, number(Site), B.CreateLoad(B.getInt64Ty(), Own)});
      }
  }
};

/// All functions of a unit.
class BlockCloner {
public:
  BlockCloner(const ct::TracedFunctions &Traced, const ct::Hooks &H,
              uint64_t UnitId, FunctionAnalysisManager &FAM)
      : Traced(Traced), H(H), UnitId(UnitId), FAM(FAM) {}

  SmallVector<Function *, 8> run() {
    SmallVector<Function *, 8> Made;
    for (auto &T : Traced)
      if (T->Clone)
        clone(*T);
    for (auto &[T, Own] : Clones)
      redirect(*T, *Own);
    for (auto &[T, Own] : Clones) {
      BlockCounter(*Own, Own->State, H, FAM).run();
      Made.push_back(Own->Clone);
    }
    return Made;
  }

private:
  const ct::TracedFunctions &Traced;
  const ct::Hooks &H;
  uint64_t UnitId;
  FunctionAnalysisManager &FAM;
  MapVector<const ct::TracedFunction *, std::unique_ptr<ct::TracedFunction>>
      Clones;

  void clone(const ct::TracedFunction &T) {
    auto Own = std::make_unique<ct::TracedFunction>();
    Own->Original = T.Original;
    Own->Sites = T.Sites;
    Own->FirstSite = T.FirstSite;
    if (ct::compat::isKernel(*T.Original)) {
      ct::cloneKernelForBlocks(*Own, UnitId);
      begin(*Own);
    } else {
      ct::cloneForBlocks(*Own);
    }
    Clones[&T] = std::move(Own);
  }

  void begin(ct::TracedFunction &Own) {
    Argument *Launch = Own.Clone->getArg(Own.Clone->arg_size() - 1);
    auto *Type = cast<StructType>(Launch->getParamByValType());
    ct::HookBuilder B(Own.Clone->getContext());
    B.setPosition(Own.Clone->getEntryBlock().getFirstNonPHIOrDbgOrAlloca(),
                  DebugLoc());
    SmallVector<Value *, 7> Fields;
    for (unsigned I = 0; I <= ct::LaunchRowBytes; I++)
      if (I != ct::LaunchClock)
        Fields.push_back(B.CreateLoad(Type->getElementType(I),
                                      B.CreateStructGEP(Type, Launch, I)));
    Own.State = B.callHook(H.__ct_blocks_begin, Fields);
    Own.State->setName("ct.counters");
  }

  /// Calls by name; what is called through a pointer does not count.
  void redirect(const ct::TracedFunction &T, ct::TracedFunction &Own) {
    for (auto &[Call, Callee] : T.Callees) {
      auto Other = Clones.find(Callee);
      auto *Old = dyn_cast_or_null<CallInst>(
          static_cast<Value *>(Own.Map->lookup(Call)));
      if (Old && Other != Clones.end())
        replaceCall(*Old, *Other->second->Clone, Own.State);
    }
  }

  static void replaceCall(CallInst &Old, Function &Callee, Value *Counters) {
    SmallVector<Value *, 8> Arguments(Old.args());
    Arguments.push_back(Counters);
    CallInst *New = CallInst::Create(Callee.getFunctionType(), &Callee,
                                     Arguments, "", Old.getIterator());
    New->setAttributes(Old.getAttributes());
    New->removeFnAttr(Attribute::Memory);
    New->removeFnAttr(Attribute::NoSync);
    New->removeFnAttr(Attribute::WillReturn);
    New->addFnAttr(Attribute::Convergent);
    New->setCallingConv(Old.getCallingConv());
    New->copyMetadata(Old);
    New->takeName(&Old);
    Old.replaceAllUsesWith(New);
    Old.eraseFromParent();
  }
};

} // namespace

SmallVector<Function *, 8> ct::addBlockCounts(const TracedFunctions &Traced,
                                              const Hooks &H, uint64_t UnitId,
                                              FunctionAnalysisManager &FAM) {
  return BlockCloner(Traced, H, UnitId, FAM).run();
}
