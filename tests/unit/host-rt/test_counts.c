/* SPDX-License-Identifier: Apache-2.0 */
/* Tier counts on the host: where objects have their bits, how sites are numbered, a full ring. */
#include "host-rt/counts/objects.h"
#include "host-rt/counts/reduce.h"
#include "host-rt/counts/units.h"
#include "host-rt/events/objects.h"
#include <criterion/criterion.h>
#include <cudatrace/host.h>
#include <cudatrace/unit.h>
#include <stdlib.h>
#include <string.h>

/* In place of objects.c: what lives. */
static struct {
	uint64_t address, bytes;
	uint32_t id;
} live[10000];
static size_t live_count;
static uint64_t live_version;

uint64_t ct_objects_version(void)
{
	return live_version;
}

size_t ct_objects_count(void)
{
	return live_count;
}

void ct_objects_each(void (*each)(void *user, uint64_t address, uint64_t bytes, uint32_t object),
		     void *user)
{
	for (size_t i = 0; i < live_count; i++)
		each(user, live[i].address, live[i].bytes, live[i].id);
}

static void is_allocated(uint64_t address, uint64_t bytes, uint32_t id)
{
	live[live_count].address = address;
	live[live_count].bytes = bytes;
	live[live_count++].id = id;
	live_version++;
}

Test(hostrt_counts, objects_are_sorted_and_have_words_of_their_own)
{
	struct ct_counts_snapshot *s;

	is_allocated(0x30000, 64 * 32 + 1, 3); /* 65 sectors: two words */
	is_allocated(0x10000, 1, 1);
	is_allocated(0x20000, 64 * 32, 2);
	s = ct_counts_snapshot_now();
	cr_assert_eq(s->count, 3);
	cr_assert(s->object[0].object == 1 && s->object[0].first_bit == 0);
	cr_assert(s->object[1].object == 2 && s->object[1].first_bit == 64);
	cr_assert(s->object[2].object == 3 && s->object[2].first_bit == 128);
	cr_assert_eq(s->object[2].end, 0x30000 + 64 * 32 + 1);
	cr_assert_eq(s->bit_words, 4);
	cr_assert_eq(s->shared, 0);
	ct_counts_snapshot_drop(s);
}

Test(hostrt_counts, a_snapshot_lasts_until_an_object_comes)
{
	struct ct_counts_snapshot *first, *same, *other;

	is_allocated(0x10000, 32, 1);
	first = ct_counts_snapshot_now();
	same = ct_counts_snapshot_now();
	cr_assert_eq(first, same);
	is_allocated(0x20000, 32, 2);
	other = ct_counts_snapshot_now();
	cr_assert(other != first && other->count == 2 && first->count == 1);
	ct_counts_snapshot_drop(first);
	ct_counts_snapshot_drop(same);
	ct_counts_snapshot_drop(other);
}

Test(hostrt_counts, objects_in_one_sector_share_it)
{
	struct ct_counts_snapshot *s;

	is_allocated(0x10000, 40, 1);
	is_allocated(0x10028, 8, 2);
	s = ct_counts_snapshot_now();
	cr_assert_eq(s->shared, 1);
	cr_assert_eq(s->count, 2);
	ct_counts_snapshot_drop(s);
}

Test(hostrt_counts, the_newer_of_overlapping_objects_is_meant)
{
	struct ct_counts_snapshot *s;

	is_allocated(0x10000, 0x1000, 1);
	is_allocated(0x20000, 0x1000, 2);
	is_allocated(0x10800, 0x100, 7);
	is_allocated(0x1f000, 0x1800, 5);
	s = ct_counts_snapshot_now();
	cr_assert_eq(s->count, 2);
	cr_assert(s->object[0].object == 7 && s->object[1].object == 5);
	ct_counts_snapshot_drop(s);
}

Test(hostrt_counts, too_many_objects_have_no_maps)
{
	struct ct_counts_snapshot *s;

	for (uint32_t i = 0; i < CT_COUNTS_OBJECTS + 1; i++)
		is_allocated(0x100000 + 0x100ull * i, 32, i + 1);
	s = ct_counts_snapshot_now();
	cr_assert_eq(s->bit_words, 0);
	ct_counts_snapshot_drop(s);
}

