/* SPDX-License-Identifier: Apache-2.0 */
/* Accesses of random traces: all kinds of records, masks, alignments. */
#include "bag.h"
#include "random_sites.h"
#include "random_trace.h"

#include <cudatrace/encode.h>
#include <cudatrace/unit.h>
#include <stdlib.h>
#include <string.h>

#define SEGMENT_WORDS 300

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

static void random_addresses(struct random *random, uint64_t bytes, uint64_t *address)
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

static uint32_t random_record(struct random *random, uint64_t *words)
{
	uint32_t site = (uint32_t)random_below(random, RANDOM_SITES);
	const struct random_site *what = &random_sites[site];
	uint32_t mask = random_mask(random);
	uint64_t address[CT_WARP_LANES], bytes[CT_WARP_LANES];

	random_addresses(random, what->bytes, address);
	if (what->kind == RANDOM_SHARED)
		for (uint32_t i = 0; i < CT_WARP_LANES; i++)
			address[i] = CT_ADDRESS_IN(CT_SPACE_SHARED, address[i] & 0xffff);
	if (what->kind != RANDOM_RANGE)
		return ct_encode_access(words, site, what->bytes, mask, address);
	for (uint32_t i = 0; i < CT_WARP_LANES; i++)
		bytes[i] = 1 + random_below(random, 100);
	return ct_encode_range(words, site, mask & 0x11, address, bytes);
}

/* Is the mask of a range site empty? Then there is no record. */
static bool is_record(const uint64_t *words, uint32_t count)
{
	return count > 0 && (words[0] >> CT_RECORD_KIND_SHIFT != CT_REC_RANGE || words[1]);
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
		count = random_record(random, record);
		plan->accesses++;
		if ((plan->drop_access && plan->drop_access[plan->accesses - 1]) ||
		    !is_record(record, count))
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
