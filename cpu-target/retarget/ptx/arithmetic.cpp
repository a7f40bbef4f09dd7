/* SPDX-License-Identifier: Apache-2.0 */
/* PTX arithmetic, comparison and selection. */
#include "cpu-target/retarget/numbers/denormals.h"
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

/// .ftz concerns single precision, and half precision but in conversions.
bool PtxLowering::flushes(PtxType T) const {
  return has("ftz") && T.isFloat() &&
         (T.Bits == 32 || (T.Bits == 16 && I->Opcode != "cvt"));
}

/// .ftz, then .sat, where NaN is zero, or
/// .relu, where it stays.
Value *PtxLowering::finishFloat(Value *V, PtxType T, Value *Exact) {
  if (!V || !V->getType()->isFPOrFPVectorTy())
    return V;
  if (flushes(T))
    V = flushSubnormal(B, V, Exact);
  Constant *Zero = ConstantFP::get(V->getType(), 0.0);
  if (has("relu"))
    V = B.CreateBinaryIntrinsic(Intrinsic::maximum, V, Zero);
  if (!has("sat"))
    return V;
  V = B.CreateSelect(B.CreateFCmpOGT(V, Zero), V, Zero);
  return B.CreateMinNum(V, ConstantFP::get(V->getType(), 1.0));
}

/// One of all lanes of vectors, one after another.
Value *PtxLowering::eachLane(ArrayRef<Value *> Arguments,
                             function_ref<Value *(ArrayRef<Value *>)> One) {
  auto *T = dyn_cast<FixedVectorType>(Arguments[0]->getType());
  if (!T)
    return One(Arguments);
  Value *V = PoisonValue::get(T);
  for (unsigned L = 0; L < T->getNumElements(); ++L) {
    SmallVector<Value *, 3> Elements;
    for (Value *Argument : Arguments)
      Elements.push_back(B.CreateExtractElement(Argument, L));
    Value *Element = One(Elements);
    if (!Element)
      return nullptr;
    V = B.CreateInsertElement(V, Element, L);
  }
  return V;
}

static const char *suffixOf(PtxType T) { return T.Bits == 64 ? "_d" : "_f"; }

