/* SPDX-License-Identifier: Apache-2.0 */
/* Numbers by their keys: sorted digit by digit, the lowest first. */
#include "base/keyed.h"
#include "base/large.h"
#include <errno.h>
#include <stdbool.h>

#define DIGIT_BITS 11u
#define DIGITS (1u << DIGIT_BITS)

int ct_keyed_init(struct ct_keyed *keyed, size_t room)
{
	*keyed = (struct ct_keyed){
	    .key = ct_large_alloc(room + 1, sizeof(*keyed->key)),
	    .number = ct_large_alloc(room + 1, sizeof(*keyed->number)),
	};
	if (keyed->key && keyed->number)
		return 0;
	ct_keyed_fini(keyed);
	return -ENOMEM;
}

void ct_keyed_fini(struct ct_keyed *keyed)
{
	ct_large_free(keyed->key);
	ct_large_free(keyed->number);
	*keyed = (struct ct_keyed){0};
}

static size_t digit(uint64_t key, unsigned shift)
{
	return key >> shift & (DIGITS - 1);
}

static void sort_digit(const struct ct_keyed *from, struct ct_keyed *to, unsigned shift)
{
	size_t place[DIGITS] = {0}, next = 0;

	for (size_t i = 0; i < from->count; i++)
		place[digit(from->key[i], shift)]++;
	for (size_t i = 0; i < DIGITS; i++) {
		size_t count = place[i];

		place[i] = next;
		next += count;
	}
	for (size_t i = 0; i < from->count; i++) {
		size_t at = place[digit(from->key[i], shift)]++;

		to->key[at] = from->key[i];
		to->number[at] = from->number[i];
	}
	to->count = from->count;
}

int ct_keyed_sort(struct ct_keyed *keyed)
{
	struct ct_keyed other;
	uint64_t differing = 0;
	bool is_sorted = true;
	int err;

	for (size_t i = 1; i < keyed->count; i++) {
		differing |= keyed->key[i] ^ keyed->key[0];
		is_sorted = is_sorted && keyed->key[i - 1] <= keyed->key[i];
	}
	if (is_sorted)
		return 0;
	err = ct_keyed_init(&other, keyed->count);
	/* Some digits of times are the same in all of them. */
	for (unsigned shift = 0; err == 0 && shift < 64; shift += DIGIT_BITS) {
		struct ct_keyed sorted = other;

		if (!digit(differing, shift))
			continue;
		sort_digit(keyed, &sorted, shift);
		other = *keyed;
		*keyed = sorted;
	}
	ct_keyed_fini(&other);
	return err;
}
