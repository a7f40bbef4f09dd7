// SPDX-License-Identifier: Apache-2.0
// Particles in a box with a drag: each step moves them and sums up their energy. Things are wrong
// with it, which `ctrun profile` finds (docs/profile.md): particles are structures of which a
// kernel uses a part (-DFIX_LAYOUT fixes it), the sum meets in the banks of shared memory
// (-DFIX_BANKS), scratch memory is allocated in each step (-DFIX_ALLOCATION).
#include <cstdio>
#include <cstdlib>
#include <vector>

#define CHECK(call)                                                                                \
	do {                                                                                       \
		cudaError_t status = (call);                                                       \
		if (status != cudaSuccess) {                                                       \
			fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__,                         \
				cudaGetErrorString(status));                                       \
			exit(1);                                                                   \
		}                                                                                  \
	} while (0)

#define THREADS 256

#ifndef FIX_LAYOUT
struct Particle {
	float x, y, z, mass;
	float vx, vy, vz, charge;
	float history[8];
};

struct Particles {
	Particle *all;
	int count;
};

__device__ float &position(Particles p, int i)
{
	return p.all[i].x;
}
__device__ float &velocity(Particles p, int i)
{
	return p.all[i].vx;
}
__device__ float &mass(Particles p, int i)
{
	return p.all[i].mass;
}
#else
struct Particles {
	float *x, *vx, *m;
	int count;
};

__device__ float &position(Particles p, int i)
{
	return p.x[i];
}
__device__ float &velocity(Particles p, int i)
{
	return p.vx[i];
}
__device__ float &mass(Particles p, int i)
{
	return p.m[i];
}
#endif

__global__ void begin(Particles p)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;

	if (i >= p.count)
		return;
	position(p, i) = i % 1000 * 0.001f;
	velocity(p, i) = (i % 7 - 3) * 0.01f;
	mass(p, i) = 1 + i % 3;
}

__global__ void move(Particles p, float dt)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;

	if (i >= p.count)
		return;
	float v = velocity(p, i), x = position(p, i) + dt * v;
	if (x < 0 || x > 1)
		v = -v;
	position(p, i) = x;
	velocity(p, i) = v * (1 - 0.001f * dt);
}

// The energy of each block's particles.
#ifndef FIX_BANKS
#define AT(i) (i)
#else
#define AT(i) ((i) + (i) / 32)
#endif

__global__ void energy(Particles p, float *sums)
{
	__shared__ float part[AT(THREADS) + 1];
	int i = blockIdx.x * blockDim.x + threadIdx.x, t = threadIdx.x;

	part[AT(t)] = 0;
	if (i < p.count)
		part[AT(t)] = 0.5f * mass(p, i) * velocity(p, i) * velocity(p, i);
	__syncthreads();
	for (int step = 1; step < THREADS; step *= 2) {
		int at = 2 * step * t;

		if (at < THREADS)
			part[AT(at)] += part[AT(at + step)];
		__syncthreads();
	}
	if (t == 0)
		sums[blockIdx.x] = part[0];
}

static Particles make(int count)
{
	Particles p;

	p.count = count;
#ifndef FIX_LAYOUT
	CHECK(cudaMalloc(&p.all, sizeof(Particle) * count));
#else
	CHECK(cudaMalloc(&p.x, sizeof(float) * count));
	CHECK(cudaMalloc(&p.vx, sizeof(float) * count));
	CHECK(cudaMalloc(&p.m, sizeof(float) * count));
#endif
	return p;
}

int main(int argc, char **argv)
{
	int count = argc > 1 ? atoi(argv[1]) : 20000, steps = argc > 2 ? atoi(argv[2]) : 20;
	int blocks = (count + THREADS - 1) / THREADS;
	Particles p = make(count);
	std::vector<float> sums(blocks);
	float *sums_on_device = nullptr;
	double total = 0;

	begin<<<blocks, THREADS>>>(p);
#ifdef FIX_ALLOCATION
	CHECK(cudaMalloc(&sums_on_device, sizeof(float) * blocks));
#endif
	for (int i = 0; i < steps; i++) {
		move<<<blocks, THREADS>>>(p, 0.01f);
#ifndef FIX_ALLOCATION
		CHECK(cudaMalloc(&sums_on_device, sizeof(float) * blocks));
#endif
		energy<<<blocks, THREADS>>>(p, sums_on_device);
		CHECK(cudaGetLastError());
		CHECK(cudaMemcpy(sums.data(), sums_on_device, sizeof(float) * blocks,
				 cudaMemcpyDeviceToHost));
#ifndef FIX_ALLOCATION
		CHECK(cudaFree(sums_on_device));
#endif
		total = 0;
		for (float sum : sums)
			total += sum;
	}
	printf("energy %.5g\n", total);
	return 0;
}
