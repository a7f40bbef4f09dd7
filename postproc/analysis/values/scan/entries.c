/* SPDX-License-Identifier: Apache-2.0 */
/* Values counted together while they come again soon, and bundled where they do not. */
#include "postproc/analysis/values/scan/entries.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define HELD 1024u
#define ALONE 8u /* elements of a value that take less room as so many values */

struct held {
	uint64_t set, value;
	uint32_t step, elements; /* 0: free */
};

#define TRIAL 512u     /* values after which it is asked whether holding them pays, */
#define TRIALS_OFF 16u /* and as many times that until it is tried again, if it does not */

/* Bundles under way, one by partition. */
struct slot {
	uint64_t set;
	uint32_t step;
	uint32_t tried, met; /* values that were held, and those that had been held then */
	uint32_t off;        /* so many are not held */
	struct ct_value_bundle *bundle; /* NULL: not used yet */
};

struct ct_value_entries {
	struct ct_shuffle *shuffle;
	uint32_t writer, slots;
	struct slot *slot;
	struct held held[HELD]; /* by hash */
};

int ct_value_entries_open(struct ct_value_entries **out, struct ct_shuffle *shuffle,
			  uint32_t writer, uint32_t slots)
{
	struct ct_value_entries *entries = calloc(1, sizeof(*entries));

	*out = entries;
	if (!entries)
		return -ENOMEM;
	entries->shuffle = shuffle;
	entries->writer = writer;
	entries->slots = slots;
	entries->slot = calloc(slots, sizeof(*entries->slot));
	return entries->slot ? 0 : -ENOMEM;
}

void ct_value_entries_close(struct ct_value_entries *entries)
{
	if (!entries)
		return;
	for (uint32_t i = 0; entries->slot && i < entries->slots; i++)
		free(entries->slot[i].bundle);
	free(entries->slot);
	free(entries);
}

static int put(struct ct_value_entries *entries, uint32_t partition,
	       const struct ct_value_bundle *bundle)
{
	return ct_shuffle_put_sized(entries->shuffle, entries->writer, partition, bundle,
				    sizeof(*bundle));
}

static int empty_slot(struct ct_value_entries *entries, struct slot *slot)
{
	int err = 0;

	for (uint32_t p = 0; p < CT_VALUE_SET_PARTITIONS && err == 0; p++) {
		if (slot->bundle[p].values)
			err = put(entries, p, &slot->bundle[p]);
		slot->bundle[p].values = 0;
	}
	return err;
}

/* The slot is the set's from now on. */
static int take_slot(struct ct_value_entries *entries, struct slot *slot, uint64_t set,
		     uint32_t step)
{
	int err = 0;

	if (slot->bundle)
		err = empty_slot(entries, slot);
	else
		slot->bundle = calloc(CT_VALUE_SET_PARTITIONS, sizeof(*slot->bundle));
	if (!slot->bundle)
		return -ENOMEM;
	slot->set = set;
	slot->step = step;
	slot->tried = slot->met = slot->off = 0;
	for (uint32_t p = 0; p < CT_VALUE_SET_PARTITIONS; p++) {
		slot->bundle[p].set = set;
		slot->bundle[p].step = step;
	}
	return err;
}

static struct slot *slot_of(struct ct_value_entries *entries, uint64_t set, uint32_t step)
{
	uint64_t hash = (set + step * 0x632be5abu) * 0x9e3779b97f4a7c15u;

	return &entries->slot[hash >> 32 & (entries->slots - 1)];
}

static int put_value(struct ct_value_entries *entries, struct slot *slot, uint64_t value,
		     uint32_t times, uint32_t partition)
{
	uint32_t bytes = ct_value_bundle_bytes(slot->set);
	struct ct_value_bundle *bundle = &slot->bundle[partition];
	int err = 0;

	for (uint32_t i = 0; i < times && err == 0; i++) {
		uint32_t at = bundle->values * bytes;

		memcpy(bundle->payload.byte + at, &value, bytes == 8 ? 8 : bytes == 4 ? 4 : bytes);
		bundle->values++;
		if (at + bytes == CT_VALUE_BUNDLE_BYTES) {
			err = put(entries, partition, bundle);
			bundle->values = 0;
		}
	}
	return err;
}

/* Where bundles of the set are; NULL, or *err: memory is short, or the shuffle has failed. */
static struct slot *find_slot(struct ct_value_entries *entries, uint64_t set, uint32_t step,
			      int *err)
{
	struct slot *slot = slot_of(entries, set, step);

	*err = slot->bundle && slot->set == set && slot->step == step
		   ? 0
		   : take_slot(entries, slot, set, step);
	return slot;
}

static int pass_on(struct ct_value_entries *entries, uint64_t set, uint32_t step, uint64_t value,
		   uint32_t elements)
{
	const struct ct_value_bundle counted = {
	    .set = set, .step = step, .payload.word = {value, elements}};
	uint32_t partition = ct_value_set_partition(value);
	struct slot *slot;
	int err;

	if (elements > ALONE)
		return put(entries, partition, &counted);
	slot = find_slot(entries, set, step, &err);
	return err == 0 ? put_value(entries, slot, value, elements, partition) : err;
}

