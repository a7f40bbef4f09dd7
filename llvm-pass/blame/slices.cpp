/* SPDX-License-Identifier: Apache-2.0 */
/* Backward slices of a function's variables. */
#include "llvm-pass/blame/slices.h"
#include "llvm-pass/base/location.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/IR/DebugInfo.h"
#include <cudatrace/unit.h>

using namespace llvm;

namespace ct {
namespace {

/// Exits of a function beyond this are one with what they are part of.
constexpr unsigned ExitsMax = 256;
/// Steps of all slices of a function together; beyond, it has no statements.
constexpr uint64_t StepsMax = 200'000'000;

/// Walks back from some vertices. Stops: at what reads memory for which it is
/// true the walk does not go on to who wrote it.
template <typename Stop, typename Visit>
void walk(const Graph &G, ArrayRef<uint32_t> From, std::vector<uint32_t> &Seen,
          uint32_t Stamp, Stop Stops, Visit Visits) {
  SmallVector<uint32_t, 64> Left;
  auto Push = [&](uint32_t Next) {
    if (Seen[Next] == Stamp)
      return;
    Seen[Next] = Stamp;
    Left.push_back(Next);
  };
  for (uint32_t Root : From)
    Push(Root);
  while (!Left.empty()) {
    uint32_t At = Left.pop_back_val();
    const Vertex &V = G.vertices()[At];
    Visits(At);
    for (uint32_t Next : V.Uses)
      Push(Next);
    if (!Stops(V))
      for (uint32_t Next : V.Memory)
        Push(Next);
  }
}

/// Finds what a function leaves behind: the vertices that write it, by exit.
MapVector<const Storage *, SmallVector<uint32_t, 4>> exitsOf(const Graph &G) {
  MapVector<const Storage *, SmallVector<uint32_t, 4>> Found;
  if (!G.returns().empty())
    Found[nullptr].assign(G.returns().begin(), G.returns().end());
  for (const Write &W : G.writes()) {
    if (!W.To->Outlives)
      continue;
    const Storage *To = Found.size() < ExitsMax ? W.To : W.To->object();
    Found[To].push_back(W.By);
  }
  return Found;
}

std::string nameOf(const Storage *Exit) {
  return Exit ? exitName(*Exit) : "return";
}

/// Through the variables of G's function, what its callees read, too.
void addReads(const Graph &G, std::vector<const Storage *> &Found) {
  SmallPtrSet<const Storage *, 16> Known;
  auto Add = [&](const Storage *S) {
    S = Known.size() < ExitsMax ? S : S->object();
    if (S->Arrives && Known.insert(S).second)
      Found.push_back(S);
  };
  for (const Vertex &V : G.vertices())
    for (const Storage *S : V.Reads)
      Add(S);
  for (const Outcome &O : G.outcomes())
    if (O.By == CallsReads)
      for (const Storage *S : O.Direct)
        Add(S);
}

std::string functionOf(const DISubprogram *SP) {
  if (!SP)
    return "";
  return (SP->getLinkageName().empty() ? SP->getName() : SP->getLinkageName())
      .str();
}

/// The slices of one function.
class FunctionSlices {
public:
  FunctionSlices(const Graph &G, BlameFacts &Facts,
                 DenseMap<const Value *, uint32_t> &Globals)
      : G(G), Facts(Facts), Globals(Globals), Seen(G.vertices().size()),
        StatementOf(G.vertices().size(), CT_NONE),
        OutcomeOf(G.vertices().size(), CT_NONE) {}

