/* SPDX-License-Identifier: Apache-2.0 */
/* Contraction of multiplications and additions, before clones are made. */
#include "llvm-pass/device/contract.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Intrinsics.h"

using namespace llvm;

/// The multiplication that Sum would be fused with in code generation, or null.
static BinaryOperator *fusable(const BinaryOperator &Sum, Value *Operand) {
  auto *Product = dyn_cast<BinaryOperator>(Operand);
  if (!Product || Product->getOpcode() != Instruction::FMul ||
      !Product->hasAllowContract() || Product->getParent() != Sum.getParent())
    return nullptr;
  return Product;
}

/// Takes the operand with fewer uses, the left one if they have as many.
static bool takesLeft(const BinaryOperator *Left, const BinaryOperator *Right) {
  return Left && (!Right || Left->getNumUses() <= Right->getNumUses());
}

static void contract(BinaryOperator &Sum) {
  BinaryOperator *Left = fusable(Sum, Sum.getOperand(0));
  BinaryOperator *Right = fusable(Sum, Sum.getOperand(1));
  if (!Left && !Right)
    return;
  bool FromLeft = takesLeft(Left, Right),
       Minus = Sum.getOpcode() == Instruction::FSub;
  BinaryOperator *Product = FromLeft ? Left : Right;
  IRBuilder<> B(&Sum);
  B.setFastMathFlags(Sum.getFastMathFlags());
  Value *Factor = Product->getOperand(0),
        *Rest = Sum.getOperand(FromLeft ? 1 : 0);
  if (Minus && FromLeft)
    Rest = B.CreateFNeg(Rest);
  else if (Minus)
    Factor = B.CreateFNeg(Factor);
  Value *Fused = B.CreateIntrinsic(Intrinsic::fma, {Sum.getType()},
                                   {Factor, Product->getOperand(1), Rest});
  Fused->takeName(&Sum);
  Sum.replaceAllUsesWith(Fused);
  Sum.eraseFromParent();
  if (Product->use_empty())
    Product->eraseFromParent();
}

static bool isSum(const Instruction &I) {
  return I.getOpcode() == Instruction::FAdd ||
         I.getOpcode() == Instruction::FSub;
}

static bool hasFusedOperation(const Type &T) {
  const Type *Scalar = T.getScalarType();
  return Scalar->isFloatTy() || Scalar->isDoubleTy() || Scalar->isHalfTy();
}

void ct::contractMultiplyAdds(Module &M) {
  for (Function &F : M)
    for (BasicBlock &Block : F) {
      SmallVector<BinaryOperator *, 16> Sums;
      for (Instruction &I : Block)
        if (isSum(I) && I.hasAllowContract() && hasFusedOperation(*I.getType()))
          Sums.push_back(cast<BinaryOperator>(&I));
      for (BinaryOperator *Sum : Sums)
        contract(*Sum);
    }
}
