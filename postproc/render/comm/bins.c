/* SPDX-License-Identifier: Apache-2.0 */
/* Histograms cut down to rows that fit a screen. */
#include "postproc/render/comm/bins.h"

static unsigned power_of(uint64_t key)
{
	return key ? 64u - (unsigned)__builtin_clzll(key) : 0;
}

/* Walk both histograms at once; returns the next key, or 0 at the end in *more. */
static uint64_t next_key(const struct ct_comm_histogram *const list[2], const size_t at[2],
			 bool *more)
{
	uint64_t key = UINT64_MAX;

	*more = false;
	for (int i = 0; i < 2; i++) {
		if (!list[i] || at[i] >= list[i]->count)
			continue;
		*more = true;
		if (list[i]->entry[at[i]].key < key)
			key = list[i]->entry[at[i]].key;
	}
	return key;
}

static size_t distinct_keys(const struct ct_comm_histogram *const list[2], size_t most)
{
	size_t at[2] = {0, 0}, keys = 0;
	bool more;

	for (;;) {
		uint64_t key = next_key(list, at, &more);

		if (!more || keys > most)
			return keys;
		for (int i = 0; i < 2; i++)
			if (list[i] && at[i] < list[i]->count && list[i]->entry[at[i]].key == key)
				at[i]++;
		keys++;
	}
}

size_t ct_comm_bins(const struct ct_comm_histogram *a, const struct ct_comm_histogram *b,
		    size_t most, struct ct_bin bins[CT_BINS_MAX])
{
	const struct ct_comm_histogram *const list[2] = {a, b};
	bool single, more;
	size_t at[2] = {0, 0}, count = 0;

	if (most > CT_BINS_MAX)
		most = CT_BINS_MAX;
	single = distinct_keys(list, most) <= most;
	for (;;) {
		uint64_t key = next_key(list, at, &more);

		if (!more)
			return count;
		if (!count || (single ? bins[count - 1].last != key
				      : power_of(bins[count - 1].last) != power_of(key)))
			bins[count++] = (struct ct_bin){.first = key};
		bins[count - 1].last = key;
		for (int i = 0; i < 2; i++)
			if (list[i] && at[i] < list[i]->count && list[i]->entry[at[i]].key == key)
				bins[count - 1].count[i] += list[i]->entry[at[i]++].count;
	}
}

uint64_t ct_comm_total(const struct ct_comm_histogram *histogram)
{
	uint64_t total = 0;

	for (size_t i = 0; i < histogram->count; i++)
		total += histogram->entry[i].count;
	return total;
}

const struct ct_comm_count *ct_comm_mode(const struct ct_comm_histogram *histogram)
{
	const struct ct_comm_count *mode = NULL;

	for (size_t i = 0; i < histogram->count; i++)
		if (!mode || histogram->entry[i].count > mode->count)
			mode = &histogram->entry[i];
	return mode;
}