  void run() {
    Name = functionOf(G.function().getSubprogram());
    findExits();
    findVariables();
    if (uint64_t(Roots.size() + Exits.size()) * G.vertices().size() > StepsMax)
      return;
    findStatements();
    findCalls();
    addAccesses();
    for (auto &[Id, From] : Roots)
      addVariable(Id, From);
    for (auto &[To, Id] : Exits)
      addExit(To, Id);
    Facts.Statements.insert(Facts.Statements.end(), Statements.begin(),
                            Statements.end());
    Facts.Calls.insert(Facts.Calls.end(), Calls.begin(), Calls.end());
  }

private:
  struct RootsOf {
    SmallVector<uint32_t, 4> Writes, Through;
    const Storage *Variable = nullptr;
  };
  const Graph &G;
  BlameFacts &Facts;
  DenseMap<const Value *, uint32_t> &Globals;
  std::string Name;
  std::vector<uint32_t> Seen;
  uint32_t Stamp = 0;
  DenseMap<const Storage *, uint32_t> Shown;
  MapVector<const Storage *, uint32_t> Exits;
  MapVector<const Storage *, SmallVector<uint32_t, 4>> Left;
  MapVector<uint32_t, RootsOf> Roots;
  std::vector<uint32_t> StatementOf, OutcomeOf; // by vertex
  std::vector<BlamedStatement> Statements;
  std::vector<BlamedCall> Calls;
  std::vector<std::pair<uint32_t, uint32_t>> Outcomes; // call, place in it

  uint32_t variableKind(const Storage *S) const {
    if (S->Kind != Storage::Variable)
      return CT_VARIABLE_PART;
    if (auto *Global = dyn_cast<GlobalVariable>(S->Root))
      return Global->getAddressSpace() == 3 ? CT_VARIABLE_SHARED
                                            : CT_VARIABLE_GLOBAL;
    return S->Parameter >= 0 ? CT_VARIABLE_PARAMETER : CT_VARIABLE_LOCAL;
  }

  const DIVariable *declared(const Storage *S) const {
    auto *Global = dyn_cast<GlobalVariable>(S->Root);
    if (!Global || S->Declared)
      return S->Declared;
    SmallVector<DIGlobalVariableExpression *, 1> Expressions;
    Global->getDebugInfo(Expressions);
    return Expressions.empty() ? nullptr : Expressions[0]->getVariable();
  }

  uint32_t addVariable(const Storage *S, uint32_t Parent) {
    BlamedVariable V = {Name,   "", "", "", "", Parent, 0, variableKind(S),
                        CT_NONE};
    if (S->Kind == Storage::Variable) {
      const DIVariable *D = declared(S);
      V.Name = D ? D->getName().str() : S->Name;
      V.Type = typeText(D ? D->getType() : nullptr);
      V.Parameter = S->Parameter >= 0 ? uint32_t(S->Parameter) : CT_NONE;
      if (D) {
        V.Line = D->getLine();
        auto *Scope = dyn_cast_or_null<DILocalScope>(D->getScope());
        const DISubprogram *SP = Scope ? Scope->getSubprogram() : nullptr;
        V.File = sourcePath(D->getFile(), SP ? SP->getUnit() : unit());
        if (V.Kind == CT_VARIABLE_GLOBAL || V.Kind == CT_VARIABLE_SHARED)
          V.Function = functionOf(SP);
      }
    } else {
      V.Name = S->Kind == Storage::Elements ? "[]" : S->Name;
      V.Type = typeText(S->Type);
      V.Function = Facts.Variables[Parent].Function;
    }
    Facts.Variables.push_back(std::move(V));
    return uint32_t(Facts.Variables.size() - 1);
  }

  const DICompileUnit *unit() const {
    return G.function().getSubprogram()->getUnit();
  }

  /// The variable, or part of one, that the source calls a storage; CT_NONE:
  /// none.
  uint32_t shown(const Storage *S) {
    while (S->Kind == Storage::Pointee)
      S = S->Parent;
    auto Known = Shown.find(S);
    if (Known != Shown.end())
      return Known->second;
    uint32_t Id = CT_NONE;
    if (S->Kind == Storage::Variable) {
      bool IsGlobal = isa<GlobalValue>(S->Root) && S->Name.empty();
      auto Global = IsGlobal ? Globals.find(S->Root) : Globals.end();
      if (IsGlobal && Global != Globals.end())
        Id = Global->second;
      else if (declared(S) || !S->Name.empty())
        Id = addVariable(S, CT_NONE);
      if (IsGlobal)
        Globals[S->Root] = Id;
    } else {
      uint32_t Parent = shown(S->Parent);
      Id = Parent == CT_NONE ? CT_NONE : addVariable(S, Parent);
    }
    return Shown[S] = Id;
  }

