/* SPDX-License-Identifier: Apache-2.0 */
/* Find and classify the sites of a function. */
#include "llvm-pass/sites/sites.h"
#include "llvm-pass/sites/block_order.h"
#include "llvm-pass/sites/intrinsics.h"
#include "llvm-pass/sites/launches.h"
#include "llvm-pass/sites/ptx_sites.h"
#include "llvm-pass/sites/values.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Operator.h"
#include <cudatrace/record.h>
#include <cudatrace/unit.h>

using namespace llvm;

namespace {

class SiteCollector {
public:
  SiteCollector(Function &F, const LoopInfo &Loops,
                const ct::PointerOracle &Pointers, const ct::CallOracle &Calls,
                const ct::SiteFilter &Filter, const ct::Options &Opts)
      : F(F), Loops(Loops), Pointers(Pointers), Calls(Calls), Filter(Filter),
        Opts(Opts) {}

  std::vector<ct::Site> collect() {
    for (BasicBlock *Block : ct::programOrder(F, Loops)) {
      if (Opts.Events & CT_UNIT_BLOCKS)
        addBlock(*Block);
      for (Instruction &I : *Block)
        visit(I);
    }
    std::move(Others.begin(), Others.end(), std::back_inserter(Recorded));
    return std::move(Recorded);
  }

private:
  static constexpr uint32_t GlobalOnly = 1u << CT_SPACE_GLOBAL;
  Function &F;
  const LoopInfo &Loops;
  const ct::PointerOracle &Pointers;
  const ct::CallOracle &Calls;
  const ct::SiteFilter &Filter;
  const ct::Options &Opts;
  std::vector<ct::Site> Recorded, Others;

  void addBlock(BasicBlock &Block) {
    Instruction &First = *Block.getFirstNonPHIOrDbgOrAlloca();
    ct::Site S = ct::eventSite(
        First, ct::OP_BLOCK, Block.hasName() ? Block.getName().str() : "block");
    if (Block.isEntryBlock())
      S.Flags |= CT_SITE_ENTRY;
    if (succ_empty(&Block))
      S.Flags |= CT_SITE_RETURN;
    else if (!Block.getUniqueSuccessor())
      S.Flags |= CT_SITE_BRANCH;
    finish(std::move(S));
  }

  void visit(Instruction &I) {
    std::vector<ct::Site> Found;
    if (auto *Call = dyn_cast<CallBase>(&I))
      visitCall(*Call, Found);
    else
      visitAccess(I, Found);
    for (ct::Site &S : Found)
      finish(std::move(S));
  }

  /// The accesses of a load or store: one for each scalar or vector of an
  /// aggregate.
  void addLeaves(Instruction &I, ct::Operation Op, Value *Pointer, Value *Data,
                 Type *T, int64_t Offset, int Field,
                 std::vector<ct::Site> &Found) {
    const DataLayout &DL = F.getParent()->getDataLayout();
    if (T->isStructTy() || T->isArrayTy()) {
      unsigned Count = T->isStructTy() ? T->getStructNumElements()
                                       : T->getArrayNumElements();
      for (unsigned N = 0; N < Count; N++) {
        auto *Struct = dyn_cast<StructType>(T);
        Type *Part =
            Struct ? Struct->getElementType(N) : T->getArrayElementType();
        uint64_t Start = Struct ? DL.getStructLayout(Struct)
                                      ->getElementOffset(N)
                                      .getFixedValue()
                                : N * DL.getTypeAllocSize(Part).getFixedValue();
        addLeaves(I, Op, Pointer, Data && T == Data->getType() ? Data : nullptr,
                  Part, Offset + Start, N, Found);
      }
      return;
    }
    ct::Site S = ct::accessSite(I, Op, Pointer, T);
    S.Offset = Offset;
    if (Data)
      S.Values.push_back(ct::wholeValue(CT_PART_VALUE, Data, Field));
    else if (Op == ct::OP_LOAD) // a field of a field: read once more
      S.Values.push_back(ct::memoryValue(Pointer, Offset));
    Found.push_back(std::move(S));
  }

  /// Code generation may rely on it.
  static uint64_t alignmentAt(const Instruction &I, int64_t Offset) {
    return commonAlignment(getLoadStoreAlignment(&I), Offset).value();
  }

