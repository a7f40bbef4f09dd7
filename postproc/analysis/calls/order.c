/* SPDX-License-Identifier: Apache-2.0 */
/* Activities in the order of their ends: sorted digit by digit, the lowest first. */
#include "postproc/analysis/calls/order.h"
#include "base/large.h"
#include "base/search.h"
#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#define DIGIT_BITS 11u
#define DIGITS (1u << DIGIT_BITS)

static size_t digit(uint64_t key, unsigned shift)
{
	return key >> shift & (DIGITS - 1);
}

static void sort_digit(const struct ct_ends *from, struct ct_ends *to, unsigned shift)
{
	size_t place[DIGITS] = {0}, next = 0;

	for (size_t i = 0; i < from->count; i++)
		place[digit(from->end_ns[i], shift)]++;
	for (size_t i = 0; i < DIGITS; i++) {
		size_t count = place[i];

		place[i] = next;
		next += count;
	}
	for (size_t i = 0; i < from->count; i++) {
		size_t at = place[digit(from->end_ns[i], shift)]++;

		to->end_ns[at] = from->end_ns[i];
		to->index[at] = from->index[i];
	}
}

/* Some digits of times are the same in all of them. */
static int sort(struct ct_ends *ends, uint64_t differing)
{
	struct ct_ends other = {
	    .end_ns = ct_large_alloc(ends->count, sizeof(*other.end_ns)),
	    .index = ct_large_alloc(ends->count, sizeof(*other.index)),
	    .count = ends->count,
	};
	int err = other.end_ns && other.index ? 0 : -ENOMEM;

	for (unsigned shift = 0; err == 0 && shift < 64; shift += DIGIT_BITS) {
		struct ct_ends sorted = other;

		if (!digit(differing, shift))
			continue;
		sort_digit(ends, &sorted, shift);
		other = *ends;
		*ends = sorted;
	}
	ct_ends_fini(&other);
	return err;
}

int ct_ends_init(struct ct_ends *ends, const struct ct_row_activity *rows, size_t count)
{
	uint64_t differing = 0;
	bool is_sorted = true;
	int err;

	*ends = (struct ct_ends){
	    .end_ns = ct_large_alloc(count + 1, sizeof(*ends->end_ns)),
	    .index = ct_large_alloc(count + 1, sizeof(*ends->index)),
	    .count = count,
	};
	if (!ends->end_ns || !ends->index) {
		ct_ends_fini(ends);
		return -ENOMEM;
	}
	for (size_t i = 0; i < count; i++) {
		ends->end_ns[i] = rows[i].begin_ns + rows[i].duration_ns;
		ends->index[i] = (uint32_t)i;
		differing |= ends->end_ns[i] ^ ends->end_ns[0];
		is_sorted = is_sorted && (i == 0 || ends->end_ns[i] >= ends->end_ns[i - 1]);
	}
	err = is_sorted ? 0 : sort(ends, differing);
	if (err < 0)
		ct_ends_fini(ends);
	return err;
}

void ct_ends_fini(struct ct_ends *ends)
{
	ct_large_free(ends->end_ns);
	ct_large_free(ends->index);
	*ends = (struct ct_ends){0};
}

size_t ct_ends_after(const struct ct_ends *ends, uint64_t time_ns)
{
	return ct_search_above(ends->end_ns, ends->count, sizeof(*ends->end_ns), time_ns);
}
