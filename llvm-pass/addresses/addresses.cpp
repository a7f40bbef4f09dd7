/* SPDX-License-Identifier: Apache-2.0 */
/* Addresses as polynomials of what they are computed from. */
#include "llvm-pass/addresses/addresses.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/GetElementPtrTypeIterator.h"
#include "llvm/IR/Operator.h"

using namespace llvm;
using ct::Atom;
using ct::Polynomial;

static const unsigned MaxDepth = 24; // of what an address is computed from

static const unsigned AddressBits = 64;

unsigned ct::Addresses::number(const void *Key, Atom A) {
  auto [Where, New] = Numbers.try_emplace({Key, A.How}, Atoms.size());
  if (New)
    Atoms.push_back(A);
  return Where->second;
}

Polynomial ct::Addresses::hopefully(Value *Pointer) {
  Hopeful = true;
  Polynomial P = visit(Pointer, Atom::Sign);
  Hopeful = false;
  return P;
}

static bool isKnownNonNegativeInteger(Value *V, const DataLayout &DL) {
  return V->getType()->isIntegerTy() &&
         isKnownNonNegative(V, SimplifyQuery(DL));
}

Polynomial ct::Addresses::leaf(Value *V, Atom::Extension How) {
  if (isa<ConstantPointerNull>(V))
    return Polynomial::constant(0);
  bool IsWide = !V->getType()->isIntegerTy() ||
                V->getType()->getIntegerBitWidth() >= AddressBits;
  if (IsWide || isKnownNonNegativeInteger(V, SE.getDataLayout()))
    How = Atom::Sign; // the same, whichever it is
  return Polynomial::atom(number(V, {V, How}));
}

/// An integer of less than 64 bits that may wrap.
Polynomial ct::Addresses::opaque(Value *V, Atom::Extension How) {
  const unsigned MostBits = 32; // the check for a wrap fits into 64 bits
  if (!Only || !V->getType()->isIntegerTy() ||
      V->getType()->getIntegerBitWidth() > MostBits || Only->isLoopInvariant(V))
    return leaf(V, How);
  auto *R = dyn_cast<SCEVAddRecExpr>(SE.getSCEV(V));
  if (!R || R->getLoop() != Only || !R->isAffine())
    return leaf(V, How);
  const SCEV *By = R->getStepRecurrence(SE);
  Polynomial Step =
      isa<SCEVConstant>(By)
          ? Polynomial::constant(
                cast<SCEVConstant>(By)->getAPInt().getSExtValue())
          : Polynomial::atom(number(By, {nullptr, Atom::Sign, nullptr, By}));
  unsigned Start = number(R, {nullptr, How, nullptr, R->getStart(), By});
  return Polynomial::atom(Start).add(Step.times(iterations(Only)));
}

Polynomial ct::Addresses::iterations(const Loop *L) {
  return Polynomial::atom(number(L, {nullptr, Atom::Sign, L}));
}

Polynomial ct::Addresses::visit(Value *V, Atom::Extension How) {
  if (Hopeful)
    How = Atom::Sign;
  auto &Seen = Hopeful ? Hoped : Known;
  auto Found = Seen.find({V, How});
  if (Found != Seen.end())
    return Found->second;
  if (Depth == MaxDepth)
    return leaf(V, How);
  Depth++;
  Polynomial P = resolve(V, How);
  Depth--;
  if (P.isTooLarge())
    P = leaf(V, How);
  // Values found inside an open phi are in terms of that phi.
  if (Open.empty())
    Seen[{V, How}] = P;
  return P;
}

Polynomial ct::Addresses::resolve(Value *V, Atom::Extension How) {
  if (auto *Number = dyn_cast<ConstantInt>(V))
    if (Number->getBitWidth() <= AddressBits)
      return Polynomial::constant(How == Atom::Sign ? Number->getSExtValue()
                                                    : Number->getZExtValue());
  if (auto *Element = dyn_cast<GEPOperator>(V))
    return element(*Element);
  if (auto *Phi = dyn_cast<PHINode>(V))
    return phi(*Phi, How);
  if (auto *Cast = dyn_cast<AddrSpaceCastOperator>(V))
    if (Cast->getSrcAddressSpace() <= 1 && Cast->getDestAddressSpace() <= 1)
      return visit(Cast->getOperand(0), How);
  if (auto *Cast = dyn_cast<CastInst>(V))
    return extension(*Cast, How);
  if (auto *O = dyn_cast<Operator>(V); O && V->getType()->isIntegerTy())
    return arithmetic(*O, How);
  return leaf(V, How);
}

