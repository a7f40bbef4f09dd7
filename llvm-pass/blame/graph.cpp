/* SPDX-License-Identifier: Apache-2.0 */
/* Finds what each instruction of a function depends on. */
#include "llvm-pass/blame/graph.h"
#include "llvm-pass/blame/reaching.h"
#include "llvm/Analysis/PostDominators.h"
#include "llvm/IR/DebugInfo.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace ct {

std::string Summary::text() const {
  std::string Text;
  for (const Exit &E : Exits) {
    Text += E.Name + ":";
    for (unsigned I : E.Parameters.set_bits())
      Text += std::to_string(I) + ",";
    for (const Storage *C : E.Contents)
      Text += exitName(*C) + ",";
    Text += ";";
  }
  for (const Storage *R : Reads)
    Text += exitName(*R) + ",";
  for (const PointsTo &T : Returned)
    Text += exitName(*T.To) + "+" + std::to_string(T.Offset);
  return Text;
}

/// Maps storage of a callee to that of the caller.
Pointees mapTargets(const CallBase &Call, const Storage *Of, Pointers &P,
                    Storages &S) {
  Pointees Found;
  bool IsOfParameter = Of->variable()->Parameter >= 0;
  unsigned Index = unsigned(Of->variable()->Parameter);
  if (IsOfParameter && Index >= Call.arg_size())
    return {};
  switch (Of->Kind) {
  case Storage::Variable:
    if (IsOfParameter)
      return P.targets(Call.getArgOperand(Index));
    return isa<GlobalValue>(Of->Root) ? Pointees{{S.variable(Of->Root)}}
                                      : Pointees{};
  case Storage::Pointee:
    if (!Of->Parent->Parent && IsOfParameter)
      return P.targets(Call.getArgOperand(Index));
    for (const PointsTo &T : mapTargets(Call, Of->Parent, P, S))
      for (const PointsTo &Behind : P.contents(S.access(T, 8)))
        addTarget(Found, Behind);
    return Found;
  case Storage::Field:
    for (PointsTo T : mapTargets(Call, Of->Parent, P, S)) {
      T.Offset += int64_t(Of->Offset);
      addTarget(Found, T);
    }
    return Found;
  case Storage::Elements:
    for (PointsTo T : mapTargets(Call, Of->Parent, P, S)) {
      const DIType *Type = plainType(Of->Type);
      T.Scale = Type ? Type->getSizeInBits() / 8 : 1;
      addTarget(Found, T);
    }
    return Found;
  }
  return Found;
}

Graph::Graph(Function &F, Storages &S, Pointers &P, const Callees &Known)
    : F(F), DL(F.getParent()->getDataLayout()), S(S), P(P), Known(Known) {
  addVertices();
  addBranches();
  for (Instruction &I : instructions(F))
    if (auto *Call = dyn_cast<CallBase>(&I))
      addCall(*Call);
  addArguments();
  for (Instruction &I : instructions(F))
    addInstruction(I);
  addBarriers();
  addMemory();
}

uint32_t Graph::add(const Instruction *At) {
  V.emplace_back();
  V.back().At = At;
  return uint32_t(V.size() - 1);
}

void Graph::addVertices() {
  for (Argument &A : F.args()) {
    VertexOf[&A] = add(nullptr);
    V.back().Argument = int(A.getArgNo());
  }
  for (BasicBlock &Block : F) {
    VertexOf[&Block] = add(nullptr);
    for (Instruction &I : Block)
      VertexOf[&I] = add(&I);
  }
}

/// A block runs or not by the branches on its post-dominance frontier.
void Graph::addBranches() {
  PostDominatorTree Tree(F);
  for (BasicBlock &Block : F) {
    if (succ_size(&Block) < 2 || !Tree.getNode(&Block))
      continue;
    auto *Stop = Tree.getNode(&Block)->getIDom();
    uint32_t Branch = VertexOf[Block.getTerminator()];
    for (BasicBlock *Next : successors(&Block))
      for (auto *At = Tree.getNode(Next); At && At != Stop;
           At = At->getIDom()) {
        if (!At->getBlock())
          break;
        auto &Uses = V[VertexOf[At->getBlock()]].Uses;
        if (!is_contained(Uses, Branch))
          Uses.push_back(Branch);
      }
  }
}

void Graph::use(uint32_t By, const Value *Used) {
  auto Results = ResultsOf.find(Used);
  if (Results != ResultsOf.end()) {
    V[By].Uses.append(Results->second.begin(), Results->second.end());
    return;
  }
  auto Known = VertexOf.find(Used);
  if (Known != VertexOf.end() && !isa<BasicBlock>(Used))
    V[By].Uses.push_back(Known->second);
}

void Graph::read(uint32_t By, const Value *Pointer, uint64_t Bytes) {
  for (const Storage *Piece : P.accessed(Pointer, Bytes))
    if (!is_contained(V[By].Reads, Piece))
      V[By].Reads.push_back(Piece);
}

