/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Inline PTX with labels and branches. Registers live in memory between the
 * basic blocks (and become values again when the unit is optimised); within a
 * block statements are translated as elsewhere.
 */
#include "cpu-target/retarget/ptx/ptx.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

using namespace llvm;

namespace ct {

void PtxLowering::spillRegisters() {
  for (auto &[Name, V] : Registers) {
    auto Slot = Slots.find(Name);
    if (Slot == Slots.end())
      continue;
    if (Value *Bits = convertBits(B, V, B.getInt64Ty()))
      B.CreateStore(Bits, Slot->second);
  }
}

/// A new block before the code behind the asm statement, with the registers
/// as they are where it is entered.
void PtxLowering::enterBlock(BasicBlock *Block) {
  Anchor = new UnreachableInst(B.getContext(), Block);
  B.SetInsertPoint(Anchor);
  for (auto &[Name, Slot] : Slots)
    Registers[Name] = B.CreateLoad(B.getInt64Ty(), Slot);
}

/// End the current block with a jump to To, on Condition if there is one.
void PtxLowering::leaveBlock(BasicBlock *To, Value *Condition,
                             BasicBlock *Else) {
  spillRegisters();
  if (Condition)
    B.CreateCondBr(Condition, To, Else);
  else
    B.CreateBr(To);
  Anchor->eraseFromParent();
}

void PtxLowering::makeSlots(ArrayRef<std::string> Names) {
  BasicBlock &Entry = Call.getFunction()->getEntryBlock();
  IRBuilder<> EntryB(&Entry, Entry.begin());
  auto Make = [&](const std::string &Name) {
    Slots[Name] = EntryB.CreateAlloca(B.getInt64Ty());
  };
  for (const std::string &Name : Names)
    Make(Name);
  for (const std::string &Name : Outputs)
    Make(Name);
  for (auto &Entry : Registers)
    if (!Slots.count(Entry.first))
      Make(Entry.first);
  spillRegisters();
}

bool PtxLowering::lowerBranch(const PtxInstruction &Branch, BasicBlock *Tail) {
  auto Target = Branch.Operands.size() == 1
                    ? Labels.find(Branch.Operands[0].Text)
                    : Labels.end();
  if (Target == Labels.end())
    return false;
  Value *Condition = nullptr;
  if (!Branch.Predicate.empty()) {
    Condition = readBits(Branch.Predicate, B.getInt1Ty());
    if (!Condition)
      return false;
    if (Branch.Negated)
      Condition = B.CreateNot(Condition);
  }
  BasicBlock *Next =
      BasicBlock::Create(B.getContext(), "", Call.getFunction(), Tail);
  leaveBlock(Target->second, Condition, Next);
  enterBlock(Next);
  return true;
}

bool PtxLowering::lowerBlocks(ArrayRef<PtxInstruction> Instructions,
                              BasicBlock *Tail, std::string &What) {
  for (const PtxInstruction &Instruction : Instructions) {
    bool Known = true;
    if (!Instruction.Label.empty()) {
      BasicBlock *Block = Labels[Instruction.Label];
      leaveBlock(Block);
      enterBlock(Block);
    } else if (Instruction.Opcode == "bra") {
      Known = lowerBranch(Instruction, Tail);
    } else {
      Known = Instruction.Predicate.empty() ? lowerOne(Instruction)
                                            : lowerPredicated(Instruction);
    }
    if (!Known) {
      What = Instruction.Text;
      return false;
    }
  }
  leaveBlock(Tail);
  Anchor = &Call;
  B.SetInsertPoint(&Call);
  for (auto &[Name, Slot] : Slots)
    Registers[Name] = B.CreateLoad(B.getInt64Ty(), Slot);
  return true;
}

bool PtxLowering::lowerFlow(const PtxProgram &Program, std::string &What) {
  Function &F = *Call.getFunction();
  BasicBlock *Before = Call.getParent();
  makeSlots(Program.Registers);
  BasicBlock *Tail = Before->splitBasicBlock(&Call);
  DenseSet<BasicBlock *> Old;
  for (BasicBlock &Block : F)
    Old.insert(&Block);
  for (const PtxInstruction &Instruction : Program.Instructions)
    if (!Instruction.Label.empty())
      Labels[Instruction.Label] =
          BasicBlock::Create(B.getContext(), "", &F, Tail);
  BasicBlock *First = BasicBlock::Create(B.getContext(), "", &F, Tail);
  Before->getTerminator()->setSuccessor(0, First);
  enterBlock(First);
  if (lowerBlocks(Program.Instructions, Tail, What))
    return true;
  // The statement stops the kernel: nothing of it remains.
  Before->getTerminator()->setSuccessor(0, Tail);
  SmallVector<BasicBlock *> Dead;
  for (BasicBlock &Block : F)
    if (!Old.contains(&Block))
      Dead.push_back(&Block);
  for (BasicBlock *Block : Dead)
    Block->dropAllReferences();
  for (BasicBlock *Block : Dead)
    Block->eraseFromParent();
  return false;
}

} // namespace ct
