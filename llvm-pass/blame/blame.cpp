/* SPDX-License-Identifier: Apache-2.0 */
/* Static blame of a device module. */
#include "llvm-pass/blame/blame.h"
#include "llvm-pass/blame/copies.h"
#include "llvm-pass/blame/slices.h"
#include "llvm/IR/DebugInfo.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include <set>

using namespace llvm;

namespace ct {
namespace {

/// Functions of one type that a call by address may reach, at most.
constexpr unsigned CandidatesMax = 32;
/// Rounds of a recursion; what is not known after them is little.
constexpr unsigned RoundsMax = 8;

bool isLookedAt(const Function &F) {
  return !F.isDeclaration() && F.getSubprogram();
}

class ModuleBlame : public Callees {
public:
  /// Copying: what is looked at are functions that lead to these copies, and
  /// what they call; null: all functions.
  ModuleBlame(Module &M, const Copies *Copying) : Tables(Facts) {
    for (Function &F : M)
      if (isLookedAt(F)) {
        Own[&F] = {};
        if (F.hasAddressTaken())
          ByType[F.getFunctionType()].push_back(&F);
      }
    if (Copying)
      for (auto &[Call, Model] : Copying->calls()) {
        OfFunction &At = Own[Model];
        At.Number = ++Count;
        At.Left = Copies::summarise(*Call, *Model, At.Names);
        ModelOf[Call] = Model;
      }
    std::vector<Function *> Wanted = Copying ? leading(M) : functions(M);
    for (Function *F : Wanted)
      if (!Own[F].Number)
        visit(*F);
  }

  ArrayRef<const Function *> of(const CallBase &Call) const override {
    auto Model = ModelOf.find(&Call);
    if (Model != ModelOf.end())
      return ArrayRef(Model->second);
    auto *Direct =
        dyn_cast<Function>(Call.getCalledOperand()->stripPointerCasts());
    if (Direct) {
      auto Known = Own.find(Direct);
      return Known == Own.end() ? ArrayRef<const Function *>()
                                : ArrayRef(Known->first);
    }
    auto Known = ByType.find(Call.getFunctionType());
    if (Call.isInlineAsm() || Known == ByType.end() ||
        Known->second.size() > CandidatesMax)
      return {};
    return Known->second;
  }

  const Summary &summary(const Function &F) const override {
    return Own.find(&F)->second.Left;
  }

  BlameFacts Facts;

private:
  struct OfFunction {
    uint32_t Number = 0, Low = 0; // of Tarjan's algorithm
    bool IsOpen = false;
    Storages Names;
    Summary Left;
  };
  Slices Tables;
  std::map<const Function *, OfFunction> Own;
  DenseMap<const FunctionType *, SmallVector<const Function *, 4>> ByType;
  std::map<const CallBase *, const Function *> ModelOf;
  SmallVector<Function *, 16> Open;
  uint32_t Count = 0;

  static std::vector<Function *> functions(Module &M) {
    std::vector<Function *> Found;
    for (Function &F : M)
      if (isLookedAt(F))
        Found.push_back(&F);
    return Found;
  }

  /// Functions that copy, and those that call them.
  std::vector<Function *> leading(Module &M) {
    DenseMap<const Function *, SmallVector<Function *, 4>> Callers;
    std::set<const Function *> Seen;
    std::vector<Function *> Found;
    for (Function *F : functions(M))
      for (Instruction &I : instructions(*F)) {
        auto *Call = dyn_cast<CallBase>(&I);
        if (!Call || isa<IntrinsicInst>(I))
          continue;
        for (const Function *Callee : of(*Call))
          Callers[Callee].push_back(F);
        if (ModelOf.count(Call) && Seen.insert(F).second)
          Found.push_back(F);
      }
    for (size_t I = 0; I < Found.size(); I++)
      for (Function *Caller : Callers.lookup(Found[I]))
        if (Seen.insert(Caller).second)
          Found.push_back(Caller);
    return Found;
  }

  /// Callees before callers; those that call each other together.
  void visit(Function &F) {
    OfFunction &At = Own[&F];
    bool CallsItself = false;
    At.Number = At.Low = ++Count;
    At.IsOpen = true;
    Open.push_back(&F);
    for (Instruction &I : instructions(F)) {
      auto *Call = dyn_cast<CallBase>(&I);
      if (!Call || isa<IntrinsicInst>(I))
        continue;
      for (const Function *Callee : of(*Call)) {
        OfFunction &Next = Own[Callee];
        CallsItself |= Callee == &F;
        if (!Next.Number)
          visit(*const_cast<Function *>(Callee));
        if (Next.IsOpen)
          At.Low = std::min(At.Low, Next.Low);
      }
    }
    if (At.Low != At.Number)
      return;
    SmallVector<Function *, 4> Together;
    do {
      Together.push_back(Open.pop_back_val());
      Own[Together.back()].IsOpen = false;
    } while (Together.back() != &F);
    finish(Together, CallsItself || Together.size() > 1);
  }

  void finish(ArrayRef<Function *> Together, bool IsRecursive) {
    bool HasChanged = IsRecursive;
    for (unsigned Round = 0; HasChanged && Round < RoundsMax; Round++) {
      HasChanged = false;
      for (Function *F : Together)
        HasChanged |= analyse(*F, false);
    }
    for (Function *F : Together)
      analyse(*F, true);
  }

