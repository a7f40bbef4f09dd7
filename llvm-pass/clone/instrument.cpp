/* SPDX-License-Identifier: Apache-2.0 */
/* Insertion of hook calls (hooks.def) into clones. */
#include "llvm-pass/clone/instrument.h"
#include "llvm-pass/addresses/addresses.h"
#include "llvm-pass/base/compat.h"
#include "llvm-pass/clone/access_calls.h"
#include "llvm-pass/clone/exits.h"
#include "llvm-pass/clone/group_calls.h"
#include "llvm-pass/clone/groups.h"
#include "llvm-pass/clone/loops.h"
#include "llvm-pass/clone/series.h"
#include "llvm-pass/sites/values.h"
#include "llvm/Analysis/AssumptionCache.h"
#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include <cudatrace/record.h>
#include <cudatrace/unit.h>

using namespace llvm;

namespace {

/// Builds hook calls in one clone.
class Instrumenter {
public:
  Instrumenter(ct::TracedFunction &F, const ct::Hooks &H,
               const ct::Options &Opts, const ct::HookPlacement &Placement,
               FunctionAnalysisManager &FAM)
      : F(F), H(H), Opts(Opts), Placement(Placement), FAM(FAM),
        B(F.Clone->getContext()), Calls(F, H, B) {}

  void run() {
    ManySites = count_if(F.Sites, hasHook) > CompressLimit;
    Far = Placement.isFar(F);
    if (ct::compat::isKernel(*F.Clone))
      callEnter();
    compress();
    callSites();
    if (Opts.DeviceTarget == ct::Target::CPU)
      announceSites();
    callExits();
  }

private:
  ct::TracedFunction &F;
  const ct::Hooks &H;
  const ct::Options &Opts;
  const ct::HookPlacement &Placement;
  FunctionAnalysisManager &FAM;
  ct::HookBuilder B;
  ct::AccessCalls Calls;
  std::vector<ct::Group> Groups;
  std::vector<ct::Series> Series;
  DenseMap<size_t, const ct::Series *> SeriesOf; // by site
  /// With more sites than this, finding groups and loops takes long.
  static constexpr unsigned CompressLimit = 256;
  bool ManySites = false;
  bool Far = false; // accesses are hooks that are called

  void callEnter() {
    Argument *Launch = F.Clone->getArg(F.Clone->arg_size() - 1);
    auto *Type = cast<StructType>(Launch->getParamByValType());
    B.setPosition(F.Clone->getEntryBlock().getFirstNonPHIOrDbgOrAlloca(),
                  DebugLoc());
    SmallVector<Value *, 6> Fields;
    for (unsigned I = 0; I <= ct::LaunchBlockOffset; I++)
      Fields.push_back(B.CreateLoad(Type->getElementType(I),
                                    B.CreateStructGEP(Type, Launch, I)));
    F.State = ct::callEnter(*F.Clone, Placement, H, B, Fields);
    F.State->setName("ct.state");
  }

  static bool hasHook(const ct::Site &S) { return S.hasHook(); }

  /// Decides what is recorded with fewer hooks than there are accesses.
  void compress() {
    Function &Clone = *F.Clone;
    bool Shorter = ct::compat::isKernel(Clone) && !F.Tag && !ManySites &&
                   (Opts.Groups || Opts.Loops);
    if (!Opts.Optimise || !(Shorter || (Far && Opts.Groups)))
      return;
    DominatorTree Dominators(Clone);
    LoopInfo Loops(Dominators);
    AssumptionCache Assumptions(Clone);
    ScalarEvolution SE(Clone, FAM.getResult<TargetLibraryAnalysis>(Clone),
                       Assumptions, Dominators, Loops);
    SmallSet<size_t, 8> Copied;
    if (Shorter && Opts.Loops)
      Copied = ct::copyLoops(
          F, H,
          {Dominators, Loops, SE, FAM.getResult<TargetIRAnalysis>(Clone)});
    ct::Addresses Addresses(Loops, SE);
    if (Shorter && Opts.Groups)
      Groups = ct::findGroups(
          F, Addresses, [&](size_t Site) { return Copied.contains(Site); });
    if (Far && Opts.Groups)
      Series = ct::findSeries(F, Addresses,
                              [&](size_t Site) { return isInGroup(Site); });
    for (const ct::Series &S : Series)
      for (size_t Site : S.Sites)
        SeriesOf[Site] = &S;
    ct::callGroups(F, Groups, Addresses, H, B, Far);
    for (const ct::Group &G : Groups)
      F.GroupSites += G.Members.size();
    F.Groups = Groups.size();
    F.LoopSites = Copied;
  }

  bool isInGroup(size_t Site) const {
    return any_of(Groups, [&](const ct::Group &G) {
      return Site >= G.First && Site - G.First < G.Members.size();
    });
  }

  /// A load is under way while it is recorded.
  static bool isLoad(const ct::Site &S) {
    return S.Operation == ct::OP_LOAD && S.Values.empty();
  }

  static bool isLoadOfValue(const ct::Site &S) {
    return S.How == ct::Form::Access && S.Operation == ct::OP_LOAD &&
           S.hasHook() && !S.Values.empty() && !S.If.isNeeded() &&
           isa<LoadInst>(S.Inst);
  }

