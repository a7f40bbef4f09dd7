/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The near field of the fast multipole method (U-lists): each target sums density / distance over
 * the points of its own leaf and of all leaves around it. Seed 004, chapter 3; equation (3.1).
 *
 *   fmm-u [SIZE [VARIANT [ROUNDS]]]    SIZE³ leaves of POINTS points
 *
 * VARIANT: optimisations, joined by commas, or "none"; each can be had with each other.
 *   shmem   sources are staged in shared memory, a leaf at a time
 *   pref    the next source (with shmem: the next leaf's) is loaded before this one is worked on
 *   ujam    two targets per thread
 *   soa     coordinates and densities in arrays of their own
 *   rsqrt   the reciprocal square root of the special function unit in place of 1 / sqrtf
 */
#include "../example.h"

#ifndef POINTS
#define POINTS 64 /* of a leaf; even */
#endif

enum { SHMEM = 1, PREF = 2, UJAM = 4, SOA = 8, RSQRT = 16, VARIANTS = 32 };
static const char *const names[] = {"shmem", "pref", "ujam", "soa", "rsqrt"};

struct point {
	float x, y, z, density;
};

/* All points, leaf by leaf: as structures, and as arrays. */
struct points {
	const point *all;
	const float *x, *y, *z, *density;
};

template <bool soa> __device__ static point load(const points &p, int i)
{
	if (soa)
		return {p.x[i], p.y[i], p.z[i], p.density[i]};
	return p.all[i];
}

template <bool rsqrt> __device__ static float kernel(const point &target, const point &source)
{
	float x = target.x - source.x, y = target.y - source.y, z = target.z - source.z;
	float square = fmaf(x, x, fmaf(y, y, z * z));
	float inverse = rsqrt ? rsqrtf(square) : 1.0f / sqrtf(square);

	return square > 0 ? source.density * inverse : 0.0f;
}

/* A CTA for each leaf, a thread for each target, or for two with ujam. The leaves around leaf l are
 * list[first[l]] … list[first[l + 1] - 1]. */
template <int variant>
__global__ void u_list(float *potentials, const points p, const int *first, const int *list)
{
	constexpr bool soa = variant & SOA, rsqrt = variant & RSQRT, pref = variant & PREF;
	constexpr int targets = variant & UJAM ? 2 : 1, threads = POINTS / targets;
	__shared__ point tile[POINTS];
	point target[targets];
	float sum[targets] = {};
	int begin = first[blockIdx.x], end = first[blockIdx.x + 1];

	for (int t = 0; t < targets; t++)
		target[t] = load<soa>(p, blockIdx.x * POINTS + t * threads + threadIdx.x);
	if (variant & SHMEM) {
		point next[targets];

		for (int t = 0; pref && t < targets; t++)
			next[t] = load<soa>(p, list[begin] * POINTS + t * threads + threadIdx.x);
		for (int u = begin; u < end; u++) {
			for (int t = 0; t < targets; t++)
				tile[t * threads + threadIdx.x] =
				    pref ? next[t]
					 : load<soa>(p,
						     list[u] * POINTS + t * threads + threadIdx.x);
			__syncthreads();
			for (int t = 0; pref && u + 1 < end && t < targets; t++)
				next[t] =
				    load<soa>(p, list[u + 1] * POINTS + t * threads + threadIdx.x);
#pragma unroll 4
			for (int s = 0; s < POINTS; s++)
				for (int t = 0; t < targets; t++)
					sum[t] += kernel<rsqrt>(target[t], tile[s]);
			__syncthreads();
		}
	} else {
		for (int u = begin; u < end; u++) {
			int leaf = list[u] * POINTS;
			point source = load<soa>(p, leaf);

			for (int s = 0; s < POINTS; s++) {
				point now = pref || s == 0 ? source : load<soa>(p, leaf + s);

				if (pref && s + 1 < POINTS)
					source = load<soa>(p, leaf + s + 1);
				for (int t = 0; t < targets; t++)
					sum[t] += kernel<rsqrt>(target[t], now);
			}
		}
	}
	for (int t = 0; t < targets; t++)
		potentials[blockIdx.x * POINTS + t * threads + threadIdx.x] = sum[t];
}

using launcher = void (*)(int leaves, float *, const points &, const int *, const int *);

template <int variant>
static void launch(int leaves, float *potentials, const points &p, const int *first,
		   const int *list)
{
	u_list<variant><<<leaves, POINTS / (variant & UJAM ? 2 : 1)>>>(potentials, p, first, list);
}

template <int variant> static launcher find(int wanted)
{
	if constexpr (variant < VARIANTS)
		return variant == wanted ? launch<variant> : find<variant + 1>(wanted);
	return nullptr;
}

/* Bits of the names joined by commas; -1: one is not known. */
static int read_variant(const char *text)
{
	int variant = 0;

	for (const char *at = text; *at && strcmp(text, "none"); at += *at == ',') {
		size_t length = strcspn(at, ",");
		int known = 0;

		for (int i = 0; i < 5; i++)
			if (strlen(names[i]) == length && !strncmp(at, names[i], length))
				known = 1 << i;
		if (!known)
			return -1;
		variant |= known;
		at += length;
	}
	return variant;
}

static void make_lists(int size, std::vector<int> &first, std::vector<int> &list)
{
	for (int leaf = 0; leaf < size * size * size; leaf++) {
		int x = leaf % size, y = leaf / size % size, z = leaf / size / size;

		first.push_back((int)list.size());
		for (int c = z - 1; c <= z + 1; c++)
			for (int b = y - 1; b <= y + 1; b++)
				for (int a = x - 1; a <= x + 1; a++)
					if (a >= 0 && b >= 0 && c >= 0 && a < size && b < size &&
					    c < size)
						list.push_back((c * size + b) * size + a);
	}
	first.push_back((int)list.size());
}

static void reference(const std::vector<point> &all, const std::vector<int> &first,
		      const std::vector<int> &list, std::vector<float> &potentials)
{
	for (size_t i = 0; i < all.size(); i++) {
		double sum = 0;

		for (int u = first[i / POINTS]; u < first[i / POINTS + 1]; u++)
			for (int s = list[u] * POINTS; s < (list[u] + 1) * POINTS; s++) {
				double x = all[i].x - all[s].x, y = all[i].y - all[s].y,
				       z = all[i].z - all[s].z, square = x * x + y * y + z * z;

				if (square > 0)
					sum += all[s].density / sqrt(square);
			}
		potentials[i] = (float)sum;
	}
}

template <typename T> static T *upload(const std::vector<T> &values)
{
	T *device;

	CHECK(cudaMalloc(&device, values.size() * sizeof(T)));
	CHECK(cudaMemcpy(device, values.data(), values.size() * sizeof(T), cudaMemcpyHostToDevice));
	return device;
}

int main(int argc, char **argv)
{
	int size = example_size(argc, argv, 3, 1), leaves = size * size * size;
	int variant = argc > 2 ? read_variant(argv[2]) : 0, rounds = argc > 3 ? atoi(argv[3]) : 1;
	std::vector<point> all(leaves * POINTS);
	std::vector<float> x, y, z, density, expected(all.size()), result(all.size());
	std::vector<int> first, list;
	unsigned seed = 7;
	float *potentials;

	if (variant < 0 || rounds < 1) {
		fprintf(stderr, "fmm-u: VARIANT is none, or of shmem,pref,ujam,soa,rsqrt\n");
		return 1;
	}
	for (size_t i = 0; i < all.size(); i++) {
		int leaf = (int)i / POINTS;

		x.push_back(all[i].x = leaf % size + example_random(&seed, 4096) / 4096.0f);
		y.push_back(all[i].y = leaf / size % size + example_random(&seed, 4096) / 4096.0f);
		z.push_back(all[i].z = leaf / size / size + example_random(&seed, 4096) / 4096.0f);
		density.push_back(all[i].density = 1 + example_random(&seed, 8));
	}
	make_lists(size, first, list);
	points p = {upload(all), upload(x), upload(y), upload(z), upload(density)};
	int *device_first = upload(first), *device_list = upload(list);
	CHECK(cudaMalloc(&potentials, all.size() * sizeof(float)));
	for (int round = 0; round < rounds; round++)
		find<0>(variant)(leaves, potentials, p, device_first, device_list);
	CHECK(cudaGetLastError());
	CHECK(cudaMemcpy(result.data(), potentials, result.size() * sizeof(float),
			 cudaMemcpyDeviceToHost));
	reference(all, first, list, expected);
	return example_finish_near("fmm-u", result.data(), expected.data(), result.size(), 1e-3f);
}
