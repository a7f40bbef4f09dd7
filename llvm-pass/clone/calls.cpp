/* SPDX-License-Identifier: Apache-2.0 */
/* Calls of clones: to the callee's clone instead of the callee. */
#include "llvm-pass/clone/calls.h"
#include "llvm-pass/base/compat.h"
#include "llvm-pass/base/operations.h"
#include "llvm-pass/sites/block_order.h"
#include "llvm/Demangle/Demangle.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include <cudatrace/record.h>
#include <cudatrace/unit.h>

using namespace llvm;

static ct::Site callSite(CallBase &Call, uint16_t LoopDepth) {
  Function *Callee = ct::directCallee(Call);
  ct::Site S = {};
  S.Inst = &Call;
  S.Operation = ct::OP_CALL;
  S.Verdict = CT_VERDICT_GLOBAL;
  S.LoopDepth = LoopDepth;
  S.Reason = Callee ? demangle(Callee->getName()) : "indirect call";
  return S;
}

void ct::addCallSites(TracedFunction &T, const TracedFunctions &Traced,
                      const LoopInfo &Loops) {
  std::vector<Site> Sites;
  auto Old = T.Sites.begin();
  for (BasicBlock *Block : programOrder(*T.Original, Loops))
    for (Instruction &I : *Block) {
      if (auto *Call = dyn_cast<CallInst>(&I);
          Call && Traced.redirects(T, *Call))
        Sites.push_back(callSite(*Call, Loops.getLoopDepth(Block)));
      for (; Old != T.Sites.end() && Old->isRecorded() && Old->Inst == &I;
           ++Old)
        Sites.push_back(std::move(*Old));
    }
  std::move(Old, T.Sites.end(), std::back_inserter(Sites));
  T.Sites = std::move(Sites);
}

/// Weak, for units that were compiled without us: the linker prefers the clone
/// that the function's own unit exports.
Function *ct::CallRedirector::fallbackClone(Function &External) {
  std::string Name = ("__ct_" + External.getName()).str();
  if (Function *Known = M.getFunction(Name))
    return Known;
  SmallVector<Type *, 8> Types(External.getFunctionType()->params());
  Types.push_back(B.getInt32Ty());
  return makeForwarder(
      FunctionType::get(External.getReturnType(), Types, false),
      GlobalValue::WeakAnyLinkage, Name, External);
}

Function *ct::CallRedirector::cloneFor(const TracedFunction &T,
                                       const CallBase &Call) {
  if (TracedFunction *Callee = T.Callees.lookup(&Call))
    return Callee->Clone;
  Function *External = Calls.externalCallee(Call);
  return External ? fallbackClone(*External) : nullptr;
}

/// ptr __ct_resolve(ptr function): its clone, or null.
Function *ct::CallRedirector::resolver(const CallBase &Call) {
  Function *&Known = Resolvers[Call.getFunctionType()];
  if (Known)
    return Known;
  Type *Pointer = Call.getCalledOperand()->getType();
  auto *F = Function::Create(FunctionType::get(Pointer, {Pointer}, false),
                             GlobalValue::InternalLinkage, "__ct_resolve", M);
  Known = F;
  F->setDoesNotThrow();
  F->setDoesNotAccessMemory();
  F->setWillReturn();
  SmallVector<std::pair<Function *, Function *>, 8> Pairs;
  for (Function *Target : Calls.indirectTargets(Call)) {
    TracedFunction *Entry = Traced.entry(Target);
    Function *Clone = Target->isDeclaration() ? fallbackClone(*Target)
                      : Entry                 ? Entry->Clone
                                              : nullptr;
    if (Clone)
      Pairs.push_back({Target, Clone});
  }
  B.SetInsertPoint(BasicBlock::Create(M.getContext(), "", F));
  B.SetCurrentDebugLocation(DebugLoc());
  Value *Result = Constant::getNullValue(Pointer);
  for (auto &[Target, Clone] : reverse(Pairs)) {
    Value *Address =
        ConstantExpr::getPointerBitCastOrAddrSpaceCast(Target, Pointer);
    Value *New = ConstantExpr::getPointerBitCastOrAddrSpaceCast(Clone, Pointer);
    Result = B.CreateSelect(B.CreateICmpEQ(F->getArg(0), Address), New, Result);
  }
  B.CreateRet(Result);
  return F;
}

