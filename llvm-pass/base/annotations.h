/* SPDX-License-Identifier: Apache-2.0 */
/* Source-level facts of kernels, as the clang plugin left them in the module.
 */
#ifndef CT_LLVM_PASS_BASE_ANNOTATIONS_H
#define CT_LLVM_PASS_BASE_ANNOTATIONS_H

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/Module.h"
#include <string>

namespace ct {

struct Parameter {
  std::string Name, Type;
};

/// A pointer in a parameter that is a structure.
struct PointerMember {
  std::string Name, At; // "view.data"; as CT_MEMBER_AT of unit.h
};

struct KernelFacts {
  std::string Display, File;
  unsigned Line = 0, Column = 0;
  llvm::SmallVector<Parameter, 8> Parameters;
  llvm::SmallVector<PointerMember, 4> Members;
};

using KernelFactsMap = llvm::DenseMap<const llvm::Function *, KernelFacts>;

/// Reads the plugin's entries of llvm.global.annotations and removes them;
/// entries of others stay.
KernelFactsMap takeKernelFacts(llvm::Module &M);

/// Likewise those of __maxnreg__ (driver/nvcc/headers/cudatrace-nvcc.h):
/// kernels have the bound from then on.
void takeRegisterBounds(llvm::Module &M);

/// Facts of a kernel that the plugin said nothing about, as far as the IR has
/// them.
KernelFacts factsFromIR(const llvm::Function &F);

} // namespace ct
#endif
