/* SPDX-License-Identifier: Apache-2.0 */
/* Source locations of instructions in the user's terms. */
#include "llvm-pass/base/location.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Support/Path.h"

using namespace llvm;

std::string ct::sourcePath(const DIFile *File, const DICompileUnit *Unit) {
  if (!File)
    return "";
  StringRef Name = File->getFilename(), Directory = File->getDirectory();
  if (sys::path::is_absolute(Name) || Directory.empty() ||
      (Unit && Directory == Unit->getDirectory()))
    return Name.str();
  SmallString<256> Path(Directory);
  sys::path::append(Path, Name);
  return Path.str().str();
}

static const DISubprogram *subprogram(const DILocation &Location) {
  return Location.getScope() ? Location.getScope()->getSubprogram() : nullptr;
}

std::string ct::sourcePath(const DILocation &Location) {
  const DISubprogram *SP = subprogram(Location);
  return sourcePath(Location.getFile(), SP ? SP->getUnit() : nullptr);
}

std::string ct::functionName(const DILocation &Location) {
  const DISubprogram *SP = subprogram(Location);
  if (!SP)
    return "";
  return (SP->getLinkageName().empty() ? SP->getName() : SP->getLinkageName())
      .str();
}

/// Lines of the source code, from the kernel's inwards to the function's that
/// was inlined last: what comes first is less.
static bool isAhead(const DILocation *A, const DILocation *B) {
  auto Outermost = [](const DILocation *L) {
    while (L->getInlinedAt())
      L = L->getInlinedAt();
    return L->getLine();
  };
  return std::pair(Outermost(A), A->getLine()) <
         std::pair(Outermost(B), B->getLine());
}

/// Conversions and the like of what a load brings have lost theirs with it.
static const DILocation *firstUse(const Instruction &I, unsigned Steps) {
  const DILocation *First = nullptr;
  for (const User *U : I.users()) {
    auto *Use = cast<Instruction>(U);
    const DILocation *Location = Use->getDebugLoc();
    if (!Location || !Location->getLine())
      Location = Steps ? firstUse(*Use, Steps - 1) : nullptr;
    if (Location && (!First || isAhead(Location, First)))
      First = Location;
  }
  return First;
}

const DILocation *ct::ownLocation(const Instruction &I) {
  const DILocation *Own = I.getDebugLoc();
  return Own && Own->getLine() ? Own : nullptr;
}

/// Returns the condition that decides where a branch goes; null: it has one
/// target.
static const Instruction *conditionOf(const Instruction &I) {
  if (!I.isTerminator() || I.getNumSuccessors() < 2)
    return nullptr;
  return dyn_cast<Instruction>(I.getOperand(0));
}

/// A condition that several were made one of has lost its line.
static const DILocation *lineOfCondition(const Instruction &I, unsigned Steps) {
  if (const DILocation *Own = ct::ownLocation(I))
    return Own;
  for (const Use &Operand : I.operands()) {
    auto *Of = dyn_cast<Instruction>(Operand);
    const DILocation *Found =
        Of && Steps ? lineOfCondition(*Of, Steps - 1) : nullptr;
    if (Found)
      return Found;
  }
  return nullptr;
}

/// Returns the line of the instruction before I in its block, or else of the
/// one behind it.
static const DILocation *lineInBlock(const Instruction &I) {
  for (const Instruction *At = &I; At; At = At->getPrevNode())
    if (const DILocation *Found = ct::ownLocation(*At))
      return Found;
  for (const Instruction *At = &I; At; At = At->getNextNode())
    if (const DILocation *Found = ct::ownLocation(*At))
      return Found;
  return nullptr;
}

/// Returns the line of the last instruction that is executed before the block
/// of I in any case, or else the line of the function.
static const DILocation *lineAhead(const Instruction &I) {
  auto &F = const_cast<Function &>(*I.getFunction());
  DominatorTree Tree(F);
  for (const DomTreeNode *Node = Tree.getNode(I.getParent()); Node;
       Node = Node->getIDom())
    if (const DILocation *Found = lineInBlock(Node->getBlock()->back()))
      return Found;
  DISubprogram *SP = F.getSubprogram();
  return DILocation::get(F.getContext(), SP->getLine(), /*Column=*/0, SP);
}

const DILocation *ct::locationOf(const Instruction &I) {
  const DILocation *Found = ct::ownLocation(I);
  if (!Found && isa<LoadInst>(I))
    Found = firstUse(I, /*Steps=*/2);
  if (const Instruction *Condition = Found ? nullptr : conditionOf(I))
    Found = lineOfCondition(*Condition, /*Steps=*/2);
  if (Found || !I.getFunction()->getSubprogram())
    return Found;
  Found = lineInBlock(I);
  return Found ? Found : lineAhead(I);
}
