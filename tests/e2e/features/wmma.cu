/* SPDX-License-Identifier: Apache-2.0 */
// construct: wmma load and store
#include "feature.h"
#include <mma.h>

using namespace nvcuda;

template <typename T> __host__ __device__ static T number(int i)
{
	return T((i * 7) % 5 - 2);
}

template <typename T> __global__ void fill(T *out, int count)
{
	for (int i = threadIdx.x; i < count; i += blockDim.x)
		out[i] = number<float>(i);
}

/* tf32 is kept in floats. */
template <typename T> struct stored {
	typedef T type;
};
template <> struct stored<wmma::precision::tf32> {
	typedef float type;
};

template <int M, int N, int K, typename T, typename C, typename LayoutA, typename LayoutB,
	  typename S = typename stored<T>::type>
__global__ void multiply(const S *a, const S *b, C *d, int lda, int ldb)
{
	wmma::fragment<wmma::matrix_a, M, N, K, T, LayoutA> fa;
	wmma::fragment<wmma::matrix_b, M, N, K, T, LayoutB> fb;
	wmma::fragment<wmma::accumulator, M, N, K, C> acc;

	wmma::fill_fragment(acc, C(3.0f));
	wmma::load_matrix_sync(fa, a, lda);
	wmma::load_matrix_sync(fb, b, ldb);
	wmma::mma_sync(acc, fa, fb, acc);
	for (int i = 0; i < acc.num_elements; i++)
		acc.x[i] = acc.x[i] + C(1.0f);
	wmma::store_matrix_sync(d, acc, N, wmma::mem_row_major);
}

template <int M, int N, int K, typename T, typename C, bool RowA, bool RowB>
static void test(const char *name)
{
	typedef typename stored<T>::type S;
	typedef typename std::conditional<RowA, wmma::row_major, wmma::col_major>::type LayoutA;
	typedef typename std::conditional<RowB, wmma::row_major, wmma::col_major>::type LayoutB;
	S *a = device_array<S>(M * K), *b = device_array<S>(K * N);
	C *d = device_array<C>(M * N);
	int lda = RowA ? K : M, ldb = RowB ? N : K;

	fill<<<1, 32>>>(a, M * K);
	fill<<<1, 32>>>(b, K * N);
	multiply<M, N, K, T, C, LayoutA, LayoutB><<<1, 32>>>(a, b, d, lda, ldb);
	check(name, all_equal(d, M * N, [=](int at) {
		      int i = at / N, j = at % N;
		      float sum = 4;

		      for (int k = 0; k < K; k++)
			      sum += number<float>(RowA ? i * K + k : k * M + i) *
				     number<float>(RowB ? k * N + j : j * K + k);
		      return C(sum);
	      }));
	cudaFree(a);
	cudaFree(b);
	cudaFree(d);
}

int main()
{
	test<16, 16, 16, half, float, true, false>("f16 m16n16k16");
	test<16, 16, 16, half, float, false, true>("f16 m16n16k16, other layouts");
	test<32, 8, 16, half, float, true, true>("f16 m32n8k16");
	test<8, 32, 16, half, float, true, false>("f16 m8n32k16");
	test<16, 16, 16, __nv_bfloat16, float, true, false>("bf16 m16n16k16");
	test<16, 16, 8, wmma::precision::tf32, float, true, false>("tf32 m16n16k8");
	test<8, 8, 4, double, double, true, false>("f64 m8n8k4");
	test<16, 16, 16, signed char, int, true, false>("s8 m16n16k16");
	test<32, 8, 16, signed char, int, false, true>("s8 m32n8k16");
	return finish();
}
