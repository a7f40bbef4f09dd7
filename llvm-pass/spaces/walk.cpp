/* SPDX-License-Identifier: Apache-2.0 */
/* The backward walk from a value to its sources. */
#include "llvm-pass/spaces/walk.h"
#include "llvm-pass/base/compat.h"
#include "llvm/Analysis/ConstantFolding.h"
#include "llvm/Demangle/Demangle.h"
#include "llvm/IR/DebugInfo.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Operator.h"

using namespace llvm;

static std::string variableName(const AllocaInst &Slot) {
  if (Slot.hasName())
    return Slot.getName().split(".addr").first.str();
  for (const DbgVariableRecord *Record :
       findDVRDeclares(const_cast<AllocaInst *>(&Slot)))
    return Record->getVariable()->getName().str();
  return "";
}

namespace {

class SourceWalk {
public:
  explicit SourceWalk(ct::PointerGraph &G) : G(G) {}

  ct::PointerSources from(const Value *V) {
    push(V, 0, !V->getType()->isPtrOrPtrVectorTy());
    drain();
    return std::move(Result);
  }

  ct::PointerSources returnedBy(const Function &F) {
    Self = &F;
    for (const BasicBlock &Block : F)
      if (auto *Return = dyn_cast<ReturnInst>(Block.getTerminator()))
        if (const Value *V = Return->getReturnValue())
          push(V, 0, !V->getType()->isPtrOrPtrVectorTy());
    drain();
    for (size_t Count = 0; Count != Result.Parameters.size();) {
      Count = Result.Parameters.size();
      for (const CallBase *Call : SelfCalls)
        for (size_t I = 0; I < Count; I++)
          pushArgument(*Call, *Result.Parameters[I], 0);
      drain();
    }
    return std::move(Result);
  }

  ct::PointerSources stored(const Value *Address, Type *T) {
    visitMemory(Address, T, 0);
    drain();
    return std::move(Result);
  }

private:
  static constexpr unsigned VisitLimit = 1024, PlaceLimit = 64;
  static constexpr unsigned ChainLimit = 64; // unreachable code may go round
  struct Item {
    const Value *V;
    unsigned Forced; // the space that a type on the way here names
    bool Integers;   // integers count: they hold the address here
  };
  ct::PointerGraph &G;
  ct::PointerSources Result;
  SmallVector<Item, 16> Pending;
  std::set<std::tuple<const Value *, unsigned, bool>> Seen;
  std::set<std::tuple<const Value *, std::optional<int64_t>, unsigned>>
      SeenPlaces;
  const Function *Self = nullptr;
  SmallVector<const CallBase *, 2> SelfCalls;

  void push(const Value *V, unsigned Forced, bool Integers) {
    if (Seen.insert({V, Forced, Integers}).second)
      Pending.push_back({V, Forced, Integers});
  }

  void drain() {
    while (!Pending.empty()) {
      if (Seen.size() + SeenPlaces.size() > VisitLimit) {
        Pending.clear();
        return Result.note(CT_SPACE_GENERIC, "");
      }
      visit(Pending.pop_back_val());
    }
  }

  void note(unsigned Space, StringRef Name, unsigned Forced) {
    Result.note(Forced ? Forced : Space, Name);
  }
  void noteUnknown(unsigned Forced) { note(CT_SPACE_GENERIC, "", Forced); }

  void visit(Item From) {
    const Value *V = From.V;
    Type *T = V->getType();
    if (T->isIntOrIntVectorTy() && !From.Integers)
      return; // beside the pointers of an aggregate
    if (T->isFPOrFPVectorTy() || isa<UndefValue>(V))
      return;
    if (!From.Forced)
      From.Forced = ct::typeSpace(T);
    if (isa<GEPOperator>(V) || isa<AddrSpaceCastOperator>(V) ||
        isa<BitCastOperator>(V) || isa<FreezeInst>(V))
      return push(cast<User>(V)->getOperand(0), From.Forced, From.Integers);
    if (isa<PtrToIntOperator>(V))
      return push(cast<User>(V)->getOperand(0), From.Forced, false);
    if (Operator::getOpcode(V) == Instruction::IntToPtr)
      return push(cast<User>(V)->getOperand(0), From.Forced, true);
    if (auto *C = dyn_cast<Constant>(V))
      return visitConstant(*C, From);
    if (auto *A = dyn_cast<Argument>(V))
      return visitArgument(*A, From);
    if (auto *I = dyn_cast<Instruction>(V))
      return visitInstruction(*I, From);
    noteUnknown(From.Forced);
  }

