/* SPDX-License-Identifier: Apache-2.0 */
/* Insertion of hook calls (hooks.def) into clones. */
#include "llvm-pass/clone/instrument.h"
#include "llvm-pass/addresses/addresses.h"
#include "llvm-pass/addresses/uniform.h"
#include "llvm-pass/base/compat.h"
#include "llvm-pass/clone/callgraph.h"
#include "llvm-pass/clone/groups.h"
#include "llvm-pass/clone/loops.h"
#include "llvm-pass/sites/ptx_text.h"
#include "llvm-pass/sites/values.h"
#include "llvm/Analysis/AssumptionCache.h"
#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicsNVPTX.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include <cudatrace/record.h>
#include <cudatrace/unit.h>

using namespace llvm;

static bool isExit(const Instruction &I) {
  auto *Call = dyn_cast<CallBase>(&I);
  if (!Call)
    return false;
  if (auto *Asm = dyn_cast<InlineAsm>(Call->getCalledOperand()))
    return ct::exitsInAsm(Asm->getAsmString());
  Function *Callee = ct::directCallee(*Call);
  return Callee && Callee->getIntrinsicID() == Intrinsic::nvvm_exit;
}

bool ct::containsExit(const Function &F) {
  return any_of(instructions(F), isExit);
}

namespace {

/// Builds hook calls in one clone.
class Instrumenter {
public:
  Instrumenter(ct::TracedFunction &F, const ct::Hooks &H,
               const ct::Options &Opts, FunctionAnalysisManager &FAM)
      : F(F), H(H), Opts(Opts), FAM(FAM), B(F.Clone->getContext()) {}

  void run() {
    ManySites = count_if(F.Sites, hasHook) > InlineLimit;
    if (ct::compat::isKernel(*F.Clone)) {
      callEnter();
      compress();
    }
    callSites();
    callExits();
  }

private:
  ct::TracedFunction &F;
  const ct::Hooks &H;
  const ct::Options &Opts;
  FunctionAnalysisManager &FAM;
  ct::HookBuilder B;
  std::vector<ct::Group> Groups;
  /// With more sites than this, the inlined path of accesses would make code
  /// generation take minutes and the code too large for the caches.
  static constexpr unsigned InlineLimit = 256;
  bool ManySites = false;

  void callEnter() {
    Argument *Launch = F.Clone->getArg(F.Clone->arg_size() - 1);
    auto *Type = cast<StructType>(Launch->getParamByValType());
    B.setPosition(F.Clone->getEntryBlock().getFirstNonPHIOrDbgOrAlloca(),
                  DebugLoc());
    SmallVector<Value *, 3> Fields;
    for (unsigned I = 0; I < Type->getNumElements(); I++)
      Fields.push_back(B.CreateLoad(Type->getElementType(I),
                                    B.CreateStructGEP(Type, Launch, I)));
    F.State = B.callHook(H.__ct_enter, Fields);
    F.State->setName("ct.state");
  }

  static bool hasHook(const ct::Site &S) { return S.hasHook(); }

  /// Decides what is recorded with fewer hooks than there are accesses.
  void compress() {
    Function &Clone = *F.Clone;
    if (!Opts.Optimise || F.Tag || ManySites || !(Opts.Groups || Opts.Loops))
      return;
    DominatorTree Dominators(Clone);
    LoopInfo Loops(Dominators);
    AssumptionCache Assumptions(Clone);
    ScalarEvolution SE(Clone, FAM.getResult<TargetLibraryAnalysis>(Clone),
                       Assumptions, Dominators, Loops);
    SmallSet<size_t, 8> Copied;
    if (Opts.Loops)
      Copied = ct::copyLoops(
          F, H,
          {Dominators, Loops, SE, FAM.getResult<TargetIRAnalysis>(Clone)});
    ct::Addresses Addresses(Loops, SE);
    if (Opts.Groups)
      Groups = ct::findGroups(
          F, Addresses, [&](size_t Site) { return Copied.contains(Site); });
    for (ct::Group &G : Groups) {
      callGroup(G, Addresses);
      F.GroupSites += G.Members.size();
    }
    F.Groups = Groups.size();
    F.LoopSites = Copied.size();
  }

