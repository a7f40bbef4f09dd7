/* SPDX-License-Identifier: Apache-2.0 */
/* The data that shapes work on, and how many accesses they make. */
#include "bench.h"
#include "walk.h"
#include <algorithm>
#include <thread>
#include <vector>

template <typename T, typename F> static T *make_array(uint32_t count, F value)
{
	std::vector<T> host(count);
	T *device;

	for (uint32_t i = 0; i < count; i++)
		host[i] = (T)value(i);
	CHECK(cudaMalloc(&device, count * sizeof(T)));
	CHECK(cudaMemcpy(device, host.data(), count * sizeof(T), cudaMemcpyHostToDevice));
	return device;
}

data make_data(unsigned log_elements)
{
	uint32_t n = 1u << log_elements;
	data d;

	d.elements = n;
	d.side = 1u << log_elements / 2;
	d.matrix = d.side / 2;
	d.a = make_array<float>(n, [](uint32_t i) { return i % 1000; });
	d.b = make_array<float>(n, [](uint32_t i) { return i % 7; });
	d.c = make_array<float>(n, [](uint32_t) { return 0; });
	d.index = make_array<uint32_t>(n, [n](uint32_t i) { return hash(i) & (n - 1); });
	d.next = make_array<uint32_t>(n, [n](uint32_t i) { return chase_next(i, n); });
	d.bytes = make_array<uint8_t>(n, [](uint32_t i) { return hash(i) & (BINS - 1); });
	d.bins = make_array<uint32_t>(BINS, [](uint32_t) { return 0; });
	return d;
}

void free_data(data *d)
{
	void *arrays[] = {d->a, d->b, d->c, d->index, d->next, d->bytes, d->bins};

	for (void *array : arrays)
		CHECK(cudaFree(array));
}

uint64_t count_accesses(const shape &s, const data &d)
{
	unsigned workers = std::max(1u, std::thread::hardware_concurrency());
	std::vector<uint64_t> counts(workers);
	std::vector<std::thread> threads;
	dim3 grid = s.grid(d);

	for (unsigned w = 0; w < workers; w++)
		threads.emplace_back([&, w] {
			uint64_t count = 0;

			for (uint64_t cta = w; cta < (uint64_t)grid.x * grid.y; cta += workers)
				walk_cta(s, d, cta,
					 [&count](uint32_t, int, operation, uint64_t) { count++; });
			counts[w] = count;
		});
	uint64_t sum = 0;
	for (unsigned w = 0; w < workers; w++) {
		threads[w].join();
		sum += counts[w];
	}
	return sum;
}
