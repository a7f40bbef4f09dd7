/* SPDX-License-Identifier: Apache-2.0 */
/* Objects passed for an ellipsis. */
#ifndef CT_CLANG_PLUGIN_VARIADIC_H
#define CT_CLANG_PLUGIN_VARIADIC_H

#include "clang/AST/Decl.h"

namespace ct {

/// Calls in D, a definition of a function or variable, pass objects of classes
/// that are not trivial for an ellipsis: nvcc's device code passes the bits,
/// gcc a copy. clang has put a trap in their place.
void passObjects(clang::Decl *D);

} // namespace ct
#endif
