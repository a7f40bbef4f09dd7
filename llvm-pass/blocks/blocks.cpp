/* SPDX-License-Identifier: Apache-2.0 */
/* Describes what basic blocks are made of. */
#include "llvm-pass/blocks/blocks.h"
#include "llvm-pass/base/location.h"
#include "llvm-pass/blocks/classes.h"
#include "llvm-pass/blocks/places.h"
#include "llvm-pass/sites/block_order.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Analysis/MemoryLocation.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace {

using SitesOf = DenseMap<const Instruction *, SmallVector<const ct::Site *, 2>>;

/// The class of an operation that moves data; IN_OTHER of events.
ct::InstructionClass memoryClass(uint8_t Operation) {
  enum { LOAD, STORE, ATOMIC, EVENT };
  static const ct::InstructionClass Classes[] = {ct::IN_LOAD, ct::IN_STORE,
                                                 ct::IN_ATOMIC, ct::IN_OTHER};
  switch (Operation) {
#define CT_OPERATION(id, name, text, group, memtrace)                          \
  case id:                                                                     \
    return Classes[group];
#include <cudatrace/operations.def>
#undef CT_OPERATION
  default:
    return ct::IN_OTHER;
  }
}

bool isGlobal(uint8_t Space) {
  return Space == CT_SPACE_GLOBAL || Space == CT_SPACE_GENERIC ||
         Space == CT_SPACE_LOCAL;
}

/// Walks one block.
class BlockWalk {
public:
  BlockWalk(BasicBlock &Block, AAResults &AA, const SitesOf &Sites)
      : Block(Block), AA(AA), Sites(Sites) {}

  ct::BlockFacts run() {
    for (Instruction &I : Block)
      if (const Instruction *Multiply = ct::fusedMultiply(I))
        Fused.insert(Multiply);
    for (Instruction &I : Block)
      visit(I);
    Facts.LoadWaits = Waits;
    addChain();
    for (auto &[Value, Steps] : Pending)
      for (size_t Step : Steps)
        if (Facts.Steps[Step].until == CT_NONE)
          Facts.Open.push_back({Value, uint32_t(Step)});
    return std::move(Facts);
  }

private:
  /// Bounds alias queries; accesses further back are taken to meet.
  static constexpr unsigned OrderedLimit = 64;

  struct Place {
    uint32_t Depth = 0;  // instructions of the longest chain that ends here
    uint32_t Wait = 0;   // loads of that chain, one behind the other
    uint32_t Cycles = 0; // of the slowest chain, without loads of global memory
    const Instruction *Last = nullptr; // of that chain
  };
  struct Link {
    ct::InstructionClass Class;
    uint8_t Space;
    uint16_t Bytes;
    uint32_t Count;
    const Instruction *Before; // in the chain
  };
  struct Ordered {
    const Instruction *I;
    uint32_t Wait;
  };

  BasicBlock &Block;
  AAResults &AA;
  const SitesOf &Sites;
  ct::BlockFacts Facts;
  DenseMap<const Value *, Place> Places;
  DenseMap<const Instruction *, Link> Links;
  Place Slowest;
  SmallPtrSet<const Instruction *, 8> Fused;
  SmallVector<Ordered, 16> Before; // what loads may not pass unless AA says so
  uint32_t Fence = 0;              // Wait of what nothing may pass
  uint32_t Waits = 0;
  size_t LastMix = 0; // the row that was added to last
  DenseMap<const Value *, SmallVector<size_t, 2>>
      Pending; // steps by their loads

  void visit(Instruction &I) {
    if (isa<DbgInfoIntrinsic>(I) || isa<PHINode>(I) || isa<AllocaInst>(I))
      return;
    addLine(I);
    uint32_t Before = Facts.Instructions;
    count(I);
    const DILocation *Where =
        Facts.Instructions > Before ? ct::placeOf(I) : nullptr;
    if (Where)
      Facts.Shares[Where] += Facts.Instructions - Before;
  }

  void count(Instruction &I) {
    Place P = inputs(I);
    useLoads(I);
    if (Fused.contains(&I)) { // its depth is that of who it is fused into
      Places[&I] = P;
      return;
    }
    auto Known = Sites.find(&I);
    bool IsLoad = false;
    uint32_t Counted = 0;
    size_t FirstStep = Facts.Steps.size();
    if (Known != Sites.end())
      for (const ct::Site *S : Known->second)
        IsLoad |= addAccess(I, *S, Counted);
    ct::Cost Cost = ct::costOf(I);
    if (Counted == 0 && Cost.Count)
      addOther(I, Cost);
    P.Depth += Counted || Cost.Count ? 1 : 0;
    Facts.Depth = std::max(Facts.Depth, P.Depth);
    if (Counted || Cost.Count)
      link(I, P,
           Counted ? Facts.Mix[LastMix] : ct_unit_mix{Cost.Class, 0, 0, 0},
           Counted ? 1 : Cost.Count, IsLoad);
    order(I, P);
    for (size_t S = FirstStep; IsLoad && S < Facts.Steps.size(); S++)
      Facts.Steps[S].wait = P.Wait;
    if (IsLoad) {
      P.Wait++;
      Waits = std::max(Waits, P.Wait);
    }
    Places[&I] = P;
  }

