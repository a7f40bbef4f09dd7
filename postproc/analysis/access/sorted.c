/* SPDX-License-Identifier: Apache-2.0 */
/* A warp's addresses in order: each goes to the place that is the number of those below it, which
 * takes as long whatever they are. Equal ones leave gaps behind the first, which the greatest
 * before them fills. */
#include "postproc/analysis/access/sorted.h"

#include <stdbool.h>
#include <string.h>

#define LANES CT_WARP_LANES
#define FEW 6u                     /* lanes are put in order one by one */
#define MIDDLE ((uint64_t)1 << 30) /* the first lane's key */
#define SHIFT_MOST 12u

/* As AVX2 has them; other processors do the same with what they have. */
typedef int32_t eight __attribute__((vector_size(32)));

/* Lanes' addresses, one after another, less a base, in units of 2^shift bytes. */
struct keys {
	int32_t key[LANES];
	uint32_t count, shift;
	uint64_t base;
};

/* All addresses are multiples of two to this. */
static uint32_t common_shift(const uint64_t *address, uint32_t lanes)
{
	uint64_t any = (uint64_t)1 << SHIFT_MOST;

	if (lanes == CT_FULL_MASK)
		for (uint32_t i = 0; i < LANES; i++)
			any |= address[i];
	else
		for (uint32_t rest = lanes; rest; rest &= rest - 1)
			any |= address[__builtin_ctz(rest)];
	return (uint32_t)__builtin_ctzll(any);
}

/* Whether they all are so near to the first that they have keys. */
static bool make_keys(struct keys *keys, const uint64_t *address, uint32_t lanes)
{
	uint32_t shift = common_shift(address, lanes), n = 0;
	uint64_t base = address[__builtin_ctz(lanes)] - (MIDDLE << shift), beyond = 0;

	if (lanes == CT_FULL_MASK) {
		for (n = 0; n < LANES; n++) {
			uint64_t own = (address[n] - base) >> shift;

			beyond |= own;
			keys->key[n] = (int32_t)own;
		}
	} else {
		for (uint32_t rest = lanes; rest; rest &= rest - 1) {
			uint64_t own = (address[__builtin_ctz(rest)] - base) >> shift;

			beyond |= own;
			keys->key[n++] = (int32_t)own;
		}
	}
	keys->count = n;
	keys->shift = shift;
	keys->base = base;
	return beyond <= INT32_MAX;
}

static bool is_sorted(const int32_t *key, uint32_t count)
{
	int32_t falls = 0;

	for (uint32_t i = 1; i < count; i++)
		falls |= key[i] < key[i - 1];
	return !falls;
}

static void insert_each(int32_t *key, uint32_t count)
{
	for (uint32_t i = 1; i < count; i++) {
		int32_t own = key[i];
		uint32_t at = i;

		for (; at && key[at - 1] > own; at--)
			key[at] = key[at - 1];
		key[at] = own;
	}
}

/* Counts for half of the keys how many of all are below each. */
static void count_below(int32_t *below, const int32_t *half, const int32_t *key, uint32_t count)
{
	eight low, high, sum_low = {0}, sum_high = {0};

	memcpy(&low, half, sizeof(low));
	memcpy(&high, half + 8, sizeof(high));
	for (uint32_t i = 0; i < count; i++) {
		int32_t k = key[i];
		eight other = {k, k, k, k, k, k, k, k};

		sum_low -= other < low; /* which is -1 where it holds */
		sum_high -= other < high;
	}
	memcpy(below, &sum_low, sizeof(sum_low));
	memcpy(below + 8, &sum_high, sizeof(sum_high));
}

static void place_each(int32_t *key, uint32_t count)
{
	int32_t below[LANES], sorted[LANES], last = 0;

	count_below(below, key, key, count);
	if (count > LANES / 2)
		count_below(below + LANES / 2, key + LANES / 2, key, count);
	for (uint32_t i = 0; i < LANES; i++)
		sorted[i] = 0;
	for (uint32_t i = 0; i < count; i++)
		sorted[below[i]] = key[i];
	for (uint32_t i = 0; i < count; i++) {
		last = sorted[i] > last ? sorted[i] : last;
		key[i] = last;
	}
}

/* Twice as many lanes at a time where the processor can. */
#if defined(__x86_64__) && defined(__gnu_linux__)
#define AS_WIDE_AS_CAN_BE __attribute__((target_clones("avx2", "default"), flatten))
#else
#define AS_WIDE_AS_CAN_BE
#endif

AS_WIDE_AS_CAN_BE uint32_t ct_access_sort(uint64_t sorted[CT_WARP_LANES],
					  const uint64_t address[CT_WARP_LANES], uint32_t lanes)
{
	struct keys keys;

	if (!make_keys(&keys, address, lanes))
		return 0;
	if (!is_sorted(keys.key, keys.count)) {
		if (keys.count <= FEW)
			insert_each(keys.key, keys.count);
		else
			place_each(keys.key, keys.count);
	}
	for (uint32_t i = 0; i < keys.count; i++)
		sorted[i] = keys.base + ((uint64_t)keys.key[i] << keys.shift);
	return keys.count;
}

AS_WIDE_AS_CAN_BE bool ct_access_is_moved(const uint64_t address[CT_WARP_LANES],
					  const uint64_t from[CT_WARP_LANES], uint32_t lanes,
					  uint64_t by)
{
	uint64_t differ = 0;

	if (lanes == CT_FULL_MASK)
		for (uint32_t i = 0; i < LANES; i++)
			differ |= address[i] - from[i] - by;
	else
		for (uint32_t rest = lanes; rest; rest &= rest - 1) {
			uint32_t lane = (uint32_t)__builtin_ctz(rest);

			differ |= address[lane] - from[lane] - by;
		}
	return !differ;
}

/* The same one by one. */
static uint32_t meet_anywhere(struct ct_access_meeting *meeting, const uint64_t *address,
			      uint32_t lanes)
{
	uint32_t count = 0;

	for (; lanes; count++) {
		struct ct_access_meeting *own = &meeting[count];

		*own = (struct ct_access_meeting){address[__builtin_ctz(lanes)], 0};
		for (uint32_t rest = lanes; rest; rest &= rest - 1)
			if (address[__builtin_ctz(rest)] == own->address) {
				lanes &= ~(rest & -rest);
				own->lanes++;
			}
	}
	return count;
}

uint32_t ct_access_meet_sorted(struct ct_access_meeting meeting[CT_WARP_LANES],
			       const uint64_t *sorted, uint32_t count)
{
	uint32_t last = 0, first = 0;

	for (uint32_t i = 0; i < count; i++) {
		uint32_t is_next = i && sorted[i] != sorted[i - 1];

		last += is_next;
		first = is_next ? i : first;
		meeting[last] = (struct ct_access_meeting){sorted[i], i - first + 1};
	}
	return last + 1;
}

uint32_t ct_access_meet(struct ct_access_meeting meeting[CT_WARP_LANES],
			const uint64_t address[CT_WARP_LANES], uint32_t lanes)
{
	uint64_t sorted[LANES];
	uint32_t count = ct_access_sort(sorted, address, lanes);

	return count ? ct_access_meet_sorted(meeting, sorted, count)
		     : meet_anywhere(meeting, address, lanes);
}
