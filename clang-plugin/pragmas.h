/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Macros that stand for a pragma (option "nvcc" of the plugin). nvcc parses
 * what another program has preprocessed, so that a line which a macro makes is
 * a directive to it:
 *
 *   #define UNROLL #pragma unroll
 *     UNROLL
 *     for (…)
 *
 * To clang such a macro is _Pragma("unroll").
 */
#ifndef CT_CLANG_PLUGIN_PRAGMAS_H
#define CT_CLANG_PLUGIN_PRAGMAS_H

#include "clang/Lex/Preprocessor.h"

namespace ct {

/// Takes the pragmas of all macros that are defined from now on.
void takePragmasOfMacros(clang::Preprocessor &PP);

} // namespace ct
#endif
