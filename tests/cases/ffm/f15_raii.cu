// SPDX-License-Identifier: Apache-2.0
// RAII buffers: Buf<T> allocates and frees. smooth() 20x leaves a kernel pending at ~Buf; norm()
// has read its result before ~Buf.
#include "burn.h"
#include <cmath>
template <typename T> struct Buf {
	T *p;
	size_t n;
	explicit Buf(size_t count) : n(count)
	{
		OK(cudaMalloc(&p, n * sizeof(T)));
	} // ALLOC
	~Buf()
	{
		// reported: allocate it once
		// problem: unnecessary-synchronization 20 of 20 times
		cudaFree(p);
	} // FREE
	Buf(const Buf &) = delete;
};
constexpr int N = 2048;
__global__ void blur(const float *x, float *t, int r)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	unsigned z = spin(r, i);
	t[i] = x[i] * 0.5f + (z == 7u);
}
__global__ void back(const float *t, float *x)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	x[i] = t[i] + 1;
}
__global__ void total(const float *x, float *s, int r)
{
	unsigned z = spin(r, threadIdx.x);
	if (threadIdx.x == 0) {
		float a = 0;
		for (int i = 0; i < N; i++)
			a += x[i];
		*s = a + (z == 7u);
	}
}
static void smooth(float *x)
{
	Buf<float> t(N);
	blur<<<N / 128, 128>>>(x, t.p, ROUNDS / 400);
	back<<<N / 128, 128>>>(t.p, x);
}
static float norm(const float *x)
{
	Buf<float> s(1);
	total<<<1, 32>>>(x, s.p, 2000);
	float h;
	OK(cudaMemcpy(&h, s.p, 4, cudaMemcpyDeviceToHost));
	return sqrtf(h);
}
int main()
{
	Buf<float> x(N);
	OK(cudaMemset(x.p, 0, N * 4));
	float last = 0;
	for (int i = 0; i < 20; i++) {
		smooth(x.p);
		burn_sink = burn(3 * MS);
		last = norm(x.p);
		if (last > 1e6f)
			break;
	}
	printf("%.3f\n", last);
	return 0;
}
