/* SPDX-License-Identifier: Apache-2.0 */
/* Blame in a unit blob: of the facts those that its code has places of. */
#include "llvm-pass/unit/writer.h"
#include <set>

using namespace llvm;

/// Shared by statements that have the same.
uint32_t ct::UnitWriter::list(const VariableList &From) {
  VariableList Own;
  for (uint32_t V : From)
    Own.push_back(VariableOf[V]);
  if (Own.empty())
    return 0;
  llvm::sort(Own);
  auto [Entry, IsNew] = Lists.try_emplace(Own, uint32_t(List.size()));
  if (IsNew) {
    List.push_back(uint32_t(Own.size()));
    List.insert(List.end(), Own.begin(), Own.end());
  }
  return Entry->second;
}

/// Parents come before their parts.
uint32_t ct::UnitWriter::variable(const BlameFacts &Facts, uint32_t From) {
  const BlamedVariable &V = Facts.Variables[From];
  if (VariableOf[From] != CT_NONE)
    return VariableOf[From];
  ct_unit_variable New = {};
  New.function = string(V.Function);
  New.name = string(V.Name);
  New.type = string(V.Type);
  New.exit = string(V.Exit);
  New.parent = V.Parent == CT_NONE ? CT_NONE : variable(Facts, V.Parent);
  New.file = string(V.File);
  New.line = V.Line;
  New.kind = V.Kind;
  New.parameter = V.Parameter;
  Variables.push_back(New);
  return VariableOf[From] = uint32_t(Variables.size() - 1);
}

void ct::UnitWriter::addStatement(const BlameFacts &Facts,
                                  const BlamedStatement &From) {
  ct_unit_statement S = {};
  for (const VariableList *L :
       {&From.Blamed, &From.Nearest, &From.Leaving, &From.Written, &From.Read})
    for (uint32_t V : *L)
      variable(Facts, V);
  S.function = string(From.Place.Function);
  S.file = string(From.Place.File);
  S.line = From.Place.Line;
  S.column = From.Place.Column;
  S.blamed = list(From.Blamed);
  S.nearest = list(From.Nearest);
  S.leaving = list(From.Leaving);
  S.written = list(From.Written);
  S.read = list(From.Read);
  Statements.push_back(S);
}

void ct::UnitWriter::addCall(const BlameFacts &Facts, const BlamedCall &From) {
  ct_unit_call C = {};
  C.function = string(From.Place.Function);
  C.file = string(From.Place.File);
  C.line = From.Place.Line;
  C.column = From.Place.Column;
  C.callee = string(From.Callee);
  C.outcome_first = uint32_t(Outcomes.size());
  for (const BlamedOutcome &O : From.Outcomes) {
    if (O.Blamed.empty() && O.Direct.empty())
      continue;
    for (const VariableList *L : {&O.Blamed, &O.Nearest, &O.Leaving, &O.Direct})
      for (uint32_t V : *L)
        variable(Facts, V);
    Outcomes.push_back({string(O.Exit), list(O.Blamed), list(O.Nearest),
                        list(O.Leaving), list(O.Direct)});
  }
  C.outcome_count = uint32_t(Outcomes.size()) - C.outcome_first;
  Calls.push_back(C);
}

void ct::UnitWriter::addBlame(const BlameFacts &Facts) {
  using Key = std::tuple<uint32_t, uint32_t, uint32_t, uint32_t>;
  std::set<Key> Used;
  for (const ct_unit_frame &F : Frames)
    Used.insert({F.function, F.file, F.line, F.column});
  auto IsUsed = [&](const SourcePlace &P) {
    return Used.count({StringOffsets.lookup(P.Function),
                       StringOffsets.lookup(P.File), P.Line, P.Column}) > 0;
  };
  if (Facts.Variables.empty()) {
    Shares.clear();
    return;
  }
  VariableOf.assign(Facts.Variables.size(), CT_NONE);
  List.push_back(0);
  for (const BlamedStatement &S : Facts.Statements)
    if (IsUsed(S.Place))
      addStatement(Facts, S);
  for (const BlamedCall &C : Facts.Calls)
    if (IsUsed(C.Place))
      addCall(Facts, C);
}

void ct::UnitWriter::addFlows(const BlameFacts &Facts) {
  VariableOf.assign(Facts.Variables.size(), CT_NONE);
  List.push_back(0);
  for (const BlamedStatement &S : Facts.Statements)
    addStatement(Facts, S);
  for (const BlamedCall &C : Facts.Calls)
    addCall(Facts, C);
}