  void visitConstant(const Constant &C, Item From) {
    if (auto *GV = dyn_cast<GlobalVariable>(&C)) {
      unsigned Space = GV->getAddressSpace()
                           ? ct::siteSpace(GV->getAddressSpace())
                           : unsigned(CT_SPACE_GLOBAL); // as NVPTX puts it
      return note(Space, demangle(GV->getName()), From.Forced);
    }
    if (C.isNullValue())
      return; // one of a choice; dereferencing it would fault
    if (isa<ConstantAggregate>(C) || isa<ConstantDataSequential>(C)) {
      if (auto *Data = dyn_cast<ConstantDataSequential>(&C);
          Data && !From.Integers)
        return;
      for (const Use &Element : C.operands())
        push(Element.get(), From.Forced, From.Integers);
      if (C.getNumOperands())
        return;
    }
    noteUnknown(From.Forced);
  }

  void visitArgument(const Argument &A, Item From) {
    bool Kernel = ct::compat::isKernel(*A.getParent());
    if (A.hasByValAttr()) {
      bool Written =
          G.Memory.uses(&A).Escapes || !G.Memory.uses(&A).Writes.empty();
      return note(Kernel && !Written ? CT_SPACE_CONSTANT : CT_SPACE_LOCAL,
                  G.parameterName(A), From.Forced);
    }
    bool Filled = Kernel && ct::holdsPointer(A.getType()); // by the host
    if (Filled || From.Forced)
      return note(CT_SPACE_GLOBAL, G.parameterName(A), From.Forced);
    Result.Parameters.insert(&A);
  }

  void visitInstruction(const Instruction &I, Item From) {
    auto Push = [&](const Value *V) { push(V, From.Forced, From.Integers); };
    if (auto *Phi = dyn_cast<PHINode>(&I)) {
      for (const Use &U : Phi->incoming_values())
        Push(U.get());
      return;
    }
    if (auto *Select = dyn_cast<SelectInst>(&I)) {
      Push(Select->getTrueValue());
      return Push(Select->getFalseValue());
    }
    if (auto *Slot = dyn_cast<AllocaInst>(&I))
      return note(CT_SPACE_LOCAL, variableName(*Slot), From.Forced);
    if (auto *Load = dyn_cast<LoadInst>(&I))
      return visitMemory(Load->getPointerOperand(), Load->getType(),
                         From.Forced);
    if (auto *Atomic = dyn_cast<AtomicRMWInst>(&I))
      return visitMemory(Atomic->getPointerOperand(), Atomic->getType(),
                         From.Forced);
    if (auto *Swap = dyn_cast<AtomicCmpXchgInst>(&I))
      return visitMemory(Swap->getPointerOperand(),
                         Swap->getNewValOperand()->getType(), From.Forced);
    if (auto *Call = dyn_cast<CallBase>(&I))
      return visitCall(*Call, From);
    if (auto *Sum = dyn_cast<BinaryOperator>(&I))
      return visitArithmetic(*Sum, From);
    visitParts(I, From);
  }

  void visitArithmetic(const BinaryOperator &Sum, Item From) {
    const Value *Left = Sum.getOperand(0), *Right = Sum.getOperand(1);
    bool InLeft = ct::holdsPointer(Left), InRight = ct::holdsPointer(Right);
    bool Keeps =
        is_contained({Instruction::Add, Instruction::Sub, Instruction::And,
                      Instruction::Or, Instruction::Xor},
                     Sum.getOpcode());
    if (!Keeps || InLeft == InRight ||
        (InRight && Sum.getOpcode() == Instruction::Sub))
      return noteUnknown(From.Forced);
    push(InLeft ? Left : Right, From.Forced, true);
  }

  /// Aggregates and vectors, and conversions of integers.
  void visitParts(const Instruction &I, Item From) {
    auto Push = [&](const Value *V) { push(V, From.Forced, From.Integers); };
    if (auto *Extract = dyn_cast<ExtractValueInst>(&I))
      return visitExtract(*Extract, From);
    if (isa<InsertValueInst>(I) || isa<InsertElementInst>(I) ||
        isa<ShuffleVectorInst>(I)) {
      Push(I.getOperand(0));
      return Push(I.getOperand(1));
    }
    if (auto *Extract = dyn_cast<ExtractElementInst>(&I)) {
      auto *Index = dyn_cast<ConstantInt>(Extract->getIndexOperand());
      const Value *Vector = Extract->getVectorOperand();
      for (unsigned Step = 0; Index && Step < ChainLimit; Step++) {
        auto *Insert = dyn_cast<InsertElementInst>(Vector);
        if (!Insert)
          break;
        auto *At = dyn_cast<ConstantInt>(Insert->getOperand(2));
        if (!At)
          break;
        if (At->getZExtValue() == Index->getZExtValue())
          return Push(Insert->getOperand(1));
        Vector = Insert->getOperand(0);
      }
      return Push(Vector);
    }
    bool Wide = (isa<TruncInst>(I) || isa<ZExtInst>(I) || isa<SExtInst>(I)) &&
                I.getType()->getScalarSizeInBits() >= 64 &&
                I.getOperand(0)->getType()->getScalarSizeInBits() >= 64;
    if (Wide)
      return Push(I.getOperand(0));
    noteUnknown(From.Forced);
  }

