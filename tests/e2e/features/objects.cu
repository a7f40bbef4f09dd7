/* SPDX-License-Identifier: Apache-2.0 */
// construct: linked list in global memory
// construct: virtual function
// construct: device heap
// construct: pointers in nested structures and arrays passed by value
// construct: pointer kept in shared memory
// construct: constant table of pointers, filled by the host
// construct: pointer converted to an integer and back
// construct: pointer chosen between shared and global memory
#include "feature.h"
#include <new>

struct node {
	node *next;
	int value;
};

struct shape {
	__device__ virtual int area(const int *scale) const
	{
		return *scale;
	}
};

struct square : shape {
	int side;
	__device__ explicit square(int side) : side(side)
	{
	}
	__device__ int area(const int *scale) const override
	{
		return side * side * *scale;
	}
};

struct inner {
	int *data[2];
};

struct outer {
	char first;
	inner parts;
};

__constant__ int *table[2];

__global__ void sum(const node *list, int *out)
{
	for (; list; list = list->next)
		atomicAdd(out, list->value);
}

__global__ void areas(const int *scale, int *out)
{
	shape *made = threadIdx.x & 1 ? new square(threadIdx.x) : new shape;

	out[threadIdx.x] = made->area(scale);
	delete made;
}

__global__ void nested(outer o, int i)
{
	__shared__ int *chosen;
	inner copy = o.parts;

	if (threadIdx.x == 0)
		chosen = copy.data[i];
	__syncthreads();
	chosen[threadIdx.x] = threadIdx.x;
	table[i][threadIdx.x] = 2 * threadIdx.x;
}

__global__ void integers(int *out, int n)
{
	__shared__ int tile[32];
	size_t address = (size_t)out + threadIdx.x * sizeof(int);
	int *either = threadIdx.x < n ? out + 32 : tile;

	*(int *)(address & ~(size_t)3) = threadIdx.x;
	either[threadIdx.x] = 5;
	__syncthreads();
	out[64 + threadIdx.x] = threadIdx.x < n ? 0 : tile[threadIdx.x];
}

int main()
{
	node host[3], *list = device_array<node>(3);
	int *out = device_array<int>(96), *a = device_array<int>(32), *b = device_array<int>(32);
	int scale = 3, *pointers[2] = {a, b};
	outer o = {1, {{a, b}}};

	for (int i = 0; i < 3; i++)
		host[i] = {i < 2 ? list + i + 1 : nullptr, i + 1};
	upload(list, host, 3);
	sum<<<1, 32>>>(list, out);
	check("list", all_equal(out, 1, [](int) { return 32 * 6; }));

	upload(a, &scale, 1);
	areas<<<1, 32>>>(a, out);
	check("virtual functions", all_equal(out, 32, [](int i) { return i & 1 ? i * i * 3 : 3; }));

	need(cudaMemcpyToSymbol(table, pointers, sizeof(pointers)), "cudaMemcpyToSymbol");
	nested<<<1, 32>>>(o, 1);
	check("structures and tables", all_equal(b, 32, [](int i) { return 2 * i; }));

	integers<<<1, 32>>>(out, 8);
	check("integers", all_equal(out, 32, [](int i) { return i; }));
	check("either space", all_equal(out + 64, 32, [](int i) { return i < 8 ? 0 : 5; }));
	return finish();
}
