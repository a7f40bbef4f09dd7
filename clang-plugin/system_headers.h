/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Warnings of what system headers do are none of the program's. gcc keeps them
 * to itself; clang gives some all the same, of templates that the program
 * instantiates, and -Werror makes errors of them.
 */
#ifndef CT_CLANG_PLUGIN_SYSTEM_HEADERS_H
#define CT_CLANG_PLUGIN_SYSTEM_HEADERS_H

#include "clang/Frontend/CompilerInstance.h"

namespace ct {

/// From now on, in each system header that is included.
void keepSystemHeadersQuiet(clang::CompilerInstance &CI);

} // namespace ct
#endif
