/* SPDX-License-Identifier: Apache-2.0 */
/* The backward walk from a value to its sources. */
#include "llvm-pass/spaces/walk.h"
#include "llvm-pass/base/compat.h"
#include "llvm-pass/spaces/pointers.h"
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

ct::PointerSources ct::SourceWalk::from(const Value *V) {
  push(V, 0, !V->getType()->isPtrOrPtrVectorTy());
  drain();
  return std::move(Result);
}

ct::PointerSources ct::SourceWalk::returnedBy(const Function &F) {
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

ct::PointerSources ct::SourceWalk::stored(const Value *Address, Type *T) {
  visitMemory(Address, T, 0);
  drain();
  return std::move(Result);
}

void ct::SourceWalk::push(const Value *V, unsigned Forced, bool Integers) {
  if (Seen.insert({V, Forced, Integers}).second)
    Pending.push_back({V, Forced, Integers});
}

void ct::SourceWalk::drain() {
  while (!Pending.empty()) {
    if (Seen.size() + SeenPlaces.size() > VisitLimit) {
      Pending.clear();
      return Result.note(CT_SPACE_GENERIC, "");
    }
    visit(Pending.pop_back_val());
  }
}

void ct::SourceWalk::note(unsigned Space, StringRef Name, unsigned Forced) {
  Result.OnlyAddresses = false;
  Result.note(Forced ? Forced : Space, Name);
}

void ct::SourceWalk::visit(Item From) {
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

void ct::SourceWalk::visitConstant(const Constant &C, Item From) {
  if (auto *GV = dyn_cast<GlobalVariable>(&C)) {
    unsigned Space = GV->getAddressSpace()
                         ? ct::siteSpace(GV->getAddressSpace())
                         : unsigned(CT_SPACE_GLOBAL); // as NVPTX puts it
    return Result.note(From.Forced ? From.Forced : Space,
                       demangle(GV->getName()));
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

void ct::SourceWalk::visitArgument(const Argument &A, Item From) {
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

void ct::SourceWalk::visitInstruction(const Instruction &I, Item From) {
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
    return visitMemory(Load->getPointerOperand(), Load->getType(), From.Forced);
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

void ct::SourceWalk::visitArithmetic(const BinaryOperator &Sum, Item From) {
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

void ct::SourceWalk::visitParts(const Instruction &I, Item From) {
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

void ct::SourceWalk::visitExtract(const ExtractValueInst &Extract, Item From) {
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

void ct::SourceWalk::visitCall(const CallBase &Call, Item From) {
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

void ct::SourceWalk::joinConcrete(ct::PointerSources Other, unsigned Forced) {
  Other.Parameters.clear();
  if (Forced && Other.Spaces)
    Other.Spaces = 1u << Forced;
  Result.join(Other);
}

void ct::SourceWalk::pushArgument(const CallBase &Call, const Argument &A,
                                  unsigned Forced) {
  const Value *Passed = Call.getArgOperand(A.getArgNo());
  if (A.hasByValAttr())
    return visitMemory(Passed, A.getParamByValType(), Forced);
  push(Passed, Forced, !Passed->getType()->isPtrOrPtrVectorTy());
}
