/* SPDX-License-Identifier: Apache-2.0 */
/*
 * NVVM intrinsics. llvm.nvvm.a.b.c becomes a call of __ct_cpu_nvvm_a_b_c of
 * the device runtime if there is one; before that, simple arithmetic becomes
 * LLVM instructions, so that it can be vectorised.
 */
#include "llvm/IR/Intrinsics.h"
#include "cpu-target/retarget/calls/matrix.h"
#include "cpu-target/retarget/numbers/arithmetic.h"
#include "cpu-target/retarget/numbers/denormals.h"
#include "cpu-target/retarget/thread/thread.h"
#include "cpu-target/runtime/exec/thread.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/IR/PatternMatch.h"

using namespace llvm;

namespace ct {

namespace {

/// An intrinsic's name in parts: llvm.nvvm.fma.rn.ftz.f -> fma, rn, ftz, f.
struct Name {
  explicit Name(StringRef Text) : Text(Text) { Text.split(Parts, '.'); }
  StringRef base() const { return Parts[0]; }
  bool has(StringRef Part) const { return is_contained(Parts, Part); }
  /// Rounds to nearest, or to what the hardware's approximation gives.
  bool roundsNearest() const {
    return !has("rz") && !has("rm") && !has("rp") && !has("sat") &&
           !has("relu");
  }
  StringRef Text;
  SmallVector<StringRef, 6> Parts;
};

class IntrinsicLowering {
public:
  IntrinsicLowering(CallInst &Call, StringRef Text)
      : Call(Call), N(Text), B(&Call), A(Call.args()), T(Call.getType()) {}
  Value *lower();

private:
  Value *lowerExact();
  Value *exact();
  Value *lowerUnary();
  Value *lowerBinary();
  Value *lowerArithmetic();
  Value *lowerConversion();
  Value *lowerMemory();
  Value *lowerMulHigh();
  Value *lowerRuntime();
  std::string barrierName() const;
  bool isMulticast() const;
  Value *withPredicate(Value *V);

