/* SPDX-License-Identifier: Apache-2.0 */
/* How many cores this process may use. */
#ifndef CT_HOST_RT_BASE_CORES_H
#define CT_HOST_RT_BASE_CORES_H

#include <stdint.h>

/* The cores of its affinity, or as many as the quotas of its control groups are worth, rounded up;
 * at least 1. */
uint32_t ct_cores_usable(void);

/* Reads "MAX PERIOD" (cpu.max of a control group); UINT32_MAX without a limit. */
uint32_t ct_cores_of_quota(const char *text);

#endif