  void visitExtract(const ExtractValueInst &Extract, Item From) {
    const Value *Whole = Extract.getAggregateOperand();
    ArrayRef<unsigned> Wanted = Extract.getIndices();
    for (unsigned Step = 0; Step < ChainLimit; Step++) {
      auto *Insert = dyn_cast<InsertValueInst>(Whole);
      if (!Insert)
        break;
      ArrayRef<unsigned> At = Insert->getIndices();
      if (At == Wanted)
        return push(Insert->getInsertedValueOperand(), From.Forced,
                    From.Integers);
      size_t Common = std::min(At.size(), Wanted.size());
      if (At.take_front(Common) == Wanted.take_front(Common))
        break; // a part, or more than it
      Whole = Insert->getAggregateOperand();
    }
    push(Whole, From.Forced, From.Integers);
  }

  void visitCall(const CallBase &Call, Item From) {
    if (const Value *Same = ct::passedThrough(Call))
      return push(Same, From.Forced, From.Integers);
    const Function *Callee = Call.getCalledFunction();
    if (!Callee)
      return noteUnknown(From.Forced);
    if (unsigned Space = ct::resultSpace(*Callee))
      return note(Space, "", From.Forced);
    if (Callee == Self)
      return SelfCalls.push_back(&Call);
    if (Callee->isDeclaration() || Callee->isInterposable() ||
        Callee->getFunctionType() != Call.getFunctionType())
      return noteUnknown(From.Forced);
    const ct::PointerSources &Returned = G.returned(*Callee);
    joinConcrete(Returned, From.Forced);
    for (const Argument *A : Returned.Parameters)
      pushArgument(Call, *A, From.Forced);
  }

  void joinConcrete(ct::PointerSources Other, unsigned Forced) {
    Other.Parameters.clear();
    if (Forced && Other.Spaces)
      Other.Spaces = 1u << Forced;
    Result.join(Other);
  }

  /// What the caller passes in A.
  void pushArgument(const CallBase &Call, const Argument &A, unsigned Forced) {
    const Value *Passed = Call.getArgOperand(A.getArgNo());
    if (A.hasByValAttr())
      return visitMemory(Passed, A.getParamByValType(), Forced);
    push(Passed, Forced, !Passed->getType()->isPtrOrPtrVectorTy());
  }

  /// What is loaded from there as type T.
  void visitMemory(const Value *Address, Type *T, unsigned Forced) {
    SmallVector<ct::MemoryPlace, 4> Places;
    if (!G.objects(Address, Places))
      return noteUnknown(Forced);
    for (ct::MemoryPlace Place : Places)
      visitPlace(Place, T, Forced);
  }

  void visitPlace(ct::MemoryPlace Place, Type *T, unsigned Forced) {
    if (!SeenPlaces.insert({Place.Object, Place.Offset, Forced}).second)
      return;
    if (SeenPlaces.size() > PlaceLimit)
      return noteUnknown(Forced);
    bool Writable = true;
    if (auto *GV = dyn_cast<GlobalVariable>(Place.Object))
      Writable = visitInitial(*GV, Place, T, Forced);
    if (auto *A = dyn_cast<Argument>(Place.Object))
      visitPassed(*A, Place, Forced);
    if (!Writable)
      return;
    const ct::ObjectUses &Uses = G.Memory.uses(Place.Object);
    if (Uses.Escapes)
      return noteUnknown(Forced);
    uint64_t Bytes = G.Layout.getTypeStoreSize(T).getKnownMinValue();
    for (const ct::MemoryWrite &Write : Uses.Writes)
      if (Write.overlaps(Place.Offset, Bytes))
        visitWrite(Write, Place, T, Forced);
  }

  /// A parameter's content at first: the host fills those of kernels.
  void visitPassed(const Argument &A, ct::MemoryPlace Place, unsigned Forced) {
    if (!A.hasByValAttr())
      return; // not tracked
    Type *Slot =
        Place.Offset && *Place.Offset >= 0
            ? ct::scalarAt(A.getParamByValType(), *Place.Offset, G.Layout)
            : nullptr;
    if (Slot && Slot->isIntegerTy() && !Forced)
      noteUnknown(Forced); // which need not be an address
    else if (ct::compat::isKernel(*A.getParent()) || Forced)
      note(CT_SPACE_GLOBAL, G.parameterName(A), Forced);
    else
      Result.Parameters.insert(&A);
  }

