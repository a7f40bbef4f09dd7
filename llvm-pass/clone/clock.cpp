/* SPDX-License-Identifier: Apache-2.0 */
/* Hooks of the CTA clock, at the outermost level of kernels' clones. */
#include "llvm-pass/clone/clock.h"
#include "llvm-pass/base/compat.h"
#include "llvm-pass/clone/callgraph.h"
#include "llvm-pass/clone/clone.h"
#include "llvm-pass/clone/exits.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/IR/DerivedTypes.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

using namespace llvm;

/// Whether F, or what it calls directly, ends threads. Recursion: by a search.
bool ct::CtaClock::mayExit(Function &F) {
  auto Known = MayExit.find(&F);
  if (Known != MayExit.end())
    return Known->second;
  SmallPtrSet<Function *, 8> Seen{&F};
  SmallVector<Function *, 8> Open{&F};
  bool Found = false;
  while (!Found && !Open.empty()) {
    Function *Next = Open.pop_back_val();
    Found = containsExit(*Next);
    for (Instruction &I : instructions(*Next))
      if (auto *Call = dyn_cast<CallBase>(&I))
        if (Function *Callee = cloneableCallee(*Call))
          if (Seen.insert(Callee).second)
            Open.push_back(Callee);
  }
  return MayExit[&F] = Found;
}

/// The clone of a function that may end threads.
Function *ct::CtaClock::timed(Function &F) {
  Function *&Known = Timed[&F];
  if (Known)
    return Known;
  TracedFunction Copy;
  Copy.Original = &F;
  Function *Clone = cloneForClock(Copy);
  Known = Clone; // before its calls are looked at: it may call itself
  Argument *Times = Clone->getArg(F.arg_size());
  addEnds(
      *Clone, [Times](HookBuilder &) { return Times; },
      Clone->getArg(F.arg_size() + 1), /*MayBeOff=*/true);
  return Clone;
}

static void callInstead(CallInst &Old, Function &Callee, Value *Times,
                        Value *Begin) {
  SmallVector<Value *, 8> Arguments(Old.args());
  Arguments.append({Times, Begin});
  CallInst *New = CallInst::Create(Callee.getFunctionType(), &Callee, Arguments,
                                   "", Old.getIterator());
  New->setAttributes(Old.getAttributes());
  New->setCallingConv(Old.getCallingConv());
  New->setDebugLoc(Old.getDebugLoc());
  New->takeName(&Old);
  Old.replaceAllUsesWith(New);
  Old.eraseFromParent();
}

void ct::CtaClock::addEnds(Function &F, TimesOf Times, Value *Begin,
                           bool MayBeOff) {
  bool Kernel = compat::isKernel(F);
  SmallVector<Instruction *, 8> Ends;
  SmallVector<CallInst *, 4> Calls;
  HookBuilder B(F.getContext());
  for (Instruction &I : instructions(F)) {
    auto *Call = dyn_cast<CallInst>(&I);
    Function *Callee = Call ? cloneableCallee(*Call) : nullptr;
    if (isExit(I) || (Kernel && isa<ReturnInst>(I)))
      Ends.push_back(&I);
    else if (Callee && mayExit(*Callee))
      Calls.push_back(Call);
  }
  for (CallInst *Call : Calls) {
    B.setPosition(*Call);
    callInstead(*Call, *timed(*directCallee(*Call)), Times(B), Begin);
  }
  for (Instruction *End : Ends) {
    B.setPosition(*End);
    Value *Where = Times(B);
    if (MayBeOff)
      B.setPosition(*SplitBlockAndInsertIfThen(
          B.CreateICmpNE(Where, B.getInt64(0)), End->getIterator(),
          /*Unreachable=*/false));
    B.callHook(H.__ct_cta_end, {Where, Begin});
  }
}

void ct::CtaClock::addTo(Function &KernelClone, bool MayBeOff) {
  Argument *Launch = KernelClone.getArg(KernelClone.arg_size() - 1);
  auto *Type = cast<StructType>(Launch->getParamByValType());
  // From the parameter each time: it stays where it is, in the constant bank,
  // and needs no register meanwhile.
  auto Times = [&](HookBuilder &B) -> Value * {
    return B.CreateLoad(B.getInt64Ty(),
                        B.CreateStructGEP(Type, Launch, LaunchClock));
  };
  HookBuilder B(KernelClone.getContext());
  B.setPosition(KernelClone.getEntryBlock().getFirstNonPHIOrDbgOrAlloca(),
                DebugLoc());
  Value *Begin = B.callHook(H.__ct_cta_begin, {});
  Begin->setName("ct.begin");
  addEnds(KernelClone, Times, Begin, MayBeOff);
}
