/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Which of two functions of a class takes a list in braces. Where one takes the
 * class itself by an rvalue reference and another a second class by an lvalue
 * reference, as __half2 and __half2_raw, clang calls `x = {}` ambiguous, as the
 * standard does: the conversions are of different functions. nvcc compares the
 * references all the same, and takes the rvalue's.
 */
#ifndef CT_CLANG_PLUGIN_MOVES_H
#define CT_CLANG_PLUGIN_MOVES_H

#include "clang/AST/DeclCXX.h"

namespace ct {

/// Functions of Class that are assigned to or constructed from braces are
/// chosen as nvcc chooses them, Class being complete.
void preferMoves(const clang::CXXRecordDecl *Class);

/// F is declared outside its class, which clang compares with what is within.
void preferAgain(clang::FunctionDecl *F);

} // namespace ct
#endif
