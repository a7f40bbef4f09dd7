/* SPDX-License-Identifier: Apache-2.0 */
/* The list of retargeted units of this process; interface in exec.h. */
#ifndef CT_CPU_TARGET_RUNTIME_EXEC_REGISTRY_H
#define CT_CPU_TARGET_RUNTIME_EXEC_REGISTRY_H

#include "cpu-target/runtime/exec/exec.h"

/* The first registered unit, then ->next. */
const struct ct_cpu_unit *ct_cpu_units(void);

/* Units that lie between these addresses are about to be unmapped; nothing of them runs. */
void ct_cpu_forget_units(const void *first, const void *end);

#endif