  void visitAccess(Instruction &I, std::vector<ct::Site> &Found) {
    if (auto *Load = dyn_cast<LoadInst>(&I))
      addLeaves(I, ct::OP_LOAD, Load->getPointerOperand(), Load,
                Load->getType(), 0, -1, Found);
    else if (auto *Store = dyn_cast<StoreInst>(&I))
      addLeaves(I, ct::OP_STORE, Store->getPointerOperand(),
                Store->getValueOperand(), Store->getValueOperand()->getType(),
                0, -1, Found);
    else if (auto *Atomic = dyn_cast<AtomicRMWInst>(&I))
      Found = {ct::accessSite(I, ct::atomicOperation(Atomic->getOperation()),
                              Atomic->getPointerOperand(),
                              Atomic->getValOperand()->getType())};
    else if (auto *Swap = dyn_cast<AtomicCmpXchgInst>(&I))
      Found = {ct::accessSite(I, ct::OP_ATOMIC_CAS, Swap->getPointerOperand(),
                              Swap->getNewValOperand()->getType())};
    for (ct::Site &S : Found) {
      bool MayOrder = I.isAtomic() && isa<LoadInst, StoreInst>(I);
      S.Flags |= I.isVolatile() || MayOrder ? CT_SITE_VOLATILE : 0;
      if (isa<AtomicRMWInst>(I) && I.use_empty() &&
          ct::canReduce(ct::Operation(S.Operation)))
        S.Flags |= CT_SITE_REDUCTION;
      else if (I.isAtomic() && !MayOrder && I.use_empty())
        S.Flags |= CT_SITE_UNUSED;
      if (!I.isAtomic() && S.Bytes > alignmentAt(I, S.Offset))
        S.Flags |= CT_SITE_SPLIT;
      if (I.isAtomic() && S.Operation >= ct::OP_ATOMIC_ADD)
        S.Values = ct::atomicValues(I);
    }
  }

  void visitCall(CallBase &Call, std::vector<ct::Site> &Found) {
    if (auto *Asm = dyn_cast<InlineAsm>(Call.getCalledOperand()))
      return ct::AsmSites(Call, *Asm, Found).run();
    if (auto *Intrinsic = dyn_cast<IntrinsicInst>(&Call)) {
      ct::addIntrinsicSites(*Intrinsic, Found);
      for (ct::Site &S : Found)
        if (S.Verdict == CT_VERDICT_SKIPPED && staysElsewhere(Call))
          S.Verdict = CT_VERDICT_ELSEWHERE;
      return;
    }
    if (std::optional<std::string> Kernel = ct::launchedKernel(Call))
      return Found.push_back(ct::eventSite(Call, ct::OP_LAUNCH, *Kernel));
    std::string Reason = Calls.whyUnseen(Call);
    if (!Reason.empty())
      Found.push_back(ct::skippedSite(Call, ct::OP_OTHER, std::move(Reason)));
  }

  /// True if the call has pointers and none may point to a recorded space.
  bool staysElsewhere(const CallBase &Call) const {
    bool HasPointer = false;
    for (const Use &A : Call.args()) {
      if (!A->getType()->isPtrOrPtrVectorTy())
        continue;
      HasPointer = true;
      if (!A->getType()->isPointerTy() || recordedSpaces(Pointers.origin(A)))
        return false;
    }
    return HasPointer;
  }

  /// Those of the recorded spaces in which a pointer of that origin may point.
  uint32_t recordedSpaces(const ct::PointerOrigin &Origin) const {
    if (Origin.Where == ct::Reach::Global)
      return Opts.Spaces & GlobalOnly;
    if (Origin.Where == ct::Reach::Unknown)
      return Opts.Spaces;
    return Opts.Spaces &
           (Origin.Space == CT_SPACE_GENERIC ? ~GlobalOnly
                                             : 1u << Origin.Space);
  }

  ct::PointerOrigin originOf(const ct::Site &S) const {
    const Value *Address = S.Pointer;
    while (auto *Cast = dyn_cast<PtrToIntOperator>(Address))
      Address = Cast->getOperand(0);
    ct::PointerOrigin Origin = Pointers.origin(Address);
    if (S.Space != CT_SPACE_GENERIC) {
      Origin.Where =
          S.Space == CT_SPACE_GLOBAL ? ct::Reach::Global : ct::Reach::Elsewhere;
      Origin.Space = S.Space;
    }
    return Origin;
  }