  /// So many loads next to each other are under way when the first value is
  /// waited for. Each keeps registers busy.
  static constexpr size_t LoadsTogether = 8;
  DenseMap<Instruction *, Instruction *> LastLoad; // of those next to it
  void findLoadsTogether() {
    SmallVector<Instruction *, LoadsTogether> Loads;
    for (size_t I = 0; I < F.Sites.size(); I++) {
      const ct::Site &S = F.Sites[I];
      bool MayWait = isLoadOfValue(S) && !isInGroup(I);
      Instruction *Load = MayWait ? &F.inClone(S) : nullptr;
      if (!Load || Loads.size() == LoadsTogether ||
          (!Loads.empty() && !ct::areTogether(*Loads.back(), *Load)))
        Loads.clear();
      if (Load)
        Loads.push_back(Load);
      for (Instruction *Earlier : Loads)
        LastLoad[Earlier] = Load;
    }
  }

  /// The hooks of one instruction stay together, after it if they need its
  /// result or all it does is load.
  void callSites() {
    std::vector<ct::Site> &Sites = F.Sites;
    findLoadsTogether();
    for (size_t I = 0, End; I < Sites.size(); I = End) {
      bool After = false, Loads = true;
      for (End = I; End < Sites.size() && Sites[End].Inst == Sites[I].Inst;
           End++) {
        const ct::Site &S = Sites[End];
        After |= S.hasHook() && ct::needsResult(S);
        Loads &= !S.hasHook() || S.Operation == ct::OP_BLOCK || isLoad(S);
      }
      bool IsAsm = isa<CallBase>(Sites[I].Inst) &&
                   cast<CallBase>(Sites[I].Inst)->isInlineAsm();
      for (size_t J = I; IsAsm && After && J < End; J++) {
        B.setPosition(F.inClone(Sites[J]));
        ct::readAhead(B, Sites[J], *F.Map);
      }
      for (size_t J = I; J < End; J++) {
        if (!Sites[J].hasHook() || isInGroup(J))
          continue;
        Instruction *Where = &F.inClone(Sites[J]);
        if ((After || Loads) && Sites[J].Operation != ct::OP_BLOCK) {
          Instruction *Last = LastLoad.lookup(Where);
          Where = nextInstruction(Last ? *Last : *Where);
        }
        callSite(J, *Where, After);
      }
    }
  }

  /// Before what followed the instruction when its first hook was inserted.
  DenseMap<Instruction *, Instruction *> Next;
  Instruction *nextInstruction(Instruction &I) {
    Instruction *&Known = Next[&I];
    return Known ? Known : Known = I.getNextNode();
  }

  void callSite(size_t Site, Instruction &Before, bool IsBehind) {
    const ct::Site &S = F.Sites[Site];
    uint64_t Number = F.site(Site);
    B.setPosition(Before.getIterator(), F.inClone(S).getDebugLoc());
    if (const ct::Series *Own = SeriesOf.lookup(Site)) {
      if (Own->hookSite() == Site)
        ct::callSeries(F, *Own, H, B,
                       Calls.address(F.Sites[Own->Sites.front()]));
      return;
    }
    if (S.If.isNeeded()) {
      Instruction *Then = SplitBlockAndInsertIfThen(
          Calls.condition(S.If), Before.getIterator(), /*Unreachable=*/false);
      B.setPosition(Then->getIterator(), F.inClone(S).getDebugLoc());
    }
    Value *Index = B.getInt64(Number);
    if (S.How == ct::Form::Event) {
      B.callHook(H.__ct_event, {F.State, Index, B.getInt32(CT_PHASE_HAPPENS)});
      ct::recordEventValues(B, H, S, *F.Map, F.State, Index);
      return;
    }
    Value *Address, *State = Calls.access(S, Number, Far, Address);
    ct::recordValues(B, H, S, *F.Map, State, Index, Address, IsBehind);
  }

  /// An access that may fault before its hook is called.
  static bool mayFault(const ct::Site &S) {
    bool MayBeGlobal = S.Verdict == CT_VERDICT_GLOBAL
                           ? S.Space == CT_SPACE_GLOBAL
                           : S.Checked >> CT_SPACE_GLOBAL & 1;
    return S.hasHook() && S.How == ct::Form::Access && S.Bytes && MayBeGlobal &&
           !S.If.isNeeded() && S.Operation != ct::OP_STORE;
  }

  void announceSites() {
    for (size_t I = 0; I < F.Sites.size(); I++) {
      const ct::Site &S = F.Sites[I];
      bool IsFirst = !I || F.Sites[I - 1].Inst != S.Inst;
      if (!IsFirst || !mayFault(S))
        continue;
      Instruction &Access = F.inClone(S);
      B.setPosition(Access.getIterator(), Access.getDebugLoc());
      B.callHook(H.__ct_at, {B.getInt64(F.site(I)), Calls.address(S),
                             B.getInt32(S.Bytes)});
    }
  }

  void callExits() {
    bool Kernel = ct::compat::isKernel(*F.Clone);
    SmallVector<Instruction *, 8> Ends;
    for (Instruction &I : instructions(*F.Clone))
      if (ct::isExit(I) || (Kernel && isa<ReturnInst>(I)))
        Ends.push_back(&I);
    for (Instruction *I : Ends) {
      B.setPosition(*I);
      B.callHook(H.__ct_exit, {F.State});
    }
  }
};

} // namespace

void ct::instrumentClone(TracedFunction &F, const Hooks &H, const Options &Opts,
                         const HookPlacement &Placement,
                         FunctionAnalysisManager &FAM) {
  Instrumenter(F, H, Opts, Placement, FAM).run();
}
