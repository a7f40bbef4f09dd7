/* SPDX-License-Identifier: Apache-2.0 */
/* Instructions that are translated, by their words (modifiers.def). */
#ifndef CT_CPU_TARGET_RETARGET_PTX_MODIFIERS_H
#define CT_CPU_TARGET_RETARGET_PTX_MODIFIERS_H

#include "ptx/parser.h"

namespace ct {

/// Whether opcode, types and all modifiers stand together in a row. What they
/// need of operands is for the handlers.
bool isKnownPtx(const PtxInstruction &I);

} // namespace ct

#endif
