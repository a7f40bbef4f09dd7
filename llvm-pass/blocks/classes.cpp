/* SPDX-License-Identifier: Apache-2.0 */
/* Classes of instructions. */
#include "llvm-pass/blocks/classes.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Operator.h"
#include <cudatrace/unit.h>

using namespace llvm;

namespace ct {
namespace {

unsigned elements(const Type *T) {
  auto *Vector = dyn_cast<FixedVectorType>(T);
  return Vector ? Vector->getNumElements() : 1;
}

enum FloatOperation { Plain, Fused, Rounded };

/// The cost of an operation of a floating-point type; pairs of 16 bits are one
/// instruction.
Cost floatCost(const Type *T, FloatOperation Operation) {
  unsigned Bits = T->getScalarSizeInBits(), Count = elements(T);
  if (Bits <= 16 && Operation != Rounded)
    return {Operation == Fused ? IN_FMA16 : IN_FP16, (Count + 1) / 2};
  if (Operation == Rounded)
    return {Bits == 64 ? IN_DIVIDE64 : IN_DIVIDE32, Count};
  if (Bits == 64)
    return {Operation == Fused ? IN_FMA64 : IN_FP64, Count};
  return {Operation == Fused ? IN_FMA32 : IN_FP32, Count};
}

Cost integerCost(const Type *T) {
  bool IsWide = T->isIntOrIntVectorTy() && T->getScalarSizeInBits() > 32;
  return {IsWide ? IN_INTEGER_WIDE : IN_INTEGER, elements(T)};
}

bool isFast(const Instruction &I) {
  auto *Operator = dyn_cast<FPMathOperator>(&I);
  return Operator &&
         (Operator->hasApproxFunc() || Operator->hasAllowReciprocal());
}

/// The root of 1 / sqrt.approx, of which the back end makes rsqrt.approx.
const Instruction *invertedRoot(const BinaryOperator &I) {
  auto *One = dyn_cast<ConstantFP>(I.getOperand(0));
  auto *Root = dyn_cast<IntrinsicInst>(I.getOperand(1));
  if (I.getOpcode() != Instruction::FDiv || !One || !One->isExactlyValue(1.0) ||
      !Root)
    return nullptr;
  StringRef Name = Root->getCalledFunction()->getName();
  return Name.starts_with("llvm.nvvm.sqrt.approx.") ? Root : nullptr;
}

Cost binaryCost(const BinaryOperator &I) {
  Type *T = I.getType();
  switch (I.getOpcode()) {
  case Instruction::FAdd:
  case Instruction::FSub:
    return floatCost(T, fusedMultiply(I) ? Fused : Plain);
  case Instruction::FMul:
    return floatCost(T, Plain);
  case Instruction::FDiv:
  case Instruction::FRem:
    // The root itself is counted, and stays if others use it.
    if (auto *Root = invertedRoot(I))
      return Root->hasOneUse() ? Cost{} : Cost{IN_SFU, 1};
    if (isFast(I) && T->getScalarSizeInBits() <= 32)
      return {IN_SFU, elements(T)};
    return floatCost(T, Rounded);
  case Instruction::Mul:
    return {IN_INTEGER_MULTIPLY, elements(T)};
  case Instruction::UDiv:
  case Instruction::SDiv:
  case Instruction::URem:
  case Instruction::SRem:
    return {IN_INTEGER_DIVIDE, elements(T)};
  default:
    return integerCost(T);
  }
}

Cost castCost(const CastInst &I) {
  Type *From = I.getSrcTy(), *To = I.getDestTy();
  if (From->isFPOrFPVectorTy() != To->isFPOrFPVectorTy() ||
      isa<FPTruncInst>(I) || isa<FPExtInst>(I))
    return {IN_CONVERT, isa<BitCastInst>(I) ? 0 : elements(To)};
  if (isa<SExtInst>(I))
    return {IN_INTEGER, elements(To)};
  return {};
}

/// An index that is not constant is an instruction; constants go into the
/// access.
Cost pointerCost(const GetElementPtrInst &I) {
  unsigned Variable =
      count_if(I.indices(), [](const Use &V) { return !isa<Constant>(V); });
  return {IN_ADDRESS, Variable};
}

Cost branchCost(const Instruction &I) {
  if (isa<UnreachableInst>(I))
    return {};
  unsigned Ways = I.getNumSuccessors();
  return {IN_BRANCH, isa<ReturnInst>(I) || Ways == 0 ? 1 : Ways - 1};
}

Cost assemblyCost(const InlineAsm &Asm) {
  StringRef Text = Asm.getAsmString();
  SmallVector<StringRef, 8> Statements;
  Text.split(Statements, ';', -1, /*KeepEmpty=*/false);
  uint32_t Count = count_if(Statements, [](StringRef Statement) {
    Statement = Statement.trim(" \t\n{}");
    return !Statement.empty() && !Statement.starts_with(".reg") &&
           !Statement.ends_with(":");
  });
  StringRef First = Text.ltrim(" \t\n{");
  bool IsTensor = First.starts_with("mma.") || First.starts_with("wgmma.mma");
  return {IsTensor ? IN_TENSOR : IN_OTHER, Count};
}

bool startsWithAny(StringRef Name, ArrayRef<StringRef> Prefixes) {
  return any_of(Prefixes,
                [&](StringRef Prefix) { return Name.starts_with(Prefix); });
}

/// An intrinsic of NVPTX; Name is without "llvm.nvvm.".
Cost nvvmCost(const IntrinsicInst &I, StringRef Name) {
  Type *T = I.getType();
  if (startsWithAny(
          Name, {"bar.", "barrier", "mbarrier.test.wait", "mbarrier.try.wait"}))
    return {IN_BARRIER, 1};
  if (startsWithAny(Name, {"shfl.", "vote.", "match.", "redux.", "activemask"}))
    return {IN_EXCHANGE, 1};
  if (startsWithAny(Name, {"mma.", "wgmma.mma", "tcgen05.mma"}) ||
      (Name.starts_with("wmma.") && Name.contains(".mma.")))
    return {IN_TENSOR, 1};
  if (Name.contains(".approx") ||
      startsWithAny(Name, {"rsqrt", "sin.", "cos.", "ex2.", "lg2.", "tanh."}))
    return {IN_SFU, 1};
  if (startsWithAny(Name, {"rcp.", "div.", "sqrt."}))
    return floatCost(T, Rounded);
  if (Name.starts_with("fma."))
    return floatCost(T, Fused);
  if (T->isFPOrFPVectorTy() &&
      startsWithAny(Name, {"add.", "mul.", "fmin", "fmax", "fabs", "floor",
                           "ceil", "round", "trunc", "saturate"}))
    return floatCost(T, Plain);
  if (startsWithAny(Name, {"mul24", "mulhi", "idp"}))
    return {IN_INTEGER_MULTIPLY, 1};
  if (Name.contains("2"))
    for (StringRef Type :
         {"f2", "d2", "i2", "ui2", "ll2", "ull2", "h2", "ff2", "bf2", "lohi"})
      if (Name.starts_with(Type))
        return {IN_CONVERT, 1};
  if (T->isIntOrIntVectorTy())
    return integerCost(T);
  return {IN_OTHER, 1};
}

Cost intrinsicCost(const IntrinsicInst &I) {
  StringRef Name = I.getCalledFunction()->getName();
  Type *T = I.getType();
  if (I.isAssumeLikeIntrinsic())
    return {};
  Name.consume_front("llvm.");
  if (Name.consume_front("nvvm."))
    return nvvmCost(I, Name);
  switch (I.getIntrinsicID()) {
  case Intrinsic::fma:
  case Intrinsic::fmuladd:
    return floatCost(T, Fused);
  case Intrinsic::sqrt:
    if (isFast(I) && T->getScalarSizeInBits() <= 32)
      return {IN_SFU, elements(T)};
    return floatCost(T, Rounded);
  case Intrinsic::sin:
  case Intrinsic::cos:
  case Intrinsic::exp2:
  case Intrinsic::log2:
    return {IN_SFU, elements(T)};
  default:
    if (T->isVoidTy())
      return {IN_OTHER, 1};
    return T->isFPOrFPVectorTy() ? floatCost(T, Plain) : integerCost(T);
  }
}

Cost callCost(const CallBase &Call) {
  if (auto *Asm = dyn_cast<InlineAsm>(Call.getCalledOperand()))
    return assemblyCost(*Asm);
  if (auto *Intrinsic = dyn_cast<IntrinsicInst>(&Call))
    return intrinsicCost(*Intrinsic);
  return {IN_CALL, 1};
}

} // namespace
} // namespace ct