void Graph::write(uint32_t By, const Value *Pointer, uint64_t Bytes) {
  const Storage *Through = P.through(Pointer);
  for (const Storage *Piece : P.accessed(Pointer, Bytes)) {
    auto *Global = dyn_cast_or_null<GlobalVariable>(Piece->variable()->Root);
    if (!Global || !Global->isConstant() || Piece->Depth)
      Writes.push_back({By, Piece, Through, V[By].At, true});
  }
}

void Graph::addInstruction(const Instruction &I) {
  uint32_t By = VertexOf[&I];
  auto *Call = dyn_cast<CallBase>(&I);
  bool IsMapped = Call && !Known.of(*Call).empty();

  V[By].Uses.push_back(VertexOf[I.getParent()]);
  if (IsMapped) {
    if (Call->isIndirectCall())
      use(By, Call->getCalledOperand());
    return;
  }
  if (!isa<AllocaInst>(I))
    for (const Use &Operand : I.operands())
      use(By, Operand);
  if (auto *Load = dyn_cast<LoadInst>(&I)) {
    read(By, Load->getPointerOperand(), DL.getTypeStoreSize(Load->getType()));
  } else if (auto *Store = dyn_cast<StoreInst>(&I)) {
    write(By, Store->getPointerOperand(),
          DL.getTypeStoreSize(Store->getValueOperand()->getType()));
  } else if (auto *Atomic = dyn_cast<AtomicRMWInst>(&I)) {
    uint64_t Bytes = DL.getTypeStoreSize(Atomic->getType());
    read(By, Atomic->getPointerOperand(), Bytes);
    write(By, Atomic->getPointerOperand(), Bytes);
  } else if (auto *Exchange = dyn_cast<AtomicCmpXchgInst>(&I)) {
    uint64_t Bytes =
        DL.getTypeStoreSize(Exchange->getNewValOperand()->getType());
    read(By, Exchange->getPointerOperand(), Bytes);
    write(By, Exchange->getPointerOperand(), Bytes);
  } else if (Call) {
    addUnknown(*Call);
  } else if (isa<ReturnInst>(I) && I.getNumOperands()) {
    Returns.push_back(By);
  }
}

/// Returns what a function without a body does with what its arguments point
/// to, as in callees.def; "": that is not known.
static StringRef effectsOf(const Function *Callee) {
  static const std::pair<StringLiteral, StringLiteral> Known[] = {
#define CT_CALLEE(name, effects) {name, effects},
#include "llvm-pass/blame/callees.def"
  };
  static const StringLiteral OfCuda[] = {
#define CT_API(returns, name, version, thread, where, site, ...) #name #version,
#include <cudatrace/api.def>
  };
  StringRef Name = Callee ? Callee->getName() : "";
  for (auto &[Pattern, Effects] : Known) {
    StringRef Begin = Pattern;
    if (Begin.consume_back("*") ? Name.starts_with(Begin) : Name == Begin)
      return Effects;
  }
  if (!Name.consume_back("_ptsz"))
    Name.consume_back("_ptds");
  return is_contained(OfCuda, Name) ? "-" : "";
}

/// A call whose body is not looked at reads and writes what its attributes
/// allow it to.
void Graph::addUnknown(const CallBase &Call) {
  StringRef Effects = effectsOf(Call.getCalledFunction());
  uint32_t By = VertexOf[&Call];
  if (Call.doesNotAccessMemory() || isa<DbgInfoIntrinsic>(Call) ||
      Call.isLifetimeStartOrEnd())
    return;
  for (unsigned I = 0; I < Call.arg_size(); I++) {
    const Value *Pointer = Call.getArgOperand(I);
    if (!Pointer->getType()->isPointerTy())
      continue;
    char Effect = Effects.empty()
                      ? 'b'
                      : Effects[std::min<size_t>(I, Effects.size() - 1)];
    if (Effect != 'w' && Effect != '-' && !Call.onlyWritesMemory(I))
      read(By, Pointer, 0);
    if (Effect != 'r' && Effect != '-' && !Call.onlyReadsMemory() &&
        !Call.onlyReadsMemory(I))
      write(By, Pointer, 0);
  }
}

/// A callee reads through the caller's variables.
void Graph::addReads(const CallBase &Call, const Function &Callee) {
  for (const Storage *Read : Known.summary(Callee).Reads) {
    const DIType *Type = plainType(Read->Type);
    uint64_t Bytes = Type ? Type->getSizeInBits() / 8 : 0;
    Outcomes.push_back({&Call, &Callee, exitName(*Read), CallsReads, {}});
    for (const PointsTo &T : mapped(Call, Read))
      Outcomes.back().Direct.push_back(S.access(T, Bytes));
  }
}

void Graph::addCall(const CallBase &Call) {
  auto &Results = ResultsOf[&Call];
  bool IsKnown = false;
  for (const Function *Callee : Known.of(Call)) {
    IsKnown = true;
    addReads(Call, *Callee);
    for (const Exit &E : Known.summary(*Callee).Exits) {
      addOutcome(Call, *Callee, E);
      if (!E.To)
        Results.push_back(Outcomes.back().By);
    }
  }
  if (!IsKnown)
    ResultsOf.erase(&Call);
  else if (Results.empty())
    Results.push_back(VertexOf[&Call]);
}

