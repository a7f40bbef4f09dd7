/* SPDX-License-Identifier: Apache-2.0 */
/* The backward walk through memory: what is stored where a value is loaded. */
#include "llvm-pass/base/compat.h"
#include "llvm-pass/spaces/objects.h"
#include "llvm-pass/spaces/pointers.h"
#include "llvm-pass/spaces/walk.h"
#include "llvm/Analysis/ConstantFolding.h"
#include "llvm/Demangle/Demangle.h"

using namespace llvm;

void ct::SourceWalk::visitMemory(const Value *Address, Type *T,
                                 unsigned Forced) {
  SmallVector<ct::MemoryPlace, 4> Places;
  if (!ct::findObjects(G, Address, Places))
    return noteUnknown(Forced);
  for (ct::MemoryPlace Place : Places)
    visitPlace(Place, T, Forced);
}

void ct::SourceWalk::visitPlace(ct::MemoryPlace Place, Type *T,
                                unsigned Forced) {
  if (!SeenPlaces.insert({Place.Object, Place.Offset, Forced}).second)
    return;
  if (SeenPlaces.size() > PlaceLimit)
    return noteUnknown(Forced);
  bool Writable = true;
  if (auto *GV = dyn_cast<GlobalVariable>(Place.Object))
    Writable = visitInitial(*GV, Place, T, Forced);
  if (auto *A = dyn_cast<Argument>(Place.Object))
    visitPassed(*A, Place, T, Forced);
  if (!Writable)
    return;
  const ct::ObjectUses &Uses = G.Memory.uses(Place.Object);
  if (Uses.Escapes)
    return noteUnknown(Forced);
  uint64_t Bytes = G.Layout.getTypeStoreSize(T).getKnownMinValue();
  for (const ct::MemoryWrite &Write : Uses.Writes)
    if (Write.overlaps(Place.Offset, Bytes))
      visitWrite(Write, Place, T, Forced);
}

void ct::SourceWalk::visitPassed(const Argument &A, ct::MemoryPlace Place,
                                 Type *T, unsigned Forced) {
  if (!A.hasByValAttr())
    return; // not tracked
  Type *Slot =
      Place.Offset && *Place.Offset >= 0
          ? ct::scalarAt(A.getParamByValType(), *Place.Offset, G.Layout)
          : nullptr;
  if (Slot && Slot->isIntegerTy() && !Forced)
    noteUnknown(Forced); // which need not be an address
  else if (ct::compat::isKernel(*A.getParent()) || Forced)
    note(CT_SPACE_GLOBAL,
         T->isPointerTy() ? G.memberName(A, Place.Offset) : G.parameterName(A),
         Forced);
  else
    Result.Parameters.insert(&A);
}

bool ct::SourceWalk::visitInitial(const GlobalVariable &GV,
                                  ct::MemoryPlace Place, Type *T,
                                  unsigned Forced) {
  unsigned Space = ct::siteSpace(GV.getAddressSpace());
  bool Fixed = GV.isConstant() && !GV.isExternallyInitialized();
  if (!GV.hasInitializer()) {
    noteUnknown(Forced);
    return false;
  }
  Constant *Initial = const_cast<Constant *>(GV.getInitializer());
  if (Place.Offset)
    if (Constant *Part = ConstantFoldLoadFromConst(
            Initial, T, APInt(64, *Place.Offset, /*isSigned=*/true), G.Layout))
      Initial = Part;
  push(Initial, Forced, T->isIntOrIntVectorTy());
  if (!Fixed && Space != CT_SPACE_SHARED)
    note(CT_SPACE_GLOBAL, demangle(GV.getName()),
         Forced); // the host can write it
  return !Fixed && Space != CT_SPACE_CONSTANT;
}

bool ct::SourceWalk::isBeside(const ct::MemoryWrite &Write,
                              ct::MemoryPlace Place, Type *T) const {
  if (!T->isAggregateType() || !Write.Offset || !Place.Offset ||
      *Write.Offset < *Place.Offset)
    return false;
  Type *Slot = ct::scalarAt(T, *Write.Offset - *Place.Offset, G.Layout);
  return Slot && !Slot->isPointerTy();
}

void ct::SourceWalk::visitWrite(const ct::MemoryWrite &Write,
                                ct::MemoryPlace Place, Type *T,
                                unsigned Forced) {
  if (Write.CopiedFrom)
    return visitCopy(Write, Place, T, Forced);
  if (!Write.Stored)
    return noteUnknown(Forced);
  Type *Stored = Write.Stored->getType();
  auto *Fixed = dyn_cast<Constant>(Write.Stored);
  if ((Fixed && Fixed->isNullValue()) ||
      (!ct::holdsPointer(Stored) && isBeside(Write, Place, T)))
    return;
  bool Integers = Stored->isIntOrIntVectorTy();
  if (Integers && Write.Bytes < G.Layout.getPointerSize())
    return noteUnknown(Forced); // perhaps a piece of an address
  if (isa<GlobalVariable>(Place.Object))
    return joinForeign(Write.Stored, Write.Path, Forced, /*InCaller=*/false);
  if (!Write.Path.empty())
    return joinForeign(Write.Stored, Write.Path, Forced, /*InCaller=*/true);
  push(Write.Stored, Forced, Integers);
}

void ct::SourceWalk::visitCopy(const ct::MemoryWrite &Write,
                               ct::MemoryPlace Place, Type *T,
                               unsigned Forced) {
  SmallVector<ct::MemoryPlace, 4> From;
  if (!ct::findObjects(G, Write.CopiedFrom, From) ||
      !ct::climb(G, From, Write.Path))
    return noteUnknown(Forced);
  for (ct::MemoryPlace Source : From) {
    std::optional<int64_t> Offset;
    if (isa<GlobalVariable>(Place.Object) &&
        !isa<GlobalVariable>(Source.Object))
      return noteUnknown(
          Forced); // of a function that is not the one asked about
    if (Source.Offset && Place.Offset && Write.Offset)
      Offset = *Source.Offset + *Place.Offset - *Write.Offset;
    visitPlace({Source.Object, Offset}, T, Forced);
  }
}

void ct::SourceWalk::joinForeign(const Value *V,
                                 ArrayRef<const CallBase *> Path,
                                 unsigned Forced, bool InCaller) {
  const ct::PointerSources &Found = G.sources(V);
  joinConcrete(Found, Forced);
  for (const Argument *A : Found.Parameters) {
    if (Path.empty()) {
      note(CT_SPACE_GENERIC, G.parameterName(*A), Forced);
    } else if (Path.size() == 1 && InCaller) {
      pushArgument(*Path.back(), *A, Forced);
    } else if (A->hasByValAttr()) {
      noteUnknown(Forced);
    } else {
      joinForeign(Path.back()->getArgOperand(A->getArgNo()), Path.drop_back(),
                  Forced, InCaller);
    }
  }
}
