/* SPDX-License-Identifier: Apache-2.0 */
/* Source locations of instructions in the user's terms. */
#include "llvm-pass/base/location.h"
#include "llvm/ADT/SmallString.h"
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
