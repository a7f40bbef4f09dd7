/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Alternating least squares as such programs grow: each half of a step copies the ratings again,
 * each batch allocates what it needs, waits for each kernel and frees. als-fixed.cu has none of
 * that.
 */
#include "als.h"

struct side {
	struct ratings ratings;
	std::vector<float> factors;
	/* on the device */
	int *columns;
	float *values, *found;
};

static struct side open_side(int half, int n)
{
	struct side side = {make_ratings(half, n), first_factors(half, n), NULL, NULL, NULL};

	CHECK(cudaMalloc(&side.columns, side.ratings.columns.size() * sizeof(int)));
	CHECK(cudaMalloc(&side.values, side.ratings.values.size() * sizeof(float)));
	CHECK(cudaMalloc(&side.found, side.factors.size() * sizeof(float)));
	CHECK(cudaMemcpy(side.found, side.factors.data(), side.factors.size() * sizeof(float),
			 cudaMemcpyHostToDevice));
	return side;
}

static void close_side(struct side *side)
{
	CHECK(cudaFree(side->columns));
	CHECK(cudaFree(side->values));
	CHECK(cudaFree(side->found));
}

static void find_batch(struct side *side, const struct side *other, int begin, int end)
{
	float *lines;

	CHECK(cudaMalloc(&lines, (size_t)(end - begin) * FACTORS * (FACTORS + 1) * sizeof(*lines)));
	equations<<<end - begin, FACTORS>>>(lines, side->columns, side->values, other->found,
					    begin);
	CHECK(cudaGetLastError());
	CHECK(cudaDeviceSynchronize());
	solve<<<end - begin, FACTORS>>>(side->found, lines, begin);
	CHECK(cudaGetLastError());
	CHECK(cudaFree(lines));
}

/* Returns the error of the factors before. */
static double find_side(struct side *side, const struct side *other, int half, int n)
{
	double error = 0;

	CHECK(cudaMemcpy(side->columns, side->ratings.columns.data(),
			 side->ratings.columns.size() * sizeof(int), cudaMemcpyHostToDevice));
	CHECK(cudaMemcpy(side->values, side->ratings.values.data(),
			 side->ratings.values.size() * sizeof(float), cudaMemcpyHostToDevice));
	for (int batch = 0; batch < BATCHES; batch++) {
		int begin = batch_begin(batch, n), end = batch_begin(batch + 1, n);

		find_batch(side, other, begin, end);
		error +=
		    test_error(half, side->factors.data(), other->factors.data(), begin, end, n);
	}
	CHECK(cudaMemcpy(side->factors.data(), side->found, side->factors.size() * sizeof(float),
			 cudaMemcpyDeviceToHost));
	return error;
}

int main(int argc, char **argv)
{
	int n = example_size(argc, argv, 400, STRIDE * RATINGS);
	struct side sides[2] = {open_side(0, n), open_side(1, n)};
	std::vector<float> result;
	double error = 0;

	for (int h = 0; h < 2 * STEPS; h++)
		error += find_side(&sides[h % 2], &sides[1 - h % 2], h % 2, n);
	for (struct side &side : sides) {
		result.insert(result.end(), side.factors.begin(), side.factors.end());
		close_side(&side);
	}
	result.push_back((float)error);
	return example_finish("als", result, EXAMPLE_EXPECTED(reference(n)));
}
