/* SPDX-License-Identifier: Apache-2.0 */
/* The touches of a group in the order of their accesses. Those of a hot page are many, and from
 * many threads: they are sorted by radix. */
#include "postproc/analysis/comm/pages/page.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define FEW 64u
#define DIGIT_BITS 11u
#define DIGITS (1u << DIGIT_BITS)

/* Where a touch is, by what it is sorted by. */
struct ct_group_place {
	uint64_t order;
	size_t at;
};

/* The part of an access that begins in the page before comes first: it ends before what begins
 * here. */
static int compare_order(const void *a, const void *b)
{
	const struct ct_touch *x = a, *y = b;

	if (x->order != y->order)
		return x->order < y->order ? -1 : 1;
	if (x->first != y->first)
		return x->first < y->first ? -1 : 1;
	return x->last < y->last ? -1 : x->last > y->last;
}

static bool make_room(struct ct_pages *pages)
{
	size_t room = pages->group_room;

	if (pages->sorted_room >= room)
		return true;
	free(pages->sorted);
	free(pages->places);
	pages->sorted = malloc(room * sizeof(*pages->sorted));
	pages->places = malloc(2 * room * sizeof(*pages->places));
	pages->sorted_room = pages->sorted && pages->places ? room : 0;
	return pages->sorted_room > 0;
}

/* By one digit, those with the same one in the order that they have. */
static void sort_by_digit(const struct ct_group_place *from, struct ct_group_place *to,
			  size_t count, unsigned shift)
{
	size_t begin[DIGITS] = {0}, sum = 0;

	for (size_t i = 0; i < count; i++)
		begin[from[i].order >> shift & (DIGITS - 1)]++;
	for (uint32_t i = 0; i < DIGITS; i++) {
		size_t here = begin[i];

		begin[i] = sum;
		sum += here;
	}
	for (size_t i = 0; i < count; i++)
		to[begin[from[i].order >> shift & (DIGITS - 1)]++] = from[i];
}

/* The places, sorted; digits in which no two differ are passed over. */
static const struct ct_group_place *sort_places(const struct ct_touch *touch,
						struct ct_group_place *places, size_t count)
{
	struct ct_group_place *from = places, *to = places + count, *other;
	uint64_t differ = 0;

	for (size_t i = 0; i < count; i++) {
		from[i] = (struct ct_group_place){touch[i].order, i};
		differ |= touch[i].order ^ touch[0].order;
	}
	for (unsigned shift = 0; shift < 64 && differ >> shift; shift += DIGIT_BITS) {
		if (!(differ >> shift & (DIGITS - 1)))
			continue;
		sort_by_digit(from, to, count, shift);
		other = from;
		from = to;
		to = other;
	}
	return from;
}

/* Touches of one access are few, and nearly sorted. */
static void sort_accesses(struct ct_touch *touch, size_t count)
{
	for (size_t i = 1; i < count; i++) {
		struct ct_touch moved = touch[i];
		size_t at = i;

		for (; at > 0 && compare_order(&touch[at - 1], &moved) > 0; at--)
			touch[at] = touch[at - 1];
		touch[at] = moved;
	}
}

int ct_page_sort_group(struct ct_pages *pages)
{
	const struct ct_group_place *place;
	struct ct_touch *sorted;
	size_t count = pages->grouped, room = pages->group_room;

	if (count <= FEW) {
		qsort(pages->group, count, sizeof(*pages->group), compare_order);
		return 0;
	}
	if (!make_room(pages))
		return -ENOMEM;
	place = sort_places(pages->group, pages->places, count);
	sorted = pages->sorted;
	for (size_t i = 0; i < count; i++)
		sorted[i] = pages->group[place[i].at];
	sort_accesses(sorted, count);
	pages->sorted = pages->group;
	pages->group = sorted;
	pages->group_room = pages->sorted_room;
	pages->sorted_room = room;
	return 0;
}
