/* SPDX-License-Identifier: Apache-2.0 */
/* Copies of the cubins that were loaded, since the driver's go with the call that reports them. */
#ifndef CT_HOST_RT_SAMPLES_CUBINS_H
#define CT_HOST_RT_SAMPLES_CUBINS_H

#include <stdint.h>

/* Samples name it: it is to be written. Any thread. */
void ct_cubins_want(uint64_t cubin);

#endif