CallInst *ct::CallRedirector::callInstead(CallInst &Old, Value *Clone,
                                          Value *State) {
  SmallVector<Type *, 8> Types(Old.getFunctionType()->params());
  SmallVector<Value *, 8> Arguments(Old.args());
  SmallVector<OperandBundleDef, 1> Bundles;
  Types.push_back(State->getType());
  Arguments.push_back(State);
  Old.getOperandBundlesAsDefs(Bundles);
  CallInst *New = B.CreateCall(FunctionType::get(Old.getType(), Types, false),
                               Clone, Arguments, Bundles);
  New->setAttributes(Old.getAttributes());
  New->removeFnAttr(Attribute::Memory);
  New->removeFnAttr(Attribute::NoSync);
  New->removeFnAttr(Attribute::WillReturn);
  New->addFnAttr(Attribute::Convergent);
  for (unsigned I = 0; I < Old.arg_size(); I++)
    New->removeParamAttr(I, compat::captureAttribute());
  New->setCallingConv(Old.getCallingConv());
  New->copyMetadata(Old);
  return New;
}

void ct::CallRedirector::redirectDirect(CallInst &Old, Function &Clone,
                                        Value *State) {
  B.setPosition(Old);
  CallInst *New = callInstead(Old, &Clone, State);
  New->takeName(&Old);
  Old.replaceAllUsesWith(New);
  Old.eraseFromParent();
}

void ct::CallRedirector::redirectIndirect(CallInst &Old, Function &Resolver,
                                          Value *State) {
  Instruction *Then, *Else, *Next = Old.getNextNode();
  B.setPosition(Old);
  Value *Clone = B.CreateCall(&Resolver, {Old.getCalledOperand()}, "ct.clone");
  SplitBlockAndInsertIfThenElse(B.CreateIsNotNull(Clone), Old.getIterator(),
                                &Then, &Else);
  B.setPosition(Then->getIterator(), Old.getDebugLoc());
  CallInst *New = callInstead(Old, Clone, State);
  Old.moveBefore(Else->getIterator());
  if (Old.use_empty())
    return;
  B.setPosition(Next->getParent()->begin(), Old.getDebugLoc());
  PHINode *Result = B.CreatePHI(Old.getType(), 2);
  Old.replaceAllUsesWith(Result);
  Result->addIncoming(New, New->getParent());
  Result->addIncoming(&Old, Old.getParent());
}

/// Old is about to be replaced: a call that leaves its path again must return
/// here.
void ct::CallRedirector::markPath(CallInst &Old, uint64_t Site, Value *State) {
  Old.setTailCallKind(CallInst::TCK_None);
  B.setPosition(Old);
  B.callHook(H.__ct_event,
             {State, B.getInt64(Site), B.getInt32(CT_PHASE_HAPPENS)});
  Instruction *Next = Old.getNextNode();
  if (isa<UnreachableInst>(Next))
    return;
  B.setPosition(Next->getIterator(), Old.getDebugLoc());
  B.callHook(H.__ct_event,
             {State, B.getInt64(Site), B.getInt32(CT_PHASE_LEAVE)});
}

void ct::CallRedirector::redirect(const TracedFunction &T) {
  for (size_t I = 0; I < T.Sites.size(); I++) {
    const Site &S = T.Sites[I];
    if (S.Operation != OP_CALL)
      continue;
    auto *Original = cast<CallInst>(S.Inst);
    auto *Old = cast<CallInst>(static_cast<Value *>(T.Map->lookup(S.Inst)));
    markPath(*Old, T.site(I), T.State);
    if (Function *Clone = cloneFor(T, *Original))
      redirectDirect(*Old, *Clone, T.State);
    else
      redirectIndirect(*Old, *resolver(*Original), T.State);
  }
}
