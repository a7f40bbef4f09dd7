/* SPDX-License-Identifier: Apache-2.0 */
/* Which events are calls. */
#ifndef CT_CPU_TARGET_RETARGET_CALLS_CALL_EVENTS_H
#define CT_CPU_TARGET_RETARGET_CALLS_CALL_EVENTS_H

#include "cpu-target/retarget/unit/unit.h"

namespace ct {

/// Tell the producer which events are calls.
void markCallEvents(Unit &U);

} // namespace ct

#endif
