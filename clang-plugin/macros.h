/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Macros of the command line and the headers that are read before a CUDA
 * source. clang's mention names that nvcc's do not, so that -DN=17 or
 * -DWidth=64 would break them; such macros are defined behind those headers:
 *
 *   #define NDEBUG 1                                  as it was
 *   #include "__clang_cuda_runtime_wrapper.h"         and ours
 *   #define N 17
 *   #include "what -include of the program names"
 */
#ifndef CT_CLANG_PLUGIN_MACROS_H
#define CT_CLANG_PLUGIN_MACROS_H

#include "llvm/ADT/StringRef.h"
#include "llvm/ADT/StringSet.h"
#include <string>

namespace ct {

/// Predefines, clang's text before a CUDA source, with its lines in that order.
std::string behindPrologue(llvm::StringRef Predefines);

/// The same where the headers up to ours for nvcc have been read (ahead.h):
/// what follows them. Known: macros that are defined as they should be.
std::string behindAhead(llvm::StringRef Predefines,
                        const llvm::StringSet<> &Known);

/// Whether a macro of this name is defined behind those headers.
bool isBehindPrologue(llvm::StringRef Name);

/// Whether -include names a header that can be read ahead of all others.
bool isAhead(llvm::StringRef Header);

} // namespace ct
#endif
