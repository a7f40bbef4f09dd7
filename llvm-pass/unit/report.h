/* SPDX-License-Identifier: Apache-2.0 */
/* The coverage report: what of each kernel is recorded, and what is not and
 * why. */
#ifndef CT_LLVM_PASS_UNIT_REPORT_H
#define CT_LLVM_PASS_UNIT_REPORT_H

#include "llvm-pass/unit/writer.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace ct {

/// A table per kernel: a line per operation and space, first those of the
/// kernel's body, then those of the device functions that it reaches.
///
///   kernel scale(float*, int) at a.cu:7
///     operation   space   definite  checked  elsewhere  filtered  not
///     instrumented load        global         2        0          0         0
///     0
///     + device function at(float*) [ug]
///     store       -              0        1          0         0 0 total 2 1
///     0         0                 0 not instrumented: other at a.cu:9: call of
///     f, not compiled here
///
/// Kernels without a clone have the line "no clone: reason" instead. A function
/// in brackets is traced for callers with this pattern of arguments (unit.h).
/// Reaches: whether code of a kernel can get to a device function.
std::string coverageReport(
    const UnitWriter &Unit,
    llvm::function_ref<bool(llvm::StringRef Kernel, llvm::StringRef Function)>
        Reaches);

} // namespace ct
#endif
