// SPDX-License-Identifier: Apache-2.0
// Memory that lives as long as the program: a destructor of static lifetime frees it.
#include <cstdio>

class workspace
{
      public:
	float *get(size_t count)
	{
		if (!data)
			cudaMalloc((void **)&data, count * sizeof(float));
		return data;
	}
	~workspace()
	{
		cudaFree(data);
	}

      private:
	float *data = nullptr;
};

static workspace scratch;

__global__ void fill(float *x)
{
	x[threadIdx.x] = 1;
}

int main()
{
	fill<<<1, 64>>>(scratch.get(64));
	cudaDeviceSynchronize();
	puts("done");
	return 0;
}
