/* SPDX-License-Identifier: Apache-2.0 */
/* Cooperative groups: blocks, tiles, coalesced threads, the grid. */
// construct: cooperative groups
// construct: cooperative launch
#include "feature.h"
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>

namespace cg = cooperative_groups;

__global__ void block_and_tiles(int *out)
{
	__shared__ int s[256];
	cg::thread_block block = cg::this_thread_block();
	auto warp = cg::tiled_partition<32>(block);
	auto eight = cg::tiled_partition<8>(block);
	int rank = block.thread_rank(), v;

	s[rank] = rank;
	block.sync();
	v = s[255 - rank];
	for (int d = 16; d; d /= 2)
		v += warp.shfl_down(v, d);
	if (warp.thread_rank() == 0)
		out[rank / 32] = v;
	if (rank == 0)
		out[8] = 0;
	block.sync();
	v = eight.ballot(eight.thread_rank() & 1);
	if (rank == 0)
		out[8] = v;
}

__global__ void coalesced(int *out)
{
	if (threadIdx.x % 3 == 0) {
		cg::coalesced_group group = cg::coalesced_threads();

		if (group.thread_rank() == 0)
			out[0] = group.size();
	}
}

__global__ void reduced(int *out)
{
	auto tile = cg::tiled_partition<16>(cg::this_thread_block());
	int sum = cg::reduce(tile, (int)threadIdx.x, cg::plus<int>());

	out[threadIdx.x] = sum;
}

/* Every round reads what the whole grid wrote in the round before. */
__global__ void rounds(int *data, int count)
{
	cg::grid_group grid = cg::this_grid();
	int i = grid.thread_rank();

	for (int round = 0; round < 4; round++) {
		int next = data[(i + 1) % count];

		grid.sync();
		data[i] = next + 1;
		grid.sync();
	}
}

int main()
{
	int *out = device_array<int>(256), initial[256], count = 256;
	void *arguments[] = {&out, &count};

	block_and_tiles<<<1, 256>>>(out);
	check("tiles", all_equal(out, 9, [](size_t i) {
		      int sum = 0;

		      if (i == 8)
			      return 0xaa;
		      for (int lane = 0; lane < 32; lane++)
			      sum += 255 - (int)(i * 32 + lane);
		      return sum;
	      }));
	coalesced<<<1, 32>>>(out);
	check("coalesced threads", all_equal(out, 1, [](size_t) { return 11; }));
	reduced<<<1, 64>>>(out);
	check("reduce", all_equal(out, 64, [](size_t i) { return (int)(i / 16) * 256 + 120; }));
	for (int i = 0; i < count; i++)
		initial[i] = i;
	upload(out, initial, count);
	need(cudaLaunchCooperativeKernel((void *)rounds, dim3(8), dim3(32), arguments, 0, nullptr),
	     "cudaLaunchCooperativeKernel");
	check("grid", all_equal(out, 256, [](size_t i) { return (i + 4) % 256 + 4; }));
	return finish();
}
