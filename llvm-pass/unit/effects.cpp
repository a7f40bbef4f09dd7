/* SPDX-License-Identifier: Apache-2.0 */
/* Finds kernels that reach code that prints, asserts, or is not seen here. */
#include "llvm-pass/unit/effects.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include <cudatrace/host.h>

using namespace llvm;

static uint32_t effectsOf(const Instruction &I) {
  auto *Call = dyn_cast<CallBase>(&I);
  if (!Call)
    return 0;
  if (auto *Text = dyn_cast<InlineAsm>(Call->getCalledOperand()))
    return StringRef(Text->getAsmString()).trim().starts_with("trap;")
               ? CT_EFFECT_ASSERTS
               : 0;
  Function *Callee = ct::directCallee(*Call);
  if (!Callee)
    return 0;
  if (Callee->getIntrinsicID() == Intrinsic::trap)
    return CT_EFFECT_ASSERTS;
  return StringSwitch<uint32_t>(Callee->getName())
      .Case("vprintf", CT_EFFECT_PRINTS)
      .Case("__assertfail", CT_EFFECT_ASSERTS)
      .Default(0);
}

static uint32_t effectsOf(const ct::CallGraph &Calls, Function *F) {
  uint32_t Effects = Calls.reachesOthers(F) ? CT_EFFECT_ELSEWHERE : 0;
  for (Function *Reached : Calls.reachableFrom(F))
    for (const Instruction &I : instructions(*Reached))
      Effects |= effectsOf(I);
  return Effects;
}

static std::string line(uint32_t Effects, StringRef Name) {
  return std::to_string(Effects) + " " + Name.str() + "\n";
}

std::string ct::effectsText(const CallGraph &Calls) {
  std::string Text;
  uint32_t Exported = 0;
  for (Function *Kernel : Calls.kernels())
    if (uint32_t Effects = effectsOf(Calls, Kernel))
      Text += line(Effects, Kernel->getName());
  for (Function *F : Calls.exported())
    Exported |= effectsOf(Calls, F);
  if (Exported & ~CT_EFFECT_ELSEWHERE)
    Text += line(Exported & ~CT_EFFECT_ELSEWHERE, "");
  return Text;
}

void ct::readEffects(StringRef Text,
                     function_ref<void(StringRef, uint32_t)> Take) {
  while (!Text.empty()) {
    StringRef Line, Number;
    uint32_t Effects = 0;
    std::tie(Line, Text) = Text.split('\n');
    std::tie(Number, Line) = Line.split(' ');
    if (!Number.getAsInteger(10, Effects))
      Take(Line, Effects);
  }
}
