/* SPDX-License-Identifier: Apache-2.0 */
/* Values that the optimiser has made one. */
#include "llvm-pass/base/location.h"
#include "llvm-pass/blame/blame.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include <map>
#include <tuple>

using namespace llvm;

namespace ct {
namespace {

using Key = std::tuple<std::string, std::string, uint32_t, uint32_t>;

Key keyOf(const SourcePlace &P) {
  return {P.Function, P.File, P.Line, P.Column};
}

/// Computations of a stored value are followed so far: values that were equal
/// before the optimiser are near.
constexpr unsigned MergedMax = 64;

bool has(const VariableList &All, const VariableList &Some) {
  return all_of(Some, [&](uint32_t One) { return is_contained(All, One); });
}

void add(VariableList &To, const VariableList &More) {
  for (uint32_t One : More)
    if (!is_contained(To, One))
      To.push_back(One);
}

class Merged {
public:
  explicit Merged(BlameFacts &Facts) {
    for (BlamedStatement &S : Facts.Statements)
      StatementOf[keyOf(S.Place)] = &S;
    for (BlamedCall &C : Facts.Calls)
      for (BlamedOutcome &O : C.Outcomes)
        if (O.Exit == "return")
          ResultsOf[keyOf(C.Place)].push_back(&O);
  }

  /// Values that the stored value is computed from flow into what is written.
  void follow(const StoreInst &Store) {
    const DILocation *Where = Store.getDebugLoc().get();
    const BlamedStatement *To = Where ? statementAt(*Where) : nullptr;
    SmallPtrSet<const Instruction *, 16> Seen;
    SmallVector<const Value *, 16> Left = {Store.getValueOperand()};

    if (!To || To->Written.empty())
      return;
    while (!Left.empty() && Seen.size() < MergedMax) {
      auto *From = dyn_cast<Instruction>(Left.pop_back_val());
      if (!From || !Seen.insert(From).second)
        continue;
      const DILocation *At = From->getDebugLoc().get();
      if (At &&
          At->getScope()->getSubprogram() ==
              Where->getScope()->getSubprogram() &&
          At->getInlinedAt() == Where->getInlinedAt())
        join(*At, *To);
      if (!From->mayReadFromMemory())
        Left.append(From->op_begin(), From->op_end());
    }
  }

private:
  std::map<Key, BlamedStatement *> StatementOf;
  std::map<Key, SmallVector<BlamedOutcome *, 1>> ResultsOf;

  static Key keyAt(const DILocation &At) {
    return {functionName(At), sourcePath(At), At.getLine(), At.getColumn()};
  }

  BlamedStatement *statementAt(const DILocation &At) {
    auto Found = StatementOf.find(keyAt(At));
    return Found == StatementOf.end() ? nullptr : Found->second;
  }

  void join(const DILocation &At, const BlamedStatement &To) {
    BlamedStatement *From = statementAt(At);
    if (!From || From == &To || has(From->Blamed, To.Written))
      return;
    add(From->Blamed, To.Blamed);
    add(From->Nearest, To.Nearest);
    add(From->Leaving, To.Leaving);
    for (BlamedOutcome *Result : ResultsOf[keyAt(At)]) {
      add(Result->Blamed, To.Blamed);
      add(Result->Nearest, To.Nearest);
      add(Result->Leaving, To.Leaving);
    }
  }
};

} // namespace

void addMerged(BlameFacts &Facts, const Module &M) {
  if (Facts.Variables.empty())
    return;
  Merged All(Facts);
  for (const Function &F : M)
    for (const Instruction &I : instructions(F))
      if (auto *Store = dyn_cast<StoreInst>(&I))
        All.follow(*Store);
}

} // namespace ct
