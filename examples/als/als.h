/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Factorisation of a sparse matrix of ratings by alternating least squares: what als.cu and
 * als-fixed.cu share. There are as many users as items, n; each user has rated RATINGS items, and
 * each item has as many ratings.
 *
 *	rating(user u, item i) ~ x[u] . y[i]		x, y: n rows of FACTORS
 *
 * A half of a step finds x from y, the next one y from x: for each row the normal equations of its
 * ratings, solved. Meanwhile the host tells how good the factors before were, by pairs that are
 * not among the ratings.
 */
#ifndef ALS_H
#define ALS_H

#include "../example.h"

#ifndef FACTORS
#define FACTORS 8
#endif
#ifndef RATINGS
#define RATINGS 8
#endif
#ifndef STEPS
#define STEPS 2
#endif
#ifndef BATCHES
#define BATCHES 3
#endif
#ifndef TESTS /* pairs of a row */
#define TESTS 4
#endif
static const int STRIDE = 5; /* between the items of a user */
static const float DAMPING = 0.25f;

/* Ratings of users by items (half 0), or of items by users (half 1), row by row. */
struct ratings {
	std::vector<int> columns;
	std::vector<float> values;
};

static inline float rating_of(int half, int row, int column)
{
	unsigned user = half ? column : row, item = half ? row : column;
	unsigned state = user * 2654435761u ^ item * 40503u;

	return 1 + 0.25f * example_random(&state, 17);
}

static inline struct ratings make_ratings(int half, int n)
{
	struct ratings made;

	for (int row = 0; row < n; row++)
		for (int r = 0; r < RATINGS; r++) {
			int column = (row + (half ? n - STRIDE * r : STRIDE * r)) % n;

			made.columns.push_back(column);
			made.values.push_back(rating_of(half, row, column));
		}
	return made;
}

/* Half 0 begins with this; half 1 needs no beginning. */
static inline std::vector<float> first_factors(int half, int n)
{
	std::vector<float> factors((size_t)n * FACTORS);
	unsigned seed = 11;

	for (float &factor : factors)
		factor = half ? 0.25f + example_random(&seed, 1024) / 1024.0f : 0;
	return factors;
}

/* The squared error of the factors of rows begin to end. */
static inline double test_error(int half, const float *found, const float *other, int begin,
				int end, int n)
{
	double error = 0;

	for (int row = begin; row < end; row++)
		for (int t = 0; t < TESTS; t++) {
			int column = (int)((row * 31ll + t * 17 + 2) % n);
			float off = -rating_of(half, row, column);

			for (int f = 0; f < FACTORS; f++)
				off = fmaf(found[(size_t)row * FACTORS + f],
					   other[(size_t)column * FACTORS + f], off);
			error += off * off;
		}
	return error;
}

/* Line i of a row's normal equations; [FACTORS] is the right-hand side. */
struct line {
	float of[FACTORS + 1];
};

__host__ __device__ static inline struct line empty_line(int i)
{
	struct line line;

	for (int j = 0; j <= FACTORS; j++)
		line.of[j] = i == j ? DAMPING : 0;
	return line;
}

/* own: factor i of what is rated, all: its factors. */
__host__ __device__ static inline void add_rating(struct line *line, float own, const float *all,
						  float value)
{
	for (int j = 0; j < FACTORS; j++)
		line->of[j] = fmaf(own, all[j], line->of[j]);
	line->of[FACTORS] = fmaf(own, value, line->of[FACTORS]);
}

/* Gauss and Jordan need no pivots here: the matrices are positive definite. */
__host__ __device__ static inline void scale(struct line *line, int k)
{
	float by = 1 / line->of[k];

	for (int j = 0; j <= FACTORS; j++)
		line->of[j] *= by;
}

__host__ __device__ static inline void eliminate(struct line *line, const float *pivot, int k)
{
	float by = -line->of[k];

	for (int j = 0; j <= FACTORS; j++)
		line->of[j] = fmaf(by, pivot[j], line->of[j]);
}

/* A block for each row of a batch, which begins at row `begin`, and a thread for each line. lines
 * is of the batch: element j of line i is lines[j * FACTORS + i] of a row's. */
static __global__ void equations(float *lines, const int *columns, const float *values,
				 const float *other, int begin)
{
	__shared__ float all[FACTORS];
	int i = threadIdx.x;
	size_t row = (size_t)begin + blockIdx.x;
	struct line line = empty_line(i);

	for (int r = 0; r < RATINGS; r++) {
		float own = other[(size_t)columns[row * RATINGS + r] * FACTORS + i];

		__syncthreads();
		all[i] = own;
		__syncthreads();
		add_rating(&line, own, all, values[row * RATINGS + r]);
	}
	lines += (size_t)blockIdx.x * FACTORS * (FACTORS + 1);
	for (int j = 0; j <= FACTORS; j++)
		lines[j * FACTORS + i] = line.of[j];
}

static __global__ void solve(float *found, const float *lines, int begin)
{
	__shared__ float pivot[FACTORS + 1];
	int i = threadIdx.x;
	struct line line;

	lines += (size_t)blockIdx.x * FACTORS * (FACTORS + 1);
	for (int j = 0; j <= FACTORS; j++)
		line.of[j] = lines[j * FACTORS + i];
	for (int k = 0; k < FACTORS; k++) {
		__syncthreads();
		if (i == k) {
			scale(&line, k);
			for (int j = 0; j <= FACTORS; j++)
				pivot[j] = line.of[j];
		}
		__syncthreads();
		if (i != k)
			eliminate(&line, pivot, k);
	}
	found[((size_t)begin + blockIdx.x) * FACTORS + i] = line.of[FACTORS];
}

/* As the kernels do it, row by row. */
static inline void reference_half(float *found, const float *other, const struct ratings &ratings,
				  int n)
{
	for (int row = 0; row < n; row++) {
		struct line line[FACTORS];

		for (int i = 0; i < FACTORS; i++) {
			line[i] = empty_line(i);
			for (int r = 0; r < RATINGS; r++) {
				size_t at = (size_t)row * RATINGS + r;
				const float *all = &other[(size_t)ratings.columns[at] * FACTORS];

				add_rating(&line[i], all[i], all, ratings.values[at]);
			}
		}
		for (int k = 0; k < FACTORS; k++) {
			scale(&line[k], k);
			for (int i = 0; i < FACTORS; i++)
				if (i != k)
					eliminate(&line[i], line[k].of, k);
		}
		for (int i = 0; i < FACTORS; i++)
			found[(size_t)row * FACTORS + i] = line[i].of[FACTORS];
	}
}

static inline int batch_begin(int batch, int n)
{
	return (int)((long long)n * batch / BATCHES);
}

/* Computes what the device should find: the factors of both sides, and the sum of all errors. */
static inline std::vector<float> reference(int n)
{
	std::vector<float> factors[2] = {first_factors(0, n), first_factors(1, n)}, result;
	double error = 0;

	for (int h = 0; h < 2 * STEPS; h++) {
		int half = h % 2;

		for (int b = 0; b < BATCHES; b++)
			error += test_error(half, factors[half].data(), factors[1 - half].data(),
					    batch_begin(b, n), batch_begin(b + 1, n), n);
		reference_half(factors[half].data(), factors[1 - half].data(),
			       make_ratings(half, n), n);
	}
	for (const std::vector<float> &side : factors)
		result.insert(result.end(), side.begin(), side.end());
	result.push_back((float)error);
	return result;
}

#endif
