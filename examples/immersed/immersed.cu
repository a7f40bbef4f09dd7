/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The immersed boundary method as such programs grow: each operation has temporaries of its own,
 * which are allocated, cleared and freed, and all copies are synchronous. immersed-fixed.cu has
 * none of that.
 */
#include "immersed.h"

/* Device memory for the time of an operation. */
struct temporary {
	float *data;

	explicit temporary(size_t bytes)
	{
		CHECK(cudaMalloc(&data, bytes));
		CHECK(cudaMemset(data, 0, bytes));
	}
	~temporary()
	{
		CHECK(cudaFree(data));
	}
};

/* SWEEPS is even, so that the result is where it was. */
static void relax_field(float *field, int n)
{
	size_t bytes = (size_t)n * n * sizeof(*field);
	struct temporary before(bytes);
	dim3 threads(SIDE, SIDE);

	CHECK(cudaMemcpy(before.data, field, bytes, cudaMemcpyDeviceToDevice));
	for (int s = 0; s < SWEEPS; s += 2) {
		struct temporary next(bytes);

		relax<<<grid_of(n), threads>>>(next.data, field, before.data, n);
		CHECK(cudaGetLastError());
		relax<<<grid_of(n), threads>>>(field, next.data, before.data, n);
		CHECK(cudaGetLastError());
	}
}

static void step(float *const *fields, float *fluid, const struct contacts *contacts, int n)
{
	struct contacts *touched;

	CHECK(cudaMalloc(&touched, sizeof(*touched)));
	CHECK(cudaMemcpy(touched, contacts, sizeof(*touched), cudaMemcpyHostToDevice));
	for (int component = 0; component < 2; component++) {
		spread<<<1, CELLS>>>(fields[component], touched, component);
		CHECK(cudaGetLastError());
		relax_field(fields[component], n);
		gather<<<1, POINTS>>>(fluid, fields[component], touched, component);
		CHECK(cudaGetLastError());
	}
	CHECK(cudaFree(touched));
}

int main(int argc, char **argv)
{
	int n = example_size(argc, argv, 64, 4 * WIDTH);
	size_t bytes = (size_t)n * n * sizeof(float);
	std::vector<float> results[2] = {std::vector<float>(n * n), std::vector<float>(n * n)};
	std::vector<float> fluid(2 * POINTS);
	std::vector<struct point> body = first_body(n);
	struct contacts contacts;
	float *fields[2], *gathered;

	for (float *&field : fields) {
		CHECK(cudaMalloc(&field, bytes));
		CHECK(cudaMemset(field, 0, bytes));
	}
	CHECK(cudaMalloc(&gathered, fluid.size() * sizeof(float)));
	for (int t = 0; t < STEPS; t++) {
		touch(&contacts, body, n);
		step(fields, gathered, &contacts, n);
		move_body(body, fluid.data(), n);
		CHECK(cudaMemcpy(fluid.data(), gathered, fluid.size() * sizeof(float),
				 cudaMemcpyDeviceToHost));
	}
	for (int component = 0; component < 2; component++)
		CHECK(cudaMemcpy(results[component].data(), fields[component], bytes,
				 cudaMemcpyDeviceToHost));
	CHECK(cudaFree(gathered));
	for (float *field : fields)
		CHECK(cudaFree(field));
	return example_finish("immersed", result_of(results, body), EXAMPLE_EXPECTED(reference(n)));
}
