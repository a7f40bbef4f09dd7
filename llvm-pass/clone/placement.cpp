/* SPDX-License-Identifier: Apache-2.0 */
/* How much of the hooks stands in clones, and how much they call. */
#include "llvm-pass/clone/placement.h"
#include "llvm-pass/base/compat.h"
#include "llvm/ADT/bit.h"
#include "llvm/IR/InstIterator.h"

using namespace llvm;

/// ptxas takes 0.3 to 0.5 s for what one clone calls (measured, sm_90). In
/// relocatable code clones of short kernels took twice as long, and pristine
/// kernels are not the same instructions. So that is for units of so many
/// templates that compiling would take minutes, and for who asks for it.
static const unsigned ClonesSharing = 16, ClonesSharingOn = 2;

/// Functions that are compiled apart have the ABI of functions, which saves
/// registers in local memory. Of so many clones on this are functions that
/// hardly ever run, 0.2 to 0.4 s of ptxas a clone are left; of so many more
/// what full traces call, which costs scattered accesses up to half of their
/// time (bench/trace-cost), and with --ct-share=apart all that is not inlined.
static const unsigned ClonesRareApart = 2, ClonesRecordsApart = 8,
                      ClonesAllApart = 8;

/// Larger units by default, too: with so many clones, and more hooks than this.
static const unsigned ClonesOfLarge = 4;
static const size_t HooksOfLarge = 64;

/// With more hooks than this the inlined path of accesses takes more time than
/// all else: 32 kernels of 12 hooks 2.4 s of ptxas in place of 1.1 (measured).
static const size_t HooksInline = 256;

/// The limit of one kernel: 12 ms of ptxas a hook, and the code of 16 is 22 kB.
static const size_t HooksInlineOfKernel = 16;

/// Hooks of a tier's body are three times as large; with --ct-share=on and
/// apart those of a unit with more are called.
static const size_t TierHooksInline = 8;

/// Functions of the user's would be compiled with the registers that the
/// least of the clones leaves them.
static bool callsFunctions(const Function &Kernel, const ct::CallGraph &Calls) {
  auto *K = const_cast<Function *>(&Kernel);
  return Calls.reachesOthers(K) || Calls.reachableFrom(K).size() > 1;
}

/// ct-ptxas makes a unit with calls through pointers relocatable.
static bool callsThroughPointers(const ct::CallGraph &Calls) {
  auto Calling = [](Function *F) {
    return any_of(instructions(*F), [](const Instruction &I) {
      auto *Call = dyn_cast<CallBase>(&I);
      return Call && Call->isIndirectCall();
    });
  };
  return any_of(Calls.kernels(), Calling) || any_of(Calls.functions(), Calling);
}

static unsigned leastClones(ct::Sharing Share) {
  if (Share == ct::Sharing::Off)
    return ~0u;
  return Share == ct::Sharing::On ? ClonesSharingOn : ClonesSharing;
}

/// Pristine kernels stay as they are, and so does what they call.
static ct::Apart apart(unsigned Clones, size_t Hooks, const ct::Options &Opts) {
  unsigned All = Opts.Share == ct::Sharing::On      ? ClonesRareApart
                 : Opts.Share == ct::Sharing::Apart ? ClonesAllApart
                 : Hooks > HooksOfLarge             ? ClonesOfLarge
                                                    : ClonesSharing;
  if (Opts.Share == ct::Sharing::Off || !Opts.Optimise ||
      Clones < ClonesRareApart)
    return ct::Apart::Nothing;
  if (Clones >= All)
    return ct::Apart::All;
  return Clones >= ClonesRecordsApart ? ct::Apart::Records : ct::Apart::Rare;
}

static size_t countHooks(const ct::TracedFunction &F) {
  return count_if(F.Sites, [](const ct::Site &S) { return S.hasHook(); });
}

bool ct::HookPlacement::isFar(const TracedFunction &F) const {
  return Far || countHooks(F) > Inline;
}

bool ct::HookPlacement::tierHooksCalled(const TracedFunction &F) const {
  return countHooks(F) > TierInline;
}

ct::HookPlacement ct::placeHooks(const TracedFunctions &Traced,
                                 const CallGraph &Calls, const Options &Opts,
                                 uint64_t StatesBytes, bool Relocatable) {
  HookPlacement Placement;
  size_t Hooks = 0, Clones = 0;
  for (auto &T : Traced) {
    if (!T->Clone)
      continue;
    Hooks += countHooks(*T);
    Clones += compat::isKernel(*T->Clone);
  }
  Placement.Far = Hooks > HooksInline;
  if (!StatesBytes)
    return Placement;
  if (Opts.Share != Sharing::Off) {
    Placement.Inline = HooksInlineOfKernel;
    Placement.TierInline = TierHooksInline;
  }
  if (Opts.Share == Sharing::On || Opts.Share == Sharing::Apart) {
    Placement.TierHooksOfLoopsCalled = true;
    if (Hooks > TierHooksInline)
      Placement.TierInline = 0;
  }
  if (Relocatable || callsThroughPointers(Calls) ||
      (Clones >= leastClones(Opts.Share) &&
       none_of(Calls.kernels(),
               [&](Function *K) { return callsFunctions(*K, Calls); })))
    Placement.StatesBytes = StatesBytes;
  else
    Placement.CompiledApart = apart(Clones, Hooks, Opts);
  return Placement;
}

void ct::alignShared(Module &M) {
  for (GlobalVariable &GV : M.globals()) {
    uint64_t Bytes =
        GV.getAddressSpace() != 3 || GV.isDeclaration()
            ? 0
            : M.getDataLayout().getTypeAllocSize(GV.getValueType());
    Align Least(Bytes ? std::min<uint64_t>(16, bit_floor(Bytes)) : 1);
    if (GV.getAlign().valueOrOne() < Least)
      GV.setAlignment(Least);
  }
}

/// In shared memory, of this function alone, so that code generation puts it
/// into the function.
static GlobalVariable *ownStates(Function &Clone, uint64_t Bytes) {
  Type *Array = ArrayType::get(Type::getInt8Ty(Clone.getContext()), Bytes);
  auto *States = new GlobalVariable(
      *Clone.getParent(), Array, /*isConstant=*/false,
      GlobalValue::InternalLinkage, PoisonValue::get(Array), "ct_states",
      nullptr, GlobalValue::NotThreadLocal, /*AddressSpace=*/3);
  States->setAlignment(Align(16));
  return States;
}

Value *ct::callEnter(Function &Clone, const HookPlacement &Placement,
                     const Hooks &H, HookBuilder &B,
                     SmallVectorImpl<Value *> &Fields) {
  if (!Placement.StatesBytes)
    return B.callHook(H.__ct_enter, Fields);
  GlobalVariable *States = ownStates(Clone, Placement.StatesBytes);
  Fields.push_back(B.CreatePtrToInt(States, B.getInt32Ty()));
  return B.callHook(H.__ct_enter_far, Fields);
}
