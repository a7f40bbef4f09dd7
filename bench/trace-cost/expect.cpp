/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a trace of a shape must hold, from the formulas of walk.h, for
 * `ctpost verify --expect`; docs/ctpost.md says how the order is hashed. Shares
 * no code with ctpost.
 */
#include "bench.h"
#include "walk.h"
#include <algorithm>
#include <string>
#include <thread>
#include <vector>

struct figures {
	uint64_t count, sum, squares;
};

#define DISTANCES 32

struct expected {
	figures sites[DISTANCES][3]; /* by distance and operation */
	uint64_t order;
};

static uint64_t mix(uint64_t x)
{
	x ^= x >> 30;
	x *= 0xbf58476d1ce4e5b9;
	x ^= x >> 27;
	x *= 0x94d049bb133111eb;
	return x ^ x >> 31;
}

static void add_cta(const shape &s, const data &d, uint64_t cta, expected *e)
{
	const uint64_t base = 0x9e3779b97f4a7c15;
	uint64_t power = 0, weight = 0;
	uint32_t current = UINT32_MAX;

	walk_cta(s, d, cta, [&](uint32_t thread, int distance, operation o, uint64_t address) {
		figures &f = e->sites[distance][o];

		if (thread != current) {
			current = thread;
			power = 1;
			weight = (mix(32 * cta + thread / 32) | 1) * (mix(thread % 32) | 1);
		}
		f.count++;
		f.sum += address;
		f.squares += address * address;
		e->order += weight * power * (address + mix((uint64_t)(s.line + distance)));
		power *= base;
	});
}

static expected expect(const shape &s, const data &d)
{
	unsigned workers = std::max(1u, std::thread::hardware_concurrency());
	std::vector<expected> parts(workers);
	std::vector<std::thread> threads;
	dim3 grid = s.grid(d);
	expected all = {};

	for (unsigned w = 0; w < workers; w++)
		threads.emplace_back([&, w] {
			for (uint64_t cta = w; cta < (uint64_t)grid.x * grid.y; cta += workers)
				add_cta(s, d, cta, &parts[w]);
		});
	for (unsigned w = 0; w < workers; w++) {
		threads[w].join();
		all.order += parts[w].order;
		for (int i = 0; i < DISTANCES * 3; i++) {
			all.sites[i / 3][i % 3].count += parts[w].sites[i / 3][i % 3].count;
			all.sites[i / 3][i % 3].sum += parts[w].sites[i / 3][i % 3].sum;
			all.sites[i / 3][i % 3].squares += parts[w].sites[i / 3][i % 3].squares;
		}
	}
	return all;
}

/* Lanes of a warp of divergent go their own ways. */
static const char *order_of(const shape &s)
{
	return std::string(s.name) == "divergent" ? "lane" : "warp";
}

std::string expectation(const shape &s, const data &d)
{
	static const char *const operations[] = {"load", "store", "atomic_add"};
	const char *separator = "";
	char *text = nullptr;
	size_t bytes;
	FILE *file = open_memstream(&text, &bytes);
	expected e = expect(s, d);

	fprintf(file,
		"\"kernel\": \"traced::%s\", \"order\": {\"by\": \"%s\", \"hash\": \"0x%llx\"}, "
		"\"sites\": [",
		s.name, order_of(s), (unsigned long long)e.order);
	for (int i = 0; i < DISTANCES * 3; i++) {
		const figures &f = e.sites[i / 3][i % 3];

		if (!f.count)
			continue;
		fprintf(file,
			"%s{\"line\": %d, \"operation\": \"%s\", \"count\": %llu, "
			"\"sum\": \"0x%llx\", \"squares\": \"0x%llx\"}",
			separator, s.line + i / 3, operations[i % 3], (unsigned long long)f.count,
			(unsigned long long)f.sum, (unsigned long long)f.squares);
		separator = ", ";
	}
	fputs("]", file);
	fclose(file);
	std::string all(text, bytes);
	free(text);
	return all;
}
