/* SPDX-License-Identifier: Apache-2.0 */
/* cp.async: 4, 8 and 16 bytes, with a source size, by intrinsic and by inline PTX. */
#include "feature.h"
#include <cuda_pipeline.h>
// construct: cp.async
// construct: cp.async with a source size
// construct: prefetch

__global__ void copies(int *out, const int *in, int n)
{
	__shared__ __align__(16) int s[4][128];
	int i = threadIdx.x;
	unsigned to = (unsigned)__cvta_generic_to_shared(&s[2][2 * i]);

	for (int j = 0; j < 4; j++)
		s[0][4 * i + j] = s[1][4 * i + j] = s[2][4 * i + j] = s[3][4 * i + j] = -1;
	__builtin_prefetch(in + i);
	__syncthreads();
	__pipeline_memcpy_async(&s[0][4 * i], in + 4 * i, 16);
	__pipeline_memcpy_async(&s[1][4 * i], in + 4 * i, 16, 8);
	asm volatile("cp.async.ca.shared.global [%0], [%1+8], 8, %2;" ::"r"(to), "l"(in + 2 * i),
		     "r"(n)
		     : "memory");
	asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" ::"r"(
			 (unsigned)__cvta_generic_to_shared(&s[3][i])),
		     "l"(in + i)
		     : "memory");
	__pipeline_commit();
	__pipeline_wait_prior(0);
	__syncthreads();
	for (int j = 0; j < 4; j++)
		for (int k = 0; k < 4; k++)
			out[128 * j + 4 * i + k] = s[j][4 * i + k];
}

int main()
{
	int host[136];
	int *in = device_array<int>(136), *out = device_array<int>(512);

	for (int i = 0; i < 136; i++)
		host[i] = 1000 + i;
	upload(in, host, 136);
	copies<<<1, 32>>>(out, in, 4);
	check("copies", all_equal(out, 512, [](size_t i) {
		      int at = (int)(i % 128);
		      if (i < 128)
			      return 1000 + at;
		      if (i < 256)
			      return at % 4 < 2 ? 1000 + at : 0;
		      if (i < 384)
			      return at >= 64 ? -1 : at % 2 == 0 ? 1002 + at : 0;
		      return at < 32 ? 1000 + at : -1;
	      }));
	return finish();
}
