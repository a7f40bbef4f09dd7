/* SPDX-License-Identifier: Apache-2.0 */
/* Denormal numbers of single precision, which some code takes for zero. */
#ifndef CT_RETARGET_DENORMALS_H
#define CT_RETARGET_DENORMALS_H

#include "cpu-target/retarget/unit/unit.h"

namespace ct {

/// In functions compiled with -ftz=true, operations of single precision take
/// and give zero, with its sign, for denormal numbers; doubles keep theirs.
void flushDenormals(Unit &U);

} // namespace ct

#endif