  void callGroup(const ct::Group &G, const ct::Addresses &Addresses) {
    const ct::Site &Leader = F.Sites[G.First];
    B.setPosition(G.Before->getIterator(), F.inClone(Leader).getDebugLoc());
    Value *First = address(Leader), *Holds = nullptr;
    SmallVector<Value *, 11> Arguments = {F.State,
                                          B.getInt64(F.site(G.First)),
                                          First,
                                          B.getInt32(Leader.Bytes),
                                          B.getInt32(&G - Groups.data()),
                                          B.getInt32(G.Members.size() - 1)};
    for (size_t I = 1; I < G.Members.size(); I++) {
      Arguments.push_back(build(Addresses, G.Members[I].Total));
      if (!G.isDoubtful(I))
        continue;
      Value *Distance = B.CreateSub(address(F.Sites[G.First + I]), First);
      Value *Equal = B.CreateICmpEQ(Distance, Arguments.back());
      Holds = Holds ? B.CreateAnd(Holds, Equal) : Equal;
    }
    FunctionCallee Hook = H.__ct_group;
    Arguments.resize(Hook.getFunctionType()->getNumParams(), B.getInt64(0));
    Instruction *End = nullptr, *Then, *Else;
    if (Holds) {
      SplitBlockAndInsertIfThenElse(Holds, G.Before->getIterator(), &Then,
                                    &Else);
      End = Then->getParent()->getSinglePredecessor()->getTerminator();
      B.setPosition(Else->getIterator(), B.getCurrentDebugLocation());
      callMembers(G, Addresses);
      B.setPosition(Then->getIterator(), B.getCurrentDebugLocation());
    }
    CallInst *Call = B.callHook(Hook, Arguments);
    ct::sinkUses(F, G, End ? *End : *Call);
  }

  /// One by one, in threads whose distances are others.
  void callMembers(const ct::Group &G, const ct::Addresses &Addresses) {
    for (size_t I = 0; I < G.Members.size(); I++) {
      const ct::Site &S = F.Sites[G.First + I],
                     &From = F.Sites[G.First + G.Members[I].From];
      Value *Address =
          B.CreateAdd(address(From), build(Addresses, G.Members[I].Distance));
      B.callHook(I ? H.__ct_access_far : H.__ct_access_alone,
                 {F.State, B.getInt64(F.site(G.First + I)), Address,
                  B.getInt32(S.Bytes)});
    }
  }

