/* SPDX-License-Identifier: Apache-2.0 */
/* How much of the hooks stands in clones, and how much they call. */
#include "llvm-pass/clone/placement.h"
#include "llvm-pass/base/compat.h"
#include "llvm/ADT/bit.h"

using namespace llvm;

/// ptxas takes 0.3 to 0.5 s for what one clone calls (measured, sm_90). What is
/// shared has the ABI of functions: clones of short kernels took twice as long.
/// So this is for units of so many templates that compiling would take minutes,
/// and for who asks for it.
static const unsigned ClonesSharing = 16, ClonesSharingOn = 2;

/// With more hooks than this the inlined path of accesses takes more time than
/// all else: 32 kernels of 12 hooks 2.4 s of ptxas in place of 1.1 (measured).
static const size_t HooksInline = 256;

/// Functions of the user's would be compiled with the registers that the
/// least of the clones leaves them.
static bool callsFunctions(const Function &Kernel, const ct::CallGraph &Calls) {
  auto *K = const_cast<Function *>(&Kernel);
  return Calls.reachesOthers(K) || Calls.reachableFrom(K).size() > 1;
}

static unsigned leastClones(ct::Sharing Share) {
  if (Share == ct::Sharing::Off)
    return ~0u;
  return Share == ct::Sharing::On ? ClonesSharingOn : ClonesSharing;
}

ct::HookPlacement ct::placeHooks(const TracedFunctions &Traced,
                                 const CallGraph &Calls, Sharing Share,
                                 uint64_t StatesBytes, bool Relocatable) {
  HookPlacement Placement;
  size_t Hooks = 0, Clones = 0;
  for (auto &T : Traced) {
    if (!T->Clone)
      continue;
    Hooks += count_if(T->Sites, [](const Site &S) { return S.hasHook(); });
    Clones += compat::isKernel(*T->Clone);
  }
  Placement.Far = Hooks > HooksInline;
  if (!Relocatable && Clones >= leastClones(Share) &&
      none_of(Calls.kernels(),
              [&](Function *K) { return callsFunctions(*K, Calls); }))
    Placement.StatesBytes = StatesBytes;
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