  /// Verdict and space of an access.
  void locate(ct::Site &S) const {
    ct::PointerOrigin Origin = originOf(S);
    uint32_t May = recordedSpaces(Origin);
    S.Variable = Origin.Variable;
    if (Origin.InVariable)
      S.Flags |= CT_SITE_IN_VARIABLE;
    S.Space = Origin.Where == ct::Reach::Global ? uint8_t(CT_SPACE_GLOBAL)
              : Origin.Where == ct::Reach::Elsewhere
                  ? Origin.Space
                  : uint8_t(CT_SPACE_GENERIC);
    bool Definite = S.Space != CT_SPACE_GENERIC;
    S.Verdict = !May       ? CT_VERDICT_ELSEWHERE
                : Definite ? CT_VERDICT_GLOBAL
                           : CT_VERDICT_CHECKED;
    S.Checked = May;
    unsigned Named = S.Pointer->getType()->isPointerTy()
                         ? S.Pointer->getType()->getPointerAddressSpace()
                         : 0;
    S.InSpace |= Definite && Named != 0;
    bool Simple = S.How == ct::Form::Access;
    if (!Simple && May && !(May & GlobalOnly)) {
      S.Verdict = CT_VERDICT_SKIPPED;
      S.Reason = "blocks of memory are recorded in global memory only";
    }
  }

  /// The local variable that a pointer is derived from, as
  /// ct_unit_site.branch_line has it; 0: not known.
  uint32_t localVariable(const Value &Pointer) const {
    auto *Slot = dyn_cast<AllocaInst>(getUnderlyingObject(&Pointer));
    std::optional<TypeSize> Size =
        Slot ? Slot->getAllocationSize(F.getParent()->getDataLayout())
             : std::nullopt;
    if (!Size || Size->isScalable() ||
        Size->getFixedValue() > CT_SITE_VARIABLE_BYTES)
      return 0;
    uint32_t Number = 0;
    for (const Instruction &I : instructions(F)) {
      Number += isa<AllocaInst>(I);
      if (&I == Slot)
        break;
    }
    return Number <= UINT32_MAX / (CT_SITE_VARIABLE_BYTES + 1)
               ? Number * (CT_SITE_VARIABLE_BYTES + 1) + Size->getFixedValue()
               : 0;
  }

  void finish(ct::Site S) {
    bool IsEvent = S.How == ct::Form::Event;
    if (S.Operation == ct::OP_BARRIER && !(Opts.Events & CT_UNIT_BARRIERS))
      return;
    S.LoopDepth = Loops.getLoopDepth(S.Inst->getParent());
    if (IsEvent)
      S.Verdict = CT_VERDICT_GLOBAL;
    else if (!S.Verdict)
      locate(S);
    bool IsRecorded =
        S.Verdict == CT_VERDICT_GLOBAL || S.Verdict == CT_VERDICT_CHECKED;
    if (IsRecorded) {
      std::string Why =
          Filter.whyFiltered(*S.Inst, ct::Operation(S.Operation), F);
      if (!Why.empty()) {
        S.Verdict = CT_VERDICT_FILTERED;
        S.Reason = Why;
        IsRecorded = false;
      }
    }
    if (IsRecorded && S.Space == CT_SPACE_LOCAL && S.Pointer)
      S.LocalVariable = localVariable(*S.Pointer);
    if (!IsRecorded || !Opts.Values || !ct::hasValues(S))
      S.Values.clear();
    S.Flags |= S.Values.empty() ? 0 : CT_SITE_VALUES;
    (IsRecorded ? Recorded : Others).push_back(std::move(S));
  }
};

} // namespace

std::vector<ct::Site> ct::collectSites(Function &F, const LoopInfo &Loops,
                                       const PointerOracle &Pointers,
                                       const CallOracle &Calls,
                                       const SiteFilter &Filter,
                                       const Options &Opts) {
  return SiteCollector(F, Loops, Pointers, Calls, Filter, Opts).collect();
}
