/* SPDX-License-Identifier: Apache-2.0 */
/* The answers about the values of a module, each found once. */
#include "llvm-pass/spaces/graph.h"
#include "llvm-pass/spaces/walk.h"

using namespace llvm;

std::string ct::PointerGraph::parameterName(const Argument &A) const {
  auto Known = Facts.find(A.getParent());
  if (Known != Facts.end() && A.getArgNo() < Known->second.Parameters.size())
    return Known->second.Parameters[A.getArgNo()].Name;
  return A.getName().str();
}

std::string ct::PointerGraph::memberName(const Argument &A,
                                         std::optional<int64_t> Offset) const {
  auto Known = Facts.find(A.getParent());
  if (Known == Facts.end() || !Offset)
    return parameterName(A);
  std::string At = (Twine(A.getArgNo()) + CT_MEMBER_AT + Twine(*Offset)).str();
  for (const PointerMember &Member : Known->second.Members)
    if (Member.At == At)
      return Member.Name;
  return parameterName(A);
}

const ct::PointerSources &
ct::PointerGraph::answer(Answers &Kept, const Value *Key,
                         function_ref<PointerSources()> Ask) {
  auto Found = Kept.find(Key);
  if (Found != Kept.end())
    return *Found->second;
  if (Open.size() >= DepthLimit || !Open.insert({&Kept, Key}).second)
    return Undecided;
  auto Answer = std::make_unique<PointerSources>(Ask());
  Open.erase({&Kept, Key});
  return *(Kept[Key] = std::move(Answer));
}

const ct::PointerSources &ct::PointerGraph::sources(const Value *V) {
  return answer(Known, V, [&] { return SourceWalk(*this).from(V); });
}

const ct::PointerSources &ct::PointerGraph::returned(const Function &F) {
  return answer(Returns, &F, [&] { return SourceWalk(*this).returnedBy(F); });
}

const ct::PointerSources &ct::PointerGraph::passed(const CallBase &Call,
                                                   const Argument &A) {
  const Value *Passed = Call.getArgOperand(A.getArgNo());
  if (!A.hasByValAttr())
    return sources(Passed);
  return answer(Contents, Passed, [&] {
    return SourceWalk(*this).stored(Passed, A.getParamByValType());
  });
}
