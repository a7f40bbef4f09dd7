/* SPDX-License-Identifier: Apache-2.0 */
/* Follows what is stored in variables. */
#include "llvm-pass/spaces/memory.h"
#include "llvm-pass/spaces/pointers.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Operator.h"
#include <map>

using namespace llvm;

namespace {

/// Follows an object's address through all its uses, into callees, too.
class UseWalk {
public:
  UseWalk(ct::ObjectMemory &Memory, const DataLayout &Layout,
          const Value *Object)
      : Memory(Memory), Layout(Layout) {
    push(Object, 0, {});
  }

  ct::ObjectUses run() {
    while (!Pending.empty() && !Uses.Escapes) {
      auto [V, Path] = Pending.back();
      Pending.pop_back();
      std::optional<int64_t> Offset = Offsets.find({V, Path})->second;
      for (const Use &U : V->uses()) {
        if (++Visits > VisitLimit)
          Uses.Escapes = true;
        if (!Uses.Escapes)
          visit(U, Offset, Path);
      }
    }
    if (Uses.Escapes)
      return {true, true, {}, {}};
    return std::move(Uses);
  }

private:
  static constexpr unsigned VisitLimit = 4096, PathLimit = 4;
  using Key = std::pair<const Value *, ct::CallPath>;
  ct::ObjectMemory &Memory;
  const DataLayout &Layout;
  ct::ObjectUses Uses;
  std::map<Key, std::optional<int64_t>> Offsets;
  SmallVector<Key, 8> Pending;
  unsigned Visits = 0;

  /// A value reached at two offsets is visited once more, at any offset.
  void push(const Value *V, std::optional<int64_t> Offset,
            const ct::CallPath &Path) {
    auto [Known, New] = Offsets.try_emplace({V, Path}, Offset);
    if (!New && (!Known->second || Known->second == Offset))
      return;
    if (!New)
      Known->second = std::nullopt;
    Pending.push_back({V, Path});
  }

  void addWrite(std::optional<int64_t> Offset, uint64_t Bytes,
                const Value *Stored, const Value *CopiedFrom,
                const ct::CallPath &Path) {
    Uses.Writes.push_back({Offset, Bytes, Stored, CopiedFrom, Path});
  }

  void addStore(const Value *Stored, std::optional<int64_t> Offset,
                const ct::CallPath &Path) {
    addWrite(Offset,
             Layout.getTypeStoreSize(Stored->getType()).getKnownMinValue(),
             Stored, nullptr, Path);
  }

  /// The address itself is stored: its uses go on where it is loaded again.
  void follow(const Value *Container, std::optional<int64_t> Offset,
              const ct::CallPath &Path) {
    const Value *Object = Container->stripInBoundsConstantOffsets();
    if (!isa<AllocaInst>(Object))
      return void(Uses.Escapes = true);
    const ct::ObjectUses &Held = Memory.uses(Object);
    Uses.Escapes |= Held.Escapes || Held.Copied;
    for (const ct::MemoryRead &Read : Held.Reads) {
      ct::CallPath Deeper = Path;
      Deeper.append(Read.Path);
      if (!Read.Loaded->getType()->isPointerTy() || Deeper.size() > PathLimit)
        return void(Uses.Escapes = true);
      push(Read.Loaded, Offset, Deeper);
    }
  }

  void visitGEP(const GEPOperator &GEP, std::optional<int64_t> Offset,
                const ct::CallPath &Path) {
    APInt Step(
        Layout.getIndexTypeSizeInBits(GEP.getPointerOperand()->getType()), 0);
    if (GEP.getType()->isVectorTy())
      return void(Uses.Escapes = true);
    if (Offset && GEP.accumulateConstantOffset(Layout, Step))
      return push(&GEP, *Offset + Step.getSExtValue(), Path);
    push(&GEP, std::nullopt, Path);
  }

  void visitTransfer(const MemIntrinsic &Call, const Use &U,
                     std::optional<int64_t> Offset, const ct::CallPath &Path) {
    auto *Length = dyn_cast<ConstantInt>(Call.getLength());
    uint64_t Bytes = Length ? Length->getZExtValue() : 0;
    auto *Set = dyn_cast<MemSetInst>(&Call);
    auto *Value = Set ? dyn_cast<ConstantInt>(Set->getValue()) : nullptr;
    if (U.getOperandNo() != 0)
      Uses.Copied = true;
    else if (!Set)
      addWrite(Offset, Bytes, nullptr,
               cast<MemTransferInst>(Call).getRawSource(), Path);
    else if (!Value || !Value->isZero())
      addWrite(Offset, Bytes, nullptr, nullptr, Path);
  }

