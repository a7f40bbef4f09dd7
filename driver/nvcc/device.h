/* SPDX-License-Identifier: Apache-2.0 */
/* The GPUs of this machine, for -arch=native. */
#ifndef CT_NVCC_DEVICE_H
#define CT_NVCC_DEVICE_H

#include "driver/base/args.h"

/* Append the architecture of each device that the driver knows, as "90"; nothing without one. */
void ct_nvcc_device_names(struct ct_args *names);

#endif
