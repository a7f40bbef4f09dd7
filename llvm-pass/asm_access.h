/* SPDX-License-Identifier: Apache-2.0 */
/* Memory accesses in inline PTX. */
#ifndef CT_PASS_ASM_ACCESS_H
#define CT_PASS_ASM_ACCESS_H

#include "operations.h"
#include "llvm/IR/InlineAsm.h"

namespace ct {

/// Inline assembly that is one load, store or atomic with a plain address.
struct AsmAccess {
  Operation Op;
  llvm::Value *Address; // pointer or 64-bit integer
  llvm::Type *Accessed;
  bool NamesGlobal; // the instruction says .global
};

/// True if Call is such an access; false if it is anything else.
bool describeAsm(const llvm::CallBase &Call, const llvm::InlineAsm &Asm, AsmAccess &Access);

/// The first instruction of inline PTX that may access global memory, such as
/// "ld.global.cs.f32"; "" if there is none. Generic ones (no state space
/// named) count only if MayBeGlobal.
std::string globalAccessInAsm(llvm::StringRef Text, bool MayBeGlobal);

/// True if inline PTX ends the thread.
bool exitsInAsm(llvm::StringRef Text);

} // namespace ct
#endif
