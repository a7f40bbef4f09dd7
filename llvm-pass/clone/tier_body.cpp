/* SPDX-License-Identifier: Apache-2.0 */
/* A body for the tier that reduces on the device. */
#include "llvm-pass/clone/tier_body.h"
#include "llvm-pass/base/compat.h"
#include "llvm-pass/clone/bodies.h"
#include "llvm-pass/clone/sampling.h"
#include "llvm/IR/DerivedTypes.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Support/CommandLine.h"
#include <cudatrace/ring.h>

using namespace llvm;

static cl::opt<bool>
    TierBody("ct-tier-body", cl::Hidden, cl::init(true),
             cl::desc("cuda-trace: launches of the tier that reduces on the "
                      "device run a body with its own hooks"));

/// With more hooks inlined the code would be too large for the caches.
static const size_t HookLimit = 64;

namespace {

/// Stands for a hook: one of the same type; null: none.
struct TierHook {
  StringRef Hook;
  const char *Own;
  bool OnlyOfWarp; // where its state is that of the kernel's entry
  /// With less code at the call; null: Own.
  const char *Called = nullptr;
  /// Else it stays the hook of all tiers.
  bool OnlyIfCalledAreOwn = false;
};

struct Tier {
  uint32_t Flags; // of launches
  ArrayRef<TierHook> Hooks;
};

const TierHook CountHooks[] = {
    {"__ct_enter", "__ct_tier_enter", false},
    {"__ct_enter_far", "__ct_tier_enter_far", false},
    {"__ct_access", "__ct_counts_access", true, "__ct_counts_access_called"},
    {"__ct_access_far", "__ct_counts_access_called", true, nullptr, true},
    {"__ct_group", "__ct_counts_group", true, "__ct_counts_group_called"},
    {"__ct_group_far", "__ct_counts_group_called", true, nullptr, true},
    {"__ct_exit", nullptr, false},
};

/// Accesses are nothing to this tier but for the state that some return.
const TierHook ValueHooks[] = {
    {"__ct_enter", "__ct_values_enter", false},
    {"__ct_enter_far", "__ct_values_enter_far", false},
    {"__ct_value", "__ct_values_value", true, "__ct_values_value_called"},
    {"__ct_group_values", "__ct_values_group", true,
     "__ct_values_group_called"},
    {"__ct_access", nullptr, false},
    {"__ct_access_far", nullptr, false},
    {"__ct_access_alone", nullptr, false},
    {"__ct_access_space", nullptr, false},
    {"__ct_series", nullptr, false},
    {"__ct_group", nullptr, false},
    {"__ct_group_far", nullptr, false, nullptr, true},
    {"__ct_exit", nullptr, false},
};

const Tier Counts = {CT_LAUNCH_COUNTS, CountHooks};
const Tier Values = {CT_LAUNCH_COUNTS | CT_LAUNCH_VALUES, ValueHooks};

/// CalledAreOwn: hooks that are called anyhow are the tier's own, too.
const TierHook *find(const Tier &T, bool CalledAreOwn, const Instruction &I) {
  auto *Call = dyn_cast<CallInst>(&I);
  Function *Callee = Call ? Call->getCalledFunction() : nullptr;
  if (!Callee)
    return nullptr;
  for (const TierHook &H : T.Hooks)
    if (H.Hook == Callee->getName())
      return CalledAreOwn || !H.OnlyIfCalledAreOwn ? &H : nullptr;
  return nullptr;
}

bool isOfWarp(const CallInst &Call, const Value *State) {
  return Call.getArgOperand(0) == State;
}

bool areCalledOwn(const ct::TracedFunction &F,
                  const ct::HookPlacement &Placement) {
  return Placement.TierHooksOfLoopsCalled || Placement.tierHooksCalled(F);
}

/// Whether hooks of the tier's own would be called, and not too many.
bool isWorthwhile(const Tier &T, bool CalledAreOwn,
                  const ct::TracedFunction &F) {
  size_t Count = 0;
  for (const BasicBlock &BB : *F.Clone)
    for (const Instruction &I : BB)
      if (const TierHook *H = find(T, CalledAreOwn, I))
        Count += H->OnlyOfWarp && isOfWarp(cast<CallInst>(I), F.State);
  return Count && Count <= HookLimit;
}

/// Whether a hook is to have less code: many are, and those of a loop that has
/// a copy without hooks, which warps that stay together run.
bool isCalled(const ct::TracedFunction &F, const ct::HookPlacement &Placement,
              const CallInst &Call) {
  auto *Site = dyn_cast<ConstantInt>(Call.getArgOperand(1));
  return Placement.tierHooksCalled(F) ||
         (Site && Placement.TierHooksOfLoopsCalled &&
          F.LoopSites.contains(Site->getZExtValue() - F.FirstSite));
}

void replaceHooks(const ct::TracedFunction &F, const Tier &T,
                  const ct::HookPlacement &Placement, BasicBlock &BB,
                  const Value *State) {
  bool CalledAreOwn = areCalledOwn(F, Placement);
  for (Instruction &I : make_early_inc_range(BB)) {
    const TierHook *H = find(T, CalledAreOwn, I);
    if (!H)
      continue;
    auto &Call = cast<CallInst>(I);
    if (!H->Own)
      Call.eraseFromParent();
    else if (!H->OnlyOfWarp || isOfWarp(Call, State))
      Call.setCalledFunction(BB.getModule()->getOrInsertFunction(
          H->Called && isCalled(F, Placement, Call) ? H->Called : H->Own,
          Call.getFunctionType(), Call.getCalledFunction()->getAttributes()));
  }
}

} // namespace

void ct::addTierBody(TracedFunction &F, const Hooks &H, const Options &Opts,
                     const HookPlacement &Placement) {
  const Tier &T = Opts.Values ? Values : Counts;
  if (!TierBody || Opts.DeviceTarget != Target::GPU || !Opts.Optimise ||
      !compat::isKernel(*F.Original) || !getsPristineBody(F, H) ||
      !bodyCanBeCopied(*F.Clone) ||
      !isWorthwhile(T, areCalledOwn(F, Placement), F))
    return;
  ValueToValueMapTy Map;
  for (Argument &A : F.Clone->args())
    Map[&A] = &A;
  for (Instruction &I : F.Clone->getEntryBlock())
    if (isa<AllocaInst>(I))
      Map[&I] = &I;
  SmallVector<BasicBlock *, 16> Blocks =
      copyBody(*F.Clone, *F.Clone, Map, ".tier");
  for (BasicBlock *BB : Blocks)
    replaceHooks(F, T, Placement, *BB, Map[F.State]);
  Argument *Launch = F.Clone->getArg(F.Clone->arg_size() - 1);
  auto *Type = cast<StructType>(Launch->getParamByValType());
  chooseBody(*F.Clone, *Blocks.front(), [&](HookBuilder &B) {
    Value *Flags = B.CreateLoad(B.getInt32Ty(),
                                B.CreateStructGEP(Type, Launch, LaunchFlags));
    uint32_t Asked = CT_LAUNCH_INDIRECT | CT_LAUNCH_COUNTS | CT_LAUNCH_VALUES;
    return B.CreateICmpNE(B.CreateAnd(Flags, Asked), B.getInt32(T.Flags));
  });
}
