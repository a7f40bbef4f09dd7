/* SPDX-License-Identifier: Apache-2.0 */
/* Gravity, all pairs: forces from bodies staged in shared memory, then a step of time. */
#include "../example.h"
#include <utility>

#ifndef THREADS
#define THREADS 64
#endif
#ifndef STEPS
#define STEPS 3
#endif
static const float STEP = 0.001f;
static const float SOFTENING = 0.0625f; /* squared distance below which the pull stops growing */

/* xyz: acceleration of a body at p, w: its potential; a body of mass 0 adds nothing. */
__host__ __device__ static float4 attract(float4 sum, float4 p, float4 q)
{
	float x = q.x - p.x, y = q.y - p.y, z = q.z - p.z;
	float square = fmaf(x, x, fmaf(y, y, fmaf(z, z, SOFTENING)));
	float pull = q.w / sqrtf(square);
	float force = pull / square;

	return make_float4(fmaf(force, x, sum.x), fmaf(force, y, sum.y), fmaf(force, z, sum.z),
			   sum.w - pull);
}

/* The loop over all bodies met the body itself, at distance 0. */
__host__ __device__ static float4 without_own(float4 sum, float4 p)
{
	sum.w += p.w / sqrtf(SOFTENING);
	return sum;
}

/* velocity.w gathers the potential over time. */
__host__ __device__ static void move(float4 &position, float4 &velocity, float4 force)
{
	velocity.x = fmaf(STEP, force.x, velocity.x);
	velocity.y = fmaf(STEP, force.y, velocity.y);
	velocity.z = fmaf(STEP, force.z, velocity.z);
	velocity.w = fmaf(STEP, force.w, velocity.w);
	position.x = fmaf(STEP, velocity.x, position.x);
	position.y = fmaf(STEP, velocity.y, position.y);
	position.z = fmaf(STEP, velocity.z, position.z);
}

__global__ void force(float4 *forces, const float4 *positions, int n)
{
	__shared__ float4 tile[THREADS];
	int i = blockIdx.x * THREADS + threadIdx.x;
	float4 nothing = make_float4(0, 0, 0, 0);
	float4 own = nothing, sum = nothing;

	if (i < n)
		own = positions[i];
	for (int first = 0; first < n; first += THREADS) {
		int j = first + threadIdx.x;
		float4 other = nothing;

		if (j < n)
			other = positions[j];
		tile[threadIdx.x] = other;
		__syncthreads();
		for (int k = 0; k < THREADS; k++)
			sum = attract(sum, own, tile[k]);
		__syncthreads();
	}
	if (i < n)
		forces[i] = without_own(sum, own);
}

__global__ void integrate(float4 *moved, float4 *velocities, const float4 *positions,
			  const float4 *forces, int n)
{
	int i = blockIdx.x * THREADS + threadIdx.x;

	if (i >= n)
		return;
	float4 position = positions[i], velocity = velocities[i];

	move(position, velocity, forces[i]);
	moved[i] = position;
	velocities[i] = velocity;
}

static void reference(std::vector<float4> &positions, std::vector<float4> &velocities)
{
	std::vector<float4> forces(positions.size());

	for (int step = 0; step < STEPS; step++) {
		for (size_t i = 0; i < positions.size(); i++) {
			float4 sum = make_float4(0, 0, 0, 0);

			for (const float4 &other : positions)
				sum = attract(sum, positions[i], other);
			forces[i] = without_own(sum, positions[i]);
		}
		for (size_t i = 0; i < positions.size(); i++)
			move(positions[i], velocities[i], forces[i]);
	}
}

int main(int argc, char **argv)
{
	int n = example_size(argc, argv, 200, 1);
	size_t bytes = n * sizeof(float4);
	std::vector<float4> positions(n), velocities(n), result(n);
	float4 *position, *moved, *velocity, *sums;
	unsigned seed = 4;

	for (float4 &p : positions) {
		p.x = example_random(&seed, 1000) / 512.0f - 1;
		p.y = example_random(&seed, 1000) / 512.0f - 1;
		p.z = example_random(&seed, 1000) / 512.0f - 1;
		p.w = 1.0f + example_random(&seed, 8);
	}
	CHECK(cudaMalloc(&position, bytes));
	CHECK(cudaMalloc(&moved, bytes));
	CHECK(cudaMalloc(&velocity, bytes));
	CHECK(cudaMalloc(&sums, bytes));
	CHECK(cudaMemcpy(position, positions.data(), bytes, cudaMemcpyHostToDevice));
	CHECK(cudaMemcpy(velocity, velocities.data(), bytes, cudaMemcpyHostToDevice));

	for (int step = 0; step < STEPS; step++) {
		force<<<divide_up(n, THREADS), THREADS>>>(sums, position, n);
		CHECK(cudaGetLastError());
		integrate<<<divide_up(n, THREADS), THREADS>>>(moved, velocity, position, sums, n);
		CHECK(cudaGetLastError());
		std::swap(position, moved);
	}
	CHECK(cudaMemcpy(result.data(), position, bytes, cudaMemcpyDeviceToHost));
	CHECK(cudaFree(position));
	CHECK(cudaFree(moved));
	CHECK(cudaFree(velocity));
	CHECK(cudaFree(sums));

	reference(positions, velocities);
	return example_finish_near("nbody", &result[0].x, &positions[0].x, 4 * n, 1e-4f);
}
