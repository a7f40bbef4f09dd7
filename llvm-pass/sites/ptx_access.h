/* SPDX-License-Identifier: Apache-2.0 */
/* Memory accesses in inline PTX. */
#ifndef CT_PASS_PTX_ACCESS_H
#define CT_PASS_PTX_ACCESS_H

#include "llvm-pass/sites/site.h"
#include "llvm/IR/InlineAsm.h"

namespace ct {

/// Adds the sites of inline PTX: one for each access and each event. What may
/// touch memory and is not understood becomes an event, and a site that is
/// skipped, with its text.
void addAsmSites(llvm::CallBase &Call, const llvm::InlineAsm &Asm,
                 std::vector<Site> &Out);

} // namespace ct
#endif
