/* SPDX-License-Identifier: Apache-2.0 */
/* The objects alive at one point in time, found by address. */
#include "trace/read/live.h"

#include <errno.h>
#include <string.h>

static struct ct_live_range *ranges_of(struct ct_live *live)
{
	return (struct ct_live_range *)live->ranges.bytes;
}

static size_t count_of(const struct ct_live *live)
{
	return live->ranges.size / sizeof(struct ct_live_range);
}

/* Index of the first range that ends after address. */
static size_t lower_bound(struct ct_live *live, uint64_t address)
{
	const struct ct_live_range *ranges = ranges_of(live);
	size_t low = 0, high = count_of(live);

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (ranges[middle].end > address)
			high = middle;
		else
			low = middle + 1;
	}
	return low;
}

const struct ct_live_range *ct_live_find(struct ct_live *live, uint64_t address)
{
	const struct ct_live_range *ranges = ranges_of(live);
	size_t i = live->last;

	if (i >= count_of(live) || address < ranges[i].begin || address >= ranges[i].end)
		i = lower_bound(live, address);
	if (i >= count_of(live) || address < ranges[i].begin)
		return NULL;
	live->last = i;
	return &ranges[i];
}

const struct ct_live_range *ct_live_overlap(struct ct_live *live, uint64_t begin, uint64_t end)
{
	size_t i = lower_bound(live, begin);

	return i < count_of(live) && ranges_of(live)[i].begin < end ? &ranges_of(live)[i] : NULL;
}

int ct_live_insert(struct ct_live *live, const struct ct_live_range *range)
{
	size_t i = lower_bound(live, range->begin), count = count_of(live);
	struct ct_live_range *ranges;

	if (!ct_buffer_append(&live->ranges, NULL, sizeof(*range)))
		return -ENOMEM;
	ranges = ranges_of(live);
	memmove(ranges + i + 1, ranges + i, (count - i) * sizeof(*ranges));
	ranges[i] = *range;
	return 0;
}

void ct_live_remove(struct ct_live *live, uint64_t begin, uint32_t object)
{
	size_t i = lower_bound(live, begin), count = count_of(live);
	struct ct_live_range *ranges = ranges_of(live);

	if (i >= count || ranges[i].begin != begin || ranges[i].object != object)
		return;
	memmove(ranges + i, ranges + i + 1, (count - i - 1) * sizeof(*ranges));
	live->ranges.size -= sizeof(*ranges);
}

void ct_live_fini(struct ct_live *live)
{
	ct_buffer_fini(&live->ranges);
	live->last = 0;
}
