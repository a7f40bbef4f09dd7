/* SPDX-License-Identifier: Apache-2.0 */
/* Small functions of CUDA's and Clang's headers within those of the program. */
#include "llvm-pass/device/wrappers.h"
#include "llvm-pass/base/location.h"
#include "llvm-pass/base/toolchain.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/Transforms/Utils/Cloning.h"

using namespace llvm;

namespace {

/// Instructions of a function together with all headers' functions that it
/// calls: what is larger is more than a wrapper.
constexpr unsigned MostOfWrapper = 400;

class Wrappers {
public:
  bool isWrapper(const Function &F) {
    return isOfHeader(F) && sizeOf(F) <= MostOfWrapper;
  }
  bool isOfHeader(const Function &F) const {
    const DISubprogram *SP = F.getSubprogram();
    return !F.isDeclaration() && SP &&
           Headers.holds(ct::sourcePath(SP->getFile(), SP->getUnit()));
  }

private:
  ct::Toolchain Headers;
  DenseMap<const Function *, unsigned> Sizes;

  unsigned sizeOf(const Function &F) {
    // A function that calls itself is larger than any wrapper.
    auto [Known, New] = Sizes.try_emplace(&F, MostOfWrapper + 1);
    if (!New)
      return Known->second;
    unsigned Size = 0;
    for (const Instruction &I : instructions(F)) {
      auto *Call = dyn_cast<CallBase>(&I);
      const Function *Callee = Call ? Call->getCalledFunction() : nullptr;
      Size += Callee && isOfHeader(*Callee) ? sizeOf(*Callee) : 1;
      if (Size > MostOfWrapper)
        return MostOfWrapper + 1;
    }
    return Sizes[&F] = Size;
  }
};

} // namespace

static SmallVector<CallBase *, 16> callsOfWrappers(Function &F,
                                                   Wrappers &Known) {
  SmallVector<CallBase *, 16> Found;
  for (Instruction &I : instructions(F)) {
    auto *Call = dyn_cast<CallBase>(&I);
    Function *Callee = Call ? Call->getCalledFunction() : nullptr;
    if (Callee && Call->getDebugLoc() && Known.isWrapper(*Callee))
      Found.push_back(Call);
  }
  return Found;
}

/// F as it is, under another name, for no one to call. Not where addresses of
/// blocks are taken, which name the function that they are of.
static Function *keep(Function &F) {
  if (any_of(F, [](const BasicBlock &BB) { return BB.hasAddressTaken(); }))
    return nullptr;
  Function *Kept = Function::Create(
      F.getFunctionType(), GlobalValue::InternalLinkage, F.getAddressSpace(),
      "__ct_kept_" + F.getName(), F.getParent());
  DISubprogram *Own = F.getSubprogram();
  ValueToValueMapTy Map;
  SmallVector<ReturnInst *, 4> Returns;
  for (unsigned I = 0; I < F.arg_size(); I++)
    Map[F.getArg(I)] = Kept->getArg(I);
  // Scopes and variables are not cloned, too: the body goes back to F.
  F.setSubprogram(nullptr);
  CloneFunctionInto(Kept, &F, Map, CloneFunctionChangeType::LocalChangesOnly,
                    Returns);
  F.setSubprogram(Own);
  return Kept;
}

ct::WrapperInlining::WrapperInlining(Module &M) {
  Wrappers Known;
  SmallVector<Function *, 16> Calling;
  for (Function &F : M)
    if (!F.isDeclaration() && F.getSubprogram() && !Known.isOfHeader(F) &&
        !callsOfWrappers(F, Known).empty())
      Calling.push_back(&F);
  for (Function *F : Calling) {
    Function *Before = keep(*F);
    if (!Before)
      continue;
    Kept.push_back({F, Before});
    // Those that an inlined one calls come in the next round.
    for (bool Inlined = true; Inlined;) {
      Inlined = false;
      for (CallBase *Call : callsOfWrappers(*F, Known)) {
        InlineFunctionInfo Info;
        Inlined |= InlineFunction(*Call, Info).isSuccess();
      }
    }
  }
}

void ct::WrapperInlining::undo(FunctionAnalysisManager &FAM) {
  for (auto [F, Before] : Kept) {
    FAM.clear(*F, F->getName());
    FAM.clear(*Before, Before->getName());
    for (BasicBlock &BB : *F)
      BB.dropAllReferences();
    while (!F->empty())
      F->begin()->eraseFromParent();
    F->splice(F->begin(), Before);
    for (unsigned I = 0; I < F->arg_size(); I++)
      Before->getArg(I)->replaceAllUsesWith(F->getArg(I));
    Before->eraseFromParent();
  }
  Kept.clear();
}