  Place inputs(const Instruction &I) const {
    Place P;
    for (const Use &Operand : I.operands()) {
      Place From = Places.lookup(Operand);
      P.Depth = std::max(P.Depth, From.Depth);
      P.Wait = std::max(P.Wait, From.Wait);
      if (From.Cycles >= P.Cycles && From.Last) {
        P.Cycles = From.Cycles;
        P.Last = From.Last;
      }
    }
    return P;
  }

  /// Puts I behind the slowest chain of what it uses.
  void link(const Instruction &I, Place &P, const ct_unit_mix &As,
            uint32_t Count, bool IsLoad) {
    auto Class = ct::InstructionClass(As.instruction);
    Links[&I] = {Class, As.space, As.bytes, Count, P.Last};
    P.Cycles += IsLoad ? 0 : ct::nominalCycles(Class, As.space) * Count;
    P.Last = &I;
    if (P.Cycles >= Slowest.Cycles)
      Slowest = P;
  }

  /// Adds a row for each class of the slowest chain, flagged.
  void addChain() {
    size_t First = Facts.Mix.size();
    for (const Instruction *I = Slowest.Last; I;) {
      const Link &L = Links.find(I)->second;
      addMix(First, L.Class | CT_MIX_CHAIN, L.Count, L.Space, L.Bytes);
      I = L.Before;
    }
  }

  /// How far up I may go, and what may not pass it.
  void order(const Instruction &I, Place &P) {
    if (!I.mayReadOrWriteMemory())
      return;
    auto *Load = dyn_cast<LoadInst>(&I);
    bool Moves = Load && Load->isSimple();
    if (Moves && Load->hasMetadata(LLVMContext::MD_invariant_load))
      return;
    if (!Moves && !isa<StoreInst>(I)) { // calls, barriers, atomics, assembly
      for (const Ordered &Earlier : Before)
        Fence = std::max(Fence, Earlier.Wait);
      Fence = P.Wait = std::max(Fence, P.Wait);
      Before.clear();
      return;
    }
    P.Wait = std::max(P.Wait, Fence);
    if (!Moves) {
      Before.push_back({&I, P.Wait});
      return;
    }
    unsigned Asked = 0;
    for (const Ordered &Earlier : reverse(Before))
      if (Earlier.Wait > P.Wait &&
          (Asked++ >= OrderedLimit || meets(*Load, Earlier)))
        P.Wait = Earlier.Wait;
  }

  bool meets(const LoadInst &Load, const Ordered &Earlier) const {
    return isModSet(AA.getModRefInfo(Earlier.I, MemoryLocation::get(&Load)));
  }

  /// True for a load that takes the latency of global memory.
  bool addAccess(Instruction &I, const ct::Site &S, uint32_t &Counted) {
    ct::InstructionClass Class = memoryClass(S.Operation);
    if (Class == ct::IN_OTHER || S.Operation == ct::OP_OTHER)
      return false;
    uint16_t Bytes = S.Bytes > UINT16_MAX ? 0 : S.Bytes;
    addStep(I, Class, S.Space, Bytes);
    add(Class, 1, S.Space, Bytes);
    Counted++;
    bool Returns =
        Class == ct::IN_LOAD || (Class == ct::IN_ATOMIC && !I.use_empty());
    if (Returns && !I.getType()->isVoidTy())
      Pending[&I].push_back(Facts.Steps.size() - 1);
    return Returns && isGlobal(S.Space);
  }

  void addOther(Instruction &I, ct::Cost Cost) {
    if (Cost.Class == ct::IN_BARRIER)
      addStep(I, Cost.Class, 0, 0);
    add(Cost.Class, Cost.Count, 0, 0);
  }

  void addStep(const Instruction &I, uint8_t Class, uint8_t Space,
               uint16_t Bytes) {
    const DILocation *Where = lineOf(I);
    Facts.Steps.push_back({Class, Space, Bytes, Facts.Instructions, CT_NONE,
                           Where ? Where->getLine() : 0, 0, CT_NONE});
  }

  void add(uint8_t Class, uint32_t Count, uint8_t Space, uint16_t Bytes) {
    Facts.Instructions += Count;
    LastMix = addMix(0, Class, Count, Space, Bytes);
  }

