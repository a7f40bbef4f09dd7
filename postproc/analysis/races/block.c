/* SPDX-License-Identifier: Apache-2.0 */
/* Accesses of one block that race. */
#include "postproc/analysis/races/block.h"
#include "postproc/analysis/races/launches.h"

#include <stdlib.h>
#include <string.h>

#define NONE SIZE_MAX

/* Keeps for each byte a store, and one of another thread. */
struct stores {
	size_t first[CT_RACES_BLOCK_BYTES], second[CT_RACES_BLOCK_BYTES];
	uint64_t unvalued, differ; /* bytes with stores of unknown, of different values */
};

static int compare(const void *left, const void *right)
{
	const struct ct_races_entry *a = left, *b = right;
	const uint64_t x[] = {a->cta, a->epoch, a->warp, a->site, a->what},
		       y[] = {b->cta, b->epoch, b->warp, b->site, b->what};

	for (unsigned i = 0; i < sizeof(x) / sizeof(*x); i++)
		if (x[i] != y[i])
			return x[i] < y[i] ? -1 : 1;
	return 0;
}

static bool is_store(const struct ct_races_entry *entry)
{
	return entry->what == CT_RACES_STORES;
}

static bool is_other(const struct ct_races_entry *a, const struct ct_races_entry *b,
		     enum ct_races_between between)
{
	return between == CT_RACES_CTAS ? a->cta != b->cta : a->warp != b->warp;
}

static void note_store(struct stores *stores, const struct ct_races_entry *entry, size_t number,
		       enum ct_races_between between)
{
	const struct ct_races_entry *own = &entry[number];

	for (uint64_t bits = own->bytes; bits; bits &= bits - 1) {
		uint32_t byte = (uint32_t)__builtin_ctzll(bits);
		const struct ct_races_entry *first =
		    stores->first[byte] == NONE ? own : &entry[stores->first[byte]];

		if (own->is_valued == CT_RACES_UNVALUED)
			stores->unvalued |= bits & -bits;
		else if (own->is_valued == CT_RACES_AT_ODDS ||
			 first->is_valued == CT_RACES_AT_ODDS ||
			 (first->is_valued && first->value[byte] != own->value[byte]))
			stores->differ |= bits & -bits;
		if (first == own)
			stores->first[byte] = number;
		else if (stores->second[byte] == NONE && is_other(first, own, between))
			stores->second[byte] = number;
	}
}

/* The store of a byte that is by somebody else than this access; NONE: none. */
static size_t rival_of(const struct stores *stores, const struct ct_races_entry *entry,
		       size_t number, uint32_t byte, enum ct_races_between between)
{
	size_t first = stores->first[byte];

	return first == NONE || is_other(&entry[first], &entry[number], between)
		   ? first
		   : stores->second[byte];
}

/* Judges the bytes that a store and another access have. */
static struct ct_races_bytes judge(const struct stores *stores, const struct ct_races_entry *store,
				   const struct ct_races_entry *other, uint64_t bytes)
{
	struct ct_races_bytes judged = {.all = bytes};

	if (is_store(other)) {
		judged.differ = bytes & stores->differ;
		judged.same = bytes & ~(stores->differ | stores->unvalued);
		return judged;
	}
	for (uint64_t bits =
		 other->is_valued == CT_RACES_VALUED && store->is_valued == CT_RACES_VALUED ? bytes
											    : 0;
	     bits; bits &= bits - 1) {
		uint32_t byte = (uint32_t)__builtin_ctzll(bits);

		if (store->value[byte] != other->value[byte])
			judged.differ |= bits & -bits;
	}
	return judged;
}

/* One access against the stores of others: bytes of one store are reported together. */
static int look(const struct stores *stores, const struct ct_races_entry *entry, size_t number,
		enum ct_races_between between, ct_races_tell *tell, void *user)
{
	uint64_t rest = entry[number].bytes;
	int err = 0;