  uint32_t exitId(const Storage *To) {
    if (To && !To->Arrives)
      return CT_NONE;
    auto Known = Exits.find(To);
    if (Known != Exits.end())
      return Known->second;
    uint32_t Of = To ? shown(To) : CT_NONE;
    const Storage *Variable = To ? To->variable() : nullptr;
    uint32_t Parameter = Variable && Variable->Parameter >= 0
                             ? uint32_t(Variable->Parameter)
                             : CT_NONE;
    Facts.Variables.push_back(
        {Name, "", "", "", nameOf(To), Of, 0, CT_VARIABLE_EXIT, Parameter});
    return Exits[To] = uint32_t(Facts.Variables.size() - 1);
  }

  void findExits() {
    Left = exitsOf(G);
    for (auto &[To, From] : Left)
      exitId(To);
  }

  /// Finds what writes each variable: to it, to what it points to, to parts of
  /// it.
  void findVariables() {
    for (const Write &W : G.writes()) {
      for (const Storage *S = W.To; S; S = S->Parent) {
        uint32_t Id = shown(S);
        if (Id == CT_NONE)
          continue;
        RootsOf &R = Roots[Id];
        R.Variable = W.To->variable();
        if (R.Writes.empty() || R.Writes.back() != W.By)
          R.Writes.push_back(W.By);
      }
      uint32_t Id = W.Through && W.Through != W.To->variable()
                        ? shown(W.Through)
                        : CT_NONE;
      if (Id != CT_NONE) {
        Roots[Id].Variable = W.Through;
        Roots[Id].Through.push_back(W.By);
      }
    }
  }

  void findStatements() {
    std::map<std::tuple<const DIFile *, uint32_t, uint32_t>, uint32_t> Known;
    for (uint32_t I = 0; I < G.vertices().size(); I++) {
      const Instruction *At = G.vertices()[I].At;
      const DILocation *Where = At ? At->getDebugLoc().get() : nullptr;
      if (!Where || !Where->getLine())
        continue;
      auto [Entry, IsNew] = Known.try_emplace(
          {Where->getFile(), Where->getLine(), Where->getColumn()},
          uint32_t(Statements.size()));
      if (IsNew) {
        Statements.emplace_back();
        Statements.back().Place = {functionName(*Where), sourcePath(*Where),
                                   Where->getLine(), Where->getColumn()};
      }
      StatementOf[I] = Entry->second;
    }
  }

  /// Calls of one function at one place are one, and so are their outcomes.
  void findCalls() {
    std::map<std::pair<uint32_t, const Function *>, uint32_t> Known;
    for (const Outcome &O : G.outcomes()) {
      uint32_t At = StatementOf[G.vertexOf(*O.Call)];
      if (At == CT_NONE)
        continue;
      auto [Entry, IsNew] =
          Known.try_emplace({At, O.Callee}, uint32_t(Calls.size()));
      if (IsNew)
        Calls.push_back(
            {Statements[At].Place, functionOf(O.Callee->getSubprogram()), {}});
      auto &Of = Calls[Entry->second].Outcomes;
      auto Place =
          find_if(Of, [&](const BlamedOutcome &B) { return B.Exit == O.Exit; });
      uint32_t Index = uint32_t(Place - Of.begin());
      if (Place == Of.end())
        Of.push_back({O.Exit, {}, {}, {}, {}});
      for (const Storage *S : O.Direct)
        addAccess(Of[Index].Direct, S);
      if (O.By == CallsReads)
        continue;
      OutcomeOf[O.By] = uint32_t(Outcomes.size());
      Outcomes.push_back({Entry->second, Index});
    }
  }