  /// To the row of the like from First on; which it is.
  size_t addMix(size_t First, uint8_t Class, uint32_t Count, uint8_t Space,
                uint16_t Bytes) {
    for (size_t M = First; M < Facts.Mix.size(); M++)
      if (Facts.Mix[M].instruction == Class && Facts.Mix[M].space == Space &&
          Facts.Mix[M].bytes == Bytes) {
        Facts.Mix[M].count += Count;
        return M;
      }
    Facts.Mix.push_back({Class, Space, Bytes, Count});
    return Facts.Mix.size() - 1;
  }

  /// The first use of a load ends its steps. What costs nothing passes the
  /// value on.
  void useLoads(const Instruction &I) {
    bool IsFree = ct::costOf(I).Count == 0 && !Sites.contains(&I);
    SmallVector<size_t, 2> Through;
    for (const Use &Operand : I.operands()) {
      auto Known = Pending.find(Operand);
      if (Known == Pending.end())
        continue;
      for (size_t Step : Known->second) {
        ct_unit_step &S = Facts.Steps[Step];
        if (IsFree)
          Through.push_back(Step);
        else if (S.until == CT_NONE)
          S.until = std::max(Facts.Instructions - S.at, 1u);
      }
    }
    if (!Through.empty())
      Pending[&I].append(Through);
  }

  /// In the function itself: of what is inlined, where it is called.
  static const DILocation *lineOf(const Instruction &I) {
    const DILocation *Where = I.getDebugLoc();
    while (Where && Where->getInlinedAt())
      Where = Where->getInlinedAt();
    return Where;
  }

  void addLine(const Instruction &I) {
    const DILocation *Where = lineOf(I);
    if (!Where || !Where->getLine())
      return;
    std::string File = ct::sourcePath(*Where);
    if (!Facts.Line) {
      Facts.File = File;
      Facts.Line = Facts.LastLine = Where->getLine();
    } else if (File == Facts.File) {
      Facts.Line = std::min(Facts.Line, Where->getLine());
      Facts.LastLine = std::max(Facts.LastLine, Where->getLine());
    }
  }
};

/// The blocks in which values are used first that their own block does not use:
/// the least number, through phis and what costs nothing.
void findUses(std::vector<ct::BlockFacts> &Found,
              const DenseMap<const BasicBlock *, uint32_t> &Numbers) {
  for (ct::BlockFacts &Facts : Found)
    for (auto &[Loaded, Step] : Facts.Open) {
      SmallVector<const Value *, 8> Left = {Loaded};
      SmallPtrSet<const Value *, 8> Seen;
      while (!Left.empty()) {
        const Value *V = Left.pop_back_val();
        if (!Seen.insert(V).second)
          continue;
        for (const User *U : V->users()) {
          auto *I = dyn_cast<Instruction>(U);
          auto Number = I ? Numbers.find(I->getParent()) : Numbers.end();
          if (Number == Numbers.end())
            continue;
          if (isa<PHINode>(I) || ct::costOf(*I).Count == 0)
            Left.push_back(I);
          if (!isa<PHINode>(I))
            Facts.Steps[Step].used_in =
                std::min(Facts.Steps[Step].used_in, Number->second);
        }
      }
    }
}

} // namespace

std::vector<ct::BlockFacts> ct::blockFacts(Function &F, const LoopInfo &Loops,
                                           AAResults &AA,
                                           const std::vector<Site> &Sites) {
  SitesOf Of;
  DenseMap<const BasicBlock *, uint32_t> Numbers, Events;
  std::vector<BasicBlock *> Order = programOrder(F, Loops);
  std::vector<BlockFacts> Found;

  for (uint32_t I = 0; I < Order.size(); I++)
    Numbers[Order[I]] = I;
  for (uint32_t I = 0; I < Sites.size(); I++) {
    if (Sites[I].Operation == OP_BLOCK)
      Events[Sites[I].Inst->getParent()] = I;
    else if (Sites[I].How != Form::Event)
      Of[Sites[I].Inst].push_back(&Sites[I]);
  }
  for (BasicBlock *Block : Order) {
    BlockFacts Facts = BlockWalk(*Block, AA, Of).run();
    auto Event = Events.find(Block);
    Facts.Site = Event == Events.end() ? CT_NONE : Event->second;
    Facts.LoopDepth = Loops.getLoopDepth(Block);
    for (const BasicBlock *Next : successors(Block))
      if (!is_contained(Facts.Next, Numbers[Next]))
        Facts.Next.push_back(Numbers[Next]);
    Found.push_back(std::move(Facts));
  }
  findUses(Found, Numbers);
  return Found;
}
