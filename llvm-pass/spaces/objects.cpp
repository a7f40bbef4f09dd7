/* SPDX-License-Identifier: Apache-2.0 */
/* The objects that an address may lie in. */
#include "llvm-pass/spaces/objects.h"
#include "llvm-pass/spaces/pointers.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Operator.h"

using namespace llvm;

namespace {

/// The walk from an address to the objects that it lies in.
class ObjectWalk {
public:
  ObjectWalk(ct::SourceOracle &G, SmallVectorImpl<ct::MemoryPlace> &Found,
             unsigned Nesting)
      : G(G), Found(Found), Nesting(Nesting) {}

  bool run(const Value *Address) {
    push(Address, 0);
    for (unsigned Steps = 0; !Pending.empty(); Steps++) {
      const Value *V = Pending.pop_back_val();
      if (Steps > StepLimit || !visit(V, Offsets.lookup(V)))
        return false;
    }
    for (const Value *Object : Objects)
      Found.push_back({Object, Offsets.lookup(Object)});
    return true;
  }

private:
  static constexpr unsigned StepLimit = 64, NestingLimit = 3;
  ct::SourceOracle &G;
  SmallVectorImpl<ct::MemoryPlace> &Found;
  unsigned Nesting;
  SmallVector<const Value *, 8> Pending;
  SmallSetVector<const Value *, 4> Objects;
  SmallDenseMap<const Value *, std::optional<int64_t>> Offsets;

  bool push(const Value *V, std::optional<int64_t> Offset) {
    auto [Known, New] = Offsets.try_emplace(V, Offset);
    if (!New && (!Known->second || Known->second == Offset))
      return true;
    if (!New)
      Known->second = std::nullopt;
    Pending.push_back(V);
    return true;
  }

  bool visit(const Value *V, std::optional<int64_t> Offset) {
    if (isa<UndefValue>(V) || isa<ConstantPointerNull>(V))
      return true;
    if (isa<AllocaInst>(V) || isa<Argument>(V) || isa<GlobalVariable>(V)) {
      Objects.insert(V);
      return V->getType()->isPointerTy();
    }
    if (auto *GEP = dyn_cast<GEPOperator>(V)) {
      APInt Step(G.Layout.getIndexTypeSizeInBits(GEP->getPointerOperandType()),
                 0);
      bool Exact = Offset && GEP->getType()->isPointerTy() &&
                   GEP->accumulateConstantOffset(G.Layout, Step);
      return push(GEP->getPointerOperand(),
                  Exact ? std::optional<int64_t>(*Offset + Step.getSExtValue())
                        : std::nullopt);
    }
    if (isa<AddrSpaceCastOperator>(V) || isa<BitCastOperator>(V) ||
        isa<FreezeInst>(V))
      return push(cast<User>(V)->getOperand(0), Offset);
    if (auto *Phi = dyn_cast<PHINode>(V))
      return all_of(Phi->incoming_values(),
                    [&](const Use &U) { return push(U, Offset); });
    if (auto *Select = dyn_cast<SelectInst>(V))
      return push(Select->getTrueValue(), Offset) &&
             push(Select->getFalseValue(), Offset);
    if (auto *Load = dyn_cast<LoadInst>(V))
      return visitLoad(*Load, Offset);
    if (auto *Call = dyn_cast<CallBase>(V))
      return visitCall(*Call);
    return false;
  }

  /// The address of a local variable that is itself in a local variable.
  bool visitLoad(const LoadInst &Load, std::optional<int64_t> Offset) {
    SmallVector<ct::MemoryPlace, 4> Slots;
    if (Nesting >= NestingLimit || !Load.getType()->isPointerTy() ||
        !ct::findObjects(G, Load.getPointerOperand(), Slots, Nesting + 1))
      return false;
    for (ct::MemoryPlace Slot : Slots) {
      const ct::ObjectUses &Uses = G.Memory.uses(Slot.Object);
      if (!isa<AllocaInst>(Slot.Object) || Uses.Escapes)
        return false;
      for (const ct::MemoryWrite &Write : Uses.Writes) {
        if (!Write.overlaps(Slot.Offset, G.Layout.getPointerSize()))
          continue;
        if (!Write.Stored || !Write.Path.empty() ||
            !Write.Stored->getType()->isPointerTy())
          return false;
        push(Write.Stored, Offset);
      }
    }
    return true;
  }

  /// A function that returns an address within what it is given.
  bool visitCall(const CallBase &Call) {
    if (const Value *Same = ct::passedThrough(Call))
      return push(Same, std::nullopt);
    const Function *Callee = Call.getCalledFunction();
    if (!Callee || Callee->isDeclaration() || Callee->isInterposable() ||
        Callee->getFunctionType() != Call.getFunctionType())
      return false;
    const ct::PointerSources &Returned = G.returned(*Callee);
    return !Returned.Spaces &&
           all_of(Returned.Parameters, [&](const Argument *A) {
             return A->getType()->isPointerTy() && !A->hasByValAttr() &&
                    push(Call.getArgOperand(A->getArgNo()), std::nullopt);
           });
  }
};

} // namespace

bool ct::findObjects(SourceOracle &G, const Value *Address,
                     SmallVectorImpl<MemoryPlace> &Found, unsigned Nesting) {
  return ObjectWalk(G, Found, Nesting).run(Address);
}

bool ct::climb(SourceOracle &G, SmallVectorImpl<MemoryPlace> &Places,
               ArrayRef<const CallBase *> Path) {
  for (; !Path.empty(); Path = Path.drop_back()) {
    SmallVector<MemoryPlace, 4> Callee = std::move(Places);
    Places.clear();
    for (MemoryPlace Place : Callee) {
      auto *A = dyn_cast<Argument>(Place.Object);
      if (isa<GlobalVariable>(Place.Object)) {
        Places.push_back(Place);
        continue;
      }
      size_t First = Places.size();
      if (!A || A->hasByValAttr() ||
          !findObjects(G, Path.back()->getArgOperand(A->getArgNo()), Places))
        return false;
      for (MemoryPlace &Found : drop_begin(Places, First))
        Found.Offset =
            Found.Offset && Place.Offset
                ? std::optional<int64_t>(*Found.Offset + *Place.Offset)
                : std::nullopt;
    }
  }
  return true;
}
