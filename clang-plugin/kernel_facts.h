/* SPDX-License-Identifier: Apache-2.0 */
/* Source-level facts of kernels, handed to the LLVM pass. */
#ifndef CT_CLANG_PLUGIN_KERNEL_FACTS_H
#define CT_CLANG_PLUGIN_KERNEL_FACTS_H

#include "clang/AST/Decl.h"

namespace ct {

/// Annotates a kernel's definition with "ct.kernel": display name, file, line,
/// column, then type and name of each parameter, then of each pointer in one
/// that is a structure where it is (CT_MEMBER_AT of unit.h) and its name, as
/// "view.data". Other declarations are left alone.
void annotateKernel(clang::Decl *D);

} // namespace ct
#endif
