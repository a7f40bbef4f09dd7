/* SPDX-License-Identifier: Apache-2.0 */
/* Insertion of hook calls (hooks.def) into clones. */
#include "instrument.h"
#include "callgraph.h"
#include "compat.h"
#include "ptx_text.h"
#include "values.h"
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
  Instrumenter(ct::TracedFunction &F, const ct::Hooks &H)
      : F(F), H(H), B(F.Clone->getContext()) {}

  void run() {
    ManySites = count_if(F.Sites, isRecorded) > InlineLimit;
    if (ct::compat::isKernel(*F.Clone))
      callEnter();
    callSites();
    callExits();
  }

private:
  ct::TracedFunction &F;
  const ct::Hooks &H;
  ct::HookBuilder B;
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

  static bool isRecorded(const ct::Site &S) {
    return S.Operation != ct::OP_CALL && // calls.cpp
           (S.Verdict == CT_VERDICT_GLOBAL || S.Verdict == CT_VERDICT_CHECKED);
  }

  Instruction &inClone(const ct::Site &S) const {
    return *cast<Instruction>(static_cast<Value *>(F.Map->lookup(S.Inst)));
  }

  Value *inClone(Value *V) const {
    Value *Own = F.Map->lookup(V);
    return Own ? Own : V;
  }

  /// A load is under way while it is recorded.
  static bool isLoad(const ct::Site &S) {
    return S.Operation == ct::OP_LOAD && S.Values.empty();
  }

  /// The hooks of one instruction stay together, after it if they need its
  /// result or all it does is load.
  void callSites() {
    std::vector<ct::Site> &Sites = F.Sites;
    for (size_t I = 0, End; I < Sites.size(); I = End) {
      bool After = false, Loads = true;
      for (End = I; End < Sites.size() && Sites[End].Inst == Sites[I].Inst;
           End++) {
        const ct::Site &S = Sites[End];
        After |= isRecorded(S) && ct::needsResult(S);
        Loads &= !isRecorded(S) || S.Operation == ct::OP_BLOCK || isLoad(S);
      }
      for (size_t J = I; J < End; J++) {
        if (!isRecorded(Sites[J]))
          continue;
        Instruction *Where = &inClone(Sites[J]);
        if ((After || Loads) && Sites[J].Operation != ct::OP_BLOCK)
          Where = nextInstruction(*Where);
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
    B.setPosition(Before.getIterator(), inClone(S).getDebugLoc());
    if (S.If.isNeeded()) {
      Instruction *Then = SplitBlockAndInsertIfThen(
          condition(S.If), Before.getIterator(), /*Unreachable=*/false);
      B.setPosition(Then->getIterator(), inClone(S).getDebugLoc());
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
    Value *Left = inClone(If.Left);
    if (If.Element >= 0)
      Left = B.CreateExtractElement(Left, If.Element);
    Value *Right =
        If.Right ? inClone(If.Right) : Constant::getNullValue(Left->getType());
    return B.CreateICmp(If.Predicate, Left, Right);
  }

  Value *asInteger(Value *V) {
    V = inClone(V);
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

void ct::instrumentClone(TracedFunction &F, const Hooks &H) {
  Instrumenter(F, H).run();
}
