// SPDX-License-Identifier: Apache-2.0
// The thread that waits is not the one that reads: a consumer thread (condition variable), and
// std::async tasks. All waits are needed.
#include "burn.h"
#include <condition_variable>
#include <future>
#include <mutex>
#include <queue>
#include <thread>
constexpr int N = 2048, JOBS = 16;
__global__ void job(float *x, float k, int r)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	unsigned z = spin(r, i);
	x[i] = k + i + (z == 7u);
}
static double run(int k)
{
	cudaStream_t s;
	float *d, *h;
	OK(cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking));
	OK(cudaMalloc(&d, N * 4));
	OK(cudaMallocHost(&h, N * 4));
	double sum = 0;
	for (int j = 0; j < 4; j++) {
		job<<<N / 128, 128, 0, s>>>(d, k + j, ROUNDS / 400);
		OK(cudaMemcpyAsync(h, d, N * 4, cudaMemcpyDeviceToHost, s));
		OK(cudaStreamSynchronize(s)); // NEEDED 2
		for (int i = 0; i < N; i++)
			sum += h[i];
	}
	return sum;
}
int main()
{
	std::mutex m;
	std::condition_variable cv;
	std::queue<int> ready;
	std::queue<int> free_;
	float *h[3], *d;
	double sum = 0;
	for (int i = 0; i < 3; i++) {
		OK(cudaMallocHost(&h[i], N * 4));
		free_.push(i);
	}
	OK(cudaMalloc(&d, N * 4));
	std::thread consumer([&] {
		for (int n = 0; n < JOBS; n++) {
			std::unique_lock<std::mutex> l(m);
			cv.wait(l, [&] { return !ready.empty(); });
			int b = ready.front();
			ready.pop();
			l.unlock();
			for (int i = 0; i < N; i++)
				sum += h[b][i];
			l.lock();
			free_.push(b);
			l.unlock();
			cv.notify_all();
		}
	});
	for (int n = 0; n < JOBS; n++) {
		std::unique_lock<std::mutex> l(m);
		cv.wait(l, [&] { return !free_.empty(); });
		int b = free_.front();
		free_.pop();
		l.unlock();
		job<<<N / 128, 128>>>(d, n, ROUNDS / 400);
		OK(cudaMemcpyAsync(h[b], d, N * 4, cudaMemcpyDeviceToHost, 0));
		OK(cudaStreamSynchronize(0)); // NEEDED 1
		l.lock();
		ready.push(b);
		l.unlock();
		cv.notify_all();
	}
	consumer.join();
	double want = 0;
	for (int n = 0; n < JOBS; n++)
		for (int i = 0; i < N; i++)
			want += n + i;
	auto f1 = std::async(std::launch::async, run, 1),
	     f2 = std::async(std::launch::async, run, 100);
	sum += f1.get() + f2.get();
	for (int j = 0; j < 4; j++)
		for (int i = 0; i < N; i++)
			want += (1 + j + i) + (100 + j + i);
	printf("%s\n", sum == want ? "ok" : "WRONG");
	return sum != want;
}
