/* SPDX-License-Identifier: Apache-2.0 */
/* Instructions that end the thread. */
#include "llvm-pass/clone/exits.h"
#include "llvm-pass/clone/callgraph.h"
#include "ptx/parser.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicsNVPTX.h"

using namespace llvm;

bool ct::isExit(const Instruction &I) {
  auto *Call = dyn_cast<CallBase>(&I);
  if (!Call)
    return false;
  if (auto *Asm = dyn_cast<InlineAsm>(Call->getCalledOperand()))
    return any_of(parsePtx(Asm->getAsmString()).Instructions,
                  [](const PtxInstruction &I) { return I.Text == "exit"; });
  Function *Callee = directCallee(*Call);
  return Callee && Callee->getIntrinsicID() == Intrinsic::nvvm_exit;
}

bool ct::containsExit(const Function &F) {
  return any_of(instructions(F), isExit);
}
