/* SPDX-License-Identifier: Apache-2.0 */
/* Copies of small structures field by field, as nvcc makes them. */
#ifndef CT_LLVM_PASS_DEVICE_FIELDS_H
#define CT_LLVM_PASS_DEVICE_FIELDS_H

#include "llvm/IR/PassManager.h"

namespace ct {

/// Ahead of all optimisation, with -ct-copy-fields, which cuda-trace-nvcc says:
/// a copy of a structure whose fields clang reports (!tbaa.struct) becomes a
/// load and a store of each. What is changed of a float4 and what is not is
/// then of one kind, and the vectoriser makes one access of 16 bytes of it,
/// where clang's copy would end as pieces of several widths.
struct CopyFieldsPass : llvm::PassInfoMixin<CopyFieldsPass> {
  llvm::PreservedAnalyses run(llvm::Function &F,
                              llvm::FunctionAnalysisManager &FAM);
};

/// Whether this compile wants it.
bool copiesFields();

} // namespace ct
#endif
