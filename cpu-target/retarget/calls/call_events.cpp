/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Tell events of calls from others. A hook names its site, but not the site's
 * operation; the producer must know at once that what follows belongs to a
 * call. Sites of calls are those that are left again, in the same function.
 */
#include "cpu-target/retarget/calls/call_events.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Instructions.h"
#include <cudatrace/record.h>

using namespace llvm;

namespace ct {

/// void (state, site, phase)
static constexpr unsigned ArgSite = 1, ArgPhase = 2;

using FunctionSite = std::pair<const Function *, const Value *>;

static FunctionSite siteOf(const CallInst &Event) {
  return {Event.getFunction(), Event.getArgOperand(ArgSite)};
}

static bool hasPhase(const CallInst &Event, uint64_t Phase) {
  auto *Constant = dyn_cast<ConstantInt>(Event.getArgOperand(ArgPhase));
  return Constant && Constant->equalsInt(Phase);
}

void markCallEvents(Unit &U) {
  Function *Hook = U.M.getFunction("__ct_event");
  if (!Hook)
    return;
  SmallVector<CallInst *> Events;
  DenseSet<FunctionSite> Calls;
  for (User *Use : Hook->users()) {
    auto *Event = dyn_cast<CallInst>(Use);
    if (!Event || Event->getCalledOperand() != Hook)
      continue;
    Events.push_back(Event);
    if (hasPhase(*Event, CT_PHASE_LEAVE))
      Calls.insert(siteOf(*Event));
  }
  IRBuilder<> B(U.M.getContext());
  FunctionCallee Enter = U.M.getOrInsertFunction(
      "__ct_cpu_enter_call", B.getVoidTy(), B.getInt32Ty(), B.getInt64Ty());
  for (CallInst *Event : Events) {
    if (!hasPhase(*Event, CT_PHASE_HAPPENS) || !Calls.contains(siteOf(*Event)))
      continue;
    B.SetInsertPoint(Event);
    CallInst *Entered = B.CreateCall(
        Enter, {Event->getArgOperand(0), Event->getArgOperand(ArgSite)});
    Entered->setDebugLoc(Event->getDebugLoc());
    Event->eraseFromParent();
  }
}

} // namespace ct
