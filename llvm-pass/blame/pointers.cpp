/* SPDX-License-Identifier: Apache-2.0 */
/* Where pointers point to. */
#include "llvm-pass/blame/pointers.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/DebugProgramInstruction.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Operator.h"
#include <numeric>

using namespace llvm;

namespace ct {

void addTarget(Pointees &All, const PointsTo &New) {
  if (!is_contained(All, New))
    All.push_back(New);
}

static void addAll(Pointees &All, const Pointees &More) {
  for (const PointsTo &T : More)
    addTarget(All, T);
}

Pointers::Pointers(Function &F, Storages &S,
                   std::function<Pointees(const CallBase &)> Returned)
    : DL(F.getParent()->getDataLayout()), S(S), Returned(std::move(Returned)) {
  findParameters(F);
  declare(F);
  for (Instruction &I : instructions(F)) {
    if (auto *Store = dyn_cast<StoreInst>(&I)) {
      if (Store->getValueOperand()->getType()->isPointerTy())
        Stores.push_back(Store);
    } else if (isa<AnyMemTransferInst>(I)) {
      Copies.push_back(cast<CallBase>(&I));
    }
  }
}

/// A parameter is in the alloca that its argument is stored in, or where the
/// argument points to.
void Pointers::findParameters(Function &F) {
  for (Argument &A : F.args()) {
    Storage *Holder = nullptr;
    for (const User *U : A.users())
      if (auto *Store = dyn_cast<StoreInst>(U))
        if (Store->getValueOperand() == &A &&
            isa<AllocaInst>(Store->getPointerOperand()->stripPointerCasts()))
          Holder = S.variable(Store->getPointerOperand()->stripPointerCasts());
    if (!Holder)
      Holder = S.variable(&A);
    Holder->Parameter = int(A.getArgNo());
    Holder->Arrives = A.hasByValAttr() && Holder->Root == &A;
    Parameters.push_back(Holder);
  }
}

/// Names of variables, from debug information.
void Pointers::declare(Function &F) {
  for (Instruction &I : instructions(F))
    for (DbgVariableRecord &Record : filterDbgVars(I.getDbgRecordRange())) {
      // Clang tracks assignments of optimised code from the beginning on.
      const Value *Root = Record.isDbgDeclare()
                              ? Record.getVariableLocationOp(0)
                          : Record.isDbgAssign() ? Record.getAddress()
                                                 : nullptr;
      if (!Root)
        continue;
      Root = Root->stripPointerCasts();
      auto *Holder = dyn_cast<Argument>(Root);
      if (!isa<AllocaInst>(Root) && !Holder)
        continue;
      Storage *V = S.variable(Root);
      V->Declared = Record.getVariable();
      V->Type = Record.getVariable()->getType();
    }
}

SmallVector<const Storage *, 2> Pointers::accessed(const Value *Pointer,
                                                   uint64_t Bytes) {
  SmallVector<const Storage *, 2> Found;
  for (const PointsTo &T : targets(Pointer)) {
    const Storage *Piece = S.access(T, Bytes);
    if (!is_contained(Found, Piece))
      Found.push_back(Piece);
  }
  return Found;
}

const Storage *Pointers::through(const Value *Pointer) {
  const Value *Base = getUnderlyingObject(Pointer);
  auto *Load = dyn_cast<LoadInst>(Base);
  if (!Load)
    return nullptr;
  const Value *From = Load->getPointerOperand()->stripPointerCasts();
  return isa<AllocaInst>(From) ? S.variable(From) : nullptr;
}

Pointees Pointers::targets(const Value *Pointer) {
  auto At = Known.find(Pointer);
  if (At != Known.end())
    return At->second;
  if (!Busy.insert(Pointer).second) {
    IsCut = true;
    return {};
  }
  bool Outer = IsCut;
  IsCut = false;
  Pointees Found = find(Pointer);
  Busy.erase(Pointer);
  if (!IsCut || Busy.empty())
    Known[Pointer] = Found;
  IsCut = (IsCut || Outer) && !Busy.empty();
  return Found;
}

Pointees Pointers::indexed(const GEPOperator &GEP) {
  SmallMapVector<Value *, APInt, 4> Variable;
  unsigned Width = DL.getIndexTypeSizeInBits(GEP.getType());
  APInt Constant(Width, 0);
  Pointees Found;
  bool IsKnown = GEP.collectOffset(DL, Width, Variable, Constant);
  for (PointsTo T : targets(GEP.getPointerOperand())) {
    T.Offset += Constant.getSExtValue();
    for (auto &[Index, Scale] : Variable)
      T.Scale = std::gcd(T.Scale, Scale.abs().getZExtValue());
    if (!IsKnown)
      T.Scale = 1;
    // A pointer that runs over elements stays at the first of them.
    if (T.To->Kind == Storage::Pointee) {
      const DIType *Type = plainType(T.To->Type);
      uint64_t Bytes = Type ? Type->getSizeInBits() / 8 : 0;
      if (Bytes && T.Scale % Bytes == 0) {
        T.Scale = 0;
        T.Offset =
            (T.Offset % int64_t(Bytes) + int64_t(Bytes)) % int64_t(Bytes);
      } else if (!Bytes) {
        T.Scale = T.Offset = 0;
      }
    }
    addTarget(Found, T);
  }
  return Found;
}

Pointees Pointers::find(const Value *Pointer) {
  Pointees Found;
  if (isa<AllocaInst>(Pointer) || isa<GlobalVariable>(Pointer))
    return {{S.variable(Pointer)}};
  if (auto *A = dyn_cast<Argument>(Pointer)) {
    const Storage *Holder = Parameters[A->getArgNo()];
    bool IsHeld = Holder->Root != A;
    if (!IsHeld && (A->hasByValAttr() || Holder->Declared))
      return {{Holder}};
    return {{S.pointee(Holder)}};
  }
  if (auto *GEP = dyn_cast<GEPOperator>(Pointer))
    return indexed(*GEP);
  if (auto *Load = dyn_cast<LoadInst>(Pointer)) {
    for (const Storage *In : accessed(Load->getPointerOperand(),
                                      DL.getTypeStoreSize(Load->getType())))
      addAll(Found, contents(In));
    return Found;
  }
  if (auto *Phi = dyn_cast<PHINode>(Pointer)) {
    for (const Value *From : Phi->incoming_values())
      addAll(Found, targets(From));
    return Found;
  }
  if (auto *Select = dyn_cast<SelectInst>(Pointer)) {
    addAll(Found, targets(Select->getTrueValue()));
    addAll(Found, targets(Select->getFalseValue()));
    return Found;
  }
  if (auto *Call = dyn_cast<CallBase>(Pointer)) {
    if (const Value *Same = Call->getReturnedArgOperand())
      return targets(Same);
    return Returned(*Call);
  }
  auto *Operation = dyn_cast<Operator>(Pointer);
  if (Operation && (Operation->getOpcode() == Instruction::AddrSpaceCast ||
                    Operation->getOpcode() == Instruction::BitCast ||
                    Operation->getOpcode() == Instruction::Freeze))
    return targets(Operation->getOperand(0));
  return {};
}

Pointees Pointers::contents(const Storage *In) {
  auto At = KnownContents.find(In);
  if (At != KnownContents.end())
    return At->second;
  if (!Busy.insert(In).second) {
    IsCut = true;
    return {};
  }
  bool Outer = IsCut;
  IsCut = false;
  Pointees Found = findContents(In);
  Busy.erase(In);
  if (!IsCut || Busy.empty())
    KnownContents[In] = Found;
  IsCut = (IsCut || Outer) && !Busy.empty();
  return Found;
}

Pointees Pointers::findContents(const Storage *In) {
  Pointees Found;
  for (const StoreInst *Store : Stores)
    for (const Storage *To : accessed(Store->getPointerOperand(), 8))
      if (To->meets(In))
        addAll(Found, targets(Store->getValueOperand()));
  addCopied(In, Found);
  if (Found.empty() || In->Outlives)
    addTarget(Found, {S.pointee(In)});
  return Found;
}

/// Pointers within what is copied as a whole.
void Pointers::addCopied(const Storage *In, Pointees &Found) {
  for (const CallBase *Copy : Copies)
    for (const Storage *To : accessed(Copy->getArgOperand(0), 0)) {
      int64_t Offset = 0;
      const Storage *At = In;
      for (; At && At != To && At->Kind == Storage::Field; At = At->Parent)
        Offset += int64_t(At->Offset);
      if (At != To)
        continue;
      for (PointsTo From : targets(Copy->getArgOperand(1))) {
        From.Offset += Offset;
        addAll(Found, contents(S.access(From, 8)));
      }
    }
}

} // namespace ct
