// SPDX-License-Identifier: Apache-2.0
// Mirror<T> holds a std::vector and a device copy. download() is called by two callers:
// report() reads at once (needed), snapshot() 4 ms of work later (misplaced: hidden wait of a
// pageable copy).
#include "burn.h"
#include <numeric>
#include <vector>
constexpr int N = 8192;
template <typename T> class Mirror
{
	std::vector<T> host;
	T *dev = nullptr;

      public:
	explicit Mirror(size_t n) : host(n)
	{
		OK(cudaMalloc(&dev, n * sizeof(T)));
		OK(cudaHostRegister(host.data(), n * sizeof(T), 0));
	}
	~Mirror()
	{
		cudaFree(dev);
	}
	T *device()
	{
		return dev;
	}
	void download(cudaStream_t s)
	{
		OK(cudaMemcpyAsync(host.data(), dev, host.size() * sizeof(T),
				   cudaMemcpyDeviceToHost, s));
		// reported: snapshot(Mirror
		// problem: misplaced-synchronization 15 of 15 times
		OK(cudaStreamSynchronize(s));
	}
	const std::vector<T> &get() const
	{
		return host;
	}
};
__global__ void evolve(double *x, double k, int r)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	unsigned z = spin(r, i);
	x[i] = k * i + (z == 7u);
}
static double report(Mirror<double> &m, cudaStream_t s)
{
	m.download(s); // NEEDED
	return std::accumulate(m.get().begin(), m.get().end(), 0.0);
}
static double snapshot(Mirror<double> &m, cudaStream_t s)
{
	m.download(s); // MISPLACED
	burn_sink = burn(4 * MS);
	return m.get()[5] + m.get()[N - 1];
}
int main()
{
	cudaStream_t s;
	OK(cudaStreamCreate(&s));
	Mirror<double> m(N);
	double a = 0, b = 0;
	for (int i = 0; i < 15; i++) {
		evolve<<<N / 128, 128, 0, s>>>(m.device(), i + 1, ROUNDS / 400);
		a += report(m, s);
		evolve<<<N / 128, 128, 0, s>>>(m.device(), 100 + i, ROUNDS / 400);
		b += snapshot(m, s);
	}
	printf("%.1f %.1f\n", a, b);
	return 0;
}
