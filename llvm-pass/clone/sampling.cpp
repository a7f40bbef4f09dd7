/* SPDX-License-Identifier: Apache-2.0 */
/* Sampling in device code: of CTAs at run time, of sites here. */
#include "llvm-pass/clone/sampling.h"
#include "llvm-pass/base/compat.h"
#include "llvm-pass/clone/bodies.h"
#include "llvm/IR/DerivedTypes.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Transforms/Utils/ValueMapper.h"
#include <cudatrace/unit.h>

using namespace llvm;

static cl::opt<bool>
    PristineBody("ct-pristine-body", cl::Hidden, cl::init(true),
                 cl::desc("cuda-trace: CTAs that are not recorded run "
                          "a body without hooks"));

/// Whether the clone does more with its state than to give it back.
static bool hasHooks(const ct::TracedFunction &F, ct::Hooks H) {
  return any_of(F.State->users(), [&](const User *U) {
    auto *Call = dyn_cast<CallBase>(U);
    return !Call || Call->getCalledOperand() != H.__ct_exit.getCallee();
  });
}

bool ct::getsPristineBody(const TracedFunction &F, const Hooks &H) {
  return PristineBody && compat::isKernel(*F.Original) && hasHooks(F, H) &&
         bodyCanBeCopied(*F.Original) && callsLittle(*F.Original);
}

void ct::addPristineBody(TracedFunction &F, const Hooks &H) {
  if (!getsPristineBody(F, H))
    return;
  ValueToValueMapTy Map;
  for (unsigned I = 0; I < F.Original->arg_size(); I++)
    Map[F.Original->getArg(I)] = F.Clone->getArg(I);
  for (Instruction &I : F.Original->getEntryBlock())
    if (Value *Own = isa<AllocaInst>(I) ? F.Map->lookup(&I) : nullptr)
      Map[&I] = Own;
  if (auto &Known = F.Map->getMDMap()) // scopes of source lines: the clone's
    for (auto &[Old, New] : *Known)
      Map.MD()[Old].reset(New);
  BasicBlock *Pristine =
      copyBody(*F.Original, *F.Clone, Map, ".pristine").front();
  Argument *Launch = F.Clone->getArg(F.Clone->arg_size() - 1);
  auto *Type = cast<StructType>(Launch->getParamByValType());
  chooseBody(*F.Clone, *Pristine, [&](HookBuilder &B) {
    Value *Fields[2];
    for (unsigned I = 0; I < 2; I++)
      Fields[I] =
          B.CreateLoad(B.getInt32Ty(),
                       B.CreateStructGEP(Type, Launch, LaunchBlockPeriod + I));
    Value *Sampled = B.callHook(H.__ct_block_sampled, Fields);
    return B.CreateICmpNE(Sampled, B.getInt32(0));
  });
}

static bool isAccess(const ct::Site &S) {
  return S.Operation != ct::OP_CALL && S.How != ct::Form::Event;
}

void ct::sampleSites(TracedFunction &F, const Options &Opts) {
  if (Opts.SitePeriod <= 1)
    return;
  for (size_t I = 0; I < F.Sites.size(); I++) {
    Site &S = F.Sites[I];
    bool Recorded =
        S.Verdict == CT_VERDICT_GLOBAL || S.Verdict == CT_VERDICT_CHECKED;
    uint64_t Number = uint64_t(F.FirstSite) + I + Opts.SiteOffset;
    if (!Recorded || !isAccess(S) || Number % Opts.SitePeriod == 0)
      continue;
    S.Verdict = CT_VERDICT_FILTERED;
    S.Flags &= ~CT_SITE_VALUES;
    S.Reason = "not sampled (--ct-sample-sites)";
  }
}
