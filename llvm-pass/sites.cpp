/* SPDX-License-Identifier: Apache-2.0 */
/* Find and classify the sites of a function. */
#include "sites.h"
#include "block_order.h"
#include "asm_access.h"
#include "spaces.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Operator.h"
#include <cudatrace/unit.h>

using namespace llvm;

namespace {

class SiteCollector {
public:
  SiteCollector(Function &F, const LoopInfo &Loops, const ct::PointerOracle &Pointers,
                const ct::CallOracle &Calls)
      : F(F), Loops(Loops), Pointers(Pointers), Calls(Calls) {}

  std::vector<ct::Site> collect() {
    for (BasicBlock *Block : ct::programOrder(F, Loops))
      for (Instruction &I : *Block)
        visit(I);
    return std::move(Sites);
  }

private:
  static constexpr uint64_t WidestUnit = 8;        // as NVPTX expands blocks
  static constexpr uint64_t ShortBlockLimit = 128; // from here on, into a loop
  Function &F;
  const LoopInfo &Loops;
  const ct::PointerOracle &Pointers;
  const ct::CallOracle &Calls;
  std::vector<ct::Site> Sites;

  ct::Site blank(Instruction &I) const {
    ct::Site S = {};
    S.Inst = &I;
    S.LoopDepth = Loops.getLoopDepth(I.getParent());
    S.Verdict = CT_VERDICT_SKIPPED;
    S.Operation = ct::OP_OTHER;
    return S;
  }

  void addAccess(Instruction &I, ct::Operation Op, Value *Pointer, Type *Accessed, bool Volatile,
                 uint32_t Offset = 0) {
    addAccess(I, Op, Pointer, Accessed, Volatile, Offset, Pointers.origin(Pointer));
  }

  void addAccess(Instruction &I, ct::Operation Op, Value *Pointer, Type *Accessed, bool Volatile,
                 uint32_t Offset, const ct::PointerOrigin &Origin) {
    if (Origin.Where == ct::Reach::Elsewhere)
      return;
    ct::Site S = blank(I);
    S.Operation = Op;
    S.Pointer = Pointer;
    S.Offset = Offset;
    S.Accessed = Accessed;
    S.Bytes = F.getParent()->getDataLayout().getTypeStoreSize(Accessed).getFixedValue();
    S.Volatile = Volatile;
    S.Variable = Origin.Variable;
    S.Verdict = Origin.Where == ct::Reach::Global ? CT_VERDICT_GLOBAL : CT_VERDICT_CHECKED;
    S.Space = Origin.Where == ct::Reach::Global ? CT_SPACE_GLOBAL : CT_SPACE_GENERIC;
    Sites.push_back(std::move(S));
  }

  void addSkipped(Instruction &I, ct::Operation Op, std::string Reason) {
    ct::Site S = blank(I);
    S.Operation = Op;
    S.Reason = std::move(Reason);
    Sites.push_back(std::move(S));
  }

  /// True if one of the call's pointers may point to global memory.
  bool mayTouchGlobal(const CallBase &Call) const {
    bool HasPointer = false;
    for (const Use &A : Call.args()) {
      if (A->getType()->isIntegerTy(64))
        return true; // asm operands carry addresses as integers, too
      if (!A->getType()->isPtrOrPtrVectorTy())
        continue;
      HasPointer = true;
      if (!A->getType()->isPointerTy() ||
          Pointers.origin(A).Where != ct::Reach::Elsewhere)
        return true;
    }
    return !HasPointer;
  }

  /// Where an address points that assembly takes as pointer or as integer.
  ct::PointerOrigin asmOrigin(const ct::AsmAccess &Access) const {
    Value *Address = Access.Address;
    if (auto *Cast = dyn_cast<PtrToIntOperator>(Address))
      Address = Cast->getOperand(0);
    ct::PointerOrigin Origin = {ct::Reach::Unknown, ""};
    if (Address->getType()->isPointerTy())
      Origin = Pointers.origin(Address);
    if (Access.NamesGlobal)
      Origin.Where = ct::Reach::Global;
    return Origin;
  }

  void visitAsm(CallBase &Call, const InlineAsm &Asm) {
    ct::AsmAccess Access;
    if (ct::describeAsm(Call, Asm, Access))
      return addAccess(Call, Access.Op, Access.Address, Access.Accessed, false, 0,
                       asmOrigin(Access));
    std::string Opcode = ct::globalAccessInAsm(Asm.getAsmString(), mayTouchGlobal(Call));
    if (!Opcode.empty())
      return addSkipped(Call, ct::OP_OTHER, "inline assembly: " + Opcode);
    StringRef Constraints = Asm.getConstraintString();
    bool HasPointer = any_of(Call.args(), [&](const Use &A) {
      return A->getType()->isPointerTy() &&
             Pointers.origin(A).Where != ct::Reach::Elsewhere;
    });
    if (Constraints.contains("~{memory}") && HasPointer && !Asm.getAsmString().empty())
      addSkipped(Call, ct::OP_OTHER, "inline assembly with a pointer operand and a memory clobber");
  }

