/* SPDX-License-Identifier: Apache-2.0 */
/* Insertion of hook calls (hooks.def) into clones. */
#include "instrument.h"
#include "asm_access.h"
#include "callgraph.h"
#include "compat.h"
#include "operations.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicsNVPTX.h"
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

bool ct::containsExit(const Function &F) { return any_of(instructions(F), isExit); }

namespace {

/// Builds hook calls in one clone.
class Instrumenter {
public:
  Instrumenter(ct::TracedFunction &F, const ct::Hooks &H) : F(F), H(H), B(F.Clone->getContext()) {}

  void run() {
    if (ct::compat::isKernel(*F.Clone))
      callEnter();
    for (size_t I = 0; I < F.Sites.size(); I++)
      if (F.Sites[I].Operation != ct::OP_CALL) // calls.cpp
        callAccess(F.Sites[I], F.site(I));
    callExits();
  }

private:
  ct::TracedFunction &F;
  const ct::Hooks &H;
  ct::HookBuilder B;

  void callEnter() {
    Argument *Launch = F.Clone->getArg(F.Clone->arg_size() - 1);
    auto *Type = cast<StructType>(Launch->getParamByValType());
    B.setPosition(F.Clone->getEntryBlock().getFirstNonPHIOrDbgOrAlloca(), DebugLoc());
    SmallVector<Value *, 3> Fields;
    for (unsigned I = 0; I < Type->getNumElements(); I++)
      Fields.push_back(B.CreateLoad(Type->getElementType(I), B.CreateStructGEP(Type, Launch, I)));
    F.State = B.callHook(H.__ct_enter, Fields);
    F.State->setName("ct.state");
  }

  void callAccess(const ct::Site &S, uint64_t Index) {
    if (S.Verdict == CT_VERDICT_SKIPPED)
      return;
    auto *I = cast<Instruction>(static_cast<Value *>(F.Map->lookup(S.Inst)));
    Value *Pointer = F.Map->lookup(S.Pointer);
    B.setPosition(*I);
    Value *Address = B.CreateBitOrPointerCast(Pointer ? Pointer : S.Pointer, B.getInt64Ty());
    if (S.Offset)
      Address = B.CreateAdd(Address, B.getInt64(S.Offset));
    B.callHook(S.Verdict == CT_VERDICT_GLOBAL ? H.__ct_access : H.__ct_access_checked,
               {F.State, B.getInt64(Index), Address, B.getInt32(S.Bytes)});
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

void ct::instrumentClone(TracedFunction &F, const Hooks &H) { Instrumenter(F, H).run(); }
