/* SPDX-License-Identifier: Apache-2.0 */
/* Find what must be translated; what cannot be becomes a stop at run time. */
#include "cpu-target/retarget/calls/calls.h"
#include "cpu-target/retarget/thread/thread.h"
#include "cpu-target/retarget/unit/linkage.h"
#include "cpu-target/runtime/exec/thread.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace ct {

Value *convertBits(IRBuilderBase &B, Value *V, Type *T) {
  Type *From = V->getType();
  if (From == T)
    return V;
  if (From->isPointerTy())
    return convertBits(B, B.CreatePtrToInt(V, B.getInt64Ty()), T);
  if (T->isPointerTy()) {
    Value *Bits = convertBits(B, V, B.getInt64Ty());
    return Bits ? B.CreateIntToPtr(Bits, T) : nullptr;
  }
  unsigned FromBits = From->getPrimitiveSizeInBits();
  unsigned Bits = T->getPrimitiveSizeInBits();
  if (!FromBits || !Bits)
    return nullptr;
  if (!From->isIntegerTy())
    V = B.CreateBitCast(V, B.getIntNTy(FromBits));
  V = B.CreateZExtOrTrunc(V, B.getIntNTy(Bits));
  return T->isIntegerTy() ? V : B.CreateBitCast(V, T);
}

Value *callRuntime(IRBuilderBase &B, const Twine &Name,
                   ArrayRef<Value *> Arguments) {
  Function *F = runtimeFunction(*B.GetInsertBlock()->getModule(), Name);
  if (!F || F->arg_size() > Arguments.size())
    return nullptr;
  SmallVector<Value *> Converted;
  for (Argument &A : F->args()) {
    Value *V = convertBits(B, Arguments[A.getArgNo()], A.getType());
    if (!V)
      return nullptr;
    Converted.push_back(V);
  }
  return B.CreateCall(F, Converted);
}

Value *readSpecialRegister(IRBuilderBase &B, StringRef Name) {
  static constexpr StringLiteral Ids[] = {"tid", "ctaid", "ntid", "nctaid"};
  auto [Base, Axis] = Name.split('.');
  if (Axis.size() == 1 && Axis[0] >= 'x' && Axis[0] <= 'z')
    for (unsigned I = 0; I < 4; ++I)
      if (Base == Ids[I]) {
        unsigned Index = 3 * I + (Axis[0] - 'x');
        Function &F = *B.GetInsertBlock()->getParent();
        if (F.hasFnAttribute(KernelAttribute))
          return F.getArg(ArgTid + Index);
        return loadThreadField(B, B.getInt32Ty(), Index * sizeof(uint32_t));
      }
  std::string Function = Name.str();
  std::replace(Function.begin(), Function.end(), '.', '_');
  return callRuntime(B, IntrinsicPrefix + "read_ptx_sreg_" + Function, {});
}

static std::string placeOf(const Instruction &I) {
  std::string Place = I.getModule()->getSourceFileName();
  if (const DILocation *L = I.getDebugLoc()) {
    while (L->getInlinedAt())
      L = L->getInlinedAt();
    Place = (L->getFilename() + ":" + Twine(L->getLine())).str();
  }
  return Place;
}

/// "file:line: warning: CPU target: ..." on stderr.
static void warnUnsupported(const Instruction &I, const Twine &What) {
  static StringSet<> Said;
  std::string Text = (placeOf(I) + ": warning: CPU target: " + What +
                      " is not supported; a kernel that executes it stops "
                      "with an error\n")
                         .str();
  if (Said.insert(Text).second)
    errs() << Text;
}

/// Replace the call by a stop of the kernel that names What.
static void replaceByTrap(CallInst &Call, const Twine &What) {
  warnUnsupported(Call, What);
  IRBuilder<> B(&Call);
  auto Stop = Call.getModule()->getOrInsertFunction(
      "__ct_cpu_unsupported", B.getVoidTy(), B.getPtrTy());
  SmallString<128> Text;
  B.CreateCall(Stop, {B.CreateGlobalString(What.toStringRef(Text))});
  if (!Call.getType()->isVoidTy())
    Call.replaceAllUsesWith(Constant::getNullValue(Call.getType()));
  Call.eraseFromParent();
}

static void replaceCall(CallInst &Call, Value *V) {
  if (!Call.getType()->isVoidTy())
    Call.replaceAllUsesWith(V);
  Call.eraseFromParent();
}

static void lowerAsm(CallInst &Call) {
  std::string What;
  if (!lowerPtx(Call, What))
    replaceByTrap(Call, "PTX instruction '" + What + "'");
}

/// A declared function: of the device library, a hook, or nowhere.
static void lowerExternal(CallInst &Call, Function &Callee) {
  StringRef Name = Callee.getName();
  bool IsInlined = runtimeFunction(*Call.getModule(), FunctionPrefix + Name);
  if ((isHook(Callee) && !IsInlined) || isExported(Callee) ||
      Name.starts_with(RuntimePrefix) || isLibraryFunction(Name))
    return;
  IRBuilder<> B(&Call);
  SmallVector<Value *> Arguments(Call.args());
  Value *Result = callRuntime(B, FunctionPrefix + Name, Arguments);
  if (Result && !Call.getType()->isVoidTy())
    Result = convertBits(B, Result, Call.getType());
  if (!Result)
    return replaceByTrap(Call, "device function '" + Name + "'");
  replaceCall(Call, Result);
}

static bool isTrap(const Function &F) {
  return F.getIntrinsicID() == Intrinsic::trap ||
         F.getIntrinsicID() == Intrinsic::ubsantrap;
}

static void lowerCall(CallInst &Call) {
  if (Call.isInlineAsm())
    return lowerAsm(Call);
  Function *Callee = Call.getCalledFunction();
  if (!Callee || !Callee->isDeclaration())
    return;
  if (Callee->getName().starts_with("llvm.nvvm.")) {
    if (!lowerIntrinsic(Call))
      replaceByTrap(Call, "intrinsic '" + Callee->getName() + "'");
  } else if (isTrap(*Callee)) {
    IRBuilder<> B(&Call);
    replaceCall(Call, callRuntime(B, IntrinsicPrefix + "trap", {}));
  } else if (Callee->getIntrinsicID() == Intrinsic::debugtrap) {
    Call.eraseFromParent();
  } else if (!Callee->isIntrinsic()) {
    lowerExternal(Call, *Callee);
  }
}

void lowerCalls(Unit &U) {
  SmallVector<CallInst *> Calls;
  for (Function &F : U.M) {
    if (isRuntime(F))
      continue;
    for (Instruction &I : instructions(F))
      if (auto *Call = dyn_cast<CallInst>(&I))
        Calls.push_back(Call);
  }
  for (CallInst *Call : Calls)
    lowerCall(*Call);
}

} // namespace ct
