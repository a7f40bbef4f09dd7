/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Address space analysis.
 *
 * An address that reaches a kernel through its parameters, directly or inside
 * a structure passed by value, or that the host puts into a variable, points to
 * global memory (device, managed or pinned host memory): addresses of the other
 * spaces mean nothing outside the thread or block they belong to. NVPTX code
 * generation relies on the same.
 */
#include "llvm-pass/spaces/spaces.h"
#include "llvm-pass/base/compat.h"
#include "llvm-pass/spaces/graph.h"
#include "llvm-pass/spaces/pointers.h"

using namespace llvm;

ct::SpaceAnalysis::SpaceAnalysis(const Module &M, const KernelFactsMap &Facts,
                                 bool Relocatable)
    : Graph(std::make_unique<PointerGraph>(M, Facts, Relocatable)) {}

ct::SpaceAnalysis::~SpaceAnalysis() = default;

static char entryLetter(const Argument &A) {
  Type *T = A.hasByValAttr() ? A.getParamByValType() : A.getType();
  if (!ct::holdsPointer(T))
    return '-';
  unsigned Space = ct::typeSpace(T);
  if (Space != CT_SPACE_GENERIC)
    return Space == CT_SPACE_GLOBAL ? 'g' : 'e';
  return ct::compat::isKernel(*A.getParent()) ? 'g' : 'u';
}

ct::Pattern ct::SpaceAnalysis::entryPattern(const Function &F) const {
  Pattern Letters;
  for (const Argument &A : F.args())
    Letters += entryLetter(A);
  return Letters;
}

static char letter(ct::Reach Where) {
  return Where == ct::Reach::Global      ? 'g'
         : Where == ct::Reach::Elsewhere ? 'e'
                                         : 'u';
}

ct::Pattern ct::SpaceAnalysis::callPattern(const CallBase &Call,
                                           const Function &Callee,
                                           const Pattern &Context) const {
  Pattern Letters = entryPattern(Callee);
  for (const Argument &A : Callee.args()) {
    char &Letter = Letters[A.getArgNo()];
    if (A.getArgNo() >= Call.arg_size())
      break;
    const Value *Passed = Call.getArgOperand(A.getArgNo());
    bool Address = Letter == '-' && Passed->getType()->isIntegerTy(64) &&
                   holdsPointer(Passed);
    if (Letter != 'u' && !Address)
      continue;
    char Found = letter(resolve(Graph->passed(Call, A), Context).Where);
    Letter = Address && Found == 'u' ? '-' : Found;
  }
  return Letters;
}

ct::PointerOrigin ct::SpaceAnalysis::resolve(const PointerSources &Sources,
                                             const Pattern &Context) const {
  PointerSources All = Sources;
  bool Elsewhere = false;
  for (const Argument *A : Sources.Parameters) {
    char Letter = A->getArgNo() < Context.size() ? Context[A->getArgNo()] : 'u';
    All.noteName(Graph->parameterName(*A));
    Elsewhere |= Letter == 'e';
    if (Letter == 'g')
      All.Spaces |= 1u << CT_SPACE_GLOBAL;
    else if (Letter != 'e')
      All.Spaces |= 1u << CT_SPACE_GENERIC;
  }

  bool Global = All.Spaces & 1u << CT_SPACE_GLOBAL;
  uint8_t Others =
      All.Spaces & ~(1u << CT_SPACE_GLOBAL | 1u << CT_SPACE_GENERIC);
  if (All.Spaces & 1u << CT_SPACE_GENERIC || Global == (Elsewhere || Others))
    return {Reach::Unknown, All.Variable, CT_SPACE_GENERIC};
  if (Global)
    return {Reach::Global, All.Variable, CT_SPACE_GLOBAL};
  for (uint8_t Space : {CT_SPACE_SHARED, CT_SPACE_CONSTANT, CT_SPACE_LOCAL})
    if (!Elsewhere && Others == 1u << Space)
      return {Reach::Elsewhere, All.Variable, Space};
  return {Reach::Elsewhere, All.Variable, CT_SPACE_GENERIC};
}

ct::PointerOrigin ct::SpaceAnalysis::origin(const Value *Pointer,
                                            const Pattern &Context) const {
  const PointerSources &Sources = Graph->sources(Pointer);
  PointerOrigin Origin = resolve(Sources, Context);
  Origin.InVariable = Sources.OnlyAddresses && Sources.Parameters.empty() &&
                      !Origin.Variable.empty();
  unsigned Space = typeSpace(Pointer->getType());
  if (Space == CT_SPACE_GENERIC)
    return Origin;
  Origin.Where = Space == CT_SPACE_GLOBAL ? Reach::Global : Reach::Elsewhere;
  Origin.Space = Space > CT_SPACE_LOCAL ? uint8_t(CT_SPACE_GENERIC) : Space;
  return Origin;
}