	while (err == 0 && rest) {
		size_t rival =
		    rival_of(stores, entry, number, (uint32_t)__builtin_ctzll(rest), between);
		struct ct_races_bytes judged;
		uint64_t shared = 0;

		for (uint64_t bits = rest; bits; bits &= bits - 1) {
			uint32_t byte = (uint32_t)__builtin_ctzll(bits);

			if (rival_of(stores, entry, number, byte, between) == rival)
				shared |= bits & -bits;
		}
		rest &= ~shared;
		if (rival == NONE)
			continue;
		judged = judge(stores, &entry[rival], &entry[number], shared);
		err = tell(user, between, &entry[rival], &entry[number], &judged);
	}
	return err;
}

static int look_at_all(const struct ct_races_entry *entry, size_t count,
		       enum ct_races_between between, ct_races_tell *tell, void *user)
{
	bool is_stored = false;
	struct stores stores;
	int err = 0;

	for (size_t i = 0; i < count; i++)
		is_stored |= is_store(&entry[i]);
	if (!is_stored || count < 2)
		return 0;
	memset(&stores, 0xff, sizeof(stores));
	stores.unvalued = stores.differ = 0;
	for (size_t i = 0; i < count; i++)
		if (is_store(&entry[i]))
			note_store(&stores, entry, i, between);
	for (size_t i = 0; i < count && err == 0; i++)
		if (!(entry[i].what & CT_RACES_STRONG))
			err = look(&stores, entry, i, between, tell, user);
	return err;
}

/* Whether an access is a strong one that stores, or loads. */
static bool is_strong(const struct ct_races_entry *entry, uint32_t what)
{
	return entry->what & CT_RACES_STRONG && entry->what & what;
}

/* Whether others than those of entries that do `what` by strong accesses do `other` by plain ones.
 */
static bool meet(const struct ct_races_entry *entry, size_t count, enum ct_races_between between,
		 uint32_t what, uint32_t other)
{
	struct stores strong;
	bool is_there = false;

	for (size_t i = 0; i < count; i++)
		is_there |= is_strong(&entry[i], what);
	if (!is_there)
		return false;
	memset(&strong, 0xff, sizeof(strong));
	for (size_t i = 0; i < count; i++)
		if (is_strong(&entry[i], what))
			note_store(&strong, entry, i, between);
	for (size_t i = 0; i < count; i++) {
		if (entry[i].what != other)
			continue;
		for (uint64_t bits = entry[i].bytes; bits; bits &= bits - 1)
			if (rival_of(&strong, entry, i, (uint32_t)__builtin_ctzll(bits), between) !=
			    NONE)
				return true;
	}
	return false;
}

/* Whether some access by plain accesses what others do by strong ones: it may be a flag, or a count
 * of those that are done. */
static bool may_order(const struct ct_races_entry *entry, size_t count,
		      enum ct_races_between between)
{
	return meet(entry, count, between, CT_RACES_STORES, CT_RACES_LOADS) ||
	       meet(entry, count, between, CT_RACES_LOADS, CT_RACES_STORES);
}

int ct_races_in_block(struct ct_races_entry *entry, size_t count, ct_races_tell *tell, void *user,
		      uint32_t *unknown)
{
	size_t first = 0;
	int err = 0;

	if (count)
		qsort(entry, count, sizeof(*entry), compare);
	if (count && CT_ADDRESS_SPACE(entry->key[0] * CT_RACES_BLOCK_BYTES) == CT_SPACE_GLOBAL) {
		err = look_at_all(entry, count, CT_RACES_CTAS, tell, user);
		*unknown |= may_order(entry, count, CT_RACES_CTAS) ? CT_RACES_UNKNOWN : 0;
	}
	for (size_t i = 1; i <= count && err == 0; i++) {
		if (i < count && entry[i].cta == entry[first].cta &&
		    entry[i].epoch == entry[first].epoch)
			continue;
		err = look_at_all(entry + first, i - first, CT_RACES_WARPS, tell, user);
		if (may_order(entry + first, i - first, CT_RACES_WARPS))
			*unknown |= CT_RACES_UNKNOWN_WARPS;
		first = i;
	}
	return err;
}
