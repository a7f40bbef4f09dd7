/* SPDX-License-Identifier: Apache-2.0 */
/* y = a x + y on the device; x and y are host pointers. Returns 0 or a CUDA error number. */
#ifndef SAXPY_H
#define SAXPY_H

int saxpy(int n, float a, const float *x, float *y);

#endif
