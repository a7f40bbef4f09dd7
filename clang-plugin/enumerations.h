/* SPDX-License-Identifier: Apache-2.0 */
/* Values that enumerations have in constant expressions. */
#ifndef CT_CLANG_PLUGIN_ENUMERATIONS_H
#define CT_CLANG_PLUGIN_ENUMERATIONS_H

#include "clang/AST/Decl.h"

namespace ct {

/// D, which is complete, may have every value of its integer type, as with nvcc
/// and gcc. To clang a constant of another value than those that the bits of
/// its enumerators hold is no constant expression.
void widen(clang::EnumDecl *D);

} // namespace ct
#endif