Polynomial ct::Addresses::element(GEPOperator &Element) {
  if (!Element.getType()->isPointerTy() || Element.getPointerAddressSpace() > 1)
    return leaf(&Element, Atom::Sign);
  const DataLayout &DL = SE.getDataLayout();
  Polynomial P = visit(Element.getPointerOperand(), Atom::Sign);
  for (auto I = gep_type_begin(Element), E = gep_type_end(Element); I != E;
       ++I) {
    if (StructType *Struct = I.getStructTypeOrNull()) {
      unsigned Field = cast<ConstantInt>(I.getOperand())->getZExtValue();
      P.add(Polynomial::constant(
          DL.getStructLayout(Struct)->getElementOffset(Field)));
      continue;
    }
    TypeSize Stride = I.getSequentialElementStride(DL);
    if (Stride.isScalable() || I.getOperand()->getType()->isVectorTy())
      return leaf(&Element, Atom::Sign);
    P.add(visit(I.getOperand(), Atom::Sign), Stride.getFixedValue());
  }
  return P;
}

/// Whether the extension of the result is the result of the extensions.
static bool distributes(const Operator &O, Atom::Extension How) {
  if (O.getType()->getIntegerBitWidth() == AddressBits)
    return true;
  if (auto *Or = dyn_cast<PossiblyDisjointInst>(&O))
    return Or->isDisjoint();
  auto *NoWrap = dyn_cast<OverflowingBinaryOperator>(&O);
  return NoWrap && (How == Atom::Sign ? NoWrap->hasNoSignedWrap()
                                      : NoWrap->hasNoUnsignedWrap());
}

Polynomial ct::Addresses::arithmetic(Operator &O, Atom::Extension How) {
  if (O.getType()->getIntegerBitWidth() > AddressBits ||
      !(Hopeful || distributes(O, How)))
    return opaque(&O, How);
  auto Operand = [&](unsigned I) { return visit(O.getOperand(I), How); };
  switch (O.getOpcode()) {
  case Instruction::Add:
    return Operand(0).add(Operand(1));
  case Instruction::Or:
    if (cast<PossiblyDisjointInst>(&O)->isDisjoint())
      return Operand(0).add(Operand(1));
    break;
  case Instruction::Sub:
    return Operand(0).add(Operand(1), -1);
  case Instruction::Mul:
    return Operand(0).times(Operand(1));
  case Instruction::Shl:
    if (auto *By = dyn_cast<ConstantInt>(O.getOperand(1)))
      if (By->getValue().ult(O.getType()->getIntegerBitWidth()))
        return Polynomial().add(Operand(0), 1ull << By->getZExtValue());
    break;
  default:
    break;
  }
  return leaf(&O, How);
}

Polynomial ct::Addresses::extension(CastInst &Cast, Atom::Extension How) {
  Value *Source = Cast.getOperand(0);
  Type *From = Source->getType(), *To = Cast.getType();
  if (isa<PtrToIntInst>(Cast) || isa<IntToPtrInst>(Cast)) {
    Type *Pointer = isa<PtrToIntInst>(Cast) ? From : To;
    Type *Integer = isa<PtrToIntInst>(Cast) ? To : From;
    if (Integer->isIntegerTy(AddressBits) && Pointer->isPointerTy() &&
        Pointer->getPointerAddressSpace() <= 1)
      return visit(Source, How);
    return leaf(&Cast, How);
  }
  if (!From->isIntegerTy() || !To->isIntegerTy() ||
      std::max(From->getIntegerBitWidth(), To->getIntegerBitWidth()) >
          AddressBits)
    return leaf(&Cast, How);
  bool Wide = To->getIntegerBitWidth() == AddressBits;
  if (isa<SExtInst>(Cast) && (Wide || How == Atom::Sign))
    return visit(Source, Atom::Sign);
  if (auto *Narrow = dyn_cast<TruncInst>(&Cast))
    if (Hopeful || (From->isIntegerTy(AddressBits) &&
                    (How == Atom::Sign ? Narrow->hasNoSignedWrap()
                                       : Narrow->hasNoUnsignedWrap())))
      return visit(Source, How);
  if (!isa<ZExtInst>(Cast))
    return opaque(&Cast, How);
  if (Cast.hasNonNeg() ||
      isKnownNonNegativeInteger(Source, SE.getDataLayout())) {
    // Either extension: the one that can be carried inwards.
    Polynomial Unsigned = visit(Source, Atom::Zero);
    bool Opaque = Unsigned == leaf(Source, Atom::Zero);
    Polynomial Signed = visit(Source, Atom::Sign);
    return Opaque || !(Signed == leaf(Source, Atom::Sign)) ? Signed : Unsigned;
  }
  return visit(Source, Atom::Zero); // what is behind it is not negative
}

