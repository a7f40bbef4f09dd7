/* SPDX-License-Identifier: Apache-2.0 */
/* Inline PTX. */
#include "Calls.h"
#include "llvm/IR/InlineAsm.h"

using namespace llvm;

namespace ct {

bool lowerPtx(CallInst &Call, std::string &What) {
  What = cast<InlineAsm>(Call.getCalledOperand())->getAsmString().str();
  return false;
}

} // namespace ct
