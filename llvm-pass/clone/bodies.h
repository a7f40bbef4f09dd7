/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Several bodies in one kernel, one of which is chosen at its entry: they share
 * arguments, shared memory and what lives on the stack from the start.
 */
#ifndef CT_LLVM_PASS_CLONE_BODIES_H
#define CT_LLVM_PASS_CLONE_BODIES_H

#include "llvm-pass/base/hooks.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/Function.h"
#include "llvm/Transforms/Utils/ValueMapper.h"

namespace ct {

/// Whether F is small enough to be copied (its code would take long to
/// generate), and no block's address is taken.
bool bodyCanBeCopied(const llvm::Function &F);

/// Whether what F calls is small enough to be compiled for one kernel more.
bool callsLittle(const llvm::Function &F);

/// Copies the blocks of From, which may be To itself, to the end of To. Map
/// says what From's arguments and variables are in To, and gets all the rest.
/// Returns the copies, the entry's first.
llvm::SmallVector<llvm::BasicBlock *, 16> copyBody(const llvm::Function &From,
                                                   llvm::Function &To,
                                                   llvm::ValueToValueMapTy &Map,
                                                   const llvm::Twine &Suffix);

/// Gives F a new entry block, with its variables in it, that goes on to what
/// was the entry where the condition holds, else to Other.
void chooseBody(llvm::Function &F, llvm::BasicBlock &Other,
                llvm::function_ref<llvm::Value *(HookBuilder &)> Condition);

} // namespace ct
#endif
