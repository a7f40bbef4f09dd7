/* SPDX-License-Identifier: Apache-2.0 */
/* Accesses of random traces: all kinds of records, masks, alignments. */
#include "tests/comm/bag.h"
#include "tests/comm/random_sites.h"
#include "tests/comm/random_trace.h"

#include <cudatrace/encode.h>
#include <cudatrace/unit.h>
#include <stdlib.h>
#include <string.h>

#define SEGMENT_WORDS 300
#define ALIGNMENT_MAX 16u /* of elements */

static uint32_t random_mask(struct random *random)
{
	uint32_t mask;

	switch (random_below(random, 4)) {
	case 0:
		mask = (uint32_t)random_next(random);
		break;
	case 1: /* lanes in a row */
		mask = CT_FULL_MASK >> random_below(random, 32);
		mask <<= random_below(random, 8);
		break;
	default:
		return CT_FULL_MASK;
	}
	return mask ? mask : 1;
}

/* Somewhere in memory, often where others are too. */
static uint64_t random_place(struct random *random, uint64_t align)
{
	uint64_t bytes = random_chance(random, 60) ? 1024 : RANDOM_MEMORY_BYTES - 4096;
	uint64_t first = random_chance(random, 60) ? 3584 : 0;
	uint64_t offset = random_below(random, bytes);

	if (align && !random_chance(random, 20))
		offset -= offset % align;
	return RANDOM_MEMORY + first + offset;
}

static void random_rows(struct random *random, uint64_t bytes, uint64_t *address)
{
	uint64_t base = random_place(random, bytes), row;
	int64_t stride;

	switch (random_below(random, 6)) {
	case 0: /* all the same */
		stride = 0;
		break;
	case 1:
		stride = (int64_t)random_below(random, 100) - 30;
		break;
	case 2: /* here and there */
		for (uint32_t i = 0; i < CT_WARP_LANES; i++)
			address[i] = random_place(random, bytes);
		return;
	case 3: /* rows */
		row = random_below(random, 300);
		for (uint32_t i = 0; i < CT_WARP_LANES; i++)
			address[i] = base + i % 8 * bytes + i / 8 * row;
		return;
	default:
		stride = (int64_t)bytes;
	}
	for (uint32_t i = 0; i < CT_WARP_LANES; i++)
		address[i] = base + (uint64_t)((int64_t)i * stride);
}

static void random_addresses(struct random *random, const struct random_plan *plan, uint64_t bytes,
			     uint64_t *address)
{
	random_rows(random, bytes, address);
	for (uint32_t i = 0; i < CT_WARP_LANES && plan->is_aligned; i++)
		address[i] -= address[i] % bytes;
}

/* The lanes that stay in the slot of the first one. */
static uint32_t stay_in_slot(uint32_t mask, const uint64_t *address, const uint64_t *bytes)
{
	uint64_t slot = 0;
	uint32_t kept = 0;

	for (uint32_t i = 0; i < CT_WARP_LANES; i++) {
		uint64_t first = (address[i] - RANDOM_MEMORY) / RANDOM_SLOT;
		uint64_t last = (address[i] + bytes[i] - 1 - RANDOM_MEMORY) / RANDOM_SLOT;

		if (!(mask >> i & 1) || first != last || (kept && first != slot))
			continue;
		slot = first;
		kept |= 1u << i;
	}
	return kept;
}

/* Strides take what a range has beyond a multiple of 64 KiB for an element of its own. */
static uint64_t left_of_page(uint64_t address)
{
	return 0x10000 - address % 0x10000;
}

static uint32_t random_record(struct random *random, const struct random_plan *plan,
			      uint64_t *words)
{
	uint32_t site = (uint32_t)random_below(random, RANDOM_SITES);
	const struct random_site of = random_site(plan, site), *what = &of;
	uint32_t mask = random_mask(random);
	uint64_t address[CT_WARP_LANES], bytes[CT_WARP_LANES];

	random_addresses(random, plan, what->bytes, address);
	for (uint32_t i = 0; i < CT_WARP_LANES; i++)
		bytes[i] = what->kind == RANDOM_RANGE ? 1 + random_below(random, 100) : what->bytes;
	for (uint32_t i = 0; i < CT_WARP_LANES && what->kind == RANDOM_RANGE; i++)
		if (bytes[i] > left_of_page(address[i]))
			bytes[i] = left_of_page(address[i]);
	if (what->kind == RANDOM_RANGE)
		mask &= 0x11;
	if (plan->is_tidy)
		mask = stay_in_slot(mask, address, bytes);
	if (!mask)
		return 0;
	if (what->kind == RANDOM_RANGE)
		return ct_encode_range(words, site, mask, address, bytes);
	for (uint32_t i = 0; i < CT_WARP_LANES && what->kind == RANDOM_SHARED; i++)
		address[i] = CT_ADDRESS_IN(CT_SPACE_SHARED, address[i] & 0xffff);
	return ct_encode_access(words, site, what->bytes, mask, address);
}

