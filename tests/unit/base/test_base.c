/* SPDX-License-Identifier: Apache-2.0 */
/* Arrays, maps, interned strings, clocks. */
#include "base/array.h"
#include "base/by_number.h"
#include "base/clock.h"
#include "base/intern.h"
#include "base/map.h"

#include <criterion/criterion.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

Test(base_array, an_array_that_grows_keeps_what_it_holds)
{
	uint32_t *one_by_one = NULL, *reserved = NULL;
	size_t room = 0;

	for (uint32_t i = 0; i < 1000; i++) {
		cr_assert_eq(ct_array_grow(&one_by_one, i, sizeof(*one_by_one)), 0);
		cr_assert_eq(ct_array_reserve(&reserved, &room, i + 1, sizeof(*reserved)), 0);
		cr_assert_geq(room, i + 1);
		one_by_one[i] = reserved[i] = i;
	}
	for (uint32_t i = 0; i < 1000; i++) {
		cr_expect_eq(one_by_one[i], i);
		cr_expect_eq(reserved[i], i);
	}
	free(one_by_one);
	free(reserved);
}

Test(base_array, room_at_once_is_as_large_as_asked_for_and_doubles)
{
	uint64_t *array = NULL;
	size_t room = 0;

	cr_assert_eq(ct_array_reserve(&array, &room, 100, sizeof(*array)), 0);
	cr_assert_eq(room, 100);
	memset(array, 1, 100 * sizeof(*array));
	cr_assert_eq(ct_array_reserve(&array, &room, 101, sizeof(*array)), 0);
	cr_assert_eq(room, 200);
	cr_assert_eq(array[99], 0x0101010101010101);
	cr_assert_eq(ct_array_reserve(&array, &room, 200, sizeof(*array)), 0);
	cr_assert_eq(room, 200);
	free(array);
}

Test(base_array, what_no_memory_holds_is_refused_and_the_array_stays)
{
	uint64_t *array = NULL, *before;
	size_t room = 0;

	cr_assert_eq(ct_array_reserve(&array, &room, 4, sizeof(*array)), 0);
	before = array;
	room = 4;
	cr_assert_eq(ct_array_reserve(&array, &room, SIZE_MAX / 4, sizeof(*array)), -ENOMEM);
	cr_assert_eq(array, before);
	cr_assert_eq(room, 4);
	cr_assert_eq(ct_array_grow(&array, (size_t)1 << 62, sizeof(*array)), -ENOMEM);
	cr_assert_eq(array, before);
	free(array);
}

/* Few different words, so that keys meet, are removed and come again. */
static uint64_t next_random(uint64_t *state)
{
	*state = *state * 6364136223846793005u + 1442695040888963407u;
	return *state >> 33;
}

#define KEYS 16u

static void check_against(const struct ct_map *map, uint64_t expected[KEYS][KEYS])
{
	size_t there = 0, visited = 0;

	for (uint64_t a = 0; a < KEYS; a++)
		for (uint64_t b = 0; b < KEYS; b++) {
			union ct_map_value *value = ct_map_find(map, a << 40, b);

			cr_assert_eq(!value, !expected[a][b]);
			cr_assert(!value || value->number == expected[a][b]);
			there += expected[a][b] != 0;
		}
	for (struct ct_map_entry *at = NULL; (at = ct_map_next(map, at)); visited++)
		cr_assert_eq(at->value.number,
			     expected[ct_map_key(at, 0) >> 40][ct_map_key(at, 1)]);
	cr_assert_eq(visited, there);
	cr_assert_eq(map->count, there);
}

Test(base_map, holds_what_was_put_and_not_removed)
{
	static uint64_t expected[KEYS][KEYS];
	struct ct_map map = {.count = 0};
	uint64_t random = 1;

	cr_assert_null(ct_map_find(&map, 0, 0));
	cr_assert_not(ct_map_remove(&map, 0, 0));
	for (uint64_t step = 1; step <= 20000; step++) {
		uint64_t a = next_random(&random) % KEYS, b = next_random(&random) % KEYS;

		if (next_random(&random) % 2) {
			ct_map_put(&map, a << 40, b)->number = expected[a][b] = step;
		} else {
			cr_assert_eq(ct_map_remove(&map, a << 40, b), expected[a][b] != 0);
			expected[a][b] = 0;
		}
		if (step % 100 == 0)
			check_against(&map, expected);
	}
	ct_map_clear(&map);
	memset(expected, 0, sizeof(expected));
	check_against(&map, expected);
	ct_map_fini(&map);
	cr_assert_null(ct_map_find(&map, 0, 0));
}

