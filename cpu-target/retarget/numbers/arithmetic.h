/* SPDX-License-Identifier: Apache-2.0 */
/* Arithmetic that the two targets do differently. */
#ifndef CT_CPU_TARGET_RETARGET_NUMBERS_ARITHMETIC_H
#define CT_CPU_TARGET_RETARGET_NUMBERS_ARITHMETIC_H

#include "cpu-target/retarget/unit/unit.h"

namespace ct {

/// Integer division by zero gives what the GPU gives.
void guardDivisions(Unit &U);

/// Shifts by the width or more give what the GPU gives.
void clampShifts(Unit &U);

/// Conversions of numbers out of range give what the GPU gives.
void saturateConversions(Unit &U);

/// The integral number V as PTX's cvt makes an integer of it: the next there
/// is; of NaN zero, or, where one side has 64 bits, the sign bit alone.
llvm::Value *toInteger(llvm::IRBuilderBase &B, llvm::Value *V, llvm::Type *T,
                       bool IsSigned);

/// Fuse multiplies and adds that the NVPTX back end would fuse.
void contractMultiplyAdds(Unit &U);

} // namespace ct

#endif
