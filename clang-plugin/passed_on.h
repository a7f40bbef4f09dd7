/* SPDX-License-Identifier: Apache-2.0 */
/* Allocations of functions that others call to allocate. */
#ifndef CT_CLANG_PLUGIN_PASSED_ON_H
#define CT_CLANG_PLUGIN_PASSED_ON_H

#include "clang/AST/Decl.h"
#include "clang/AST/Expr.h"

namespace ct {

/// Whether what Function allocates, whose address a call stores by Argument
/// (&p, out, (void **)&this->data), is its callers': what it returns, stores
/// where a parameter or `this` leads, or assigns to such. By the text alone:
/// of what it hands to other functions nothing is known.
bool isPassedOn(const clang::Expr *Argument,
                const clang::FunctionDecl *Function);

} // namespace ct
#endif
