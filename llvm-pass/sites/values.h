/* SPDX-License-Identifier: Apache-2.0 */
/* The values that accesses move, and the hooks that record them. */
#ifndef CT_LLVM_PASS_SITES_VALUES_H
#define CT_LLVM_PASS_SITES_VALUES_H

#include "llvm-pass/base/hooks.h"
#include "llvm-pass/sites/site.h"
#include "llvm/Transforms/Utils/ValueMapper.h"

namespace ct {

/// The IR value V (its member Field) as a part of an access.
SiteValue wholeValue(uint8_t Part, llvm::Value *V, int Field = -1);

/// Returns the value in memory at Pointer + Offset before the instruction.
SiteValue memoryValue(llvm::Value *Pointer, int64_t Offset);

/// Returns what a range or tile moves, where it holds that itself when it is
/// recorded.
SiteValue ownContent();

/// The values of an atomic instruction.
std::vector<SiteValue> atomicValues(llvm::Instruction &I);

/// True if hooks can be given all values of the site.
bool hasValues(const Site &S);

/// True if a value is known only after the site's instruction.
bool needsResult(const Site &S);

/// Describes the site's elements to hooks (CT_ELEMENT of summary.h); 0: its
/// values are not summarised.
uint32_t elementOf(const Site &S);

/// The value of a plain word (site.h), as an i64.
llvm::Value *wordOf(HookBuilder &B, const Site &S,
                    const llvm::ValueToValueMapTy &Map);

/// Reads here what the site's values are that memory holds before its
/// instruction, which comes next, for hooks behind it. Such values of accesses
/// that may not take place are given up.
void readAhead(HookBuilder &B, Site &S, const llvm::ValueToValueMapTy &Map);

/// Calls __ct_value for what comes with an event that was just recorded.
void recordEventValues(HookBuilder &B, const Hooks &H, const Site &S,
                       const llvm::ValueToValueMapTy &Map, llvm::Value *State,
                       llvm::Value *Index);

/// Calls __ct_value for all values of a site whose access was just recorded.
/// Index: what hooks call the site. Address: what the access's hook was given.
/// IsBehind: the access has taken place, so that memory no longer tells what a
/// store found there.
void recordValues(HookBuilder &B, const Hooks &H, const Site &S,
                  const llvm::ValueToValueMapTy &Map, llvm::Value *State,
                  llvm::Value *Index, llvm::Value *Address, bool IsBehind);

} // namespace ct
#endif
