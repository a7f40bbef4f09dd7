/* SPDX-License-Identifier: Apache-2.0 */
/* Sampling in device code: of CTAs at run time, of sites here. */
#include "llvm-pass/clone/sampling.h"
#include "llvm-pass/base/compat.h"
#include "llvm/IR/DerivedTypes.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include "llvm/Transforms/Utils/ValueMapper.h"
#include <cudatrace/unit.h>

using namespace llvm;

static cl::opt<bool>
    PristineBody("ct-pristine-body", cl::Hidden, cl::init(true),
                 cl::desc("cuda-trace: CTAs that are not recorded run "
                          "a body without hooks"));

/// Code generation of a body of so many instructions takes some 0.5 s
/// (measured, sm_90, -O2). Few kernels are larger, and those that are
/// (unrolled, generated) take long anyway.
static const unsigned PristineBodyLimit = 4000;

/// Whether the clone does more with its state than to give it back.
static bool hasHooks(const ct::TracedFunction &F, ct::Hooks H) {
  return any_of(F.State->users(), [&](const User *U) {
    auto *Call = dyn_cast<CallBase>(U);
    return !Call || Call->getCalledOperand() != H.__ct_exit.getCallee();
  });
}

static bool canBeCopied(const Function &F) {
  return F.getInstructionCount() <= PristineBodyLimit &&
         none_of(F, [](const BasicBlock &BB) { return BB.hasAddressTaken(); });
}

namespace {

/// Copies the pristine kernel's body to the end of its clone.
class BodyCopier {
public:
  explicit BodyCopier(ct::TracedFunction &F)
      : From(*F.Original), To(*F.Clone), F(F) {}

  /// The copy of the entry block.
  BasicBlock *copy() {
    for (unsigned I = 0; I < From.arg_size(); I++)
      Map[From.getArg(I)] = To.getArg(I);
    if (auto &Known = F.Map->getMDMap()) // scopes of source lines: the clone's
      for (auto &[Old, New] : *Known)
        Map.MD()[Old].reset(New);
    for (const BasicBlock &BB : From) {
      BasicBlock *Copy = CloneBasicBlock(&BB, Map, ".pristine", &To);
      Map[&BB] = Copy;
      Copies.push_back(Copy);
    }
    shareVariables();
    for (BasicBlock *BB : Copies)
      for (Instruction &I : *BB) {
        RemapDbgRecordRange(To.getParent(), I.getDbgRecordRange(), Map, Flags);
        RemapInstruction(&I, Map, Flags);
      }
    return Copies.front();
  }

private:
  static constexpr RemapFlags Flags = RF_NoModuleLevelChanges;
  const Function &From;
  Function &To;
  ct::TracedFunction &F;
  ValueToValueMapTy Map;
  SmallVector<BasicBlock *, 16> Copies;

  /// Local memory would double otherwise; one thread runs one of the bodies.
  void shareVariables() {
    for (const Instruction &I : From.getEntryBlock()) {
      auto *Variable = dyn_cast<AllocaInst>(&I);
      Value *Shared = Variable ? F.Map->lookup(Variable) : nullptr;
      if (!Shared || !Variable->isStaticAlloca() || !isa<AllocaInst>(Shared))
        continue;
      cast<Instruction>(static_cast<Value *>(Map[Variable]))->eraseFromParent();
      Map[Variable] = Shared;
    }
  }
};

} // namespace

/// A new entry block, with all that lives on the stack from the start.
static BasicBlock *makeEntry(Function &F) {
  BasicBlock &Old = F.getEntryBlock();
  SmallVector<AllocaInst *, 16> Variables;
  for (Instruction &I : Old)
    if (auto *Variable = dyn_cast<AllocaInst>(&I);
        Variable && Variable->isStaticAlloca())
      Variables.push_back(Variable);
  BasicBlock *Entry = BasicBlock::Create(F.getContext(), "", &F, &Old);
  for (AllocaInst *Variable : Variables) {
    Variable->removeFromParent();
    Variable->insertInto(Entry, Entry->end());
  }
  return Entry;
}

void ct::addPristineBody(TracedFunction &F, const Hooks &H) {
  if (!PristineBody || !compat::isKernel(*F.Original) || !hasHooks(F, H) ||
      !canBeCopied(*F.Original))
    return;
  BasicBlock *Instrumented = &F.Clone->getEntryBlock(),
             *Pristine = BodyCopier(F).copy();
  BasicBlock *Entry = makeEntry(*F.Clone);
  HookBuilder B(F.Clone->getContext());

  BranchInst *Placeholder = BranchInst::Create(Instrumented, Entry);
  B.setPosition(Placeholder->getIterator(), DebugLoc());
  Argument *Launch = F.Clone->getArg(F.Clone->arg_size() - 1);
  auto *Type = cast<StructType>(Launch->getParamByValType());
  Value *Fields[2];
  for (unsigned I = 0; I < 2; I++)
    Fields[I] = B.CreateLoad(
        B.getInt32Ty(), B.CreateStructGEP(Type, Launch, LaunchBlockPeriod + I));
  Value *Sampled = B.callHook(H.__ct_block_sampled, Fields);
  B.CreateCondBr(B.CreateICmpNE(Sampled, B.getInt32(0)), Instrumented,
                 Pristine);
  Placeholder->eraseFromParent();
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
