/* SPDX-License-Identifier: Apache-2.0 */
/* The callbacks and comparisons of record_list.h. */
#include "tests/unit/trace/record_list.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

struct list decoded, expected;

void make_lists(void)
{
	memset(&decoded, 0, sizeof(decoded));
	memset(&expected, 0, sizeof(expected));
	decoded.item = calloc(ACCESSES_MAX, sizeof(*decoded.item));
	expected.item = calloc(ACCESSES_MAX, sizeof(*expected.item));
}

void free_lists(void)
{
	free(decoded.item);
	free(expected.item);
}

uint32_t bytes_of(uint64_t site)
{
	return 1u << site % 5;
}

static int on_segment(void *user, const struct ct_segment *segment)
{
	(void)user;
	decoded.segment = *segment;
	decoded.segments++;
	return segment->launch != UNWANTED_LAUNCH;
}

static int on_site(void *user, uint32_t kind, uint64_t site, uint32_t *bytes)
{
	(void)user;
	(void)kind;
	*bytes = bytes_of(site);
	return site == UNKNOWN_SITE;
}

void append(struct list *list, uint64_t site, uint32_t mask, uint64_t cta,
	    const uint64_t address[CT_WARP_LANES])
{
	struct access *item = &list->item[list->count++];

	cr_assert_leq(list->count, ACCESSES_MAX);
	memset(item, 0, sizeof(*item));
	item->site = site;
	item->mask = mask;
	item->cta = cta;
	for (uint32_t rest = mask; rest; rest &= rest - 1)
		item->address[__builtin_ctz(rest)] = address[__builtin_ctz(rest)];
}

static int on_access(void *user, uint64_t site, const struct ct_decoded_access *access)
{
	(void)user;
	append(&decoded, site, access->mask, decoded.segment.cta, decoded.address);
	decoded.item[decoded.count - 1].is_linear = access->is_linear;
	decoded.item[decoded.count - 1].stride = access->stride;
	return decoded.count == decoded.stop_at ? 17 : 0;
}

int decode(const uint64_t *words, size_t count, size_t *position)
{
	const struct ct_decoder decoder = {
	    .segment = on_segment,
	    .site = on_site,
	    .access = on_access,
	    .address = decoded.address,
	};

	return ct_decode(&decoder, words, 8 * count, position);
}

static void check_line(const struct access *item)
{
	int first = __builtin_ctz(item->mask);

	for (uint32_t rest = item->mask; rest; rest &= rest - 1) {
		int lane = __builtin_ctz(rest);

		cr_assert_eq(item->address[lane],
			     item->address[first] +
				 (uint64_t)(lane - first) * (uint64_t)item->stride);
	}
}

void compare(void)
{
	cr_assert_eq(decoded.count, expected.count, "%u accesses, expected %u", decoded.count,
		     expected.count);
	for (uint32_t i = 0; i < expected.count; i++) {
		const struct access *is = &decoded.item[i], *should = &expected.item[i];

		cr_assert_eq(is->site, should->site, "access %u", i);
		cr_assert_eq(is->mask, should->mask, "access %u", i);
		cr_assert_eq(is->cta, should->cta, "access %u", i);
		cr_assert_arr_eq(is->address, should->address, sizeof(is->address), "access %u", i);
		if (is->is_linear)
			check_line(is);
	}
}

static uint64_t random_state = 4101842887655102017u;

uint64_t draw(uint64_t below)
{
	random_state ^= random_state << 13;
	random_state ^= random_state >> 7;
	random_state ^= random_state << 17;
	return random_state % below;
}
