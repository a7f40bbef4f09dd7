/* SPDX-License-Identifier: Apache-2.0 */
/* The GPUs of this machine. */
#ifndef CT_DRIVER_BASE_GPUS_H
#define CT_DRIVER_BASE_GPUS_H

#include "driver/base/args.h"

/* "90" for each GPU of compute capability 9.0, in the driver's order; none without a driver. */
void ct_gpus_names(struct ct_args *names);

/* The CUDA version that the driver is for, 13000 for 13.0; 0 without a driver. */
unsigned ct_gpus_driver_version(void);

#endif
