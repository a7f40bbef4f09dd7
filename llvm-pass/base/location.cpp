/* SPDX-License-Identifier: Apache-2.0 */
/* Source locations of instructions in the user's terms. */
#include "llvm-pass/base/location.h"
#include "llvm/ADT/SmallString.h"
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

const DILocation *ct::locationOf(const Instruction &I) {
  const DILocation *Own = I.getDebugLoc();
  if ((Own && Own->getLine()) || !isa<LoadInst>(I))
    return Own;
  const DILocation *Use = firstUse(I, /*Steps=*/2);
  return Use ? Use : Own;
}
