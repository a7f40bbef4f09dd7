/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Launches whose grid, block, memory or stream is written in braces,
 * k<<<{x, y}, {n}>>>: clang's parser has no initializer lists there. The name
 * of the type is put before each, as the parser takes the tokens, so that
 * macros and templates may have them, and every place stays that of the source.
 */
#ifndef CT_PLUGIN_LAUNCHES_H
#define CT_PLUGIN_LAUNCHES_H

#include "clang/Lex/Preprocessor.h"

namespace ct {

void readBracesInLaunches(clang::Preprocessor &PP);

} // namespace ct
#endif
