/* SPDX-License-Identifier: Apache-2.0 */
/* Defines what is undefined in C++ as nvcc does. */
#include "llvm-pass/device/undefined.h"
#include "llvm-pass/base/compat.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/IntrinsicsNVPTX.h"
#include "llvm/Support/CommandLine.h"

using namespace llvm;

static cl::opt<bool> NvccValues("ct-nvcc-values", cl::Hidden,
                                cl::desc("cuda-trace: values that C++ does not "
                                         "define are as nvcc's"));

/// clang loads a bool as a byte of which it takes the last bit.
static void replaceBool(TruncInst &Trunc) {
  auto *Load = dyn_cast<LoadInst>(Trunc.getOperand(0));
  if (!Load || !Trunc.getType()->isIntegerTy(1))
    return;
  Load->setMetadata(LLVMContext::MD_range, nullptr);
  IRBuilder<> B(&Trunc);
  Trunc.replaceAllUsesWith(
      B.CreateICmpNE(Load, Constant::getNullValue(Load->getType())));
  Trunc.eraseFromParent();
}

/// PTX's instruction, whose result is defined for each operand.
static Intrinsic::ID conversionOf(bool IsDouble, bool IsLong, bool IsSigned) {
  if (IsDouble && IsLong)
    return IsSigned ? Intrinsic::nvvm_d2ll_rz : Intrinsic::nvvm_d2ull_rz;
  if (IsDouble)
    return IsSigned ? Intrinsic::nvvm_d2i_rz : Intrinsic::nvvm_d2ui_rz;
  if (IsLong)
    return IsSigned ? Intrinsic::nvvm_f2ll_rz : Intrinsic::nvvm_f2ull_rz;
  return IsSigned ? Intrinsic::nvvm_f2i_rz : Intrinsic::nvvm_f2ui_rz;
}

/// With -fno-strict-float-cast-overflow clang says what saturates; PTX does.
static void replaceConversion(IntrinsicInst &Call) {
  Intrinsic::ID ID = Call.getIntrinsicID();
  if (ID != Intrinsic::fptosi_sat && ID != Intrinsic::fptoui_sat)
    return;
  IRBuilder<> B(&Call);
  Type *T = Call.getType();
  Value *V = Call.getArgOperand(0);
  bool IsSigned = ID == Intrinsic::fptosi_sat;
  if (!T->isIntegerTy() || T->getIntegerBitWidth() > 64 ||
      !(V->getType()->isDoubleTy() || V->getType()->isFloatTy() ||
        V->getType()->is16bitFPTy()))
    return;
  if (V->getType()->is16bitFPTy())
    V = B.CreateFPExt(V, B.getFloatTy());
  Value *Result =
      B.CreateIntrinsic(conversionOf(V->getType()->isDoubleTy(),
                                     T->getIntegerBitWidth() > 32, IsSigned),
                        {}, {V});
  Call.replaceAllUsesWith(B.CreateTrunc(Result, T));
  Call.eraseFromParent();
}

/// clang's atomicCAS orders all memory of the system; nvcc's orders none, as
/// its other atomic functions, and is of the device.
static void relaxExchange(Instruction &I) {
  auto *Exchange = dyn_cast<AtomicCmpXchgInst>(&I);
  StringRef Name = I.getFunction()->getName();
  if (!Exchange || !Name.starts_with("_ZL") || !Name.contains("AtomicCASP"))
    return;
  Exchange->setSuccessOrdering(AtomicOrdering::Monotonic);
  Exchange->setFailureOrdering(AtomicOrdering::Monotonic);
  Exchange->setSyncScopeID(I.getContext().getOrInsertSyncScopeID("device"));
}

static void replaceAsNvcc(Instruction &I) {
  relaxExchange(I);
  I.setMetadata(LLVMContext::MD_tbaa, nullptr);
  I.setMetadata(LLVMContext::MD_tbaa_struct, nullptr);
  if (auto *Trunc = dyn_cast<TruncInst>(&I))
    replaceBool(*Trunc);
  else if (auto *Call = dyn_cast<IntrinsicInst>(&I))
    replaceConversion(*Call);
}

/// libdevice says that these products do not overflow, which no page of CUDA's
/// says: __mul24 gives the last 32 bits.
static void letProductsOverflow(Module &M) {
  if (Function *F = M.getFunction("__nv_mul24"))
    for (Instruction &I : instructions(F))
      I.dropPoisonGeneratingFlags();
}

PreservedAnalyses ct::UndefinedPass::run(Module &M, ModuleAnalysisManager &) {
  if (!compat::targetTriple(M).isNVPTX())
    return PreservedAnalyses::all();
  letProductsOverflow(M);
  for (Function &F : M)
    for (Instruction &I : make_early_inc_range(instructions(F))) {
      if (isa<LoadInst>(I))
        I.setMetadata(LLVMContext::MD_noundef, nullptr);
      if (NvccValues)
        replaceAsNvcc(I);
    }
  return PreservedAnalyses::none();
}

/// Returns PTX's name of the scope, or nothing.
static StringRef scopeOf(const AtomicCmpXchgInst &Exchange) {
  SmallVector<StringRef, 8> Names;
  Exchange.getContext().getSyncScopeNames(Names);
  return StringSwitch<StringRef>(Names[Exchange.getSyncScopeID()])
      .Case("", "sys")
      .Case("device", "gpu")
      .Case("block", "cta")
      .Default("");
}

static void lowerShortExchange(AtomicCmpXchgInst &Exchange) {
  StringRef Scope = scopeOf(Exchange);
  unsigned Space = Exchange.getPointerAddressSpace();
  StringRef In = Space == 1 ? ".global" : Space == 3 ? ".shared" : "";
  Value *Than = Exchange.getCompareOperand();
  Type *Short = Than->getType();

  if (!Short->isIntegerTy(16) || Scope.empty() ||
      Exchange.getMergedOrdering() != AtomicOrdering::Monotonic ||
      (Space && In.empty()))
    return;
  IRBuilder<> B(&Exchange);
  auto *Assembly = InlineAsm::get(
      FunctionType::get(Short, {B.getInt64Ty(), Short, Short}, false),
      ("atom.relaxed." + Scope + In + ".cas.b16 $0, [$1], $2, $3;").str(),
      "=h,l,h,h,~{memory}", /*hasSideEffects=*/true);
  Value *Old = B.CreateCall(
      Assembly, {B.CreatePtrToInt(Exchange.getPointerOperand(), B.getInt64Ty()),
                 Than, Exchange.getNewValOperand()});
  Value *Result =
      B.CreateInsertValue(PoisonValue::get(Exchange.getType()), Old, 0);
  Exchange.replaceAllUsesWith(
      B.CreateInsertValue(Result, B.CreateICmpEQ(Old, Than), 1));
  Exchange.eraseFromParent();
}

void ct::lowerShortExchanges(Module &M) {
  if (!NvccValues)
    return;
  for (Function &F : M)
    for (Instruction &I : make_early_inc_range(instructions(F)))
      if (auto *Exchange = dyn_cast<AtomicCmpXchgInst>(&I))
        lowerShortExchange(*Exchange);
}
