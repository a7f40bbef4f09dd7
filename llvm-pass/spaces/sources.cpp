/* SPDX-License-Identifier: Apache-2.0 */
/* Finds what a value can be derived from. */
#include "llvm-pass/spaces/sources.h"

using namespace llvm;

void ct::PointerSources::noteName(StringRef Name) {
  if (!Name.empty() && OneVariable && (Variable.empty() || Variable == Name)) {
    Variable = Name.str();
    return;
  }
  OneVariable = false;
  Variable.clear();
}

void ct::PointerSources::note(unsigned Space, StringRef Name) {
  Spaces |= 1u << Space;
  noteName(Name);
}

void ct::PointerSources::join(const PointerSources &Other) {
  Spaces |= Other.Spaces;
  Parameters.insert_range(Other.Parameters);
  OnlyAddresses &= Other.OnlyAddresses;
  if (Other.Spaces)
    noteName(Other.Variable);
}