/* *met counts it if the value was held already. */
static inline int add(struct ct_value_entries *entries, uint64_t set, uint32_t step, uint64_t value,
		      uint32_t elements, uint32_t *met)
{
	uint64_t hash = (value + (set + step) * 31) * 0x9e3779b97f4a7c15u;
	struct held *held = &entries->held[hash >> 54];
	int err = 0;

	if (held->value == value && held->set == set && held->step == step && held->elements &&
	    held->elements < UINT32_MAX - elements) {
		held->elements += elements;
		++*met;
		return 0;
	}
	if (held->elements)
		err = pass_on(entries, held->set, held->step, held->value, held->elements);
	*held = (struct held){set, value, step, elements};
	return err;
}

int ct_value_entries_add(struct ct_value_entries *entries, uint64_t set, uint32_t step,
			 uint64_t value, uint32_t elements)
{
	uint32_t met = 0;

	return add(entries, set, step, value, elements, &met);
}

static uint64_t slope_at(const struct ct_value_neighbours *of, uint32_t lane)
{
	return of->value[lane + 1] - of->value[lane];
}

/* The last pair's, if the one before it has it, too. */
static bool has_other(const struct ct_value_neighbours *of, uint32_t pairs, uint64_t *slope,
		      uint32_t shift)
{
	uint32_t last = 31u - (uint32_t)__builtin_clz(pairs);

	*slope = slope_at(of, last);
	return last && pairs >> (last - 1) & 1 && !((slope_at(of, last - 1) - *slope) << shift);
}

/* Those of the pairs (a bit each, of the lower lane) that differ by the slope. */
static uint32_t find_pairs(const struct ct_value_neighbours *of, uint32_t pairs, uint64_t slope,
			   uint32_t shift)
{
	uint32_t same = 0;

	for (uint32_t lane = 0; lane < CT_WARP_LANES - 1; lane++) {
		bool is_same = pairs >> lane & 1 &&
			       !((of->value[lane + 1] - of->value[lane] - slope) << shift);

		same |= (uint32_t)is_same << lane;
	}
	return same;
}

/* How many, at once if all lanes are there. */
static uint32_t count_pairs(const struct ct_value_neighbours *of, uint32_t pairs, uint64_t slope,
			    uint32_t shift)
{
	uint32_t same = 0;

	if (of->lanes != CT_FULL_MASK)
		return (uint32_t)__builtin_popcount(find_pairs(of, pairs, slope, shift));
	for (uint32_t lane = 0; lane < CT_WARP_LANES - 1; lane++)
		same += !((of->value[lane + 1] - of->value[lane] - slope) << shift);
	return same;
}

/* From an element to the next, where that divides the distance of lanes, else from lane to lane. */
static int64_t slope_of(const struct ct_value_neighbours *of, int64_t by_lane, int64_t *distance)
{
	int64_t rise;

	*distance = of->stride;
	if (of->stride == (int64_t)of->bytes)
		return by_lane;
	if (__builtin_mul_overflow(by_lane, (int64_t)of->bytes, &rise) || rise % of->stride)
		return by_lane;
	*distance = of->bytes;
	return rise / of->stride;
}

/* Each of them is on the line that its value, its slope and its index make. */
static int add_lines(struct ct_value_entries *entries, uint64_t set,
		     const struct ct_value_neighbours *of, uint32_t pairs, uint64_t by_lane,
		     uint32_t shift)
{
	int64_t distance, slope = slope_of(of, (int64_t)(by_lane << shift) >> shift, &distance);
	uint32_t first = (uint32_t)__builtin_ctz(of->lanes), steps = pairs >> first;
	bool is_one = !(steps & (steps + 1)); /* one after another */
	int err = ct_value_entries_add(entries, set | CT_VALUE_ENTRY_SLOPE, 0, (uint64_t)slope,
				       (uint32_t)__builtin_popcount(pairs));

	while (pairs && slope && err == 0) {
		uint32_t lane = (uint32_t)__builtin_ctz(pairs), here = 0;
		int64_t at = (int64_t)of->offset + (int64_t)(lane - first) * of->stride, index;
		uint64_t own = of->value[lane], foot;

		for (uint32_t rest = is_one ? 0 : pairs; rest; rest &= rest - 1) {
			uint32_t other = (uint32_t)__builtin_ctz(rest);

			if (!((of->value[other] - own - by_lane * (other - lane)) << shift))
				here |= 1u << other;
		}
		here = is_one ? pairs : here;
		index = distance == of->bytes ? at >> __builtin_ctz(of->bytes) : at / distance;
		foot = own - (uint64_t)slope * (uint64_t)index;
		err = ct_value_entries_add(entries, set | CT_VALUE_ENTRY_LINE, 0,
					   (foot << shift >> shift) +
					       (uint64_t)slope * 0x9e3779b97f4a7c15u +
					       (uint64_t)(at - index * distance),
					   (uint32_t)__builtin_popcount(here));
		pairs &= ~here;
	}
	return err;
}

