/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Address space analysis.
 *
 * A generic pointer that reaches a kernel through its parameters, directly or
 * inside a structure passed by value, points to global memory (device, managed
 * or pinned host memory): addresses of the other spaces mean nothing outside
 * the thread or block they belong to. NVPTX code generation relies on the same.
 */
#include "spaces.h"
#include "compat.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Demangle/Demangle.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Operator.h"

using namespace llvm;

namespace {

/// Walks from a pointer to its origins and joins what they say.
class OriginWalk {
public:
  OriginWalk(const Value *Pointer, const ct::KernelFacts *Facts) : Facts(Facts) {
    Pending.push_back(Pointer);
    while (!Pending.empty())
      visit(Pending.pop_back_val());
  }

  ct::PointerOrigin result() const {
    if (Unknown || (Global && Elsewhere) || (!Global && !Elsewhere))
      return {ct::Reach::Unknown, ManyVariables ? "" : Variable};
    return {Global ? ct::Reach::Global : ct::Reach::Elsewhere, ManyVariables ? "" : Variable};
  }

private:
  static constexpr unsigned VisitLimit = 256;
  const ct::KernelFacts *Facts;
  SmallVector<const Value *, 16> Pending;
  SmallPtrSet<const Value *, 32> Seen;
  std::string Variable;
  bool Global = false, Elsewhere = false, Unknown = false, ManyVariables = false;

  void note(ct::Reach Where, StringRef Name) {
    Global |= Where == ct::Reach::Global;
    Elsewhere |= Where == ct::Reach::Elsewhere;
    Unknown |= Where == ct::Reach::Unknown;
    if (Variable.empty() && Name.empty() && !ManyVariables) {
      ManyVariables = true; // an origin without a name
      return;
    }
    ManyVariables |= !Variable.empty() && Variable != Name;
    Variable = Name.str();
  }

  std::string argumentName(const Argument &A) const {
    if (Facts && A.getArgNo() < Facts->Parameters.size())
      return Facts->Parameters[A.getArgNo()].Name;
    return A.getName().str();
  }

  /// The answer that the pointer's own type gives, if it is not generic.
  static ct::Reach typeReach(const Value *V) {
    unsigned Space = V->getType()->isPointerTy() ? V->getType()->getPointerAddressSpace() : 0;
    return Space == 0 ? ct::Reach::Unknown : Space == 1 ? ct::Reach::Global : ct::Reach::Elsewhere;
  }

  void visitLoad(const LoadInst &Load) {
    const Value *From = Load.getPointerOperand()->stripInBoundsOffsets();
    while (isa<AddrSpaceCastInst>(From) || isa<GEPOperator>(From))
      From = cast<User>(From)->getOperand(0)->stripInBoundsOffsets();
    auto *A = dyn_cast<Argument>(From);
    if (A && A->hasByValAttr() && ct::compat::isKernel(*A->getParent()))
      note(ct::Reach::Global, argumentName(*A));
    else
      note(typeReach(&Load), "");
  }

  void visit(const Value *V) {
    if (!Seen.insert(V).second)
      return;
    if (Seen.size() > VisitLimit)
      return note(ct::Reach::Unknown, "");
    if (isa<GEPOperator>(V) || isa<AddrSpaceCastOperator>(V) || isa<BitCastOperator>(V) ||
        isa<FreezeInst>(V))
      return Pending.push_back(cast<User>(V)->getOperand(0));
    if (auto *Phi = dyn_cast<PHINode>(V))
      return Pending.append(Phi->op_begin(), Phi->op_end());
    if (auto *Select = dyn_cast<SelectInst>(V)) {
      Pending.push_back(Select->getTrueValue());
      return Pending.push_back(Select->getFalseValue());
    }
    visitOrigin(V);
  }

  void visitOrigin(const Value *V) {
    if (isa<UndefValue>(V))
      return; // no execution gets a defined address from here
    if (isa<ConstantPointerNull>(V) && Pending.size() + Seen.size() > 1)
      return; // one arm of a choice; dereferencing it would fault
    if (isa<AllocaInst>(V))
      return note(ct::Reach::Elsewhere, "");
    if (auto *A = dyn_cast<Argument>(V)) {
      bool Kernel = ct::compat::isKernel(*A->getParent());
      if (A->hasByValAttr())
        return note(ct::Reach::Elsewhere, argumentName(*A));
      return note(Kernel && typeReach(A) == ct::Reach::Unknown ? ct::Reach::Global : typeReach(A),
                  argumentName(*A));
    }
    if (auto *GV = dyn_cast<GlobalVariable>(V))
      return note(typeReach(GV), demangle(GV->getName()));
    if (auto *Load = dyn_cast<LoadInst>(V))
      return visitLoad(*Load);
    note(typeReach(V), "");
  }
};

} // namespace

static const Function *functionOf(const Value *V) {
  if (auto *I = dyn_cast<Instruction>(V))
    return I->getFunction();
  if (auto *A = dyn_cast<Argument>(V))
    return A->getParent();
  return nullptr;
}

ct::Pattern ct::SpaceAnalysis::entryPattern(const Function &F) const {
  return Pattern(F.arg_size(), compat::isKernel(F) ? 'g' : 'u');
}

ct::Pattern ct::SpaceAnalysis::callPattern(const CallBase &, const Function &Callee,
                                           const Pattern &) const {
  return entryPattern(Callee);
}

ct::PointerOrigin ct::SpaceAnalysis::origin(const Value *Pointer, const Pattern &) const {
  auto Known = Facts.find(functionOf(Pointer));
  const KernelFacts *Own = Known == Facts.end() ? nullptr : &Known->second;
  PointerOrigin Origin = OriginWalk(Pointer, Own).result();
  unsigned Space = Pointer->getType()->getPointerAddressSpace();
  if (Space != 0)
    Origin.Where = Space == 1 ? Reach::Global : Reach::Elsewhere;
  return Origin;
}
