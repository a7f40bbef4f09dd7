/* SPDX-License-Identifier: Apache-2.0 */
/* Contraction of multiplications and additions, before clones are made. */
#ifndef CT_LLVM_PASS_DEVICE_CONTRACT_H
#define CT_LLVM_PASS_DEVICE_CONTRACT_H

#include "llvm/IR/Module.h"

namespace ct {

/// Code generation for NVPTX makes one fused operation of a multiplication and
/// an addition that may be contracted and stand in one block. The hooks split
/// blocks, so a clone would round where its kernel does not, and the traced
/// program would compute something else. So it is done here, for both, by the
/// rules of LLVM's DAGCombiner (visitFADDForFMACombine,
/// visitFSUBForFMACombine).
void contractMultiplyAdds(llvm::Module &M);

} // namespace ct
#endif
