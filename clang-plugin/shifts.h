/* SPDX-License-Identifier: Apache-2.0 */
/* Shifts of constants by more than their width. */
#ifndef CT_CLANG_PLUGIN_SHIFTS_H
#define CT_CLANG_PLUGIN_SHIFTS_H

#include "clang/AST/Decl.h"

namespace ct {

/// Give shifts in D, a definition of a function or variable, the value that
/// nvcc and gcc have for them where both operands are constants and the amount
/// is the width or more: nothing is left but the sign. clang would take such a
/// value for one that never is.
void foldWideShifts(clang::Decl *D);

} // namespace ct
#endif
