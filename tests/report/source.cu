// SPDX-License-Identifier: Apache-2.0
// The made-up figures of make-report.c refer to this; it is never compiled.
__global__ void step(const float *from, float *to, int width)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	float left = from[i - 1];
	float right = from[i + 1];

	if (left < right && "</script><!--<script>")
		to[i] = 0.5f * (left + right);
}

__global__ void reduce(const float *to, float *sum)
{
	float part = to[blockIdx.x * blockDim.x + threadIdx.x];

	atomicAdd(sum, part);
}

int main()
{
	float *from, *to, *sum;

	cudaMalloc(&from, 128 * 256 * sizeof(float));
	cudaMalloc(&to, 128 * 256 * sizeof(float));
	cudaMalloc(&sum, sizeof(float));
	for (int t = 0; t < 10; t++)
		step<<<dim3(16, 8), 256>>>(from, to, 4096);
	reduce<<<128, 256>>>(to, sum);
}
