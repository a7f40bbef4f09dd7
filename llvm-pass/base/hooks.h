/* SPDX-License-Identifier: Apache-2.0 */
/* The device hooks (hooks.def) in a module, and calls of them. */
#ifndef CT_LLVM_PASS_BASE_HOOKS_H
#define CT_LLVM_PASS_BASE_HOOKS_H

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"

namespace ct {

/// The device hooks, declared in a module.
struct Hooks {
#define CT_DEVICE_HOOK(name, result, parameters, text)                         \
  llvm::FunctionCallee name;
#include <cudatrace/hooks.def>
#undef CT_DEVICE_HOOK
  explicit Hooks(llvm::Module &M);
};

/// An IR builder that calls hooks.
class HookBuilder : public llvm::IRBuilder<> {
public:
  explicit HookBuilder(llvm::LLVMContext &C) : IRBuilder(C) {}
  /// Before Where; calls of functions with debug information need a location,
  /// too.
  void setPosition(llvm::BasicBlock::iterator Where, llvm::DebugLoc Location);
  void setPosition(llvm::Instruction &Before) {
    setPosition(Before.getIterator(), Before.getDebugLoc());
  }
  llvm::CallInst *callHook(llvm::FunctionCallee Hook,
                           llvm::ArrayRef<llvm::Value *> Arguments);
};

} // namespace ct
#endif
