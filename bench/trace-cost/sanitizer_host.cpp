/* SPDX-License-Identifier: Apache-2.0 */
/* Times under the tracer on the Sanitizer API, which the driver has loaded into this process. */
#include "bench.h"
#include <algorithm>
#include <dlfcn.h>
#include <vector>

#define LAUNCHES 3

static unsigned long long count_so_far(void)
{
	void *library = dlopen(getenv(SANITIZER_LIBRARY), RTLD_NOW | RTLD_NOLOAD);
	auto count =
	    library ? (unsigned long long (*)(void))dlsym(library, "trace_cost_sanitizer_count")
		    : nullptr;

	if (!count) {
		fprintf(stderr, "trace-cost: the driver did not load the sanitizer's library\n");
		exit(1);
	}
	return count();
}

void measure_sanitizer(const shape &s, const data &d, other_measured *m)
{
	std::vector<double> values;
	unsigned long long before;

	event_ms(s, d);
	before = count_so_far();
	for (int i = 0; i < LAUNCHES; i++)
		values.push_back(event_ms(s, d));
	std::sort(values.begin(), values.end());
	m->traced_ms = values[LAUNCHES / 2];
	m->accesses = count_accesses(s, d);
	m->records = (count_so_far() - before) / LAUNCHES;
}
