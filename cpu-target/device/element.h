/* SPDX-License-Identifier: Apache-2.0 */
/* Elements of matrix fragments as numbers. */
#ifndef CT_CPU_TARGET_DEVICE_ELEMENT_H
#define CT_CPU_TARGET_DEVICE_ELEMENT_H

#include "cpu-target/device/device.h"
#include "cpu-target/device/matrix.h"

u32 ct_matrix_bits(u32 type);

/* The index-th element of a fragment. */
double ct_matrix_real(const u32 *words, u32 type, u32 index);
i64 ct_matrix_integer(const u32 *words, u32 type, u32 index);

/* Its bits; type of at most 32. */
u32 ct_matrix_raw(const u32 *words, u32 type, u32 index);

/* words must be 0 at that element: F16, F32 or F64, rounded to nearest. */
void ct_matrix_put(u32 *words, u32 type, u32 index, double value);

#endif