  /// Vectors with gaps, which the vectoriser makes: a site per run of elements.
  bool addMasked(IntrinsicInst &Call) {
    bool IsStore = Call.getIntrinsicID() == Intrinsic::masked_store;
    if (!IsStore && Call.getIntrinsicID() != Intrinsic::masked_load)
      return false;
    auto *Vector = cast<VectorType>(IsStore ? Call.getArgOperand(0)->getType() : Call.getType());
    auto *Mask = dyn_cast<Constant>(Call.getArgOperand(Call.arg_size() - (IsStore ? 1 : 2)));
    if (!Mask || !isa<FixedVectorType>(Vector) || !isa<FixedVectorType>(Mask->getType()))
      return false;
    unsigned Length = cast<FixedVectorType>(Vector)->getNumElements();
    uint64_t Bytes =
        F.getParent()->getDataLayout().getTypeStoreSize(Vector->getElementType()).getFixedValue();
    auto IsSet = [&](unsigned I) {
      Constant *Bit = I < Length ? Mask->getAggregateElement(I) : nullptr;
      return Bit && Bit->isOneValue();
    };
    for (unsigned First = 0; First < Length; First++) {
      unsigned Run = 0;
      while (IsSet(First + Run))
        Run++;
      if (Run)
        addAccess(Call, IsStore ? ct::OP_STORE : ct::OP_LOAD, Call.getArgOperand(IsStore ? 1 : 0),
                  FixedVectorType::get(Vector->getElementType(), Run), false, First * Bytes);
      First += Run;
    }
    return true;
  }

  /// True if the call has pointers and none may point to global memory.
  bool staysElsewhere(const CallBase &Call) const {
    bool HasPointer = false, MayBeGlobal = false;
    for (const Use &A : Call.args()) {
      HasPointer |= A->getType()->isPtrOrPtrVectorTy();
      MayBeGlobal |= A->getType()->isVectorTy() && A->getType()->isPtrOrPtrVectorTy();
      MayBeGlobal |= A->getType()->isPointerTy() &&
                     Pointers.origin(A).Where != ct::Reach::Elsewhere;
    }
    return HasPointer && !MayBeGlobal;
  }

  void visitIntrinsic(IntrinsicInst &Call) {
    ct::IntrinsicAccess Access;
    if (addMasked(Call))
      return;
    if (!ct::describeIntrinsic(Call, Access))
      return;
    if (Access.Pointer)
      return addAccess(Call, Access.Op, Access.Pointer, Access.Accessed, false);
    if (auto *Block = dyn_cast<MemIntrinsic>(&Call); Block && addBlock(*Block))
      return;
    if (!staysElsewhere(Call))
      addSkipped(Call, Access.Op, Access.Reason);
  }

  /// The accesses of one side of a copied or filled block, from widest to narrowest.
  void addBlockSide(MemIntrinsic &Call, ct::Operation Op, Value *Pointer, Align Unit) {
    uint64_t Length = cast<ConstantInt>(Call.getLength())->getZExtValue();
    uint64_t Bytes = std::min<uint64_t>(Unit.value(), WidestUnit);
    for (uint64_t Offset = 0; Offset < Length; Offset += Bytes) {
      while (Bytes > Length - Offset)
        Bytes /= 2;
      addAccess(Call, Op, Pointer, IntegerType::get(F.getContext(), Bytes * 8),
                Call.isVolatile(), Offset);
    }
  }

  /// Code generation turns short copies and fills into scalar loads and stores.
  /// The block stays as it is here, with a site for each of those.
  bool addBlock(MemIntrinsic &Call) {
    auto *Length = dyn_cast<ConstantInt>(Call.getLength());
    if (!Length || Length->getZExtValue() >= ShortBlockLimit)
      return false;
    Align Unit = Call.getDestAlign().valueOrOne();
    if (auto *Transfer = dyn_cast<MemTransferInst>(&Call)) {
      Unit = std::min(Unit, Transfer->getSourceAlign().valueOrOne());
      addBlockSide(Call, ct::OP_LOAD, Transfer->getSource(), Unit);
    }
    addBlockSide(Call, ct::OP_STORE, Call.getDest(), Unit);
    return true;
  }

  void visitCall(CallBase &Call) {
    if (auto *Asm = dyn_cast<InlineAsm>(Call.getCalledOperand()))
      return visitAsm(Call, *Asm);
    if (auto *Intrinsic = dyn_cast<IntrinsicInst>(&Call))
      return visitIntrinsic(*Intrinsic);
    std::string Reason = Calls.whyUnseen(Call);
    if (!Reason.empty())
      addSkipped(Call, ct::OP_OTHER, std::move(Reason));
  }

  void visit(Instruction &I) {
    if (auto *Load = dyn_cast<LoadInst>(&I))
      addAccess(I, ct::OP_LOAD, Load->getPointerOperand(), Load->getType(), Load->isVolatile());
    else if (auto *Store = dyn_cast<StoreInst>(&I))
      addAccess(I, ct::OP_STORE, Store->getPointerOperand(), Store->getValueOperand()->getType(),
                Store->isVolatile());
    else if (auto *Atomic = dyn_cast<AtomicRMWInst>(&I))
      addAccess(I, ct::atomicOperation(Atomic->getOperation()), Atomic->getPointerOperand(),
                Atomic->getValOperand()->getType(), Atomic->isVolatile());
    else if (auto *Swap = dyn_cast<AtomicCmpXchgInst>(&I))
      addAccess(I, ct::OP_ATOMIC_CAS, Swap->getPointerOperand(),
                Swap->getNewValOperand()->getType(), Swap->isVolatile());
    else if (auto *Call = dyn_cast<CallBase>(&I))
      visitCall(*Call);
  }
};

} // namespace

std::vector<ct::Site> ct::collectSites(Function &F, const LoopInfo &Loops,
                                       const PointerOracle &Pointers, const CallOracle &Calls) {
  return SiteCollector(F, Loops, Pointers, Calls).collect();
}