  void visitCall(const CallBase &Call, const Use &U,
                 std::optional<int64_t> Offset, const ct::CallPath &Path) {
    auto *Intrinsic = dyn_cast<IntrinsicInst>(&Call);
    if (!Call.isArgOperand(&U))
      return void(Uses.Escapes = true);
    unsigned Number = Call.getArgOperandNo(&U);
    if (auto *Block = dyn_cast<MemIntrinsic>(&Call))
      return visitTransfer(*Block, U, Offset, Path);
    if (ct::passedThrough(Call) == U.get())
      return push(&Call, Offset, Path);
    if (Intrinsic && Intrinsic->isAssumeLikeIntrinsic())
      return;
    if (Call.isByValArgument(Number) ||
        (Call.doesNotCapture(Number) && Call.onlyReadsMemory(Number)))
      return void(Uses.Copied = true);
    const Function *Callee = Call.getCalledFunction();
    if (!Callee || Callee->isDeclaration() || Callee->isInterposable() ||
        Number >= Callee->arg_size() || Path.size() >= PathLimit)
      return void(Uses.Escapes = true);
    ct::CallPath Deeper = Path;
    Deeper.push_back(&Call);
    push(Callee->getArg(Number), Offset, Deeper);
  }

  /// Constants that hold the address; lists that are for the linker do no harm.
  void visitConstant(const Constant &C) {
    if (auto *GV = dyn_cast<GlobalVariable>(&C))
      Uses.Escapes |= !GV->getName().starts_with("llvm.");
    else
      for (const User *U : C.users()) {
        if (auto *Outer = dyn_cast<Constant>(U))
          visitConstant(*Outer);
        else
          Uses.Escapes = true;
      }
  }

  void visit(const Use &U, std::optional<int64_t> Offset,
             const ct::CallPath &Path) {
    const User *User = U.getUser();
    if (auto *GEP = dyn_cast<GEPOperator>(User))
      return visitGEP(*GEP, Offset, Path);
    if (isa<BitCastOperator>(User) || isa<AddrSpaceCastOperator>(User) ||
        isa<FreezeInst>(User) || isa<PHINode>(User) || isa<SelectInst>(User))
      return push(User, Offset, Path);
    if (auto *C = dyn_cast<Constant>(User))
      return visitConstant(*C);
    if (auto *Load = dyn_cast<LoadInst>(User))
      return void(Uses.Reads.push_back({Load, Offset, Path}));
    if (auto *Store = dyn_cast<StoreInst>(User)) {
      if (U.getOperandNo() == StoreInst::getPointerOperandIndex())
        return addStore(Store->getValueOperand(), Offset, Path);
      return follow(Store->getPointerOperand(), Offset, Path);
    }
    visitRest(U, Offset, Path);
  }

  void visitRest(const Use &U, std::optional<int64_t> Offset,
                 const ct::CallPath &Path) {
    const User *User = U.getUser();
    if (isa<ICmpInst>(User))
      return;
    if (auto *Call = dyn_cast<CallBase>(User))
      return visitCall(*Call, U, Offset, Path);
    auto *Atomic = dyn_cast<AtomicRMWInst>(User);
    if (Atomic && U.getOperandNo() == AtomicRMWInst::getPointerOperandIndex()) {
      Uses.Reads.push_back({Atomic, Offset, Path});
      return addStore(Atomic->getValOperand(), Offset, Path);
    }
    auto *Swap = dyn_cast<AtomicCmpXchgInst>(User);
    if (Swap &&
        U.getOperandNo() == AtomicCmpXchgInst::getPointerOperandIndex()) {
      Uses.Reads.push_back({Swap, Offset, Path});
      return addStore(Swap->getNewValOperand(), Offset, Path);
    }
    if (isa<ReturnInst>(User) && !Path.empty()) {
      ct::CallPath Shorter(Path.begin(), Path.end() - 1);
      return push(Path.back(), Offset, Shorter);
    }
    Uses.Escapes = true;
  }
};

} // namespace

bool ct::ObjectMemory::isTracked(const Value *Object) const {
  if (auto *A = dyn_cast<Argument>(Object))
    return A->hasByValAttr();
  if (auto *GV = dyn_cast<GlobalVariable>(Object))
    return !GV->isDeclaration() && !GV->isInterposable() &&
           (GV->hasLocalLinkage() || !Relocatable);
  return isa<AllocaInst>(Object);
}

const ct::ObjectUses &ct::ObjectMemory::uses(const Value *Object) {
  auto Found = Known.find(Object);
  if (Found != Known.end())
    return *Found->second;
  // Until it is known, whatever asks in between takes the worst for granted.
  Known[Object] = std::make_unique<ObjectUses>(ObjectUses{true, true, {}, {}});
  if (!isTracked(Object))
    return *Known[Object];
  auto Uses =
      std::make_unique<ObjectUses>(UseWalk(*this, Layout, Object).run());
  return *(Known[Object] = std::move(Uses));
}