  CallInst &Call;
  Name N;
  IRBuilder<> B;
  SmallVector<Value *> A;
  Type *T;
};

Value *IntrinsicLowering::lowerUnary() {
  if (!T->isFPOrFPVectorTy() || !N.roundsNearest())
    return nullptr;
  auto Id = StringSwitch<Intrinsic::ID>(N.base())
                .Case("fabs", Intrinsic::fabs)
                .Case("floor", Intrinsic::floor)
                .Case("ceil", Intrinsic::ceil)
                .Case("trunc", Intrinsic::trunc)
                .Case("round", Intrinsic::roundeven)
                .Case("sqrt", Intrinsic::sqrt)
                .Default(Intrinsic::not_intrinsic);
  return Id ? B.CreateUnaryIntrinsic(Id, A[0]) : nullptr;
}

Value *IntrinsicLowering::lowerBinary() {
  if (N.has("xorsign"))
    return nullptr;
  if (N.base() == "fmin")
    return B.CreateBinaryIntrinsic(
        N.has("nan") ? Intrinsic::minimum : Intrinsic::minnum, A[0], A[1]);
  if (N.base() == "fmax")
    return B.CreateBinaryIntrinsic(
        N.has("nan") ? Intrinsic::maximum : Intrinsic::maxnum, A[0], A[1]);
  return nullptr;
}

/// No fast-math flags: these are the operations that must not be fused.
Value *IntrinsicLowering::lowerArithmetic() {
  if (!T->isFPOrFPVectorTy() || !N.roundsNearest())
    return nullptr;
  Constant *One = ConstantFP::get(T, 1.0);
  StringRef Base = N.base();
  if (Base == "fma")
    return B.CreateIntrinsic(Intrinsic::fma, {T}, {A[0], A[1], A[2]});
  if (Base == "add")
    return B.CreateFAdd(A[0], A[1]);
  if (Base == "sub")
    return B.CreateFSub(A[0], A[1]);
  if (Base == "mul")
    return B.CreateFMul(A[0], A[1]);
  if (Base == "div")
    return B.CreateFDiv(A[0], A[1]);
  if (Base == "rcp")
    return B.CreateFDiv(One, A[0]);
  if (Base == "rsqrt")
    return B.CreateFDiv(One, B.CreateUnaryIntrinsic(Intrinsic::sqrt, A[0]));
  return nullptr;
}

static Intrinsic::ID roundingOf(const Name &N) {
  if (N.has("rz"))
    return Intrinsic::trunc;
  if (N.has("rm"))
    return Intrinsic::floor;
  if (N.has("rp"))
    return Intrinsic::ceil;
  return Intrinsic::roundeven;
}

/// f2i, d2ull, ui2f, ll2d, d2f: source letter(s), 2, target letter(s).
Value *IntrinsicLowering::lowerConversion() {
  auto [From, To] = N.base().split('2');
  auto IsInteger = [](StringRef S) {
    return S == "i" || S == "ui" || S == "ll" || S == "ull";
  };
  auto IsReal = [](StringRef S) { return S == "f" || S == "d"; };
  if (N.has("hi") || N.has("lo") || N.Parts.size() < 2)
    return nullptr;
  if (IsReal(From) && IsInteger(To)) {
    Value *Rounded =
        N.has("rz") ? A[0] : B.CreateUnaryIntrinsic(roundingOf(N), A[0]);
    return toInteger(B, Rounded, T, !To.starts_with("u"));
  }
  if (!N.roundsNearest())
    return nullptr;
  if (IsInteger(From) && IsReal(To))
    return From.starts_with("u") ? B.CreateUIToFP(A[0], T)
                                 : B.CreateSIToFP(A[0], T);
  if (From == "d" && To == "f")
    return B.CreateFPTrunc(A[0], T);
  return nullptr;
}

Value *IntrinsicLowering::lowerMemory() {
  StringRef Base = N.base();
  if (Base == "ldg" || Base == "ldu")
    return B.CreateAlignedLoad(T, A[0], Align(1));
  if (Base == "membar" || Base == "fence")
    return B.CreateFence(AtomicOrdering::SequentiallyConsistent);
  if (Base == "prefetch" || Base == "prefetchu" || Base == "discard" ||
      Base == "applypriority")
    return A[0];
  if (Base == "griddepcontrol" || Base == "setmaxnreg")
    return B.getTrue();
  if (Base == "ptr" || N.Text == "move.ptr")
    return A[0];
  return nullptr;
}

Value *IntrinsicLowering::lowerMulHigh() {
  if (N.base() != "mulhi")
    return nullptr;
  bool IsSigned = !N.has("ui") && !N.has("ull") && !N.has("us");
  unsigned Bits = T->getIntegerBitWidth();
  Type *Wide = B.getIntNTy(2 * Bits);
  Value *X = B.CreateIntCast(A[0], Wide, IsSigned);
  Value *Y = B.CreateIntCast(A[1], Wide, IsSigned);
  return B.CreateTrunc(B.CreateLShr(B.CreateMul(X, Y), Bits), T);
}

/// Numbers the places that ask for the active mask.
static uint32_t nextSite() {
  static uint32_t Last;
  return ++Last;
}

/// Type suffixes of overloaded intrinsics: .p0, .i32, .f32, .v2f16.
static bool isTypeSuffix(StringRef Part) {
  if (Part.size() < 2)
    return false;
  return StringRef("pifv").contains(Part[0]) && isDigit(Part[1]);
}

/// Intrinsics with a second, boolean result: the runtime leaves it in the
/// thread's state.
Value *IntrinsicLowering::withPredicate(Value *V) {
  auto *Pair = dyn_cast<StructType>(T);
  if (!Pair || Pair->getNumElements() != 2)
    return nullptr;
  Value *Flag =
      loadThreadField(B, B.getInt32Ty(), offsetof(ct_cpu_thread, predicate));
  Value *First = convertBits(B, V, Pair->getElementType(0));
  Value *Second = convertBits(B, Flag, Pair->getElementType(1));
  if (!First || !Second)
    return nullptr;
  Value *Result = B.CreateInsertValue(PoisonValue::get(Pair), First, 0);
  return B.CreateInsertValue(Result, Second, 1);
}

/// mbarrier intrinsics differ in scopes and spaces that are all one here.
std::string IntrinsicLowering::barrierName() const {
  std::string Name;
  for (StringRef Part : N.Parts)
    if (!is_contained(
            {"relaxed", "scope", "space", "cta", "cluster", "shared", "tl"},
            Part))
      Name +=
          ((Name.empty() ? "" : ".") + (Part == "try" ? "test" : Part)).str();
  if (A.size() == 2 &&
      (Name == "mbarrier.arrive" || Name == "mbarrier.arrive.drop"))
    Name += ".count";
  return Name;
}

/// cp.async.bulk...(to, barrier, from, bytes, mask, hint, multicast, hinted):
/// a copy into several blocks of a cluster.
bool IntrinsicLowering::isMulticast() const {
  return N.Text.starts_with("cp.async.bulk.global.to.shared.cluster") &&
         A.size() > 6 && !match(A[6], PatternMatch::m_Zero());
}

Value *IntrinsicLowering::lowerRuntime() {
  if (isMulticast())
    return nullptr;
  std::string Function = N.has("mbarrier") ? barrierName() : N.Text.str();
  std::replace(Function.begin(), Function.end(), '.', '_');
  SmallVector<Value *> Arguments(A);
  if (N.base() == "prmt" && Arguments.size() == 2) // the other source is unused
    Arguments.insert(Arguments.begin() + 1, B.getInt32(0));
  if (N.Text == "activemask") // lanes at the same place answer together
    Arguments.push_back(B.getInt32(nextSite()));
  Value *V = nullptr;
  for (size_t Count = N.Parts.size(); !V; --Count) {
    V = callRuntime(B, IntrinsicPrefix + Function, Arguments);
    if (V || Count == 1 || !isTypeSuffix(N.Parts[Count - 1]))
      break;
    Function.resize(Function.size() - N.Parts[Count - 1].size() - 1);
  }
  if (!V || T->isVoidTy())
    return V;
  return T->isStructTy() ? withPredicate(V) : convertBits(B, V, T);
}

/// .ftz concerns single and half precision.
static bool canFlush(const Value *V) {
  const Type *T = V->getType()->getScalarType();
  return T->isFloatTy() || T->isHalfTy();
}

/// Returns the value that the result was rounded from, where .ftz asks;
/// nullptr: the result shows it.
Value *IntrinsicLowering::exact() {
  StringRef Base = N.base();
  if (N.has("rz") || N.has("rm") || N.has("rp")) // stand-ins flush
    return nullptr;
  if (Base == "mul")
    return exactProduct(B, A[0], A[1]);
  if (Base == "div")
    return exactQuotient(B, A[0], A[1]);
  if (Base == "rcp")
    return exactQuotient(B, ConstantFP::get(T, 1.0), A[0]);
  if (Base == "fma")
    return exactMultiplyAdd(B, A[0], A[1], A[2]);
  return Base == "d2f" ? A[0] : nullptr;
}

Value *IntrinsicLowering::lower() {
  if (!N.has("ftz"))
    return lowerExact();
  for (Value *&V : A)
    if (canFlush(V))
      V = flushSubnormal(B, V);
  Value *V = lowerExact();
  return V && canFlush(V) ? flushSubnormal(B, V, exact()) : V;
}

/// Without what .ftz says of arguments and result.
Value *IntrinsicLowering::lowerExact() {
  if (N.Text.starts_with("read.ptx.sreg.")) {
    Value *V = readSpecialRegister(
        B, N.Text.drop_front(StringLiteral("read.ptx.sreg.").size()));
    return V ? convertBits(B, V, T) : nullptr;
  }
  if (Value *V = lowerMatrixIntrinsic(B, Call, N.Text))
    return V;
  if (Value *V = lowerUnary())
    return V;
  if (Value *V = lowerBinary())
    return V;
  if (Value *V = lowerArithmetic())
    return V;
  if (Value *V = lowerConversion())
    return V;
  if (Value *V = lowerMemory())
    return V;
  if (Value *V = lowerMulHigh())
    return V;
  return lowerRuntime();
}

} // namespace

bool lowerIntrinsic(CallInst &Call) {
  StringRef Text = Call.getCalledFunction()->getName();
  Text.consume_front("llvm.nvvm.");
  Value *V = IntrinsicLowering(Call, Text).lower();
  if (!V)
    return false;
  if (!Call.getType()->isVoidTy())
    Call.replaceAllUsesWith(V);
  Call.eraseFromParent();
  return true;
}

} // namespace ct
