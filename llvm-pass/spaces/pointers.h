/* SPDX-License-Identifier: Apache-2.0 */
/* Derives what types, functions and single instructions say of pointers by
 * themselves. */
#ifndef CT_LLVM_PASS_SPACES_POINTERS_H
#define CT_LLVM_PASS_SPACES_POINTERS_H

#include "llvm/ADT/StringRef.h"
#include "llvm/IR/DataLayout.h"
#include "llvm/IR/InstrTypes.h"

namespace ct {

/// enum ct_site_space of an LLVM address space: generic where it does not
/// say, 6 for a space that sites have no name for.
unsigned siteSpace(unsigned AddressSpace);

/// The same of the type of a pointer, or of a vector of them; generic for
/// others.
unsigned typeSpace(const llvm::Type *T);

/// The space that a function of the CUDA runtime, or an intrinsic, returns
/// pointers to; generic if unknown.
unsigned resultSpace(const llvm::Function &F);

/// The pointer that a call only marks, aligns or converts; null for other
/// calls.
const llvm::Value *passedThrough(const llvm::CallBase &Call);

/// The scalar at an offset in a type; null if there is none.
llvm::Type *scalarAt(llvm::Type *T, uint64_t Offset,
                     const llvm::DataLayout &Layout);

/// True if values of the type can hold a pointer, as such.
bool holdsPointer(llvm::Type *T);

/// True if an integer certainly has an address in it, not just a distance.
bool holdsPointer(const llvm::Value *Integer);

} // namespace ct
#endif
