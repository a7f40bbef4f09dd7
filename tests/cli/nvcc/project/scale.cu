// SPDX-License-Identifier: Apache-2.0
__device__ int scale(int x) { return 3 * x; }
