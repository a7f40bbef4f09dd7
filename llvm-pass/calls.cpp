/* SPDX-License-Identifier: Apache-2.0 */
/* Calls of a clone: to the callee's clone instead of the callee. */
#include "calls.h"
#include "callgraph.h"
#include "llvm/IR/InstIterator.h"

using namespace llvm;

namespace {

class CallRedirector {
public:
  CallRedirector(ct::TracedFunction &F, const DenseMap<Function *, Function *> &Clones)
      : F(F), Clones(Clones), B(F.Clone->getContext()) {}

  void run() {
    SmallVector<CallInst *, 16> Calls;
    for (Instruction &I : instructions(*F.Clone))
      if (auto *Call = dyn_cast<CallInst>(&I))
        if (Function *Callee = ct::cloneableCallee(*Call); Callee && Clones.contains(Callee))
          Calls.push_back(Call);
    for (CallInst *Call : Calls)
      redirect(*Call, *Clones.lookup(ct::cloneableCallee(*Call)));
  }

private:
  ct::TracedFunction &F;
  const DenseMap<Function *, Function *> &Clones;
  ct::HookBuilder B;

  void redirect(CallInst &Old, Function &Clone) {
    SmallVector<Value *, 8> Arguments(Old.args());
    Arguments.push_back(F.State);
    SmallVector<OperandBundleDef, 1> Bundles;
    Old.getOperandBundlesAsDefs(Bundles);
    B.setPosition(Old);
    CallInst *New = B.CreateCall(&Clone, Arguments, Bundles);
    New->setAttributes(Old.getAttributes());
    New->removeFnAttr(Attribute::Memory);
    New->removeFnAttr(Attribute::NoSync);
    New->removeFnAttr(Attribute::WillReturn);
    New->addFnAttr(Attribute::Convergent);
    New->setCallingConv(Clone.getCallingConv());
    if (Old.isTailCall() && !Old.isMustTailCall())
      New->setTailCallKind(CallInst::TCK_Tail);
    New->copyMetadata(Old);
    New->takeName(&Old);
    Old.replaceAllUsesWith(New);
    Old.eraseFromParent();
  }
};

} // namespace

void ct::redirectCalls(TracedFunction &F, const DenseMap<Function *, Function *> &Clones) {
  CallRedirector(F, Clones).run();
}