const Instruction *ct::fusedMultiply(const Instruction &I) {
  if (I.getOpcode() != Instruction::FAdd && I.getOpcode() != Instruction::FSub)
    return nullptr;
  if (!cast<FPMathOperator>(I).hasAllowContract())
    return nullptr;
  for (const Use &Operand : I.operands()) {
    auto *Multiply = dyn_cast<BinaryOperator>(Operand);
    if (Multiply && Multiply->getOpcode() == Instruction::FMul &&
        Multiply->hasOneUse() && Multiply->hasAllowContract() &&
        Multiply->getParent() == I.getParent())
      return Multiply;
  }
  return nullptr;
}

ct::Cost ct::costOf(const Instruction &I) {
  if (I.isTerminator() && !isa<CallBase>(I))
    return branchCost(I);
  if (auto *Binary = dyn_cast<BinaryOperator>(&I))
    return binaryCost(*Binary);
  if (auto *Cast = dyn_cast<CastInst>(&I))
    return castCost(*Cast);
  if (auto *Pointer = dyn_cast<GetElementPtrInst>(&I))
    return pointerCost(*Pointer);
  if (auto *Call = dyn_cast<CallBase>(&I))
    return callCost(*Call);
  if (auto *Compare = dyn_cast<CmpInst>(&I)) {
    Type *T = Compare->getOperand(0)->getType();
    return isa<FCmpInst>(I) ? floatCost(T, Plain) : integerCost(T);
  }
  if (isa<SelectInst>(I))
    return integerCost(I.getType());
  return {}; // negations are modifiers of who uses them
}

uint32_t ct::nominalCycles(InstructionClass Class, uint8_t Space) {
  switch (Class) {
  case IN_LOAD:
  case IN_ATOMIC:
  case IN_EXCHANGE:
    return Space == CT_SPACE_CONSTANT ? 8 : 30;
  case IN_INTEGER_DIVIDE:
    return 120;
  case IN_DIVIDE32:
    return 50;
  case IN_DIVIDE64:
    return 150;
  case IN_SFU:
    return 40;
  case IN_TENSOR:
    return 30;
  case IN_CONVERT:
    return 14;
  case IN_FP64:
  case IN_FMA64:
  case IN_INTEGER_WIDE:
    return 8;
  case IN_STORE:
  case IN_BRANCH:
  case IN_BARRIER:
    return 1; // nothing waits for their result
  default:
    return 4;
  }
}
