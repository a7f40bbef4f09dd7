/* SPDX-License-Identifier: Apache-2.0 */
/* Access to the state of the running device thread, and kernel signatures. */
#include "cpu-target/runtime/exec/thread.h"
#include "cpu-target/retarget/thread/thread.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace ct {

static constexpr StringLiteral ThreadVariable("__ct_cpu_thread");
static constexpr StringLiteral ThreadValue("ct.thread");

/// The load of the thread-local pointer that an earlier call put at the entry.
static Value *findEntryLoad(BasicBlock &Entry) {
  for (Instruction &I : Entry)
    if (isa<LoadInst>(I) && I.getName() == ThreadValue)
      return &I;
  return nullptr;
}

Value *threadPointer(IRBuilderBase &B) {
  Function &F = *B.GetInsertBlock()->getParent();
  if (F.hasFnAttribute(KernelAttribute))
    return F.getArg(ArgThread);
  BasicBlock &Entry = F.getEntryBlock();
  if (Value *V = findEntryLoad(Entry))
    return V;
  Module &M = *F.getParent();
  auto *Pointer = PointerType::get(M.getContext(), 0);
  IRBuilder<> EntryB(&*Entry.getFirstInsertionPt());
  GlobalVariable *TLS = M.getNamedGlobal(ThreadVariable);
  return EntryB.CreateLoad(Pointer, EntryB.CreateThreadLocalAddress(TLS),
                           ThreadValue);
}

Value *loadThreadField(IRBuilderBase &B, Type *T, uint64_t Offset) {
  return B.CreateLoad(
      T, B.CreateConstInBoundsGEP1_64(B.getInt8Ty(), threadPointer(B), Offset));
}

Value *sharedBase(IRBuilderBase &B) {
  Function &F = *B.GetInsertBlock()->getParent();
  if (F.hasFnAttribute(KernelAttribute))
    return F.getArg(ArgShared);
  return loadThreadField(B, B.getPtrTy(), offsetof(ct_cpu_thread, shared));
}

Value *dynamicSharedBase(IRBuilderBase &B) {
  Function &F = *B.GetInsertBlock()->getParent();
  if (F.hasFnAttribute(KernelAttribute))
    return F.getArg(ArgDynamicShared);
  return loadThreadField(B, B.getPtrTy(),
                         offsetof(ct_cpu_thread, dynamic_shared));
}

static Function *withThreadArguments(Function &F) {
  LLVMContext &C = F.getContext();
  auto *Pointer = PointerType::get(C, 0);
  SmallVector<Type *> Types{Pointer};
  Types.append(12, Type::getInt32Ty(C));
  Types.append(2, Pointer);
  for (Argument &A : F.args())
    Types.push_back(A.getType());
  std::string Name = F.getName().str();
  F.setName("");
  auto *New =
      Function::Create(FunctionType::get(F.getReturnType(), Types, false),
                       GlobalValue::InternalLinkage, 0, Name, F.getParent());
  New->splice(New->begin(), &F);
  New->addFnAttrs(AttrBuilder(C, F.getAttributes().getFnAttrs()));
  New->addFnAttr(KernelAttribute);
  New->removeFnAttr(Attribute::NoInline);
  New->removeFnAttr(Attribute::OptimizeNone);
  for (Argument &A : F.args()) {
    unsigned Index = ArgFirstParam + A.getArgNo();
    A.replaceAllUsesWith(New->getArg(Index));
    New->getArg(Index)->takeName(&A);
    AttributeSet Attributes = F.getAttributes().getParamAttrs(A.getArgNo());
    New->addParamAttrs(Index, AttrBuilder(C, Attributes));
  }
  F.eraseFromParent();
  return New;
}

/// Device code that launches a kernel names it by its registration.
static GlobalVariable *makeHandle(Function &F, bool IsShared) {
  auto *Handle = new GlobalVariable(
      *F.getParent(), Type::getInt8Ty(F.getContext()), true,
      F.isWeakForLinker() ? GlobalValue::ExternalWeakLinkage
                          : GlobalValue::ExternalLinkage,
      nullptr, IsShared ? ExportPrefix + F.getName() : "ct.handle");
  F.replaceAllUsesWith(
      ConstantExpr::getPointerBitCastOrAddrSpaceCast(Handle, F.getType()));
  return Handle;
}

void changeKernelSignatures(Unit &U) {
  for (Function *&F : U.Kernels) {
    bool IsShared = U.Separate && !F->hasLocalLinkage();
    GlobalVariable *Handle =
        IsShared || !F->use_empty() ? makeHandle(*F, IsShared) : nullptr;
    F = withThreadArguments(*F);
    if (Handle)
      U.Handles[Handle] = F;
  }
}

} // namespace ct
