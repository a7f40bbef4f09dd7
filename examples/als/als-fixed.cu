/* SPDX-License-Identifier: Apache-2.0 */
/*
 * als.cu as `ctpost ffm` advises: the ratings are copied once, memory is allocated once, and the
 * host waits only when it needs factors, which are in pinned memory.
 */
#include "als.h"

struct side {
	float *factors; /* pinned */
	/* on the device */
	int *columns;
	float *values, *found;
};

static struct side open_side(int half, int n)
{
	const struct ratings ratings = make_ratings(half, n);
	const std::vector<float> first = first_factors(half, n);
	size_t bytes = first.size() * sizeof(float);
	struct side side;

	CHECK(cudaMallocHost(&side.factors, bytes));
	memcpy(side.factors, first.data(), bytes);
	CHECK(cudaMalloc(&side.columns, ratings.columns.size() * sizeof(int)));
	CHECK(cudaMalloc(&side.values, ratings.values.size() * sizeof(float)));
	CHECK(cudaMalloc(&side.found, bytes));
	CHECK(cudaMemcpy(side.columns, ratings.columns.data(), ratings.columns.size() * sizeof(int),
			 cudaMemcpyHostToDevice));
	CHECK(cudaMemcpy(side.values, ratings.values.data(), ratings.values.size() * sizeof(float),
			 cudaMemcpyHostToDevice));
	CHECK(cudaMemcpy(side.found, side.factors, bytes, cudaMemcpyHostToDevice));
	return side;
}

static void close_side(struct side *side)
{
	CHECK(cudaFreeHost(side->factors));
	CHECK(cudaFree(side->columns));
	CHECK(cudaFree(side->values));
	CHECK(cudaFree(side->found));
}

/* lines: room for the largest batch; its kernels run one after another. */
static void find_batch(struct side *side, const struct side *other, float *lines, int begin,
		       int end)
{
	equations<<<end - begin, FACTORS>>>(lines, side->columns, side->values, other->found,
					    begin);
	CHECK(cudaGetLastError());
	solve<<<end - begin, FACTORS>>>(side->found, lines, begin);
	CHECK(cudaGetLastError());
}

/* Returns the error of the factors before. */
static double find_side(struct side *side, const struct side *other, float *lines, int half, int n)
{
	double error = 0;

	for (int batch = 0; batch < BATCHES; batch++) {
		int begin = batch_begin(batch, n), end = batch_begin(batch + 1, n);

		find_batch(side, other, lines, begin, end);
		error += test_error(half, side->factors, other->factors, begin, end, n);
	}
	CHECK(cudaMemcpyAsync(side->factors, side->found, (size_t)n * FACTORS * sizeof(float),
			      cudaMemcpyDeviceToHost));
	CHECK(cudaStreamSynchronize(0));
	return error;
}

int main(int argc, char **argv)
{
	int n = example_size(argc, argv, 400, STRIDE * RATINGS);
	struct side sides[2] = {open_side(0, n), open_side(1, n)};
	std::vector<float> result;
	double error = 0;
	float *lines;

	CHECK(cudaMalloc(&lines, (size_t)(divide_up(n, BATCHES)) * FACTORS * (FACTORS + 1) *
				     sizeof(*lines)));
	for (int h = 0; h < 2 * STEPS; h++)
		error += find_side(&sides[h % 2], &sides[1 - h % 2], lines, h % 2, n);
	for (struct side &side : sides) {
		result.insert(result.end(), side.factors, side.factors + (size_t)n * FACTORS);
		close_side(&side);
	}
	CHECK(cudaFree(lines));
	result.push_back((float)error);
	return example_finish("als-fixed", result, EXAMPLE_EXPECTED(reference(n)));
}
