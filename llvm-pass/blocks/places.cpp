/* SPDX-License-Identifier: Apache-2.0 */
/* Where the source asks for an instruction. */
#include "llvm-pass/blocks/places.h"
#include "llvm-pass/base/location.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/BasicBlock.h"

using namespace llvm;

/// Breadth first, so that the nearest is found.
static const DILocation *lineOfUsers(const Instruction &I) {
  constexpr unsigned Most = 64;
  SmallPtrSet<const Instruction *, 16> Seen;
  SmallVector<const Instruction *, 16> Left = {&I};
  for (unsigned At = 0; At < Left.size() && At < Most; At++)
    for (const User *U : Left[At]->users()) {
      auto *Next = dyn_cast<Instruction>(U);
      if (!Next || !Seen.insert(Next).second)
        continue;
      if (const DILocation *Where = ct::ownLocation(*Next))
        return Where;
      Left.push_back(Next);
    }
  return nullptr;
}

const DILocation *ct::placeOf(const Instruction &I) {
  if (const DILocation *Where = ct::ownLocation(I))
    return Where;
  if (const DILocation *Where = lineOfUsers(I))
    return Where;
  for (const Instruction *At = I.getPrevNode(); At; At = At->getPrevNode())
    if (const DILocation *Where = ct::ownLocation(*At))
      return Where;
  for (const Instruction &At : *I.getParent())
    if (const DILocation *Where = ct::ownLocation(At))
      return Where;
  return nullptr;
}