  /// A variable's content at first. Returns whether device code can write it.
  bool visitInitial(const GlobalVariable &GV, ct::MemoryPlace Place, Type *T,
                    unsigned Forced) {
    unsigned Space = ct::siteSpace(GV.getAddressSpace());
    bool Fixed = GV.isConstant() && !GV.isExternallyInitialized();
    if (!GV.hasInitializer()) {
      noteUnknown(Forced);
      return false;
    }
    Constant *Initial = const_cast<Constant *>(GV.getInitializer());
    if (Place.Offset)
      if (Constant *Part = ConstantFoldLoadFromConst(
              Initial, T, APInt(64, *Place.Offset, /*isSigned=*/true),
              G.Layout))
        Initial = Part;
    push(Initial, Forced, T->isIntOrIntVectorTy());
    if (!Fixed && Space != CT_SPACE_SHARED)
      note(CT_SPACE_GLOBAL, demangle(GV.getName()),
           Forced); // the host can write it
    return !Fixed && Space != CT_SPACE_CONSTANT;
  }

  /// True if a write only concerns parts of an aggregate T that hold no
  /// pointers.
  bool isBeside(const ct::MemoryWrite &Write, ct::MemoryPlace Place,
                Type *T) const {
    if (!T->isAggregateType() || !Write.Offset || !Place.Offset ||
        *Write.Offset < *Place.Offset)
      return false;
    Type *Slot = ct::scalarAt(T, *Write.Offset - *Place.Offset, G.Layout);
    return Slot && !Slot->isPointerTy();
  }

  void visitWrite(const ct::MemoryWrite &Write, ct::MemoryPlace Place, Type *T,
                  unsigned Forced) {
    if (Write.CopiedFrom)
      return visitCopy(Write, Place, T, Forced);
    if (!Write.Stored)
      return noteUnknown(Forced);
    Type *Stored = Write.Stored->getType();
    auto *Fixed = dyn_cast<Constant>(Write.Stored);
    if ((Fixed && Fixed->isNullValue()) ||
        (!ct::holdsPointer(Stored) && isBeside(Write, Place, T)))
      return;
    bool Integers = Stored->isIntOrIntVectorTy();
    if (Integers && Write.Bytes < G.Layout.getPointerSize())
      return noteUnknown(Forced); // perhaps a piece of an address
    if (isa<GlobalVariable>(Place.Object))
      return joinForeign(Write.Stored, Write.Path, Forced, /*InCaller=*/false);
    if (!Write.Path.empty())
      return joinForeign(Write.Stored, Write.Path, Forced, /*InCaller=*/true);
    push(Write.Stored, Forced, Integers);
  }

  void visitCopy(const ct::MemoryWrite &Write, ct::MemoryPlace Place, Type *T,
                 unsigned Forced) {
    SmallVector<ct::MemoryPlace, 4> From;
    if (!G.objects(Write.CopiedFrom, From) || !G.climb(From, Write.Path))
      return noteUnknown(Forced);
    for (ct::MemoryPlace Source : From) {
      std::optional<int64_t> Offset;
      if (isa<GlobalVariable>(Place.Object) &&
          !isa<GlobalVariable>(Source.Object))
        return noteUnknown(
            Forced); // of a function that is not the one asked about
      if (Source.Offset && Place.Offset && Write.Offset)
        Offset = *Source.Offset + *Place.Offset - *Write.Offset;
      visitPlace({Source.Object, Offset}, T, Forced);
    }
  }

  /// A value of another function: one that Path leads to from here (InCaller),
  /// or one that says nothing of who called it.
  void joinForeign(const Value *V, ArrayRef<const CallBase *> Path,
                   unsigned Forced, bool InCaller) {
    const ct::PointerSources &Found = G.sources(V);
    joinConcrete(Found, Forced);
    for (const Argument *A : Found.Parameters) {
      if (Path.empty()) {
        note(CT_SPACE_GENERIC, G.parameterName(*A), Forced);
      } else if (Path.size() == 1 && InCaller) {
        pushArgument(*Path.back(), *A, Forced);
      } else if (A->hasByValAttr()) {
        noteUnknown(Forced);
      } else {
        joinForeign(Path.back()->getArgOperand(A->getArgNo()), Path.drop_back(),
                    Forced, InCaller);
      }
    }
  }
};

} // namespace

ct::PointerSources ct::walkFrom(PointerGraph &G, const Value *V) {
  return SourceWalk(G).from(V);
}

ct::PointerSources ct::walkReturned(PointerGraph &G, const Function &F) {
  return SourceWalk(G).returnedBy(F);
}

ct::PointerSources ct::walkStored(PointerGraph &G, const Value *Address,
                                  Type *T) {
  return SourceWalk(G).stored(Address, T);
}