/* Its sites are loads, stores and atomics in turn. */
static const void *make_unit(uint64_t id, uint32_t arch, uint32_t sites)
{
	static const uint8_t operation[] = {1, 2, 3};
	uint64_t bytes = sizeof(struct ct_unit_header) + sizeof(struct ct_unit_kernel) +
			 sites * sizeof(struct ct_unit_site) + 1;
	struct ct_unit_header *unit = calloc(1, bytes);
	struct ct_unit_site *site;

	*unit = (struct ct_unit_header){.magic = CT_UNIT_MAGIC,
					.version = CT_UNIT_VERSION,
					.header_bytes = sizeof(*unit),
					.unit_id = id,
					.arch = arch,
					.kernel_count = 1,
					.site_count = sites,
					.string_bytes = 1};
	site =
	    (struct ct_unit_site *)((char *)unit + sizeof(*unit) + sizeof(struct ct_unit_kernel));
	for (uint32_t i = 0; i < sites; i++)
		site[i].operation = operation[i % 3];
	__ct_register_unit(unit, bytes);
	return unit;
}

Test(hostrt_counts, every_site_has_a_counter_of_its_own)
{
	static const uint8_t effect[] = {CT_COUNTS_READS, CT_COUNTS_WRITES,
					 CT_COUNTS_READS | CT_COUNTS_WRITES};
	const struct ct_unit_header *unit[] = {make_unit(0x500000007, 90, 5),
					       make_unit(0x300000007, 80, 4), make_unit(9, 90, 0),
					       make_unit(3, 90, 6)};
	const struct ct_counts_units *units;
	uint8_t seen[15] = {0};

	make_unit(3, 90, 6); /* once more: the same unit in another library */
	units = ct_counts_units_now();
	cr_assert_eq(units->unit_count, 4);
	cr_assert_eq(units->site_count, 15);
	for (int u = 0; u < 4; u++) {
		int at = ct_counts_units_find(units, unit[u]->unit_id, unit[u]->arch);

		cr_assert_geq(at, 0);
		cr_assert_eq(units->unit[at].tag, ct_unit_tag(unit[u]->unit_id));
		cr_assert_eq(units->unit[at].sites, unit[u]->site_count);
		for (uint32_t s = 0; s < unit[u]->site_count; s++) {
			uint32_t counter = units->unit[at].first + s, site = CT_NONE;
			const struct ct_unit_header *of =
			    ct_counts_units_site(units, counter, &site);

			cr_assert(of->unit_id == unit[u]->unit_id && site == s);
			cr_assert_eq(units->operations[counter], effect[s % 3]);
			cr_assert_eq(seen[counter]++, 0);
		}
	}
	cr_assert_eq(ct_counts_units_find(units, 3, 80), -1);
	cr_assert_null(ct_counts_units_site(units, 15, &(uint32_t){0}));
	cr_assert_eq(ct_counts_units_now(), units);
	make_unit(4, 90, 1);
	cr_assert_eq(ct_counts_units_now()->site_count, 16);
}

Test(hostrt_counts, a_full_ring_drops_and_tells_how_many)
{
	static struct ct_counts_entry entries[CT_COUNTS_ENTRIES];
	static struct ct_counts_site sites[CT_COUNTS_REPLICAS * 11];
	struct ct_counts_unit unit = {.sites = 10};
	struct ct_counts_area area = {.sites = (uint64_t)(uintptr_t)sites,
				      .units = (uint64_t)(uintptr_t)&unit,
				      .site_count = 10,
				      .unit_count = 1};
	struct ct_counts_ring ring = {.head = 1000 + CT_COUNTS_ENTRIES - 4,
				      .tail = 1000,
				      .entries = (uint64_t)(uintptr_t)entries};
	struct ct_counts_collect collect = {(uint64_t)(uintptr_t)&area, (uint64_t)(uintptr_t)&ring,
					    5, 0, 0};

	for (uint32_t s = 0; s < 10; s++)
		sites[7 * 11 + s].value[0] = 1;
	ct_counts_reduce(&collect);
	cr_assert_eq(ring.head, 1000 + CT_COUNTS_ENTRIES);
	cr_assert_eq(ring.dropped, 7); /* 10 sites and the end, less 4 */
	cr_assert_eq(entries[996].mark, CT_COUNTS_ENTRIES + 997);
	ring.tail = ring.head; /* the host has read */
	sites[3 * 11 + 2].value[0] = 1;
	ct_counts_reduce(&collect);
	cr_assert_eq(ring.head, 1000 + CT_COUNTS_ENTRIES + 2);
	cr_assert_eq(entries[1000].index, 2);
	cr_assert_eq(entries[1001].kind, CT_COUNTS_DONE);
	cr_assert_eq(entries[1001].value[0], 1);
}
