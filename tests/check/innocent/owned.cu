// SPDX-License-Identifier: Apache-2.0
// Owners that move: each allocation is freed once.
#include <cstdio>
#include <memory>
#include <utility>
#include <vector>

struct release {
	void operator()(void *memory) const
	{
		cudaFree(memory);
	}
};

template <typename T> using device_array = std::unique_ptr<T[], release>;

template <typename T> static device_array<T> make(size_t count)
{
	T *memory = nullptr;

	cudaMalloc(&memory, count * sizeof(T));
	return device_array<T>(memory);
}

__global__ void fill(int *x)
{
	x[threadIdx.x] = 1;
}

int main()
{
	std::vector<device_array<int>> arrays;

	for (int i = 0; i < 5; i++)
		arrays.push_back(make<int>(32));
	device_array<int> last = std::move(arrays.back());
	arrays.pop_back();
	fill<<<1, 32>>>(last.get());
	cudaDeviceSynchronize();
	puts("done");
	return 0;
}
