// SPDX-License-Identifier: Apache-2.0
// Each case says how warps access memory. A float4 is copied at once, however the compiler
// divides the copy, which depends on what it knows of alignment.
// judged: array-of-structures, strided-accesses, scattered-accesses, short-rows
// judged: misaligned-accesses, partly-used-sectors
#include "cases.h"

static const int many = 1024;

static float4 body(int i)
{
	return make_float4(noise(i), noise(i + many), noise(i + 2 * many), 1);
}

// case tiles
// Innocent: bodies are copied to a tile, and moved without their weights.
static __global__ void attract(const float4 *bodies, float4 *forces)
{
	__shared__ float4 tile[128];
	float4 own = bodies[index()], sum = make_float4(0, 0, 0, 0);

	for (int first = 0; first < many; first += 128) {
		tile[threadIdx.x] = bodies[first + (int)threadIdx.x];
		__syncthreads();
		for (int i = 0; i < 128; i++) {
			sum.x += (tile[i].x - own.x) * tile[i].w;
			sum.y += (tile[i].y - own.y) * tile[i].w;
			sum.z += (tile[i].z - own.z) * tile[i].w;
		}
		__syncthreads();
	}
	forces[index()] = sum;
}

static __global__ void move(float4 *bodies, const float4 *forces)
{
	float4 own = bodies[index()], force = forces[index()];

	own.x += force.x;
	own.y += force.y;
	own.z += force.z;
	bodies[index()] = own;
}

CASE(tiles)
{
	ALLOCATE(float4, bodies, many);
	ALLOCATE(float4, forces, many);

	copy_in(bodies, filled<float4>(many, body));
	attract<<<many / 128, 128>>>(bodies, forces);
	move<<<many / 128, 128>>>(bodies, forces);
	copy_out((float *)bodies, 4 * many);
}

// case slices
// Innocent: rows of 64 floats, four by four, to a tile of which the compiler sees floats.
static __global__ void take(const float *from, float *to)
{
	__shared__ float tile[8][64];
	int row = (int)threadIdx.x / 16, column = (int)threadIdx.x % 16 * 4;

	for (int first = 0; first < 64; first += 8) {
		*(float4 *)&tile[row][column] =
		    *(const float4 *)&from[((int)blockIdx.x * 64 + first + row) * 64 + column];
		__syncthreads();
		to[((int)blockIdx.x * 64 + first + (int)threadIdx.x / 64) * 64 +
		   (int)threadIdx.x % 64] = 2 * tile[threadIdx.x / 64][threadIdx.x % 64];
		__syncthreads();
	}
}

CASE(slices)
{
	ALLOCATE(float, from, 8 * 64 * 64);
	ALLOCATE(float, to, 8 * 64 * 64);

	copy_in(from, filled<float>(8 * 64 * 64, noise));
	take<<<8, 128>>>(from, to);
	copy_out(to, 8 * 64 * 64);
}

// case particles
// Wider than what is copied at once.
struct particle {
	float4 place, speed;
};

static __global__ void drift(particle *all)
{
	int i = index();
	float4 place = all[i].place, speed = all[i].speed; // has array-of-structures: 32 B

	place.x += speed.x;
	place.y += speed.y;
	place.z += speed.z;
	place.w += speed.w;
	all[index()].place = place; // has array-of-structures: 32 B
}

CASE(particles)
{
	ALLOCATE(particle, all, many);

	copy_in((float4 *)all, filled<float4>(2 * many, body));
	drift<<<many / 128, 128>>>(all);
	copy_out((float *)all, 8 * many);
}

// case rows
// A thread for each row of a sparse matrix: a warp for each is what helps, no other order.
static __global__ void multiply(const int *first, const float *value, float *to)
{
	int row = index();
	float sum = 0;

	for (int i = first[row]; i < first[row + 1]; i++)
		sum += value[i]; // has scattered-accesses: let neighbouring lanes take them
	to[row] = sum;
}

CASE(rows)
{
	std::vector<int> host(many + 1);
	ALLOCATE(int, first, many + 1);
	ALLOCATE(float, to, many);

	for (int i = 0; i < many; i++)
		host[i + 1] = host[i] + 13 + i * 7 % 11;
	copy_in(first, host);
	ALLOCATE(float, value, host[many]);
	copy_in(value, filled<float>(host[many], noise));
	multiply<<<many / 128, 128>>>(first, value, to);
	copy_out(to, many);
}
