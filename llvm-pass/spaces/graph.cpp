/* SPDX-License-Identifier: Apache-2.0 */
/* What the values of a module can be derived from. */
#include "llvm-pass/spaces/graph.h"
#include "llvm-pass/base/compat.h"
#include "llvm-pass/spaces/walk.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Operator.h"

using namespace llvm;

void ct::PointerSources::noteName(StringRef Name) {
  if (!Name.empty() && OneVariable && (Variable.empty() || Variable == Name)) {
    Variable = Name.str();
    return;
  }
  OneVariable = false;
  Variable.clear();
}

void ct::PointerSources::note(unsigned Space, StringRef Name) {
  Spaces |= 1u << Space;
  noteName(Name);
}

void ct::PointerSources::join(const PointerSources &Other) {
  Spaces |= Other.Spaces;
  Parameters.insert_range(Other.Parameters);
  if (Other.Spaces)
    noteName(Other.Variable);
}

unsigned ct::siteSpace(unsigned AddressSpace) {
  switch (AddressSpace) {
  case 0:
    return CT_SPACE_GENERIC;
  case 1:
    return CT_SPACE_GLOBAL;
  case 3:
  case 7: // shared memory of the cluster
    return CT_SPACE_SHARED;
  case 4:
  case 101: // kernel parameters
    return CT_SPACE_CONSTANT;
  case 5:
    return CT_SPACE_LOCAL;
  default:
    return 6;
  }
}

unsigned ct::typeSpace(const Type *T) {
  return siteSpace(T->isPtrOrPtrVectorTy() ? T->getPointerAddressSpace() : 0);
}

unsigned ct::resultSpace(const Function &F) {
  StringRef Name = F.getName();
  if (Name.starts_with("llvm.nvvm.mapa"))
    return CT_SPACE_SHARED;
  return StringSwitch<unsigned>(Name)
      .Cases({"malloc", "_Znwm", "_Znam", "_ZnwmSt11align_val_t",
              "_ZnamSt11align_val_t"},
             CT_SPACE_GLOBAL)
      .Cases({"_ZnwmRKSt9nothrow_t", "_ZnamRKSt9nothrow_t"}, CT_SPACE_GLOBAL)
      .Cases({"cudaGetParameterBuffer", "cudaGetParameterBufferV2"},
             CT_SPACE_GLOBAL)
      .Default(CT_SPACE_GENERIC);
}

const Value *ct::passedThrough(const CallBase &Call) {
  if (const Value *Same = Call.getReturnedArgOperand())
    return Same;
  const Function *Callee = Call.getCalledFunction();
  if (!Callee || !Callee->isIntrinsic() || Call.arg_empty())
    return nullptr;
  StringRef Name = Callee->getName();
  static const char *const Prefixes[] = {"llvm.ptrmask.",
                                         "llvm.launder.invariant.group",
                                         "llvm.strip.invariant.group",
                                         "llvm.ptr.annotation",
                                         "llvm.ssa.copy",
                                         "llvm.nvvm.ptr.",
                                         "llvm.nvvm.internal.addrspace.wrap",
                                         "llvm.preserve."};
  bool Passes = any_of(
      Prefixes, [&](const char *Prefix) { return Name.starts_with(Prefix); });
  bool Pointers = Call.getType()->isPtrOrPtrVectorTy() &&
                  Call.getArgOperand(0)->getType()->isPtrOrPtrVectorTy();
  return Passes && Pointers ? Call.getArgOperand(0) : nullptr;
}

Type *ct::scalarAt(Type *T, uint64_t Offset, const DataLayout &Layout) {
  while (T->isAggregateType() || isa<FixedVectorType>(T)) {
    if (auto *Struct = dyn_cast<StructType>(T)) {
      const StructLayout *Parts = Layout.getStructLayout(Struct);
      if (Struct->getNumElements() == 0 || Offset >= Parts->getSizeInBytes())
        return nullptr;
      unsigned Index = Parts->getElementContainingOffset(Offset);
      Offset -= Parts->getElementOffset(Index);
      T = Struct->getElementType(Index);
      continue;
    }
    Type *Element = isa<ArrayType>(T)
                        ? T->getArrayElementType()
                        : cast<FixedVectorType>(T)->getElementType();
    uint64_t Bytes = Layout.getTypeAllocSize(Element);
    if (!Bytes || Offset >= Layout.getTypeAllocSize(T))
      return nullptr;
    Offset %= Bytes;
    T = Element;
  }
  return Offset < Layout.getTypeStoreSize(T).getKnownMinValue() ? T : nullptr;
}