Test(base_map, keys_differ_by_either_word_and_new_values_are_0)
{
	struct ct_map map = {.count = 0};

	ct_map_put(&map, 1, 2)->number = 12;
	cr_assert_eq(ct_map_put(&map, 2, 1)->number, 0);
	cr_assert_eq(ct_map_put(&map, UINT64_MAX, 0)->number, 0);
	cr_assert_eq(ct_map_put(&map, 1, 2)->number, 12);
	cr_assert_eq(map.count, 3);
	ct_map_fini(&map);
}

/* How far the keys first + i * step of a word stand from where their hashes lead, summed. */
static uint64_t displacement(unsigned word, uint64_t first, uint64_t step)
{
	struct ct_map map = {.count = 0};
	uint64_t moved = 0;

	for (uint64_t i = 0; i < 4096; i++)
		ct_map_put(&map, word ? 0x7f12 : first + i * step, word ? first + i * step : 0);
	for (size_t i = 0; i < map.entries; i++) {
		const struct ct_map_entry *entry = &map.entry[i];

		if (entry->not_key[0] | entry->not_key[1])
			moved += (i - ct_map_hash(ct_map_key(entry, 0), ct_map_key(entry, 1))) &
				 (map.entries - 1);
	}
	ct_map_fini(&map);
	return moved;
}

/* Addresses and numbers come in equal steps: of random keys, 0.5 would be the mean. */
Test(base_map, regular_keys_are_spread)
{
	for (unsigned shift = 0; shift < 48; shift++)
		for (unsigned word = 0; word < 2; word++) {
			uint64_t moved = displacement(word, 1, UINT64_C(1) << shift);

			cr_expect_lt(moved, 4096, "word %u, shift %u: %llu", word, shift,
				     (unsigned long long)moved);
			moved = displacement(word, 0x7f3200000000, 3 << shift % 24);
			cr_expect_lt(moved, 4096, "word %u, step %u: %llu", word, 3 << shift % 24,
				     (unsigned long long)moved);
		}
}

Test(base_intern, strings_are_numbered_as_they_are_first_seen)
{
	struct ct_intern set = {.ids = {.count = 0}};
	bool is_new;

	cr_assert_eq(ct_intern_add(&set, "one", 3, &is_new), 1);
	cr_assert(is_new);
	cr_assert_eq(ct_intern_add(&set, "", 0, &is_new), 2);
	cr_assert(is_new);
	cr_assert_eq(ct_intern_add(&set, "one", 3, &is_new), 1);
	cr_assert_not(is_new);
	cr_assert_eq(ct_intern_add(&set, "on", 2, &is_new), 3);
	for (uint32_t i = 0; i < 1000; i++)
		cr_assert_eq(ct_intern_add(&set, &i, sizeof(i), &is_new), 4 + i);
	ct_intern_fini(&set);
}

Test(base_clock, clocks_are_in_nanoseconds)
{
	uint64_t before = ct_clock_monotonic_ns(), after = ct_clock_monotonic_ns();

	cr_assert_leq(before, after);
	cr_assert_eq(ct_clock_real_ns() / 1000000000 / 3600 / 10, (uint64_t)time(NULL) / 3600 / 10);
}

/* Close together they are places, far apart keys of a map: it is the same to who asks. */
Test(base, by_number)
{
	static const uint32_t steps[] = {1, 1000000};

	for (size_t i = 0; i < 2; i++) {
		struct ct_by_number_range range = {.count = 0};
		struct ct_by_number table;

		for (uint32_t key = 7; key < 7 + 100 * steps[i]; key += steps[i])
			ct_by_number_expect(&range, key);
		cr_assert_eq(ct_by_number_init(&table, &range), 0);
		cr_expect_eq(table.value != NULL, i == 0);
		for (uint32_t n = 0; n < 100; n++)
			cr_assert_eq(ct_by_number_set(&table, 7 + n * steps[i], n + 1), 0);
		cr_assert_eq(ct_by_number_set(&table, 7, 500), 0);
		cr_expect_eq(ct_by_number_get(&table, 7), 500);
		cr_expect_eq(ct_by_number_get(&table, 7 + 99 * steps[i]), 100);
		cr_expect_eq(ct_by_number_get(&table, 6), 0);
		cr_expect_eq(ct_by_number_get(&table, 8 + 99 * steps[i]), 0);
		cr_expect_eq(ct_by_number_get(&table, UINT32_MAX), 0);
		ct_by_number_fini(&table);
	}
	cr_expect_eq(ct_by_number_get(&(struct ct_by_number){.first = 0}, 0), 0);
}
