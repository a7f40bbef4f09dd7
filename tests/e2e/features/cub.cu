/* SPDX-License-Identifier: Apache-2.0 */
// construct: CUB
#include "feature.h"
#include <cub/block/block_radix_sort.cuh>
#include <cub/block/block_reduce.cuh>
#include <cub/block/block_scan.cuh>
#include <cub/device/device_reduce.cuh>
#include <cub/device/device_scan.cuh>
#include <cub/warp/warp_reduce.cuh>

static const int count = 5000;

__global__ void fill(int *data)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;

	if (i < count)
		data[i] = i % 7;
}

__global__ void block_wide(int *out)
{
	typedef cub::BlockReduce<int, 128> Reduce;
	typedef cub::BlockScan<int, 128> Scan;
	typedef cub::BlockRadixSort<int, 128, 1> Sort;
	typedef cub::WarpReduce<int> Warp;
	__shared__ typename Reduce::TempStorage reduce;
	__shared__ typename Scan::TempStorage scan;
	__shared__ typename Sort::TempStorage sort;
	__shared__ typename Warp::TempStorage warp[4];
	int sum, before, keys[1] = {(int)(threadIdx.x * 37) % 128};

	sum = Reduce(reduce).Sum(threadIdx.x);
	Scan(scan).ExclusiveSum((int)threadIdx.x, before);
	Sort(sort).Sort(keys);
	out[threadIdx.x] = before;
	out[128 + threadIdx.x] = keys[0];
	if (threadIdx.x == 0)
		out[256] = sum;
	sum = Warp(warp[threadIdx.x / 32]).Sum(1);
	if (threadIdx.x == 64)
		out[257] = sum;
}

int main()
{
	int *in = device_array<int>(count), *out = device_array<int>(count);
	void *scratch = nullptr;
	size_t bytes = 0, more = 0;

	fill<<<(count + 255) / 256, 256>>>(in);
	need(cub::DeviceReduce::Sum(nullptr, bytes, in, out, count), "DeviceReduce size");
	need(cub::DeviceScan::ExclusiveSum(nullptr, more, in, out, count), "DeviceScan size");
	bytes = bytes > more ? bytes : more;
	need(cudaMalloc(&scratch, bytes), "cudaMalloc");
	need(cub::DeviceReduce::Sum(scratch, bytes, in, out, count), "DeviceReduce");
	check("DeviceReduce", all_equal(out, 1, [](int) { return count / 7 * 21 + 1; }));
	need(cub::DeviceScan::ExclusiveSum(scratch, bytes, in, out, count), "DeviceScan");
	check("DeviceScan", all_equal(out, count, [](int i) {
		      int rest = i % 7;

		      return i / 7 * 21 + rest * (rest - 1) / 2;
	      }));
	block_wide<<<1, 128>>>(out);
	check("BlockScan", all_equal(out, 128, [](int i) { return i * (i - 1) / 2; }));
	check("BlockRadixSort", all_equal(out + 128, 128, [](int i) { return i; }));
	check("BlockReduce", all_equal(out + 256, 1, [](int) { return 127 * 64; }));
	check("WarpReduce", all_equal(out + 257, 1, [](int) { return 32; }));
	return finish();
}
