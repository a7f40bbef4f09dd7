/* SPDX-License-Identifier: Apache-2.0 */
/* Flatten types, constants and globals. */
#include "cpu-target/retarget/spaces/spaces.h"
#include "cpu-target/retarget/thread/thread.h"
#include "cpu-target/retarget/unit/linkage.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Support/Alignment.h"
#include "llvm/Support/ErrorHandling.h"

using namespace llvm;

namespace ct {

static constexpr unsigned SharedSpace = 3;
static constexpr uint64_t SharedAlign = 16;

Type *TypeFlattener::map(Type *T) {
  auto It = Known.find(T);
  if (It != Known.end())
    return It->second;
  Type *Result = compute(T);
  Known[T] = Result;
  return Result;
}

Type *TypeFlattener::compute(Type *T) {
  if (isa<PointerType>(T))
    return PointerType::get(C, 0);
  if (auto *A = dyn_cast<ArrayType>(T))
    return ArrayType::get(map(A->getElementType()), A->getNumElements());
  if (auto *V = dyn_cast<FixedVectorType>(T))
    return FixedVectorType::get(map(V->getElementType()), V->getNumElements());
  SmallVector<Type *> Parts;
  if (auto *F = dyn_cast<FunctionType>(T)) {
    for (Type *P : F->params())
      Parts.push_back(map(P));
    return FunctionType::get(map(F->getReturnType()), Parts, F->isVarArg());
  }
  auto *S = dyn_cast<StructType>(T);
  if (!S || S->isOpaque())
    return T;
  bool Changed = false;
  for (Type *E : S->elements()) {
    Parts.push_back(map(E));
    Changed |= Parts.back() != E;
  }
  return Changed ? StructType::get(C, Parts, S->isPacked()) : T;
}

static GlobalVariable *sectionSymbol(Module &M, const Twine &Name) {
  SmallString<32> Buffer;
  StringRef Text = Name.toStringRef(Buffer);
  if (GlobalVariable *G = M.getNamedGlobal(Text))
    return G;
  // Weak: a program may have no shared variables at all.
  auto *G = new GlobalVariable(M, Type::getInt8Ty(M.getContext()), false,
                               GlobalValue::ExternalWeakLinkage, nullptr, Text);
  G->setVisibility(GlobalValue::HiddenVisibility);
  return G;
}

GlobalVariable *sharedSectionStart(Module &M) {
  return sectionSymbol(M, "__start_" + SharedSection);
}

GlobalVariable *sharedSectionEnd(Module &M) {
  return sectionSymbol(M, "__stop_" + SharedSection);
}

/// Kernels whose code, or a function they call, mentions G.
void ConstantFlattener::noteSharedUsers(GlobalVariable &G, uint64_t Bytes) {
  SmallVector<const User *> Todo(G.users());
  DenseSet<const Value *> Seen;
  while (!Todo.empty()) {
    const User *Next = Todo.pop_back_val();
    const Value *Holder = Next;
    if (auto *I = dyn_cast<Instruction>(Next))
      Holder = I->getFunction();
    if (!Seen.insert(Holder).second)
      continue;
    if (auto *F = dyn_cast<Function>(Holder))
      if (F->hasFnAttribute(KernelAttribute))
        U.KernelSharedBytes[F->getName()] += Bytes;
    Todo.append(Holder->user_begin(), Holder->user_end());
  }
}

void ConstantFlattener::layOutShared(GlobalVariable &G) {
  uint64_t Bytes = U.M.getDataLayout().getTypeAllocSize(G.getValueType());
  if (isDynamicShared(G) || (G.isDeclaration() && !U.Separate)) {
    DynamicShared.insert(&G);
    return;
  }
  if (!G.isDeclaration())
    noteSharedUsers(G, Bytes);
  if (U.Separate)
    return placeShared(G);
  uint64_t Align = std::max(SharedAlign, G.getAlign().valueOrOne().value());
  U.SharedBytes = alignTo(U.SharedBytes, Align);
  Shared[&G] = U.SharedBytes;
  U.SharedBytes += Bytes;
}

/// Separately compiled units leave the layout to the linker: a variable in a
/// section of its own, whose distance from the section's start is the offset.
void ConstantFlattener::placeShared(GlobalVariable &G) {
  Type *T = Types.map(G.getValueType());
  auto *Place = new GlobalVariable(
      U.M, T, false, G.getLinkage(),
      G.isDeclaration() ? nullptr : Constant::getNullValue(T), "", &G);
  Place->takeName(&G);
  Place->setVisibility(G.getVisibility());
  Place->setDSOLocal(true);
  Place->setAlignment(std::max(Align(SharedAlign), G.getAlign().valueOrOne()));
  Place->setSection(SharedSection);
  SharedPlaces[&G] = Place;
}

void ConstantFlattener::replaceGlobal(GlobalVariable &G) {
  bool IsConstant = G.isConstant() && !G.isExternallyInitialized();
  auto *New = new GlobalVariable(U.M, Types.map(G.getValueType()), IsConstant,
                                 G.getLinkage(), nullptr, "", &G);
  New->copyAttributesFrom(&G);
  New->setExternallyInitialized(false);
  New->takeName(&G);
  Replaced[&G] = New;
  if (!New->hasPrivateLinkage() && !G.isDeclaration() &&
      G.getAddressSpace() != 0)
    U.Variables.push_back(New);
}

void ConstantFlattener::layOutGlobals() {
  SmallVector<GlobalVariable *> Globals;
  for (GlobalVariable &G : U.M.globals())
    Globals.push_back(&G);
  for (GlobalVariable *G : Globals) {
    if (G->getAddressSpace() == SharedSpace)
      layOutShared(*G);
    else if (G->getAddressSpace() != 0 || Types.mustChange(G->getValueType()))
      replaceGlobal(*G);
  }
  for (GlobalVariable *G : Globals) {
    if (!G->hasInitializer() || G->getAddressSpace() == SharedSpace)
      continue;
    GlobalVariable *Target = Replaced.lookup(G) ? Replaced.lookup(G) : G;
    Target->setInitializer(flatten(G->getInitializer()));
  }
}

bool ConstantFlattener::mustChange(Constant *C) {
  auto It = Changing.find(C);
  if (It != Changing.end())
    return It->second;
  bool Result = Types.mustChange(C->getType());
  if (auto *G = dyn_cast<GlobalVariable>(C))
    Result |= Replaced.count(G) != 0;
  if (!isa<GlobalValue>(C))
    for (Use &Operand : C->operands())
      if (auto *Inner = dyn_cast<Constant>(Operand.get()))
        Result |= mustChange(Inner);
  Changing[C] = Result;
  return Result;
}

bool ConstantFlattener::holdsShared(Constant *C) {
  if (auto *G = dyn_cast<GlobalVariable>(C))
    return Shared.count(G) || SharedPlaces.count(G) || DynamicShared.count(G);
  if (isa<GlobalValue>(C))
    return false;
  for (Use &Operand : C->operands())
    if (auto *Inner = dyn_cast<Constant>(Operand.get()))
      if (holdsShared(Inner))
        return true;
  return false;
}

Value *ConstantFlattener::sharedAddress(GlobalVariable *G, IRBuilder<> &B) {
  if (DynamicShared.count(G))
    return dynamicSharedBase(B);
  if (GlobalVariable *Place = SharedPlaces.lookup(G)) {
    auto Address = [&](GlobalVariable *V) {
      return B.CreatePtrToInt(V, B.getInt64Ty());
    };
    Value *Offset =
        B.CreateSub(Address(Place), Address(sharedSectionStart(U.M)));
    return B.CreateInBoundsGEP(B.getInt8Ty(), sharedBase(B), Offset);
  }
  return B.CreateConstInBoundsGEP1_64(B.getInt8Ty(), sharedBase(B), Shared[G]);
}

Value *ConstantFlattener::materialize(Constant *C, IRBuilder<> &B) {
  if (!mustChange(C))
    return C;
  if (!holdsShared(C))
    return flatten(C);
  if (auto *G = dyn_cast<GlobalVariable>(C))
    return sharedAddress(G, B);
  if (auto *E = dyn_cast<ConstantExpr>(C)) {
    if (E->getOpcode() == Instruction::AddrSpaceCast)
      return materialize(E->getOperand(0), B);
    Instruction *I = E->getAsInstruction();
    B.Insert(I);
    I->mutateType(Types.map(I->getType()));
    IRBuilder<> Before(I);
    for (Use &Operand : I->operands())
      if (auto *Inner = dyn_cast<Constant>(Operand.get()))
        Operand.set(materialize(Inner, Before));
    return I;
  }
  Value *Aggregate = PoisonValue::get(Types.map(C->getType()));
  for (unsigned I = 0; I < C->getNumOperands(); ++I) {
    Value *Part = materialize(cast<Constant>(C->getOperand(I)), B);
    Aggregate = C->getType()->isVectorTy()
                    ? B.CreateInsertElement(Aggregate, Part, I)
                    : B.CreateInsertValue(Aggregate, Part, I);
  }
  return Aggregate;
}

Constant *ConstantFlattener::flattenOperands(Constant *C) {
  Type *T = Types.map(C->getType());
  SmallVector<Constant *> Parts;
  for (Use &Operand : C->operands())
    Parts.push_back(flatten(cast<Constant>(Operand.get())));
  if (auto *E = dyn_cast<ConstantExpr>(C))
    return E->getOpcode() == Instruction::AddrSpaceCast
               ? Parts[0]
               : E->getWithOperands(Parts, T);
  if (auto *S = dyn_cast<StructType>(T))
    return ConstantStruct::get(S, Parts);
  if (auto *A = dyn_cast<ArrayType>(T))
    return ConstantArray::get(A, Parts);
  return ConstantVector::get(Parts);
}

Constant *ConstantFlattener::flatten(Constant *C) {
  if (!mustChange(C))
    return C;
  auto It = Flattened.find(C);
  if (It != Flattened.end())
    return It->second;
  Type *T = Types.map(C->getType());
  Constant *Result;
  if (auto *G = dyn_cast<GlobalVariable>(C)) {
    Result = Replaced.lookup(G);
    if (!Result) // a static initializer cannot hold a shared address in CUDA
      Result = Constant::getNullValue(T);
  } else if (isa<ConstantPointerNull>(C) || isa<ConstantAggregateZero>(C)) {
    Result = Constant::getNullValue(T);
  } else if (isa<PoisonValue>(C)) {
    Result = PoisonValue::get(T);
  } else if (isa<UndefValue>(C)) {
    Result = UndefValue::get(T);
  } else {
    Result = flattenOperands(C);
  }
  Flattened[C] = Result;
  return Result;
}

void ConstantFlattener::eraseOldGlobals() {
  auto Erase = [](GlobalVariable *G) {
    G->setInitializer(nullptr);
    G->removeDeadConstantUsers();
    if (!G->use_empty())
      G->replaceAllUsesWith(PoisonValue::get(G->getType()));
    G->eraseFromParent();
  };
  for (auto &Entry : Replaced)
    Erase(Entry.first);
  for (auto &Entry : Shared)
    Erase(Entry.first);
  for (auto &Entry : SharedPlaces)
    Erase(Entry.first);
  for (GlobalVariable *G : DynamicShared)
    Erase(G);
}

} // namespace ct