/// The results of calls depend on some of their arguments, which may be results
/// of other calls.
void Graph::addArguments() {
  for (const Outcome &O : Outcomes)
    for (const Exit &E : Known.summary(*O.Callee).Exits)
      if (E.Name == O.Exit && O.By != CallsReads)
        for (unsigned I : E.Parameters.set_bits())
          if (I < O.Call->arg_size())
            use(O.By, O.Call->getArgOperand(I));
}

Pointees Graph::mapped(const CallBase &Call, const Storage *Of) {
  return mapTargets(Call, Of, P, S);
}

void Graph::addOutcome(const CallBase &Call, const Function &Callee,
                       const Exit &E) {
  uint32_t By = add(&Call);
  Outcomes.push_back({&Call, &Callee, E.Name, By, {}});
  V[By].Uses.push_back(VertexOf[&Call]);
  for (const Storage *Content : E.Contents) {
    uint64_t Bytes = Content->Kind == Storage::Pointee ? 0 : Content->Bytes;
    const DIType *Type = plainType(Content->Type);
    if (!Bytes && Type)
      Bytes = Type->getSizeInBits() / 8;
    uint32_t Read = add(&Call);
    V[By].Uses.push_back(Read);
    for (const PointsTo &T : mapped(Call, Content)) {
      const Storage *Piece = S.access(T, Bytes);
      if (!is_contained(V[Read].Reads, Piece))
        V[Read].Reads.push_back(Piece);
    }
  }
  if (!E.To)
    return;
  const DIType *Type = plainType(E.To->Type);
  uint64_t Bytes = E.Bytes ? E.Bytes : Type ? Type->getSizeInBits() / 8 : 0;
  for (const PointsTo &T : mapped(Call, E.To)) {
    const Storage *Piece = S.access(T, Bytes);
    Writes.push_back({By, Piece, nullptr, &Call, true});
    Outcomes.back().Direct.push_back(Piece);
  }
}

static bool isBarrier(const Instruction &I) {
  auto *Intrinsic = dyn_cast<IntrinsicInst>(&I);
  if (!Intrinsic || !Intrinsic->getCalledFunction())
    return false;
  StringRef Name = Intrinsic->getCalledFunction()->getName();
  return Name.starts_with("llvm.nvvm.barrier") ||
         Name.starts_with("llvm.nvvm.bar.sync");
}

static bool isShared(const Storage *To) {
  auto *Global = dyn_cast_or_null<GlobalVariable>(To->variable()->Root);
  return Global && Global->getAddressSpace() == 3;
}

/// A barrier is there for what was stored in shared memory since the last one.
void Graph::addBarriers() {
  DenseMap<const Instruction *, SmallVector<const Storage *, 1>> Stores;
  std::vector<Write> Found;
  for (const Write &W : Writes)
    if (isShared(W.To))
      Stores[W.At].push_back(W.To);
  for (Instruction &I : instructions(F)) {
    if (!isBarrier(I))
      continue;
    SmallVector<const Storage *, 4> Since;
    walkBack(I, [&](const Instruction &Earlier) {
      for (const Storage *To : Stores.lookup(&Earlier))
        if (!is_contained(Since, To))
          Since.push_back(To);
      return !isBarrier(Earlier);
    });
    if (Since.empty()) {
      Storage *Alone = S.variable(cast<CallBase>(I).getCalledOperand());
      Alone->Name = "<barrier>";
      Alone->Outlives = Alone->Arrives = false;
      Since.push_back(Alone);
    }
    for (const Storage *To : Since)
      Found.push_back({VertexOf[&I], To, nullptr, &I, false});
  }
  Writes.insert(Writes.end(), Found.begin(), Found.end());
}

/// From what reads memory to what may have written it.
void Graph::addMemory() {
  DenseMap<const Storage *, SmallVector<const Write *, 4>> ByObject;
  Reachability Reach(F);
  ScalarStores Scalars(F);
  for (const Write &W : Writes)
    if (W.IsStore)
      ByObject[W.To->object()].push_back(&W);
  for (Vertex &Reader : V) {
    auto *Load = dyn_cast_or_null<LoadInst>(Reader.At);
    SmallVector<const StoreInst *, 4> Reaching;
    if (Load && Scalars.find(*Load, Reaching)) {
      for (const StoreInst *Store : Reaching)
        Reader.Memory.push_back(VertexOf[Store]);
      continue;
    }
    for (const Storage *Piece : Reader.Reads)
      for (const Write *W : ByObject.lookup(Piece->object()))
        if (W->To->meets(Piece) && Reach.reaches(*W->At, *Reader.At) &&
            !is_contained(Reader.Memory, W->By))
          Reader.Memory.push_back(W->By);
  }
}

} // namespace ct
