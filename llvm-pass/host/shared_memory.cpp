/* SPDX-License-Identifier: Apache-2.0 */
/* Which pointers of host code cannot point to memory that a device uses. */
#include "llvm-pass/host/shared_memory.h"
#include "llvm/Analysis/CaptureTracking.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/GlobalVariable.h"

using namespace llvm;

/// Only loaded from and stored to, here and in all of the unit.
static bool isOnlyAccessed(const Value *V, unsigned Depth = 0) {
  for (const User *U : V->users()) {
    if (isa<LoadInst>(U))
      continue;
    if (auto *Store = dyn_cast<StoreInst>(U);
        Store && Store->getValueOperand() != V)
      continue;
    if (isa<GEPOperator>(U) && Depth < 4 && isOnlyAccessed(U, Depth + 1))
      continue;
    return false;
  }
  return true;
}

bool ct::PrivateMemory::isPrivate(const Value *Object) {
  if (isa<AllocaInst>(Object))
    return !PointerMayBeCaptured(Object, /*ReturnCaptures=*/true);
  auto *Global = dyn_cast<GlobalVariable>(Object);
  return Global && (Global->isConstant() || Global->isThreadLocal() ||
                    (Global->hasLocalLinkage() && isOnlyAccessed(Global)));
}

bool ct::PrivateMemory::has(const Instruction &Access, const Value *Pointer) {
  const Value *Object = getUnderlyingObject(Pointer);
  const MDNode *Type = Access.getMetadata(LLVMContext::MD_tbaa);
  if (Pointer->getType()->getPointerAddressSpace() != 0 ||
      Access.hasMetadata(LLVMContext::MD_invariant_load) ||
      (Type && Type->isTBAAVtableAccess()))
    return true;
  if (!isa<AllocaInst>(Object) && !isa<GlobalVariable>(Object))
    return false;
  auto [Place, IsNew] = Known.try_emplace(Object, false);
  if (IsNew)
    Place->second = isPrivate(Object);
  return Place->second;
}
