/* SPDX-License-Identifier: Apache-2.0 */
/* From sums to a range, or a period. */
#include "postproc/facts/unread.h"

#include <stdbool.h>

#define NEARLY 0.9 /* of what there are: parts are coarse */

static uint32_t part_of(uint64_t offset, uint64_t object_bytes)
{
	return (uint32_t)((unsigned __int128)offset * CT_UNREAD_PARTS / object_bytes);
}

/* The first offset of a part. */
static uint64_t begin_of(uint32_t part, uint64_t object_bytes)
{
	return (uint64_t)(((unsigned __int128)part * object_bytes + CT_UNREAD_PARTS - 1) /
			  CT_UNREAD_PARTS);
}

void ct_unread_take(struct ct_unread *unread, uint64_t first, uint64_t end, uint64_t object_bytes)
{
	uint64_t bytes = end - first, blocks = bytes / CT_UNREAD_RESIDUES;

	unread->bytes += bytes;
	unread->offsets += bytes * first + bytes * (bytes - 1) / 2;
	unread->blocks += blocks;
	for (uint64_t at = first + blocks * CT_UNREAD_RESIDUES; at < end; at++)
		unread->residue[at % CT_UNREAD_RESIDUES]++;
	for (uint64_t at = first, next; at < end; at = next) {
		uint32_t part = part_of(at, object_bytes);

		next = begin_of(part + 1, object_bytes);
		next = next < end ? next : end;
		unread->part[part] += next - at;
	}
}

void ct_unread_add(struct ct_unread *unread, uint64_t which, uint64_t a, uint64_t b)
{
	if (which >= CT_UNREAD_RESIDUE) {
		unread->residue[which - CT_UNREAD_RESIDUE] += a;
	} else if (which >= CT_UNREAD_PART) {
		unread->part[which - CT_UNREAD_PART] += a;
	} else if (which == CT_UNREAD_BLOCKS) {
		unread->blocks += a;
	} else {
		unread->bytes += a;
		unread->offsets += b;
	}
}

/* Offsets below `end` that have that remainder. */
static uint64_t count_below(uint64_t end, uint32_t remainder)
{
	return end > remainder ? (end - remainder - 1) / CT_UNREAD_RESIDUES + 1 : 0;
}

/* Offsets of n bytes side by side from `first` on sum up to n first + n (n - 1) / 2; of others the
 * parts of the object, or the remainders, do not have as many as these would. */
static bool find_range(struct ct_unread_range *found, const struct ct_unread *unread,
		       uint64_t object_bytes)
{
	unsigned __int128 n = unread->bytes, rest = n * (n - 1) / 2;

	if (unread->offsets < rest || (unread->offsets - rest) % n)
		return false;
	found->first = (uint64_t)((unread->offsets - rest) / n);
	found->end = found->first + unread->bytes;
	for (uint32_t p = 0; p < CT_UNREAD_PARTS; p++) {
		uint64_t begin = begin_of(p, object_bytes), end = begin_of(p + 1, object_bytes);

		begin = begin > found->first ? begin : found->first;
		end = end < found->end ? end : found->end;
		if (unread->part[p] != (begin < end ? end - begin : 0))
			return false;
	}
	for (uint32_t r = 0; r < CT_UNREAD_RESIDUES; r++)
		if (unread->residue[r] + unread->blocks !=
		    count_below(found->end, r) - count_below(found->first, r))
			return false;
	return true;
}

/* Bytes whose offsets have that remainder. */
static uint64_t count_of(const struct ct_unread *unread, uint32_t remainder, uint32_t period)
{
	uint64_t count = 0;

	for (uint32_t r = remainder; r < CT_UNREAD_RESIDUES; r += period)
		count += unread->residue[r] + unread->blocks;
	return count;
}

/* From the first part of the object that has any to the last one. */
static uint64_t extent_of(const struct ct_unread *unread, uint64_t object_bytes)
{
	uint32_t first = 0, last = CT_UNREAD_PARTS - 1;

	while (!unread->part[first] && first < last)
		first++;
	while (!unread->part[last] && first < last)
		last--;
	return begin_of(last + 1, object_bytes) - begin_of(first, object_bytes);
}

/* Finds the same bytes of each `period`, side by side, nearly all in that extent. */
static bool find_period(struct ct_unread_range *found, const struct ct_unread *unread,
			uint32_t period, uint64_t extent)
{
	uint32_t first = period, last = 0;

	for (uint32_t r = 0; r < period; r++) {
		if (!count_of(unread, r, period))
			continue;
		first = first == period ? r : first;
		last = r;
	}
	for (uint32_t r = first; r <= last && r < period; r++)
		if ((double)count_of(unread, r, period) < NEARLY * (double)extent / period)
			return false;
	found->period = period;
	found->first = first;
	found->end = last + 1;
	return last + 1 - first < period && extent > 2 * period;
}

struct ct_unread_range ct_unread_find(const struct ct_unread *unread, uint64_t object_bytes)
{
	struct ct_unread_range found = {.bytes = unread->bytes};
	uint64_t extent = extent_of(unread, object_bytes);

	if (!unread->bytes || find_range(&found, unread, object_bytes))
		return found;
	for (uint32_t period = 2; period <= CT_UNREAD_RESIDUES; period++)
		if (CT_UNREAD_RESIDUES % period == 0 && find_period(&found, unread, period, extent))
			return found;
	return (struct ct_unread_range){.bytes = unread->bytes};
}
