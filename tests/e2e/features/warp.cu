/* SPDX-License-Identifier: Apache-2.0 */
/* Operations of a warp: shuffles, votes, matches, reductions, masks. */
#include "feature.h"

constexpr unsigned full = 0xffffffffu;

__global__ void shuffles(int *out)
{
	int i = threadIdx.x, lane = i & 31;

	out[i] = __shfl_sync(full, lane * 2, 5);
	out[64 + i] = __shfl_up_sync(full, lane, 3);
	out[128 + i] = __shfl_down_sync(full, lane, 4, 8);
	out[192 + i] = __shfl_xor_sync(full, lane, 9);
}

__global__ void shuffle_types(double *out)
{
	double v = threadIdx.x * 0.5;

	for (int o = 16; o; o >>= 1)
		v += __shfl_xor_sync(full, v, o);
	out[threadIdx.x] = v;
}

__global__ void votes(unsigned *out)
{
	unsigned i = threadIdx.x;

	out[i] = __ballot_sync(full, i % 3 == 0);
	out[32 + i] = __any_sync(full, i == 7) + 2 * __all_sync(full, i < 32);
	out[64 + i] = __match_any_sync(full, i / 4);
	int same;
	out[96 + i] = __match_all_sync(full, 17, &same) + same;
	out[128 + i] = __reduce_add_sync(full, i) + __reduce_max_sync(full, i);
}

__global__ void part_of_a_warp(unsigned *out)
{
	unsigned i = threadIdx.x;

	if (i < 16)
		out[i] = __shfl_sync(0xffffu, i, 3) | __ballot_sync(0xffffu, i & 1) << 16;
	else if (i < 24)
		out[i] = __shfl_sync(0xff0000u, i, 17);
	else
		out[i] = __activemask();
}

/* 40 threads: the second warp has 8 lanes. */
__global__ void short_warp(unsigned *out)
{
	out[threadIdx.x] = __ballot_sync(__activemask(), 1);
}

__global__ void after_exit(int *out)
{
	int v = threadIdx.x;

	if (threadIdx.x >= 20)
		return;
	__syncwarp();
	for (int o = 1; o < 4; o <<= 1)
		v += __shfl_xor_sync(0xfffffu, v, o);
	out[threadIdx.x] = v;
}

int main()
{
	int *out = device_array<int>(256);
	unsigned *bits = device_array<unsigned>(256);
	double *real = device_array<double>(32);

	shuffles<<<1, 64>>>(out);
	check("shfl", all_equal(out, 64, [](size_t) { return 10; }));
	check("shfl_up", all_equal(out + 64, 64, [](size_t i) {
		      int lane = i & 31;
		      return lane < 3 ? lane : lane - 3;
	      }));
	check("shfl_down with width", all_equal(out + 128, 64, [](size_t i) {
		      int lane = i & 31;
		      return lane % 8 < 4 ? lane + 4 : lane;
	      }));
	check("shfl_xor", all_equal(out + 192, 64, [](size_t i) { return (i & 31) ^ 9; }));
	shuffle_types<<<1, 32>>>(real);
	check("shfl of double", all_equal(real, 32, [](size_t) { return 31 * 32 / 2 * 0.5; }));
	votes<<<1, 32>>>(bits);
	check("ballot", all_equal(bits, 32, [](size_t) { return 0x49249249u; }));
	check("any and all", all_equal(bits + 32, 32, [](size_t) { return 3u; }));
	check("match_any", all_equal(bits + 64, 32, [](size_t i) { return 0xfu << i / 4 * 4; }));
	check("match_all", all_equal(bits + 96, 32, [](size_t) { return full + 1u; }));
	check("reduce", all_equal(bits + 128, 32, [](size_t) { return 496u + 31u; }));
	part_of_a_warp<<<1, 32>>>(bits);
	check("masks", all_equal(bits, 32, [](size_t i) {
		      return i < 16 ? 3u | 0xaaaa0000u : i < 24 ? 17u : 0xff000000u;
	      }));
	short_warp<<<1, 40>>>(bits);
	check("short warp", all_equal(bits, 40, [](size_t i) { return i < 32 ? full : 0xffu; }));
	after_exit<<<1, 32>>>(out);
	check("lanes that have exited",
	      all_equal(out, 20, [](size_t i) { return (i & ~3) * 4 + 6; }));
	return finish();
}