int ct_value_entries_add_neighbours(struct ct_value_entries *entries, uint64_t set,
				    const struct ct_value_neighbours *of)
{
	uint32_t pairs = of->lanes & of->lanes >> 1;
	uint32_t count = (uint32_t)__builtin_popcount(pairs), shift = 64u - 8u * of->bytes;
	uint64_t slope = slope_at(of, (uint32_t)__builtin_ctz(pairs));
	uint32_t alike = count_pairs(of, pairs, slope, shift);
	int err = 0;

	if (2 * alike <= count && has_other(of, pairs, &slope, shift)) /* the first is odd */
		alike = count_pairs(of, pairs, slope, shift);
	if (2 * alike <= count)
		alike = 0;
	if (alike)
		err =
		    add_lines(entries, set, of, find_pairs(of, pairs, slope, shift), slope, shift);
	if (err == 0 && count != alike)
		err = ct_value_entries_add(entries, set | CT_VALUE_ENTRY_IRREGULAR, 0, 0,
					   count - alike);
	return err;
}

/* Whether values come again that were held: if few do, they are not for a while. */
static void judge(struct slot *slot)
{
	if (slot->tried < TRIAL)
		return;
	slot->off = 8 * slot->met < slot->tried ? TRIALS_OFF * TRIAL : 0;
	slot->tried = slot->met = 0;
}

/* How many of the first lanes have one value. */
static uint32_t take_run(const uint64_t *value, uint32_t *lanes)
{
	uint64_t first = value[__builtin_ctz(*lanes)];
	uint32_t same = 0;

	do {
		*lanes &= *lanes - 1;
		same++;
	} while (*lanes && value[__builtin_ctz(*lanes)] == first);
	return same;
}

/* Values of as many bytes, of all lanes, that are not held. */
static inline __attribute__((always_inline)) int put_row(struct ct_value_entries *entries,
							 struct slot *slot,
							 const uint64_t value[CT_WARP_LANES],
							 uint32_t bytes)
{
	struct ct_value_bundle *bundles = slot->bundle; /* memory is written below */

	for (uint32_t lane = 0; lane < CT_WARP_LANES; lane++) {
		uint32_t partition = ct_value_set_partition(value[lane]);
		struct ct_value_bundle *bundle = &bundles[partition];
		uint32_t at = bundle->values++;
		int err;

		memcpy(bundle->payload.byte + (size_t)at * bytes, &value[lane], bytes);
		if (at + 1 < CT_VALUE_BUNDLE_BYTES / bytes)
			continue;
		err = put(entries, partition, bundle);
		if (err < 0)
			return err;
		bundle->values = 0;
	}
	return 0;
}

/* True if that was all to do: the values are not held, and are not a few that come in a row. */
static bool put_new(struct ct_value_entries *entries, struct slot *slot,
		    const uint64_t value[CT_WARP_LANES], uint32_t lanes, int *err)
{
	uint32_t bytes = ct_value_bundle_bytes(slot->set);

	if (slot->off < CT_WARP_LANES || lanes != CT_FULL_MASK || bytes < 4 || value[0] == value[1])
		return false;
	slot->off -= CT_WARP_LANES;
	*err = bytes == 4 ? put_row(entries, slot, value, 4) : put_row(entries, slot, value, 8);
	return true;
}

/* Lanes in a row with one value are added at once. */
int ct_value_entries_add_lanes(struct ct_value_entries *entries, uint64_t set, uint32_t step,
			       const uint64_t value[CT_WARP_LANES], uint32_t lanes)
{
	struct slot *slot;
	int err;

	slot = find_slot(entries, set, step, &err);
	if (err < 0 || put_new(entries, slot, value, lanes, &err))
		return err;
	while (lanes && err == 0) {
		uint64_t first = value[__builtin_ctz(lanes)];
		uint32_t same = take_run(value, &lanes);

		if (slot->off && same <= ALONE) {
			slot->off -= slot->off < same ? slot->off : same;
			err = put_value(entries, slot, first, same, ct_value_set_partition(first));
			continue;
		}
		slot->tried++;
		err = add(entries, set, step, first, same, &slot->met);
		if (err == 0 && (slot->set != set || slot->step != step)) /* for one held */
			slot = find_slot(entries, set, step, &err);
	}
	judge(slot);
	return err;
}

int ct_value_entries_finish(struct ct_value_entries *entries)
{
	int err = 0;

	for (uint32_t i = 0; i < HELD && err == 0; i++) {
		if (entries->held[i].elements)
			err = pass_on(entries, entries->held[i].set, entries->held[i].step,
				      entries->held[i].value, entries->held[i].elements);
		entries->held[i].elements = 0;
	}
	for (uint32_t i = 0; i < entries->slots && err == 0; i++)
		if (entries->slot[i].bundle)
			err = empty_slot(entries, &entries->slot[i]);
	return err;
}