bool ct::Addresses::isInvariant(const Atom &A, const Loop &L) const {
  if (A.Iterations)
    return !L.contains(A.Iterations);
  return A.Start || L.isLoopInvariant(A.V);
}

/// Finds what the extended phi grows by per iteration.
bool ct::Addresses::advance(PHINode &Phi, Atom::Extension How, const Loop &L,
                            Polynomial &Step) {
  Step = visit(Phi.getIncomingValueForBlock(L.getLoopLatch()), How)
             .add(leaf(&Phi, How), -1);
  if (all_of(Step.terms(), [&](auto &Term) {
        return all_of(Term.first,
                      [&](unsigned N) { return isInvariant(Atoms[N], L); });
      }))
    return true;
  auto *Recurrence = SE.isSCEVable(Phi.getType())
                         ? dyn_cast<SCEVAddRecExpr>(SE.getSCEV(&Phi))
                         : nullptr;
  if (!Recurrence || Recurrence->getLoop() != &L || !Recurrence->isAffine() ||
      !(How == Atom::Sign ? Recurrence->hasNoSignedWrap()
                          : Recurrence->hasNoUnsignedWrap()))
    return false;
  auto *By = dyn_cast<SCEVConstant>(Recurrence->getStepRecurrence(SE));
  if (!By || By->getAPInt().getBitWidth() > AddressBits)
    return false;
  Step =
      Polynomial::constant(How == Atom::Sign ? By->getAPInt().getSExtValue()
                                             : By->getAPInt().getZExtValue());
  return true;
}

Polynomial ct::Addresses::phi(PHINode &Phi, Atom::Extension How) {
  if (Phi.getNumIncomingValues() == 1)
    return visit(Phi.getIncomingValue(0), How);
  const Loop *L = Loops.getLoopFor(Phi.getParent());
  if (!L || L->getHeader() != Phi.getParent() || (Only && L != Only) ||
      Phi.getNumIncomingValues() != 2 || !L->getLoopLatch() ||
      !L->getLoopPredecessor() || !Open.insert(&Phi).second)
    return leaf(&Phi, How);
  Polynomial Step;
  bool IsAffine = advance(Phi, How, *L, Step);
  Open.erase(&Phi);
  if (!IsAffine)
    return opaque(&Phi, How);
  return visit(Phi.getIncomingValueForBlock(L->getLoopPredecessor()), How)
      .add(Step.times(iterations(L)));
}

bool ct::Addresses::split(const Polynomial &P, Polynomial &Start,
                          Polynomial &Step) const {
  for (auto &[Product, Coefficient] : P.terms()) {
    Polynomial Rest = Polynomial::constant(Coefficient);
    unsigned Degree = 0;
    for (unsigned N : Product) {
      if (Atoms[N].Iterations == Only)
        Degree++;
      else if (isInvariant(Atoms[N], *Only))
        Rest = Rest.times(Polynomial::atom(N));
      else
        return false;
    }
    if (Degree > 1)
      return false;
    (Degree ? Step : Start).add(Rest);
  }
  return true;
}

Value *ct::buildPolynomial(IRBuilder<> &B, const Addresses &From,
                           const Polynomial &P,
                           function_ref<Value *(const Atom &)> ValueOf) {
  Type *I64 = B.getInt64Ty();
  Value *Sum = nullptr;
  uint64_t Rest = 0;
  for (auto &[Product, Coefficient] : P.terms()) {
    if (Product.empty()) {
      Rest = Coefficient;
      continue;
    }
    Value *Term = nullptr;
    for (unsigned N : Product) {
      const Atom &A = From.atom(N);
      Value *V = ValueOf(A);
      if (V->getType()->isPointerTy())
        V = B.CreatePtrToInt(V, I64);
      else
        V = A.How == Atom::Sign ? B.CreateSExtOrTrunc(V, I64)
                                : B.CreateZExtOrTrunc(V, I64);
      Term = Term ? B.CreateMul(Term, V) : V;
    }
    bool Negative = int64_t(Coefficient) < 0;
    uint64_t Factor = Negative ? 0 - Coefficient : Coefficient;
    if (Factor != 1)
      Term = B.CreateMul(Term, B.getInt64(Factor));
    if (!Sum)
      Sum = Negative ? B.CreateNeg(Term) : Term;
    else
      Sum = Negative ? B.CreateSub(Sum, Term) : B.CreateAdd(Sum, Term);
  }
  if (!Sum)
    return B.getInt64(Rest);
  return Rest ? B.CreateAdd(Sum, B.getInt64(Rest)) : Sum;
}
