/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Names of runtime/ that ct-retarget calls by itself. Bitcode declares only
 * what something refers to, so this refers to them; nothing else does.
 */
#include "device.h"

extern void *const __ct_cpu_system[];

void *const __ct_cpu_system[] = {
    (void *)__ct_cpu_fn_vprintf,
    (void *)__ct_cpu_fn___assertfail,
    (void *)__ct_cpu_fn_malloc,
    (void *)__ct_cpu_fn_free,
    (void *)__ct_cpu_trap,
    (void *)__ct_cpu_exit,
    (void *)__ct_cpu_yield,
};