  void addTo(VariableList &List, uint32_t Id) {
    if (Id != CT_NONE && !is_contained(List, Id))
      List.push_back(Id);
  }

  void addAccess(VariableList &List, const Storage *S) {
    addTo(List, shown(S));
    addTo(List, exitId(S));
  }

  void addAccesses() {
    for (const Write &W : G.writes())
      if (StatementOf[W.By] != CT_NONE && OutcomeOf[W.By] == CT_NONE)
        addAccess(Statements[StatementOf[W.By]].Written, W.To);
    for (uint32_t I = 0; I < G.vertices().size(); I++)
      if (StatementOf[I] != CT_NONE)
        for (const Storage *S : G.vertices()[I].Reads)
          addAccess(Statements[StatementOf[I]].Read, S);
  }

  using List = VariableList BlamedStatement::*;
  using OutcomeList = VariableList BlamedOutcome::*;

  template <typename Stop>
  void mark(ArrayRef<uint32_t> From, uint32_t Id, List In, OutcomeList Of,
            Stop Stops) {
    walk(G, From, Seen, ++Stamp, Stops, [&](uint32_t At) {
      auto Push = [Id](VariableList &To) {
        if (To.empty() || To.back() != Id)
          To.push_back(Id);
      };
      if (StatementOf[At] != CT_NONE)
        Push(Statements[StatementOf[At]].*In);
      if (OutcomeOf[At] != CT_NONE) {
        auto [Call, Index] = Outcomes[OutcomeOf[At]];
        Push(Calls[Call].Outcomes[Index].*Of);
      }
    });
  }

  void addVariable(uint32_t Id, const RootsOf &From) {
    SmallVector<uint32_t, 8> All(From.Writes.begin(), From.Writes.end());
    All.append(From.Through.begin(), From.Through.end());
    mark(All, Id, &BlamedStatement::Blamed, &BlamedOutcome::Blamed,
         [](const Vertex &) { return false; });
    mark(From.Writes, Id, &BlamedStatement::Nearest, &BlamedOutcome::Nearest,
         [&](const Vertex &V) {
           return any_of(V.Reads, [&](const Storage *S) {
             return S->variable() != From.Variable && shown(S) != CT_NONE;
           });
         });
  }

  void addExit(const Storage *To, uint32_t Id) {
    auto From = Left.find(To);
    if (From == Left.end())
      return;
    mark(From->second, Id, &BlamedStatement::Blamed, &BlamedOutcome::Blamed,
         [](const Vertex &) { return false; });
    mark(From->second, Id, &BlamedStatement::Leaving, &BlamedOutcome::Leaving,
         [&](const Vertex &V) {
           return any_of(V.Reads, [&](const Storage *S) {
             return S->Outlives && (!To || S->variable() != To->variable());
           });
         });
  }
};

} // namespace

Summary summarise(const Graph &G, Pointers &P) {
  Summary Found;
  std::vector<uint32_t> Seen(G.vertices().size());
  uint32_t Stamp = 0;
  for (auto &[To, From] : exitsOf(G)) {
    Exit E = {nameOf(To), To, BitVector(unsigned(G.function().arg_size())), {}};
    walk(
        G, From, Seen, ++Stamp, [](const Vertex &) { return false; },
        [&](uint32_t At) {
          const Vertex &V = G.vertices()[At];
          if (V.Argument >= 0)
            E.Parameters.set(unsigned(V.Argument));
          for (const Storage *S : V.Reads)
            if (S->Arrives && !is_contained(E.Contents, S))
              E.Contents.push_back(S);
        });
    Found.Exits.push_back(std::move(E));
  }
  addReads(G, Found.Reads);
  if (G.function().getReturnType()->isPointerTy())
    for (uint32_t At : G.returns())
      for (const PointsTo &T : P.targets(G.vertices()[At].At->getOperand(0)))
        if (T.To->Outlives)
          addTarget(Found.Returned, T);
  return Found;
}

void Slices::add(const Graph &G, const Storages &) {
  FunctionSlices(G, Facts, Globals).run();
}

} // namespace ct
