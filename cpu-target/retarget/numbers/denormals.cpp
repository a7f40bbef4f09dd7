/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Denormal numbers of single precision. The processor's own mode flushes
 * doubles as well, so that the operations are followed by instructions that do
 * it, and operands that are no results of such ones preceded by them.
 */
#include "cpu-target/retarget/numbers/denormals.h"
#include "cpu-target/retarget/unit/linkage.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace ct {

static bool isSingle(const Value *V) {
  return V->getType()->getScalarType()->isFloatTy();
}

/// A stand-in of the device runtime for an instruction with .ftz.
static bool flushesByName(const CallInst &Call) {
  const Function *F = Call.getCalledFunction();
  return F && F->getName().starts_with(IntrinsicPrefix) &&
         F->getName().contains("_ftz_");
}

static bool isArithmeticCall(const CallInst &Call) {
  switch (Call.getIntrinsicID()) {
  case Intrinsic::fma:
  case Intrinsic::fmuladd:
  case Intrinsic::sqrt:
  case Intrinsic::fabs:
  case Intrinsic::minnum:
  case Intrinsic::maxnum:
  case Intrinsic::minimum:
  case Intrinsic::maximum:
  case Intrinsic::floor:
  case Intrinsic::ceil:
  case Intrinsic::trunc:
  case Intrinsic::roundeven:
  case Intrinsic::rint:
  case Intrinsic::nearbyint:
    return true;
  default:
    return flushesByName(Call);
  }
}

static unsigned keptKind(LLVMContext &Context) {
  return Context.getMDKindID("ct.denormals");
}

void keepDenormals(IRBuilderBase &B, Instruction &I) {
  unsigned Kind = keptKind(I.getContext());
  I.setMetadata(Kind, MDNode::get(I.getContext(), {}));
  B.CollectMetadataToCopy(&I, {Kind});
}

/// Moves, selections and conversions of integers leave numbers as they are.
static bool isArithmetic(const Instruction &I) {
  switch (I.getOpcode()) {
  case Instruction::FAdd:
  case Instruction::FSub:
  case Instruction::FMul:
  case Instruction::FDiv:
  case Instruction::FNeg:
  case Instruction::FCmp:
  case Instruction::FPExt:
  case Instruction::FPTrunc:
    return isSingle(&I) || isSingle(I.getOperand(0));
  case Instruction::Call: {
    auto &Call = cast<CallInst>(I);
    return isArithmeticCall(Call) &&
           (isSingle(&I) ||
            (Call.arg_size() && isSingle(Call.getArgOperand(0))));
  }
  default:
    return false;
  }
}

Value *flushSubnormal(IRBuilderBase &B, Value *V, Value *Exact) {
  Type *T = V->getType();
  double Least = T->getScalarType()->isHalfTy() ? 0x1p-14 : 0x1p-126;
  double HalfDigit = T->getScalarType()->isHalfTy() ? 0x1p-12 : 0x1p-25;
  if (Exact) // from half a digit below on it is rounded up
    Least -= Least * HalfDigit;
  else
    Exact = V;
  Value *IsSmall =
      B.CreateFCmpOLT(B.CreateUnaryIntrinsic(Intrinsic::fabs, Exact),
                      ConstantFP::get(Exact->getType(), Least));
  return B.CreateSelect(IsSmall, B.CreateCopySign(ConstantFP::get(T, 0.0), V),
                        V);
}

static Value *toDouble(IRBuilderBase &B, Value *V) {
  return B.CreateFPCast(V, V->getType()->getWithNewType(B.getDoubleTy()));
}

/// A product of two floats has fewer digits than a double.
Value *exactProduct(IRBuilderBase &B, Value *X, Value *Y) {
  return B.CreateFMul(toDouble(B, X), toDouble(B, Y));
}

/// A quotient of floats is a number of 25 digits, or further from it than half
/// a digit of a double.
Value *exactQuotient(IRBuilderBase &B, Value *X, Value *Y) {
  return B.CreateFDiv(toDouble(B, X), toDouble(B, Y));
}

