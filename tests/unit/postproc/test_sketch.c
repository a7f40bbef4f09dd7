/* SPDX-License-Identifier: Apache-2.0 */
/* How many values the maps of a summary stand for: within the stated error, of fixed values. */
#include "postproc/facts/sketch.h"

#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

#define KINDS 3u

/* The i-th of many different values: integers in a row, floats, doubles. */
static uint64_t value_of(unsigned kind, uint64_t i)
{
	float single = 0.37f * (float)i;
	double real = 1e-3 * (double)i;
	uint64_t bits = i;

	if (kind == 1) {
		bits = 0;
		memcpy(&bits, &single, sizeof(single));
	} else if (kind == 2) {
		memcpy(&bits, &real, sizeof(real));
	}
	return bits;
}

static void add(uint32_t map[CT_SUMMARY_MAPS], unsigned kind, uint64_t from, uint64_t to)
{
	for (uint64_t i = from; i < to; i++) {
		uint32_t hash = ct_summary_hash(kind == 2 ? 8 : 4, value_of(kind, i));

		map[ct_summary_map(hash)] |= ct_summary_bit(hash);
	}
}

Test(sketch, no_value_is_none_and_one_is_one)
{
	uint32_t map[CT_SUMMARY_MAPS] = {0};

	cr_assert_eq(ct_sketch_count(map), 0);
	add(map, 0, 5, 6);
	cr_assert_float_eq(ct_sketch_count(map), 1, 0.1);
}

/* Three standard errors, each; and none of the kinds has a bias that its many disjoint runs of
 * values show: four standard errors of their mean. */
Test(sketch, estimates_are_within_their_error)
{
	static const uint64_t sizes[] = {2, 10, 100, 1000, 30000};

	for (unsigned kind = 0; kind < KINDS; kind++)
		for (size_t s = 0; s < sizeof(sizes) / sizeof(*sizes); s++) {
			unsigned runs = sizes[s] > 1000 ? 10 : 60, far = 0;
			double sum = 0;

			for (unsigned run = 0; run < runs; run++) {
				uint32_t map[CT_SUMMARY_MAPS] = {0};
				double off;

				add(map, kind, run * sizes[s] + 1, (run + 1) * sizes[s] + 1);
				off = ct_sketch_count(map) / (double)sizes[s] - 1;
				sum += off;
				far += fabs(off) > 3 * CT_SKETCH_ERROR + 0.5 / (double)sizes[s];
			}
			cr_assert_leq(far, runs / 30 + 1, "kind %u size %lu: %u", kind, sizes[s],
				      far);
			cr_assert_lt(fabs(sum / runs),
				     4 * CT_SKETCH_ERROR / sqrt(runs) + 0.25 / (double)sizes[s],
				     "kind %u size %lu: %f", kind, sizes[s], sum / runs);
		}
}

/* Maps of parts that overlap, joined, are those of all. */
Test(sketch, joins_without_counting_twice)
{
	uint32_t a[CT_SUMMARY_MAPS] = {0}, b[CT_SUMMARY_MAPS] = {0}, all[CT_SUMMARY_MAPS] = {0};

	add(a, 0, 0, 600);
	add(b, 0, 400, 1000);
	add(all, 0, 0, 1000);
	for (unsigned i = 0; i < CT_SUMMARY_MAPS; i++)
		a[i] |= b[i];
	cr_assert(!memcmp(a, all, sizeof(a)));
}
