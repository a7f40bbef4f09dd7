/* SPDX-License-Identifier: Apache-2.0 */
/* PTX arithmetic, comparison and selection. */
#include "cpu-target/retarget/ptx/ptx.h"
#include "llvm/ADT/FloatingPointMode.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/IR/Intrinsics.h"

using namespace llvm;

namespace ct {

/// "rz", "rm", "rp", or nullptr for rounding to nearest.
const char *PtxLowering::directedRounding() const {
  for (const char *Mode : {"rz", "rm", "rp"})
    if (has(Mode))
      return Mode;
  return nullptr;
}

/// .sat and .relu.
Value *PtxLowering::finishFloat(Value *V) {
  if (!V || !V->getType()->isFPOrFPVectorTy())
    return V;
  Constant *Zero = ConstantFP::get(V->getType(), 0.0);
  if (has("sat") || has("relu"))
    V = B.CreateMaxNum(V, Zero);
  return has("sat") ? B.CreateMinNum(V, ConstantFP::get(V->getType(), 1.0)) : V;
}

/// Extended-precision add or subtract: .cc sets the carry, the ...c opcodes
/// use it.
Value *PtxLowering::withCarry(Value *X, Value *Y, bool IsSub) {
  unsigned Bits = X->getType()->getIntegerBitWidth();
  llvm::Type *Wide = B.getIntNTy(2 * Bits);
  auto Add = [&](Value *L, Value *R) {
    return IsSub ? B.CreateSub(L, R) : B.CreateAdd(L, R);
  };
  Value *Sum = Add(B.CreateZExt(X, Wide), B.CreateZExt(Y, Wide));
  if (StringRef(I->Opcode).ends_with("c"))
    Sum = Add(Sum, B.CreateZExt(Carry, Wide));
  if (has("cc"))
    Carry = B.CreateZExtOrTrunc(B.CreateAnd(B.CreateLShr(Sum, Bits), 1),
                                B.getInt32Ty());
  return B.CreateTrunc(Sum, X->getType());
}

static const char *suffixOf(PtxType T) { return T.Bits == 64 ? "_d" : "_f"; }

bool PtxLowering::lowerAddSub() {
  Value *X = operand(1), *Y = operand(2);
  bool IsSub = I->Opcode[0] == 's';
  if (!X || !Y)
    return false;
  if (!Type.isFloat()) {
    if (has("cc") || StringRef(I->Opcode).ends_with("c"))
      return result(withCarry(X, Y, IsSub));
    if (has("sat"))
      return result(B.CreateBinaryIntrinsic(
          IsSub ? Intrinsic::ssub_sat : Intrinsic::sadd_sat, X, Y));
    return result(IsSub ? B.CreateSub(X, Y) : B.CreateAdd(X, Y));
  }
  if (const char *Mode = directedRounding())
    return runtimeResult(Twine(I->Opcode) + "_" + Mode + suffixOf(Type),
                         {X, Y});
  return result(finishFloat(IsSub ? B.CreateFSub(X, Y) : B.CreateFAdd(X, Y)));
}

/// .lo, .hi or .wide product.
Value *PtxLowering::product(Value *X, Value *Y) {
  if (has("lo") || (!has("hi") && !has("wide")))
    return B.CreateMul(X, Y);
  unsigned Bits = X->getType()->getIntegerBitWidth();
  llvm::Type *Wide = B.getIntNTy(2 * Bits);
  Value *P = B.CreateMul(B.CreateIntCast(X, Wide, Type.isSigned()),
                         B.CreateIntCast(Y, Wide, Type.isSigned()));
  return has("wide") ? P : B.CreateTrunc(B.CreateLShr(P, Bits), X->getType());
}

bool PtxLowering::lowerMul() {
  Value *X = operand(1), *Y = operand(2);
  if (!X || !Y)
    return false;
  if (!Type.isFloat())
    return result(product(X, Y));
  if (const char *Mode = directedRounding())
    return runtimeResult(Twine("mul_") + Mode + suffixOf(Type), {X, Y});
  return result(finishFloat(B.CreateFMul(X, Y)));
}

bool PtxLowering::lowerMultiplyAdd() {
  Value *X = operand(1), *Y = operand(2);
  if (!X || !Y)
    return false;
  if (!Type.isFloat()) {
    Value *P = product(X, Y);
    Value *Z = operandBits(3, P->getType());
    if (!Z)
      return false;
    if (has("cc") || I->Opcode == "madc")
      return result(withCarry(P, Z, false));
    return result(B.CreateAdd(P, Z));
  }
  Value *Z = operand(3);
  if (!Z)
    return false;
  if (const char *Mode = directedRounding())
    return runtimeResult(Twine("fma_") + Mode + suffixOf(Type), {X, Y, Z});
  return result(finishFloat(
      B.CreateIntrinsic(Intrinsic::fma, {X->getType()}, {X, Y, Z})));
}

bool PtxLowering::lowerDivision() {
  Value *X = operand(1), *Y = operand(2);
  if (!X || !Y)
    return false;
  if (Type.isFloat()) {
    if (const char *Mode = directedRounding())
      return runtimeResult(Twine("div_") + Mode + suffixOf(Type), {X, Y});
    return result(B.CreateFDiv(X, Y));
  }
  if (I->Opcode == "rem")
    return result(Type.isSigned() ? B.CreateSRem(X, Y) : B.CreateURem(X, Y));
  return result(Type.isSigned() ? B.CreateSDiv(X, Y) : B.CreateUDiv(X, Y));
}

bool PtxLowering::lowerMinMax() {
  Value *X = operand(1), *Y = operand(2);
  bool IsMin = I->Opcode == "min";
  if (!X || !Y || has("xorsign"))
    return false;
  Intrinsic::ID Id;
  if (Type.isFloat() && has("NaN"))
    Id = IsMin ? Intrinsic::minimum : Intrinsic::maximum;
  else if (Type.isFloat())
    Id = IsMin ? Intrinsic::minnum : Intrinsic::maxnum;
  else if (Type.isSigned())
    Id = IsMin ? Intrinsic::smin : Intrinsic::smax;
  else
    Id = IsMin ? Intrinsic::umin : Intrinsic::umax;
  Value *V = B.CreateBinaryIntrinsic(Id, X, Y);
  if (count() > 3) {
    Value *Z = operand(3);
    if (!Z)
      return false;
    V = B.CreateBinaryIntrinsic(Id, V, Z);
  }
  return result(finishFloat(V));
}

bool PtxLowering::lowerNegAbs() {
  Value *X = operand(1);
  if (!X)
    return false;
  if (I->Opcode == "neg")
    return result(Type.isFloat() ? B.CreateFNeg(X) : B.CreateNeg(X));
  if (Type.isFloat())
    return result(B.CreateUnaryIntrinsic(Intrinsic::fabs, X));
  return result(B.CreateBinaryIntrinsic(Intrinsic::abs, X, B.getFalse()));
}

bool PtxLowering::lowerRoot() {
  Value *X = operand(1);
  if (!X || !Type.isFloat())
    return false;
  if (const char *Mode = directedRounding())
    return runtimeResult(Twine(I->Opcode) + "_" + Mode + suffixOf(Type), {X});
  Value *V = X;
  if (I->Opcode != "rcp")
    V = B.CreateUnaryIntrinsic(Intrinsic::sqrt, V);
  if (I->Opcode != "sqrt")
    V = B.CreateFDiv(ConstantFP::get(X->getType(), 1.0), V);
  return result(V);
}

/// In float, element by element.
bool PtxLowering::lowerTranscendental() {
  Value *X = operand(1);
  if (!X || !Type.isFloat() || Type.Bits == 64)
    return false;
  std::string Name = I->Opcode + "_approx_f";
  auto Apply = [&](Value *Element) {
    Value *V = callRuntime(B, IntrinsicPrefix + Name,
                           {B.CreateFPCast(Element, B.getFloatTy())});
    return V ? B.CreateFPCast(V, Element->getType()) : nullptr;
  };
  if (Type.Lanes == 1)
    return result(Apply(X));
  Value *V = PoisonValue::get(X->getType());
  for (unsigned L = 0; L < Type.Lanes; ++L) {
    Value *Element = Apply(B.CreateExtractElement(X, L));
    if (!Element)
      return false;
    V = B.CreateInsertElement(V, Element, L);
  }
  return result(V);
}

static CmpInst::Predicate floatPredicate(StringRef Operator) {
  return StringSwitch<CmpInst::Predicate>(Operator)
      .Case("eq", CmpInst::FCMP_OEQ)
      .Case("ne", CmpInst::FCMP_ONE)
      .Case("lt", CmpInst::FCMP_OLT)
      .Case("le", CmpInst::FCMP_OLE)
      .Case("gt", CmpInst::FCMP_OGT)
      .Case("ge", CmpInst::FCMP_OGE)
      .Case("equ", CmpInst::FCMP_UEQ)
      .Case("neu", CmpInst::FCMP_UNE)
      .Case("ltu", CmpInst::FCMP_ULT)
      .Case("leu", CmpInst::FCMP_ULE)
      .Case("gtu", CmpInst::FCMP_UGT)
      .Case("geu", CmpInst::FCMP_UGE)
      .Case("num", CmpInst::FCMP_ORD)
      .Case("nan", CmpInst::FCMP_UNO)
      .Default(CmpInst::BAD_FCMP_PREDICATE);
}

static CmpInst::Predicate integerPredicate(StringRef Operator, bool IsSigned) {
  auto Id = StringSwitch<CmpInst::Predicate>(Operator)
                .Case("eq", CmpInst::ICMP_EQ)
                .Case("ne", CmpInst::ICMP_NE)
                .Cases({"lt", "lo"}, CmpInst::ICMP_ULT)
                .Cases({"le", "ls"}, CmpInst::ICMP_ULE)
                .Cases({"gt", "hi"}, CmpInst::ICMP_UGT)
                .Cases({"ge", "hs"}, CmpInst::ICMP_UGE)
                .Default(CmpInst::BAD_ICMP_PREDICATE);
  return IsSigned && Id != CmpInst::BAD_ICMP_PREDICATE
             ? ICmpInst::getSignedPredicate(Id)
             : Id;
}

Value *PtxLowering::comparison(StringRef Operator, Value *X, Value *Y,
                               PtxType T) {
  CmpInst::Predicate Id = T.isFloat()
                              ? floatPredicate(Operator)
                              : integerPredicate(Operator, T.isSigned());
  if (Id == CmpInst::BAD_FCMP_PREDICATE || Id == CmpInst::BAD_ICMP_PREDICATE)
    return nullptr;
  return B.CreateCmp(Id, X, Y);
}

/// setp.op{.bool}.type p{|q}, a, b{, c} and set.op{.bool}.dtype.type.
bool PtxLowering::lowerCompare() {
  Value *X = operand(1), *Y = operand(2);
  if (!X || !Y || I->Modifiers.empty())
    return false;
  Value *V = comparison(I->Modifiers[0], X, Y, Type);
  if (!V)
    return false;
  Value *Other = B.CreateNot(V);
  if (count() > 3) {
    Value *C = predicate(3);
    if (!C || Type.Lanes > 1)
      return false;
    auto Join = [&](Value *L) -> Value * {
      return has("and")  ? B.CreateAnd(L, C)
             : has("or") ? B.CreateOr(L, C)
                         : B.CreateXor(L, C);
    };
    V = Join(V);
    Other = Join(Other);
  }
  if (I->Opcode == "setp") {
    if (Type.Lanes > 1) {
      Other = B.CreateExtractElement(V, 1);
      V = B.CreateExtractElement(V, uint64_t(0));
    }
    const PtxOperand &To = I->Operands[0];
    return write(To.Text, V) && (To.Second.empty() || write(To.Second, Other));
  }
  llvm::Type *T = Target.compute(B.getContext());
  return result(Target.isFloat() ? B.CreateUIToFP(V, T) : B.CreateSExt(V, T),
                Target);
}

bool PtxLowering::lowerSelect() {
  Value *X = operand(1), *Y = operand(2), *P = predicate(3);
  return X && Y && P && result(B.CreateSelect(P, X, Y));
}

/// The sign of the first operand, the magnitude of the second.
bool PtxLowering::lowerCopysign() {
  Value *X = operand(1), *Y = operand(2);
  return X && Y && result(B.CreateCopySign(Y, X));
}

bool PtxLowering::lowerTest() {
  Value *X = operand(1);
  if (!X || I->Modifiers.empty())
    return false;
  auto Class = StringSwitch<unsigned>(I->Modifiers[0])
                   .Case("finite", fcFinite)
                   .Case("infinite", fcInf)
                   .Case("number", fcFinite | fcInf)
                   .Case("notanumber", fcNan)
                   .Case("normal", fcNormal)
                   .Case("subnormal", fcSubnormal)
                   .Default(0);
  return Class && result(B.createIsFPClass(X, Class));
}

} // namespace ct
