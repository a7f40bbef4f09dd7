/* SPDX-License-Identifier: Apache-2.0 */
/* The form that code generation would give to memory accesses, ahead of it. */
#include "llvm-pass/device/normalise.h"
#include "llvm-pass/sites/mem_blocks.h"
#include "llvm/Transforms/Scalar/InferAddressSpaces.h"
#include "llvm/Transforms/Vectorize/LoadStoreVectorizer.h"

using namespace llvm;

void ct::normaliseAccesses(Module &M, ModuleAnalysisManager &MAM,
                           bool Optimise) {
  FunctionPassManager FPM;
  if (Optimise) {
    FPM.addPass(InferAddressSpacesPass());
    FPM.addPass(LoadStoreVectorizerPass());
  }
  FPM.addPass(ExpandBlocksPass());
  auto Adaptor = createModuleToFunctionPassAdaptor(std::move(FPM));
  MAM.invalidate(M, Adaptor.run(M, MAM));
}