bool ct::holdsPointer(Type *T) {
  return T->isPtrOrPtrVectorTy() ||
         any_of(T->subtypes(), [](Type *Part) { return holdsPointer(Part); });
}

static bool holdsPointer(const Value *V, SmallPtrSetImpl<const Value *> &Seen) {
  static const unsigned Limit = 64;
  auto Any = [&](const Value *Part) { return holdsPointer(Part, Seen); };
  if (Seen.size() >= Limit || !Seen.insert(V).second)
    return false;
  if (isa<PtrToIntOperator>(V))
    return true;
  if (isa<CastInst>(V) || isa<FreezeInst>(V))
    return Any(cast<Instruction>(V)->getOperand(0));
  if (auto *Select = dyn_cast<SelectInst>(V))
    return Any(Select->getTrueValue()) || Any(Select->getFalseValue());
  if (auto *Phi = dyn_cast<PHINode>(V))
    return any_of(Phi->incoming_values(), Any);
  if (auto *Load = dyn_cast<LoadInst>(V))
    if (auto *Slot = dyn_cast<AllocaInst>(Load->getPointerOperand()))
      return any_of(Slot->users(), [&](const User *U) {
        auto *Store = dyn_cast<StoreInst>(U);
        return Store && Store->getPointerOperand() == Slot &&
               Any(Store->getValueOperand());
      });
  auto *Sum = dyn_cast<BinaryOperator>(V);
  if (!Sum)
    return false;
  return Sum && (Any(Sum->getOperand(0)) || Any(Sum->getOperand(1)));
}

bool ct::holdsPointer(const Value *Integer) {
  SmallPtrSet<const Value *, 16> Seen;
  return ::holdsPointer(Integer, Seen);
}

std::string ct::PointerGraph::parameterName(const Argument &A) const {
  auto Known = Facts.find(A.getParent());
  if (Known != Facts.end() && A.getArgNo() < Known->second.Parameters.size())
    return Known->second.Parameters[A.getArgNo()].Name;
  return A.getName().str();
}

const ct::PointerSources &
ct::PointerGraph::answer(Answers &Kept, const Value *Key,
                         function_ref<PointerSources()> Ask) {
  auto Found = Kept.find(Key);
  if (Found != Kept.end())
    return *Found->second;
  if (Open.size() >= DepthLimit || !Open.insert({&Kept, Key}).second)
    return Undecided;
  auto Answer = std::make_unique<PointerSources>(Ask());
  Open.erase({&Kept, Key});
  return *(Kept[Key] = std::move(Answer));
}

const ct::PointerSources &ct::PointerGraph::sources(const Value *V) {
  return answer(Known, V, [&] { return walkFrom(*this, V); });
}

const ct::PointerSources &ct::PointerGraph::returned(const Function &F) {
  return answer(Returns, &F, [&] { return walkReturned(*this, F); });
}

const ct::PointerSources &ct::PointerGraph::passed(const CallBase &Call,
                                                   const Argument &A) {
  const Value *Passed = Call.getArgOperand(A.getArgNo());
  if (!A.hasByValAttr())
    return sources(Passed);
  return answer(Contents, Passed, [&] {
    return walkStored(*this, Passed, A.getParamByValType());
  });
}

namespace {

/// The walk from an address to the objects that it lies in.
class ObjectWalk {
public:
  ObjectWalk(ct::PointerGraph &G, SmallVectorImpl<ct::MemoryPlace> &Found,
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
  ct::PointerGraph &G;
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
      return visitCall(*Call, Offset);
    return false;
  }

  /// The address of a local variable that is itself in a local variable.
  bool visitLoad(const LoadInst &Load, std::optional<int64_t> Offset) {
    SmallVector<ct::MemoryPlace, 4> Slots;
    if (Nesting >= NestingLimit || !Load.getType()->isPointerTy() ||
        !G.objects(Load.getPointerOperand(), Slots, Nesting + 1))
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
  bool visitCall(const CallBase &Call, std::optional<int64_t> Offset) {
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

bool ct::PointerGraph::objects(const Value *Address,
                               SmallVectorImpl<MemoryPlace> &Found,
                               unsigned Nesting) {
  return ObjectWalk(*this, Found, Nesting).run(Address);
}

bool ct::PointerGraph::climb(SmallVectorImpl<MemoryPlace> &Places,
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
          !objects(Path.back()->getArgOperand(A->getArgNo()), Places))
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
