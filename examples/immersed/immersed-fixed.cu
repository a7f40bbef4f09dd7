/* SPDX-License-Identifier: Apache-2.0 */
/*
 * immersed.cu as `ctpost ffm` advises: temporaries are there once, copies are asynchronous and of
 * pinned memory, and the host waits once in a step, for the velocities that it needs.
 */
#include "immersed.h"

/* All on the device. */
struct fluid {
	float *fields[2], *before, *next, *gathered;
	struct contacts *touched;
	size_t bytes; /* of a field */
};

static struct fluid open_fluid(int n)
{
	struct fluid fluid;

	fluid.bytes = (size_t)n * n * sizeof(float);
	for (float **field : {&fluid.fields[0], &fluid.fields[1], &fluid.before, &fluid.next}) {
		CHECK(cudaMalloc(field, fluid.bytes));
		CHECK(cudaMemset(*field, 0, fluid.bytes));
	}
	CHECK(cudaMalloc(&fluid.gathered, 2 * POINTS * sizeof(float)));
	CHECK(cudaMalloc(&fluid.touched, sizeof(*fluid.touched)));
	return fluid;
}

static void close_fluid(struct fluid *fluid)
{
	for (float *field : {fluid->fields[0], fluid->fields[1], fluid->before, fluid->next})
		CHECK(cudaFree(field));
	CHECK(cudaFree(fluid->gathered));
	CHECK(cudaFree(fluid->touched));
}

/* SWEEPS is even, so that the result is where it was. */
static void relax_field(struct fluid *fluid, float *field, int n)
{
	dim3 threads(SIDE, SIDE);

	CHECK(cudaMemcpyAsync(fluid->before, field, fluid->bytes, cudaMemcpyDeviceToDevice));
	for (int s = 0; s < SWEEPS; s += 2) {
		relax<<<grid_of(n), threads>>>(fluid->next, field, fluid->before, n);
		CHECK(cudaGetLastError());
		relax<<<grid_of(n), threads>>>(field, fluid->next, fluid->before, n);
		CHECK(cudaGetLastError());
	}
}

/* Ends when it has asked for all. contacts and gathered are pinned. */
static void begin_step(struct fluid *fluid, float *gathered, const struct contacts *contacts, int n)
{
	CHECK(cudaMemcpyAsync(fluid->touched, contacts, sizeof(*contacts), cudaMemcpyHostToDevice));
	for (int component = 0; component < 2; component++) {
		spread<<<1, CELLS>>>(fluid->fields[component], fluid->touched, component);
		CHECK(cudaGetLastError());
		relax_field(fluid, fluid->fields[component], n);
		gather<<<1, POINTS>>>(fluid->gathered, fluid->fields[component], fluid->touched,
				      component);
		CHECK(cudaGetLastError());
	}
	CHECK(cudaMemcpyAsync(gathered, fluid->gathered, 2 * POINTS * sizeof(*gathered),
			      cudaMemcpyDeviceToHost));
}

int main(int argc, char **argv)
{
	int n = example_size(argc, argv, 64, 4 * WIDTH);
	std::vector<float> results[2] = {std::vector<float>(n * n), std::vector<float>(n * n)};
	std::vector<float> velocities(2 * POINTS);
	std::vector<struct point> body = first_body(n);
	struct fluid fluid = open_fluid(n);
	struct contacts *contacts;
	float *gathered;

	CHECK(cudaMallocHost(&contacts, sizeof(*contacts)));
	CHECK(cudaMallocHost(&gathered, velocities.size() * sizeof(*gathered)));
	for (int t = 0; t < STEPS; t++) {
		touch(contacts, body, n);
		begin_step(&fluid, gathered, contacts, n);
		move_body(body, velocities.data(), n);
		CHECK(cudaStreamSynchronize(0));
		velocities.assign(gathered, gathered + velocities.size());
	}
	for (int component = 0; component < 2; component++)
		CHECK(cudaMemcpy(results[component].data(), fluid.fields[component], fluid.bytes,
				 cudaMemcpyDeviceToHost));
	close_fluid(&fluid);
	CHECK(cudaFreeHost(contacts));
	CHECK(cudaFreeHost(gathered));
	return example_finish("immersed-fixed", result_of(results, body),
			      EXAMPLE_EXPECTED(reference(n)));
}
