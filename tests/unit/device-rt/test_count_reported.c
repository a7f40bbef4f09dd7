/* SPDX-License-Identifier: Apache-2.0 */
/* Tier counts: what loops touch is reported once a launch, by lanes that it was not reported for
 * yet. */
#include "tests/unit/device-rt/device_count.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#define SECTOR 32u
#define SITES 8u
#define BASE 0x7f0000010000ull
#define WORDS 8u
#define SECTORS (64u * WORDS)

/* One unit, one object, which all sites read. */
struct area {
	struct ct_counts_area area;
	struct ct_counts_site sites[CT_COUNTS_REPLICAS * (SITES + 1)];
	uint32_t operations[SITES + 1];
	struct ct_counts_unit unit;
	struct ct_counts_object none, object; /* hint 0; then what there is */
	uint64_t read[WORDS], written[WORDS];
	uint64_t reported[CT_COUNTS_REPORTED];
};

static uint64_t address_of(const void *object)
{
	return (uint64_t)(uintptr_t)object;
}

static struct area *make_area(void)
{
	struct area *a = calloc(1, sizeof(*a));

	cr_assert(a);
	for (uint32_t s = 0; s < SITES; s++)
		a->operations[s] = CT_COUNTS_READS;
	a->unit = (struct ct_counts_unit){10, 80, 0, SITES};
	a->object = (struct ct_counts_object){BASE, BASE + SECTORS * SECTOR, 0, 1, 0};
	a->area = (struct ct_counts_area){.sites = address_of(a->sites),
					  .units = address_of(&a->unit),
					  .operations = address_of(a->operations),
					  .objects = address_of(&a->object),
					  .bits = address_of(a->read),
					  .bit_words = WORDS,
					  .site_count = SITES,
					  .unit_count = 1,
					  .object_count = 1,
					  .reported = address_of(a->reported)};
	return a;
}

/* How many sectors were reported as read, since it was asked last. */
static uint32_t take_sectors(struct area *a)
{
	uint32_t count = 0;

	for (uint32_t w = 0; w < WORDS; w++)
		count += (uint32_t)__builtin_popcountll(a->read[w]);
	memset(a->read, 0, sizeof(a->read));
	return count;
}

/* Lanes side by side in a loop that has gaps or none. */
static void make_long_loop(struct count_case *c, struct area *a, bool has_gaps)
{
	*c = (struct count_case){.area = &a->area, .site = 3, .mask = CT_FULL_MASK};
	c->iterations = has_gaps ? 8 : 25;
	c->step = has_gaps ? 4 * SECTOR * 3 : 4 * SECTOR;
	for (uint32_t lane = 0; lane < CT_WARP_LANES; lane++) {
		c->address[lane] = BASE + 4ull * lane;
		c->bytes[lane] = 4;
	}
}

/* If counted each time; not what others touch. */
Test(device_count_reported, loops_are_reported_once_in_a_launch)
{
	struct area *a = make_area();
	const uint64_t *counted = a->sites[5 * (SITES + 1) + 3].value; /* the SM's row */
	struct count_case c;

	for (int has_gaps = 0; has_gaps < 2; has_gaps++) {
		uint64_t lanes = counted[1];

		make_long_loop(&c, a, has_gaps);
		device_count(&c);
		cr_assert_eq(take_sectors(a), 4 * c.iterations);
		device_count(&c);
		cr_assert_eq(take_sectors(a), 0);
		cr_assert_eq(counted[1] - lanes, 2 * CT_WARP_LANES * c.iterations);
		for (int what = 0; what < 6; what++) { /* last, as far on as launches are */
			c.site += what == 0;
			c.iterations -= what == 1;
			c.step += what == 2 ? SECTOR * 4 : 0;
			a->area.launch += what == 3;
			a->area.launch ^= what == 5 ? c.address[0] ^ (c.address[0] + 4) : 0;
			for (uint32_t lane = 0; what > 3 && lane < CT_WARP_LANES; lane++)
				c.address[lane] += 4;
			device_count(&c);
			cr_assert_geq(take_sectors(a), 4 * c.iterations, "%d, %d", has_gaps, what);
		}
	}
	free(a);
}

/* Two rows of 16 lanes, each of two sectors, the second from `apart` on. */
static void make_rows(struct count_case *c, struct area *a, uint64_t apart)
{
	*c = (struct count_case){.area = &a->area, .site = 2, .mask = CT_FULL_MASK};
	c->iterations = 2;
	c->step = 128 * SECTOR;
	c->distance[0] = 2 * SECTOR; /* where the row of the site before ends */
	for (uint32_t lane = 0; lane < CT_WARP_LANES; lane++) {
		c->address[lane] = BASE + lane % 16 * 4 + (lane < 16 ? 0 : apart);
		c->bytes[lane] = 4;
	}
}

/* Sites side by side are reported together, but not by lanes that report one of them alone. */
Test(device_count_reported, lanes_tell_what_is_not_reported_yet)
{
	struct area *a = make_area();
	struct count_case c;

	make_rows(&c, a, 32 * SECTOR);
	device_count(&c); /* of the first site both rows */
	cr_assert_eq(take_sectors(a), 2 * 2 * 2);
	make_rows(&c, a, 64 * SECTOR);
	c.members = 1;
	device_count(&c); /* its second row, and both of the next site */
	cr_assert_eq(take_sectors(a), 3 * 2 * 2);
	device_count(&c);
	cr_assert_eq(take_sectors(a), 0);
	make_rows(&c, a, 2 * SECTOR);
	device_count(&c); /* one row, that begins as the first did */
	cr_assert_eq(take_sectors(a), 4 * 2);
	free(a);
}
