/* SPDX-License-Identifier: Apache-2.0 */
/* The device hooks (hooks.def) in a module, and calls of them. */
#include "llvm-pass/base/hooks.h"
#include "llvm/IR/DebugInfoMetadata.h"

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
    return FunctionType::get(HookType<R>::get(C), {HookType<A>::get(C)...},
                             false);
  }
};

using u32 = uint32_t;
using u64 = uint64_t;

} // namespace

static FunctionCallee declareHook(Module &M, StringRef Name,
                                  FunctionType *Type) {
  FunctionCallee Hook = M.getOrInsertFunction(Name, Type);
  if (auto *F = dyn_cast<Function>(Hook.getCallee())) {
    F->addFnAttr(Attribute::Convergent);
    F->addFnAttr(Attribute::NoUnwind);
  }
  return Hook;
}

ct::Hooks::Hooks(Module &M) {
#define CT_DEVICE_HOOK(name, result, parameters, text)                         \
  name =                                                                       \
      declareHook(M, #name, HookType<result parameters>::get(M.getContext()));
#include <cudatrace/hooks.def>
#undef CT_DEVICE_HOOK
}

void ct::HookBuilder::setPosition(BasicBlock::iterator Where,
                                  DebugLoc Location) {
  SetInsertPoint(Where->getParent(), Where);
  DISubprogram *SP = Where->getFunction()->getSubprogram();
  if (!Location && SP)
    Location = DILocation::get(SP->getContext(), 0, 0, SP);
  SetCurrentDebugLocation(Location);
}

CallInst *ct::HookBuilder::callHook(FunctionCallee Hook,
                                    ArrayRef<Value *> Arguments) {
  CallInst *Call = CreateCall(Hook, Arguments);
  Call->addFnAttr(Attribute::Convergent);
  Call->addFnAttr(Attribute::NoUnwind);
  return Call;
}