/// The operation in the instruction's directed rounding; nullptr: there is none
/// of the type.
Value *PtxLowering::directed(const Twine &Name, ArrayRef<Value *> Arguments) {
  std::string Full = (IntrinsicPrefix + Name + "_" + directedRounding() +
                      (flushes(Type) ? "_ftz" : "") + suffixOf(Type))
                         .str();
  if (Type.isHalf())
    return nullptr;
  return eachLane(Arguments, [&](ArrayRef<Value *> Elements) {
    return callRuntime(B, Full, Elements);
  });
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

/// A factor or term that has a type of its own (add.f32.f16 d, a, c).
Value *PtxLowering::mixed(unsigned Index) {
  Value *V = operand(Index);
  return V && Target.isFloat() && Target.Bits > Type.Bits
             ? B.CreateFPCast(V, Target.compute(B.getContext()))
             : V;
}

bool PtxLowering::lowerAddSub() {
  Value *X = mixed(1), *Y = operand(2, Target);
  Type = Target;
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
  if (directedRounding())
    return floatResult(directed(I->Opcode, {X, Y}));
  return floatResult(IsSub ? B.CreateFSub(X, Y) : B.CreateFAdd(X, Y));
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
  if (directedRounding())
    return floatResult(directed("mul", {X, Y}));
  Value *Exact = flushes(Type) ? exactProduct(B, X, Y) : nullptr;
  return floatResult(B.CreateFMul(X, Y), Exact);
}

/// V = X * Y + Z, in the instruction's directed rounding. Zero has a sign
/// there: downward it is negative if the product or the term is.
Value *PtxLowering::cutBrain(Value *V, ArrayRef<Value *> Operands) {
  Value *Short =
      callRuntime(B, IntrinsicPrefix + "f2bf_" + directedRounding(), {V});
  if (!Short)
    return nullptr;
  Value *Cut = unpackBrain(Short, PtxType::parse("bf16"));
  if (!has("rm"))
    return Cut;
  auto IsNegative = [&](Value *F) {
    return B.CreateICmpSLT(B.CreateBitCast(F, B.getInt32Ty()), B.getInt32(0));
  };
  Value *Product = B.CreateFMul(Operands[0], Operands[1]);
  Value *Sign = B.CreateOr(IsNegative(Product), IsNegative(Operands[2]));
  Constant *Zero = ConstantFP::get(B.getFloatTy(), 0.0);
  return B.CreateSelect(B.CreateAnd(B.CreateFCmpOEQ(V, Zero), Sign),
                        ConstantFP::getNegativeZero(B.getFloatTy()), Cut);
}

/// Rounded once: what is narrower than float first becomes a float whose last
/// bit reports all that was cut.
Value *PtxLowering::fused(Value *X, Value *Y, Value *Z) {
  if (!Type.isHalf())
    return B.CreateIntrinsic(Intrinsic::fma, {X->getType()}, {X, Y, Z});
  return eachLane({X, Y, Z}, [&](ArrayRef<Value *> Elements) -> Value * {
    SmallVector<Value *, 3> Wide;
    for (Value *Element : Elements)
      Wide.push_back(B.CreateFPCast(Element, B.getFloatTy()));
    Value *V = callRuntime(B, IntrinsicPrefix + "fma_odd", Wide);
    if (V && directedRounding())
      return cutBrain(V, Wide);
    return V ? B.CreateFPCast(V, Elements[0]->getType()) : nullptr;
  });
}

bool PtxLowering::lowerMultiplyAdd() {
  Value *X = mixed(1), *Y = mixed(2);
  Type = Target;
  if (!X || !Y)
    return false;
  if (!Type.isFloat()) {
    Value *P = product(X, Y);
    Value *Z = operandBits(3, P->getType());
    if (!Z)
      return false;
    if (has("cc") || I->Opcode == "madc")
      return result(withCarry(P, Z, false));
    if (has("sat"))
      return result(B.CreateBinaryIntrinsic(Intrinsic::sadd_sat, P, Z));
    return result(B.CreateAdd(P, Z));
  }
  Value *Z = operand(3);
  if (!Z)
    return false;
  if (directedRounding() && !Type.Brain)
    return floatResult(directed("fma", {X, Y, Z}));
  Value *Exact = flushes(Type) ? exactMultiplyAdd(B, X, Y, Z) : nullptr;
  return floatResult(fused(X, Y, Z), Exact);
}

bool PtxLowering::lowerDivision() {
  Value *X = operand(1), *Y = operand(2);
  if (!X || !Y)
    return false;
  if (Type.isFloat()) {
    if (directedRounding())
      return floatResult(directed("div", {X, Y}));
    Value *Exact = flushes(Type) ? exactQuotient(B, X, Y) : nullptr;
    return floatResult(B.CreateFDiv(X, Y), Exact);
  }
  if (I->Opcode == "rem")
    return result(Type.isSigned() ? B.CreateSRem(X, Y) : B.CreateURem(X, Y));
  return result(Type.isSigned() ? B.CreateSDiv(X, Y) : B.CreateUDiv(X, Y));
}

/// min or max of two. Of floats a number wins over NaN, but with .NaN, and
/// -0 is less than 0.
Value *PtxLowering::lesser(Value *X, Value *Y) {
  bool IsMin = I->Opcode == "min";
  if (!Type.isFloat()) {
    Intrinsic::ID Id = Type.isSigned()
                           ? (IsMin ? Intrinsic::smin : Intrinsic::smax)
                           : (IsMin ? Intrinsic::umin : Intrinsic::umax);
    return B.CreateBinaryIntrinsic(Id, X, Y);
  }
  if (has("NaN"))
    return B.CreateBinaryIntrinsic(
        IsMin ? Intrinsic::minimum : Intrinsic::maximum, X, Y);
  llvm::Type *Float = X->getType();
  llvm::Type *Bits =
      Float->getWithNewType(B.getIntNTy(Float->getScalarSizeInBits()));
  Value *XBits = B.CreateBitCast(X, Bits), *YBits = B.CreateBitCast(Y, Bits);
  Value *Equal = B.CreateBitCast(
      IsMin ? B.CreateOr(XBits, YBits) : B.CreateAnd(XBits, YBits), Float);
  return B.CreateSelect(
      B.CreateFCmpOEQ(X, Y), Equal,
      B.CreateBinaryIntrinsic(IsMin ? Intrinsic::minnum : Intrinsic::maxnum, X,
                              Y));
}

/// min d, a, b{, c}: three only of float.
bool PtxLowering::lowerMinMax() {
  SmallVector<Value *, 3> X;
  for (unsigned Index = 1; Index < std::max<size_t>(count(), 3); ++Index) {
    X.push_back(operand(Index));
    if (!X.back())
      return false;
  }
  if (X.size() > 2 && (!Type.isFloat() || Type.Bits != 32 || has("xorsign")))
    return false;
  if (has("xorsign") && !has("abs"))
    return false;
  Value *Sign = nullptr;
  if (has("xorsign")) {
    llvm::Type *Bits = X[0]->getType()->getWithNewType(
        B.getIntNTy(X[0]->getType()->getScalarSizeInBits()));
    Sign = B.CreateBitCast(
        B.CreateXor(B.CreateBitCast(X[0], Bits), B.CreateBitCast(X[1], Bits)),
        X[0]->getType());
  }
  for (Value *&V : X)
    if (has("abs"))
      V = B.CreateUnaryIntrinsic(Intrinsic::fabs, V);
  Value *V = X[0];
  for (Value *Y : drop_begin(X))
    V = lesser(V, Y);
  if (Sign)
    V = B.CreateCopySign(V, Sign);
  if (has("relu"))
    V = B.CreateBinaryIntrinsic(Intrinsic::smax, V,
                                Constant::getNullValue(V->getType()));
  return floatResult(V);
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
  if (directedRounding())
    return floatResult(directed(I->Opcode, {X}));
  Value *V = X, *One = ConstantFP::get(X->getType(), 1.0);
  Value *Exact =
      flushes(Type) && I->Opcode == "rcp" ? exactQuotient(B, One, X) : nullptr;
  if (I->Opcode != "rcp")
    V = B.CreateUnaryIntrinsic(Intrinsic::sqrt, V);
  if (I->Opcode != "sqrt")
    V = B.CreateFDiv(One, V);
  return floatResult(V, Exact);
}

/// In float, element by element.
bool PtxLowering::lowerTranscendental() {
  Value *X = operand(1);
  if (!X || !Type.isFloat() || Type.Bits == 64)
    return false;
  std::string Name = I->Opcode + "_approx_f";
  return floatResult(eachLane(X, [&](ArrayRef<Value *> Element) -> Value * {
    Value *V = callRuntime(B, IntrinsicPrefix + Name,
                           {B.CreateFPCast(Element[0], B.getFloatTy())});
    return V ? B.CreateFPCast(V, Element[0]->getType()) : nullptr;
  }));
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
  if (!V || (I->Opcode == "set" && Target.Lanes != Type.Lanes))
    return false;
  Value *Other = B.CreateNot(V);
  if (count() > 3) {
    Value *C = predicate(3);
    if (!C || Type.Lanes > 1 || !(has("and") || has("or") || has("xor")))
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
