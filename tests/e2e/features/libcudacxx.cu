/* SPDX-License-Identifier: Apache-2.0 */
// construct: cuda::atomic_ref
// construct: libcu++
#include "feature.h"
#include <cuda/atomic>
#include <cuda/barrier>
#include <cuda/std/array>
#include <cuda/std/complex>
#include <cuda/std/tuple>

__global__ void atomics(int *i, unsigned long long *u, float *f)
{
	cuda::atomic_ref<int> system(i[0]);
	cuda::atomic_ref<int, cuda::thread_scope_device> device(i[1]);
	cuda::atomic_ref<int, cuda::thread_scope_block> block(i[2]);
	cuda::atomic_ref<unsigned long long, cuda::thread_scope_device> wide(u[0]);
	cuda::atomic_ref<float, cuda::thread_scope_device> real(f[0]);
	int expected;

	system.fetch_add(1);
	device.fetch_max(threadIdx.x, cuda::memory_order_relaxed);
	block.fetch_xor(1 << (threadIdx.x % 32));
	wide.fetch_add(1ull << 33, cuda::memory_order_acq_rel);
	real.fetch_add(.5f);
	cuda::atomic_ref<int, cuda::thread_scope_device> counted(i[3]);
	expected = counted.load(cuda::memory_order_relaxed);
	while (!counted.compare_exchange_weak(expected, expected + 2))
		;
	if (threadIdx.x == 0)
		cuda::atomic_ref<int>(i[4]).store(9, cuda::memory_order_release);
}

__global__ void barrier(int *out)
{
	typedef cuda::barrier<cuda::thread_scope_block> block_barrier;
	__shared__ __align__(8) char memory[sizeof(block_barrier)];
	block_barrier &b = *(block_barrier *)memory;
	__shared__ int s[64];

	if (threadIdx.x == 0)
		init(&b, blockDim.x);
	__syncthreads();
	for (int round = 0; round < 3; round++) {
		s[threadIdx.x] = threadIdx.x + round;
		auto token = b.arrive();
		b.wait(std::move(token));
		out[threadIdx.x] += s[63 - threadIdx.x];
		b.arrive_and_wait();
	}
}

__global__ void types(float *out)
{
	cuda::std::array<float, 3> a = {1, 2, 3};
	cuda::std::complex<float> c(0, 2);
	auto t = cuda::std::make_tuple(1, 2.5f);

	c *= c;
	out[0] = c.real();
	out[1] = a[2] + cuda::std::get<1>(t);
}

int main()
{
	int *i = device_array<int>(64);
	unsigned long long *u = device_array<unsigned long long>(1);
	float *f = device_array<float>(2);

	atomics<<<1, 64>>>(i, u, f);
	check("atomic_ref", all_equal(i, 5, [](int n) {
		      static const int expected[] = {64, 63, 0, 128, 9};

		      return expected[n];
	      }));
	check("64 bits", all_equal(u, 1, [](int) { return 64ull << 33; }));
	check("float", all_equal(f, 1, [](int) { return 32; }));
	need(cudaMemset(i, 0, 256), "cudaMemset");
	barrier<<<1, 64>>>(i);
	check("barrier", all_equal(i, 64, [](int n) { return 3 * (63 - n) + 3; }));
	types<<<1, 1>>>(f);
	check("types", all_equal(f, 2, [](int n) { return n ? 5.5f : -4; }));
	return finish();
}