  Value *build(const ct::Addresses &Addresses, const ct::Polynomial &P) {
    return ct::buildPolynomial(B, Addresses, P, [&](const ct::Atom &A) {
      return ct::uniformValue(B, A.V);
    });
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

  /// Of loads next to each other, so many are under way when the first value
  /// is waited for. Each keeps registers busy.
  static constexpr size_t LoadsTogether = 8;
  DenseMap<Instruction *, Instruction *> LastLoad; // of those next to it
  void findLoadsTogether() {
    SmallVector<Instruction *, LoadsTogether> Loads;
    for (const ct::Site &S : F.Sites) {
      Instruction *Load = isLoadOfValue(S) ? &F.inClone(S) : nullptr;
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
      for (size_t J = I; J < End; J++) {
        if (!Sites[J].hasHook() || isInGroup(J))
          continue;
        Instruction *Where = &F.inClone(Sites[J]);
        if ((After || Loads) && Sites[J].Operation != ct::OP_BLOCK) {
          Instruction *Last = LastLoad.lookup(Where);
          Where = nextInstruction(Last ? *Last : *Where);
        }
        callSite(Sites[J], F.site(J), *Where);
      }
    }
  }

  /// Before what followed the instruction when its first hook was inserted.
  DenseMap<Instruction *, Instruction *> Next;
  Instruction *nextInstruction(Instruction &I) {
    Instruction *&Known = Next[&I];
    return Known ? Known : Known = I.getNextNode();
  }

  void callSite(const ct::Site &S, uint64_t Number, Instruction &Before) {
    B.setPosition(Before.getIterator(), F.inClone(S).getDebugLoc());
    if (S.If.isNeeded()) {
      Instruction *Then = SplitBlockAndInsertIfThen(
          condition(S.If), Before.getIterator(), /*Unreachable=*/false);
      B.setPosition(Then->getIterator(), F.inClone(S).getDebugLoc());
    }
    Value *Index = B.getInt64(Number);
    if (S.How == ct::Form::Event) {
      B.callHook(H.__ct_event, {F.State, Index, B.getInt32(CT_PHASE_HAPPENS)});
      return;
    }
    Value *State = callAccess(S, Index, address(S));
    ct::recordValues(B, H, S, *F.Map, State, Index);
  }

  Value *condition(const ct::Guard &If) {
    if (If.LaneLimit) {
      Value *Lane = B.CreateIntrinsic(B.getInt32Ty(),
                                      Intrinsic::nvvm_read_ptx_sreg_laneid, {});
      return B.CreateICmpULT(Lane, B.getInt32(If.LaneLimit));
    }
    Value *Left = F.inClone(If.Left);
    if (If.Element >= 0)
      Left = B.CreateExtractElement(Left, If.Element);
    Value *Right = If.Right ? F.inClone(If.Right)
                            : Constant::getNullValue(Left->getType());
    return B.CreateICmp(If.Predicate, Left, Right);
  }

  Value *asInteger(Value *V) {
    V = F.inClone(V);
    return V->getType()->isPointerTy() ? B.CreatePtrToInt(V, B.getInt64Ty())
                                       : B.CreateZExtOrTrunc(V, B.getInt64Ty());
  }

  Value *address(const ct::Site &S) {
    Value *Address = asInteger(S.Pointer);
    if (S.Index)
      Address = B.CreateAdd(Address, asInteger(S.Index));
    if (S.Offset)
      Address = B.CreateAdd(Address, B.getInt64(S.Offset));
    return Address;
  }

  /// Returns the state that the values of the access are to be recorded with.
  Value *callAccess(const ct::Site &S, Value *Index, Value *Address) {
    if (S.How == ct::Form::Range)
      return B.callHook(H.__ct_access_range,
                        {F.State, Index, Address, asInteger(S.Size)});
    if (S.How == ct::Form::Tile)
      return callTile(S, Index, Address);
    Value *Bytes = B.getInt32(S.Bytes);
    bool Definite = S.Verdict == CT_VERDICT_GLOBAL;
    if (!Definite && S.Checked == 1u << CT_SPACE_GLOBAL)
      return B.callHook(H.__ct_access_checked,
                        {F.State, Index, Address, Bytes});
    if (!Definite || (S.Space != CT_SPACE_GLOBAL && !S.InSpace))
      return B.callHook(H.__ct_access_any, {F.State, Index, Address, Bytes,
                                            B.getInt32(S.Checked)});
    if (S.Space == CT_SPACE_GLOBAL)
      B.callHook(ManySites ? H.__ct_access_far : H.__ct_access,
                 {F.State, Index, Address, Bytes});
    else
      B.callHook(H.__ct_access_space,
                 {F.State, Index, Address, Bytes, B.getInt32(S.Space)});
    return F.State;
  }

  Value *callTile(const ct::Site &S, Value *Index, Value *Address) {
    Value *Stride = B.getInt64(S.RowBytes);
    if (S.Size)
      Stride = B.CreateLShr(
          B.CreateMul(asInteger(S.Size), B.getInt64(S.ElementBits)), 3);
    return B.callHook(H.__ct_access_tile,
                      {F.State, Index, Address, B.getInt32(S.RowBytes),
                       B.getInt32(S.Rows), Stride});
  }

  void callExits() {
    bool Kernel = ct::compat::isKernel(*F.Clone);
    SmallVector<Instruction *, 8> Ends;
    for (Instruction &I : instructions(*F.Clone))
      if (isExit(I) || (Kernel && isa<ReturnInst>(I)))
        Ends.push_back(&I);
    for (Instruction *I : Ends) {
      B.setPosition(*I);
      B.callHook(H.__ct_exit, {F.State});
    }
  }
};

} // namespace

void ct::instrumentClone(TracedFunction &F, const Hooks &H, const Options &Opts,
                         FunctionAnalysisManager &FAM) {
  Instrumenter(F, H, Opts, FAM).run();
}