  Pointees returned(const CallBase &Call, Pointers &P, Storages &S) {
    Pointees Found;
    for (const Function *Callee : of(Call))
      for (const PointsTo &T : summary(*Callee).Returned)
        for (PointsTo To : mapTargets(Call, T.To, P, S)) {
          To.Offset += T.Offset;
          To.Scale = To.Scale ? To.Scale : T.Scale;
          addTarget(Found, To);
        }
    return Found;
  }

  /// True if what it leaves behind is more than it was.
  bool analyse(Function &F, bool IsLast) {
    OfFunction &At = Own[&F];
    Pointers *Self = nullptr;
    Pointers P(F, At.Names, [&](const CallBase &Call) {
      return returned(Call, *Self, At.Names);
    });
    Self = &P;
    Graph G(F, At.Names, P, *this);
    Summary Left = summarise(G, P);
    bool HasChanged = Left.text() != At.Left.text();
    At.Left = std::move(Left);
    if (IsLast)
      Tables.add(G, At.Names);
    return HasChanged;
  }
};

bool hasVariables(const Module &M) {
  for (const DICompileUnit *Unit : M.debug_compile_units())
    if (Unit->getEmissionKind() == DICompileUnit::FullDebug)
      return true;
  return false;
}

} // namespace

BlameFacts analyseBlame(Module &M) {
  return hasVariables(M) ? std::move(ModuleBlame(M, nullptr).Facts)
                         : BlameFacts();
}

/// Data that a copy leaves behind on the host has variables that it flows into;
/// data that it reads has none.
static BlamedStatement statementOf(const BlamedCall &Copy) {
  BlamedStatement S;
  S.Place = Copy.Place;
  for (const BlamedOutcome &O : Copy.Outcomes) {
    if (O.Blamed.empty()) {
      S.Read = O.Direct;
      continue;
    }
    S.Blamed = O.Blamed;
    S.Nearest = O.Nearest;
    S.Leaving = O.Leaving;
    S.Written = O.Direct;
  }
  return S;
}

BlameFacts analyseFlows(Module &M) {
  Copies Copying(M);
  if (Copying.calls().empty() || !hasVariables(M))
    return {};
  BlameFacts All = std::move(ModuleBlame(M, &Copying).Facts), Found;
  std::set<std::string> Leading;
  for (const BlamedCall &Call : All.Calls)
    if (Call.Callee.empty()) {
      Found.Statements.push_back(statementOf(Call));
      Leading.insert(Call.Place.Function);
    }
  for (size_t Before = 0; Before != Leading.size();) {
    Before = Leading.size();
    for (const BlamedCall &Call : All.Calls)
      if (Leading.count(Call.Callee))
        Leading.insert(Call.Place.Function);
  }
  for (const BlamedCall &Call : All.Calls)
    if (Leading.count(Call.Callee))
      Found.Calls.push_back(Call);
  Found.Variables = std::move(All.Variables);
  return Found;
}

/// The same unit, of which nothing but lines is reported.
static DICompileUnit *linesOnly(const DICompileUnit &Unit) {
  return DICompileUnit::getDistinct(
      Unit.getContext(), Unit.getSourceLanguage(), Unit.getFile(),
      Unit.getProducer(), Unit.isOptimized(), Unit.getFlags(),
      Unit.getRuntimeVersion(), Unit.getSplitDebugFilename(),
      DICompileUnit::DebugDirectivesOnly, DICompositeTypeArray(),
      DIScopeArray(), DIGlobalVariableExpressionArray(),
      DIImportedEntityArray(), DIMacroNodeArray(), Unit.getDWOId(),
      Unit.getSplitDebugInlining(), Unit.getDebugInfoForProfiling(),
      Unit.getNameTableKind(), Unit.getRangesBaseAddress(), Unit.getSysRoot(),
      Unit.getSDK());
}

void dropVariables(Module &M) {
  DebugInfoFinder Finder;
  DenseMap<const DICompileUnit *, DICompileUnit *> Units;
  NamedMDNode *List = M.getNamedMetadata("llvm.dbg.cu");
  if (!List)
    return;
  Finder.processModule(M);
  for (unsigned I = 0; I < List->getNumOperands(); I++) {
    auto *Unit = cast<DICompileUnit>(List->getOperand(I));
    if (Unit->getEmissionKind() != DICompileUnit::FullDebug)
      continue;
    Units[Unit] = linesOnly(*Unit);
    List->setOperand(I, Units[Unit]);
  }
  for (DISubprogram *SP : Finder.subprograms()) {
    if (DICompileUnit *Unit = Units.lookup(SP->getUnit()))
      SP->replaceUnit(Unit);
    SP->replaceRetainedNodes(MDTuple::get(M.getContext(), {}));
  }
  for (Function &F : M)
    for (Instruction &I : instructions(F)) {
      I.dropDbgRecords();
      I.setMetadata(LLVMContext::MD_DIAssignID, nullptr);
    }
  for (GlobalVariable &Global : M.globals())
    Global.eraseMetadata(LLVMContext::MD_dbg);
}

} // namespace ct