#define PLAIN_SITES 16u /* from 0 on: of neither ranges nor shared memory */

static uint32_t random_loop(struct random *random, const struct random_plan *plan, uint64_t *words)
{
	uint32_t count = 1 + (uint32_t)random_below(random, 4);
	uint32_t site = (uint32_t)random_below(random, PLAIN_SITES - count);
	struct ct_loop_site sites[4];

	for (uint32_t k = 0; k < count; k++) {
		uint64_t bytes = random_site(plan, site + k).bytes;
		int32_t unit = plan->is_aligned ? (int32_t)bytes : 1;

		sites[k] = (struct ct_loop_site){
		    .base = random_place(random, bytes),
		    .log2_width = random_chance(random, 70) ? 5 : (uint32_t)random_below(random, 5),
		    .inner = random_chance(random, 70) ? (int32_t)bytes
						       : (int32_t)random_below(random, 30) * unit,
		    .outer = (int32_t)random_below(random, 200) * unit,
		    .step = ((int64_t)random_below(random, 100) - 40) * unit,
		};
		sites[k].base -= sites[k].base % (uint64_t)unit;
	}
	return ct_encode_loop(words, site, count, 1 + random_below(random, 20), sites);
}

/* A group and an access of its leader; later ones of the segment are its, too. */
static uint32_t random_group(struct random *random, const struct random_plan *plan, uint64_t *words)
{
	uint32_t count = 1 + (uint32_t)random_below(random, 3), n;
	uint32_t site = (uint32_t)random_below(random, PLAIN_SITES - count);
	uint64_t unit = plan->is_aligned ? ALIGNMENT_MAX : 1;
	uint64_t bytes = random_site(plan, site).bytes, distance[3], address[CT_WARP_LANES];

	for (uint32_t k = 0; k < count; k++)
		distance[k] = random_below(random, 500) * unit;
	n = ct_encode_group(words, site, count, distance);
	random_addresses(random, plan, bytes, address);
	for (uint32_t i = 0; i < CT_WARP_LANES; i++)
		address[i] -= address[i] % unit;
	return n + ct_encode_access(words + n, site, (uint32_t)bytes, random_mask(random), address);
}

void random_segments_make(struct random_segments *segments, struct random *random,
			  struct random_plan *plan, uint32_t launch, uint64_t ctas, uint32_t warps)
{
	uint32_t *sequence = must_have(ctas * warps, sizeof(*sequence));
	uint64_t accesses = random_below(random, 2 * ctas * warps + 4), cta = 0;
	uint32_t warp = 0;
	bool begins = true;
	size_t segment = 0;

	for (uint64_t i = 0; i < accesses; i++) {
		uint64_t record[CT_RECORD_BYTES_MAX / 8];
		uint32_t count;

		if (random_chance(random, 60)) {
			cta = random_below(random, ctas);
			warp = (uint32_t)random_below(random, warps);
			begins = true;
		}
		if (!plan->is_tidy && random_chance(random, 10))
			count = random_loop(random, plan, record);
		else if (!plan->is_tidy && random_chance(random, 10))
			count = random_group(random, plan, record);
		else
			count = random_record(random, plan, record);
		plan->accesses++;
		if ((plan->drop_access && plan->drop_access[plan->accesses - 1]) || !count)
			continue;
		while (segments->count + count + 2 > segments->room)
			segments->words = must_grow(segments->words, segments->room,
						    &segments->room, sizeof(uint64_t));
		if (begins || segment > SEGMENT_WORDS) {
			segments->words[segments->count++] =
			    CT_SEGMENT_WORD0(cta % 7, sequence[cta * warps + warp]++, launch);
			segments->words[segments->count++] = CT_SEGMENT_WORD1(warp, cta);
			segments->end = must_grow(segments->end, segments->segments,
						  &segments->segment_room, sizeof(size_t));
			segments->segments++;
			begins = false;
			segment = 0;
		}
		memcpy(segments->words + segments->count, record, count * sizeof(*record));
		segments->count += count;
		segment += count;
		segments->end[segments->segments - 1] = segments->count;
	}
	free(sequence);
}
