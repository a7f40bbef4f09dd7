/* SPDX-License-Identifier: Apache-2.0 */
/* Insertion of hook calls (hooks.def) into clones. */
#include "instrument.h"
#include "asm_access.h"
#include "callgraph.h"
#include "compat.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicsNVPTX.h"
#include <cudatrace/unit.h>

using namespace llvm;

namespace {

/// Turns the C types of hooks.def into LLVM types.
template <typename T> struct HookType;
template <> struct HookType<void> {
  static Type *get(LLVMContext &C) { return Type::getVoidTy(C); }
};
template <> struct HookType<uint32_t> {
  static Type *get(LLVMContext &C) { return Type::getInt32Ty(C); }
};
template <> struct HookType<uint64_t> {
  static Type *get(LLVMContext &C) { return Type::getInt64Ty(C); }
};
template <typename R, typename... A> struct HookType<R(A...)> {
  static FunctionType *get(LLVMContext &C) {
    return FunctionType::get(HookType<R>::get(C), {HookType<A>::get(C)...}, false);
  }
};

using u32 = uint32_t;
using u64 = uint64_t;

} // namespace

static FunctionCallee declareHook(Module &M, StringRef Name, FunctionType *Type) {
  FunctionCallee Hook = M.getOrInsertFunction(Name, Type);
  if (auto *F = dyn_cast<Function>(Hook.getCallee())) {
    F->addFnAttr(Attribute::Convergent);
    F->addFnAttr(Attribute::NoUnwind);
  }
  return Hook;
}

ct::Hooks::Hooks(Module &M) {
#define CT_DEVICE_HOOK(name, result, parameters, text)                                             \
  name = declareHook(M, #name, HookType<result parameters>::get(M.getContext()));
#include <cudatrace/hooks.def>
#undef CT_DEVICE_HOOK
}

static bool isExit(const Instruction &I) {
  auto *Call = dyn_cast<CallBase>(&I);
  if (!Call)
    return false;
  if (auto *Asm = dyn_cast<InlineAsm>(Call->getCalledOperand()))
    return ct::exitsInAsm(Asm->getAsmString());
  Function *Callee = ct::directCallee(*Call);
  return Callee && Callee->getIntrinsicID() == Intrinsic::nvvm_exit;
}

bool ct::containsExit(const Function &F) { return any_of(instructions(F), isExit); }

namespace {

/// Builds hook calls in one clone.
class Instrumenter {
public:
  Instrumenter(ct::TracedFunction &F, const ct::Hooks &H) : F(F), H(H), B(F.Clone->getContext()) {}

  void run(const DenseMap<Function *, Function *> &Clones) {
    if (ct::compat::isKernel(*F.Clone))
      callEnter();
    redirectCalls(Clones);
    for (size_t I = 0; I < F.Sites.size(); I++)
      callAccess(F.Sites[I], F.FirstSite + I);
    callExits();
  }

private:
  ct::TracedFunction &F;
  const ct::Hooks &H;
  IRBuilder<> B;

  /// Calls of functions with debug information need a location, too.
  void setPosition(BasicBlock::iterator Where, DebugLoc Location) {
    B.SetInsertPoint(Where->getParent(), Where);
    DISubprogram *SP = F.Clone->getSubprogram();
    if (!Location && SP)
      Location = DILocation::get(SP->getContext(), 0, 0, SP);
    B.SetCurrentDebugLocation(Location);
  }

  CallInst *callHook(FunctionCallee Hook, ArrayRef<Value *> Arguments) {
    CallInst *Call = B.CreateCall(Hook, Arguments);
    Call->addFnAttr(Attribute::Convergent);
    Call->addFnAttr(Attribute::NoUnwind);
    return Call;
  }

  void callEnter() {
    Argument *Launch = F.Clone->getArg(F.Clone->arg_size() - 1);
    auto *Type = cast<StructType>(Launch->getParamByValType());
    setPosition(F.Clone->getEntryBlock().getFirstNonPHIOrDbgOrAlloca(), DebugLoc());
    SmallVector<Value *, 3> Fields;
    for (unsigned I = 0; I < Type->getNumElements(); I++)
      Fields.push_back(
          B.CreateLoad(Type->getElementType(I), B.CreateStructGEP(Type, Launch, I)));
    F.State = callHook(H.__ct_enter, Fields);
    F.State->setName("ct.state");
  }

  void callAccess(const ct::Site &S, uint32_t Index) {
    if (S.Verdict == CT_VERDICT_SKIPPED)
      return;
    auto *I = cast<Instruction>(static_cast<Value *>(F.Map->lookup(S.Inst)));
    Value *Pointer = F.Map->lookup(S.Pointer);
    setPosition(I->getIterator(), I->getDebugLoc());
    Value *Address = B.CreateBitOrPointerCast(Pointer ? Pointer : S.Pointer, B.getInt64Ty());
    if (S.Offset)
      Address = B.CreateAdd(Address, B.getInt64(S.Offset));
    callHook(S.Verdict == CT_VERDICT_GLOBAL ? H.__ct_access : H.__ct_access_checked,
             {F.State, B.getInt64(Index), Address, B.getInt32(S.Bytes)});
  }

  void callExits() {
    bool Kernel = ct::compat::isKernel(*F.Clone);
    SmallVector<Instruction *, 8> Ends;
    for (Instruction &I : instructions(*F.Clone))
      if (isExit(I) || (Kernel && isa<ReturnInst>(I)))
        Ends.push_back(&I);
    for (Instruction *I : Ends) {
      setPosition(I->getIterator(), I->getDebugLoc());
      callHook(H.__ct_exit, {F.State});
    }
  }

  void redirect(CallInst &Old, Function &Clone) {
    SmallVector<Value *, 8> Arguments(Old.args());
    Arguments.push_back(F.State);
    SmallVector<OperandBundleDef, 1> Bundles;
    Old.getOperandBundlesAsDefs(Bundles);
    setPosition(Old.getIterator(), Old.getDebugLoc());
    CallInst *New = B.CreateCall(&Clone, Arguments, Bundles);
    New->setAttributes(Old.getAttributes());
    New->removeFnAttr(Attribute::Memory);
    New->removeFnAttr(Attribute::NoSync);
    New->removeFnAttr(Attribute::WillReturn);
    New->addFnAttr(Attribute::Convergent);
    New->setCallingConv(Clone.getCallingConv());
    if (Old.isTailCall() && !Old.isMustTailCall())
      New->setTailCallKind(CallInst::TCK_Tail);
    New->copyMetadata(Old);
    New->takeName(&Old);
    Old.replaceAllUsesWith(New);
    Old.eraseFromParent();
  }

  void redirectCalls(const DenseMap<Function *, Function *> &Clones) {
    SmallVector<CallInst *, 16> Calls;
    for (Instruction &I : instructions(*F.Clone))
      if (auto *Call = dyn_cast<CallInst>(&I))
        if (Function *Callee = ct::cloneableCallee(*Call); Callee && Clones.contains(Callee))
          Calls.push_back(Call);
    for (CallInst *Call : Calls)
      redirect(*Call, *Clones.lookup(ct::cloneableCallee(*Call)));
  }
};

} // namespace

void ct::instrumentClone(TracedFunction &F, const Hooks &H,
                         const DenseMap<Function *, Function *> &Clones) {
  Instrumenter(F, H).run(Clones);
}
