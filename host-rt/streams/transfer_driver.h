/* SPDX-License-Identifier: Apache-2.0 */
/* Describes what a copy of a call of the driver moves; copy may be NULL: that moves nothing. */
#ifndef CT_HOST_RT_STREAMS_TRANSFER_DRIVER_H
#define CT_HOST_RT_STREAMS_TRANSFER_DRIVER_H

#include "host-rt/streams/transfer_shape.h"
#include <cuda.h>

struct ct_transfer ct_transfer_driver_2d(const CUDA_MEMCPY2D *copy, CUstream stream);
struct ct_transfer ct_transfer_driver_3d(const CUDA_MEMCPY3D *copy, CUstream stream);

#endif
