/* SPDX-License-Identifier: Apache-2.0 */
/* A unit without kernels, for an archive. */
#include "shared.h"

__device__ int from_library(const int *values, int i)
{
	return own(values, i) + common(values, i + 64);
}