/// The sum loses digits: where what it lost has the other sign, its last digit
/// is taken off.
Value *exactMultiplyAdd(IRBuilderBase &B, Value *X, Value *Y, Value *Z) {
  Value *Product = exactProduct(B, X, Y), *Term = toDouble(B, Z);
  Value *Sum = B.CreateFAdd(Product, Term);
  Value *Added = B.CreateFSub(Sum, Product);
  Value *Lost = B.CreateFAdd(B.CreateFSub(Product, B.CreateFSub(Sum, Added)),
                             B.CreateFSub(Term, Added));
  Constant *Zero = Constant::getNullValue(Sum->getType());
  Value *IsLess = B.CreateOr(
      B.CreateAnd(B.CreateFCmpOGT(Sum, Zero), B.CreateFCmpOLT(Lost, Zero)),
      B.CreateAnd(B.CreateFCmpOLT(Sum, Zero), B.CreateFCmpOGT(Lost, Zero)));
  Type *Bits = Sum->getType()->getWithNewType(B.getInt64Ty());
  return B.CreateBitCast(
      B.CreateSub(B.CreateBitCast(Sum, Bits), B.CreateZExt(IsLess, Bits)),
      Sum->getType());
}

/// Not by a comparison of floats, which would be optimised as one.
static Value *flush(IRBuilder<> &B, Value *V) {
  Type *Bits = V->getType()->getWithNewType(B.getInt32Ty());
  Value *Word = B.CreateBitCast(V, Bits);
  Value *Exponent = B.CreateAnd(Word, ConstantInt::get(Bits, 0x7f800000));
  Value *Sign = B.CreateAnd(Word, ConstantInt::get(Bits, 0x80000000));
  Value *IsZero = B.CreateICmpEQ(Exponent, Constant::getNullValue(Bits));
  return B.CreateBitCast(B.CreateSelect(IsZero, Sign, Word), V->getType());
}

static void flushOperands(Instruction &I,
                          const SmallPtrSetImpl<Value *> &Flushed) {
  IRBuilder<> B(&I);
  unsigned Count =
      isa<CallInst>(I) ? cast<CallInst>(I).arg_size() : I.getNumOperands();
  for (unsigned N = 0; N < Count; ++N)
    if (isSingle(I.getOperand(N)) && !Flushed.contains(I.getOperand(N)))
      I.setOperand(N, flush(B, I.getOperand(N)));
}

/// Returns the value that the result was rounded from, where it matters
/// (denormals.h).
static Value *exactResult(IRBuilder<> &B, Instruction &I) {
  switch (I.getOpcode()) {
  case Instruction::FMul:
    return exactProduct(B, I.getOperand(0), I.getOperand(1));
  case Instruction::FDiv:
    return exactQuotient(B, I.getOperand(0), I.getOperand(1));
  case Instruction::FPTrunc:
    return I.getOperand(0);
  default:
    break;
  }
  auto *Call = dyn_cast<IntrinsicInst>(&I);
  if (!Call || (Call->getIntrinsicID() != Intrinsic::fma &&
                Call->getIntrinsicID() != Intrinsic::fmuladd))
    return nullptr;
  return exactMultiplyAdd(B, I.getOperand(0), I.getOperand(1), I.getOperand(2));
}

static void flushResult(Instruction &I) {
  IRBuilder<> B(I.getNextNode());
  SmallVector<Use *> Uses;
  for (Use &Use : I.uses())
    Uses.push_back(&Use);
  Value *Exact = exactResult(B, I);
  Value *Result = Exact ? flushSubnormal(B, &I, Exact) : flush(B, &I);
  for (Use *Use : Uses)
    Use->set(Result);
}

static void flushFunction(Function &F) {
  SmallVector<Instruction *> Arithmetic;
  SmallPtrSet<Value *, 32> Flushed;
  unsigned Kept = keptKind(F.getContext());
  for (Instruction &I : instructions(F)) {
    if (!isArithmetic(I) || I.hasMetadata(Kept))
      continue;
    Arithmetic.push_back(&I);
    if (isSingle(&I))
      Flushed.insert(&I);
  }
  for (Instruction *I : Arithmetic)
    flushOperands(*I, Flushed);
  for (Instruction *I : Arithmetic)
    if (isSingle(I))
      flushResult(*I);
}

void flushDenormals(Unit &U) {
  for (Function &F : U.M) {
    if (F.isDeclaration() || isRuntime(F) ||
        F.getDenormalMode(APFloat::IEEEsingle()).Output !=
            DenormalMode::PreserveSign)
      continue;
    flushFunction(F);
    F.removeFnAttr("denormal-fp-math-f32"); // what is left is as written
  }
}

} // namespace ct
