// SPDX-License-Identifier: Apache-2.0
// A copy of an object that owns memory dies in the function that it was passed to by value.
#include <cstdio>

class buffer
{
      public:
	explicit buffer(int n) : count(n)
	{
		cudaMalloc((void **)&data, n * sizeof(float));
		cudaMemset(data, 0, n * sizeof(float));
	}
	~buffer()
	{
		if (!is_released)
			cudaFree(data);
	}
	float *data;
	int count;
	bool is_released = false;
};

static void print_size(buffer b)
{
	printf("%d elements\n", b.count);
}

__global__ void increment(float *x, int n)
{
	if (threadIdx.x < n)
		x[threadIdx.x] += 1; // check: use-after-free
}

int main()
{
	buffer b(64);

	print_size(b);
	b.is_released = true;
	increment<<<1, 64>>>(b.data, b.count);
	cudaDeviceSynchronize();
	return 0;
}
