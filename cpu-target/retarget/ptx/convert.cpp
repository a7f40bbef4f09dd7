/* SPDX-License-Identifier: Apache-2.0 */
/* PTX moves and conversions. */
#include "cpu-target/retarget/numbers/arithmetic.h"
#include "cpu-target/retarget/ptx/ptx.h"
#include "llvm/IR/Intrinsics.h"

using namespace llvm;

namespace ct {

/// mov d, a; mov {a, b}, d; mov d, {a, b}: parts of equal width, lowest first.
bool PtxLowering::lowerMove() {
  if (count() != 2 || !Type)
    return false;
  const PtxOperand &To = I->Operands[0], &From = I->Operands[1];
  unsigned Bits = Type.Bits * Type.Lanes;
  llvm::Type *Whole = B.getIntNTy(Bits);
  if (To.Kind == PtxOperand::Vector) {
    Value *V = operandBits(1, Whole);
    unsigned Width = Bits / To.Parts.size();
    for (unsigned N = 0; V && N < To.Parts.size(); ++N)
      write(To.Parts[N],
            B.CreateTrunc(B.CreateLShr(V, N * Width), B.getIntNTy(Width)));
    return V != nullptr;
  }
  if (From.Kind != PtxOperand::Vector)
    return result(Type.Kind == 'p'
                      ? predicate(1)
                      : operandBits(1, Type.compute(B.getContext())),
                  PtxType());
  unsigned Width = Bits / From.Parts.size();
  Value *V = ConstantInt::get(Whole, 0);
  for (unsigned N = 0; N < From.Parts.size(); ++N) {
    Value *Part = readBits(From.Parts[N], B.getIntNTy(Width));
    if (!Part)
      return false;
    V = B.CreateOr(V, B.CreateShl(B.CreateZExt(Part, Whole), N * Width));
  }
  return result(V, PtxType());
}

/// All spaces are one, but shared addresses may be cut to 32 bits.
bool PtxLowering::lowerAddressConvert() {
  Value *V = operandBits(1, B.getInt64Ty());
  if (!V)
    return false;
  bool IsShared = has("shared") || has("shared::cta") || has("shared::cluster");
  if (!has("to") && IsShared)
    V = B.CreatePtrToInt(completeShared(V), B.getInt64Ty());
  return result(convertBits(B, V, Type.compute(B.getContext())));
}

Value *PtxLowering::toInteger(Value *V, PtxType From, PtxType To) {
  Intrinsic::ID Rounding = has("rni")   ? Intrinsic::roundeven
                           : has("rmi") ? Intrinsic::floor
                           : has("rpi") ? Intrinsic::ceil
                                        : Intrinsic::trunc;
  if (From.Lanes > 1 || To.Lanes > 1)
    return nullptr;
  llvm::Type *T = To.compute(B.getContext());
  Value *Rounded = B.CreateUnaryIntrinsic(Rounding, V);
  return ct::toInteger(B, Rounded, T, To.isSigned());
}

Value *PtxLowering::toFloat(Value *V, PtxType From, PtxType To) {
  llvm::Type *T = To.compute(B.getContext());
  const char *Mode = directedRounding();
  if (Mode && !To.isHalf()) {
    Value *Wide = B.CreateIntCast(V, B.getIntNTy(std::max(From.Bits, 32u)),
                                  From.isSigned());
    std::string Source =
        std::string(From.isSigned() ? "" : "u") + (From.Bits > 32 ? "ll" : "i");
    return finishFloat(callRuntime(B,
                                   IntrinsicPrefix + Source + "2" +
                                       (To.Bits == 64 ? "d_" : "f_") + Mode,
                                   {Wide}),
                       To);
  }
  if (Mode) { // twice in one direction is once
    PtxType Single{'f', 32};
    V = toFloat(V, From, Single);
    return V ? floatToFloat(V, Single, To) : nullptr;
  }
  return finishFloat(
      From.isSigned() ? B.CreateSIToFP(V, T) : B.CreateUIToFP(V, T), To);
}

Value *PtxLowering::integerToInteger(Value *V, PtxType From, PtxType To) {
  llvm::Type *T = To.compute(B.getContext());
  if (!has("sat"))
    return B.CreateIntCast(V, T, From.isSigned());
  // Clamp in a type that holds both ranges.
  llvm::Type *Wide = B.getIntNTy(2 * std::max(From.Bits, To.Bits));
  unsigned Bits = Wide->getIntegerBitWidth();
  APInt Low = To.isSigned() ? APInt::getSignedMinValue(To.Bits).sext(Bits)
                            : APInt(Bits, 0);
  APInt High = To.isSigned() ? APInt::getSignedMaxValue(To.Bits).zext(Bits)
                             : APInt::getMaxValue(To.Bits).zext(Bits);
  V = B.CreateIntCast(V, Wide, From.isSigned());
  V = B.CreateBinaryIntrinsic(Intrinsic::smax, V, ConstantInt::get(Wide, Low));
  V = B.CreateBinaryIntrinsic(Intrinsic::smin, V, ConstantInt::get(Wide, High));
  return B.CreateTrunc(V, T);
}

static const char *letterOf(PtxType T) {
  return T.Bits == 64 ? "d" : T.Bits == 32 ? "f" : T.Brain ? "bf" : "h";
}

/// .satfinite: what is larger than the largest number becomes that; NaN stays.
Value *PtxLowering::clampToFinite(Value *V, double Most) {
  Constant *High = ConstantFP::get(V->getType(), Most);
  Constant *Low = ConstantFP::get(V->getType(), -Most);
  V = B.CreateSelect(B.CreateFCmpOGT(V, High), High, V);
  return B.CreateSelect(B.CreateFCmpOLT(V, Low), Low, V);
}

Value *PtxLowering::floatToFloat(Value *V, PtxType From, PtxType To) {
  if (From.Lanes != To.Lanes)
    return nullptr;
  for (auto [Modifier, Id] : {std::pair("rni", Intrinsic::roundeven),
                              {"rzi", Intrinsic::trunc},
                              {"rmi", Intrinsic::floor},
                              {"rpi", Intrinsic::ceil}})
    if (has(Modifier))
      V = B.CreateUnaryIntrinsic(Id, V);
  if (has("satfinite"))
    V = clampToFinite(V, To.Brain ? 0x1.fep127 : 65504.0);
  const char *Mode = directedRounding();
  PtxType Single{'f', 32};
  if (Mode && From.isHalf() && To.isHalf() && From.Brain != To.Brain)
    return floatToFloat(B.CreateFPCast(V, B.getFloatTy()), Single, To);
  if (From.Bits == 64 && To.isHalf() && (Mode || To.Brain)) {
    V = Mode ? callRuntime(B, IntrinsicPrefix + "d2f_" + Mode, {V})
             : callRuntime(B, IntrinsicPrefix + "d2f_odd", {V});
    return V ? floatToFloat(V, Single, To) : nullptr;
  }
  if (!Mode || From.Bits <= To.Bits)
    return finishFloat(B.CreateFPCast(V, To.compute(B.getContext())), To,
                       From.Bits == 64 && To.Bits == 32 ? V : nullptr);
  Value *Bits =
      callRuntime(B,
                  IntrinsicPrefix + letterOf(From) + "2" + letterOf(To) + "_" +
                      Mode + (From.Bits == 64 && flushes(To) ? "_ftz" : ""),
                  {V});
  if (!Bits)
    return nullptr;
  if (To.Brain) // bits, or a float of no more digits
    Bits = Bits->getType()->isFloatTy() ? Bits : unpackBrain(Bits, To);
  return finishFloat(convertBits(B, Bits, To.compute(B.getContext())), To);
}

/// cvt.rn.f16x2.f32 d, a, b: a becomes the upper half.
bool PtxLowering::lowerPack(PtxType From) {
  PtxType Half = Target;
  Half.Lanes = 1;
  Value *High = operand(1, From), *Low = operand(2, From);
  if (!High || !Low)
    return false;
  High = floatToFloat(High, From, Half);
  Low = floatToFloat(Low, From, Half);
  if (!High || !Low)
    return false;
  auto Bits = [&](Value *V) {
    if (Half.Brain && V->getType()->isFloatTy())
      V = packBrain(V);
    return B.CreateZExt(convertBits(B, V, B.getInt16Ty()), B.getInt32Ty());
  };
  return result(B.CreateOr(B.CreateShl(Bits(High), 16), Bits(Low)), PtxType());
}

/// cvt between pairs of e4m3 or e5m2 and of f32 or f16.
bool PtxLowering::lowerSmallFloats() {
  StringRef To, From;
  for (StringRef M : words())
    if (M == "e4m3x2" || M == "e5m2x2" || M == "f16x2" || M == "f32")
      (To.empty() ? To : From) = M;
  std::string Name =
      ((From == "f32" ? "ff" : From) + "_to_" + To + "_rn").str();
  if (has("relu"))
    Name += "_relu";
  llvm::Type *Source =
      From == "f32" ? B.getFloatTy() : B.getIntNTy(From == "f16x2" ? 32 : 16);
  if (From == "f32")
    return runtimeResult(Name,
                         {operandBits(1, Source), operandBits(2, Source)});
  return runtimeResult(Name, {operandBits(1, Source)});
}

/// cvt.{rna,rn,rz}{.relu}.tf32.f32: a float of ten digits.
bool PtxLowering::lowerTensorFloat() {
  llvm::Type *Word = B.getInt32Ty();
  Value *V = operand(1), *Add = B.getInt32(has("rna") ? 0x1000 : 0);
  if (!V || !(has("rna") || has("rn") || has("rz")))
    return false;
  Value *Bits = B.CreateBitCast(V, Word);
  if (has("rn"))
    Add =
        B.CreateAdd(B.getInt32(0xfff), B.CreateAnd(B.CreateLShr(Bits, 13), 1));
  Value *Cut = B.CreateAnd(B.CreateAdd(Bits, Add), B.getInt32(~0x1fffu));
  Value *IsFinite = B.CreateFCmpOLT(B.CreateUnaryIntrinsic(Intrinsic::fabs, V),
                                    ConstantFP::getInfinity(V->getType()));
  V = B.CreateSelect(IsFinite, B.CreateBitCast(Cut, V->getType()), V);
  if (has("satfinite"))
    V = clampToFinite(V, 0x1.ffcp127);
  return result(finishFloat(V, PtxType()));
}

bool PtxLowering::lowerConvert() {
  if (has("e4m3x2") || has("e5m2x2"))
    return lowerSmallFloats();
  if (has("tf32"))
    return lowerTensorFloat();
  PtxType From = Type, To = Target;
  if (count() == 3)
    return From.isFloat() && To.Lanes == 2 && lowerPack(From);
  Value *V = operand(1, From);
  if (!V || count() != 2 || From.Kind == 'b' || To.Kind == 'b')
    return false;
  if (From.isFloat() && To.isFloat())
    return result(floatToFloat(V, From, To), To);
  if (To.isFloat())
    return result(toFloat(V, From, To), To);
  V = From.isFloat() ? toInteger(V, From, To) : integerToInteger(V, From, To);
  if (!V)
    return false;
  // A narrow signed result is sign-extended in its register.
  if (To.isSigned() && To.Bits < 32)
    V = B.CreateSExt(V, B.getInt32Ty());
  return result(V, To);
}

} // namespace ct
