/* SPDX-License-Identifier: Apache-2.0 */
/* Tier counts: the device and the CPU target count alike, and as one would by hand. */
#include "tests/unit/device-rt/device_count.h"

#include "cpu-target/runtime/producer/counts.h"
#include "host-rt/counts/reduce.h"
#include <criterion/criterion.h>
#include <cudatrace/ring.h>
#include <stdlib.h>
#include <string.h>

#define SECTOR 32u
#define UNITS 3u
#define SITES 20u /* of each unit */
#define OBJECTS 12u
#define MEMORY 65536u /* bytes in which objects and accesses lie */
#define BASE 0x7f0000010000ull
#define WORDS (2u * MEMORY / SECTOR / 64 + 2 * OBJECTS)

/* An area with all that it points to. */
struct area {
	struct ct_counts_area area;
	struct ct_counts_site sites[CT_COUNTS_REPLICAS * (UNITS * SITES + 1)];
	uint32_t operations[UNITS * SITES + 1];
	struct ct_counts_unit units[UNITS];
	struct ct_counts_object none; /* hint 0 */
	struct ct_counts_object objects[OBJECTS];
	uint64_t sums[2 * OBJECTS];
	uint64_t bits[2 * WORDS];
	uint64_t reported[CT_COUNTS_REPORTED];
};

/* By hand: counters, and which sectors of which object were read and written. */
struct truth {
	uint64_t site[UNITS * SITES + 1][4];
	uint8_t touched[OBJECTS][2][MEMORY / SECTOR + 2];
};

static uint64_t seed;

static uint32_t draw(uint32_t below)
{
	seed = seed * 6364136223846793005u + 1442695040888963407u;
	return (uint32_t)(seed >> 33) % below;
}

static uint64_t address_of(const void *object)
{
	return (uint64_t)(uintptr_t)object;
}

/* Objects with gaps, of whole sectors: what is accessed behind an object's end, in its last sector,
 * may count as of the object. Or, packed, right after one another, so that they share sectors. */
static void place_objects(struct area *a, bool packed)
{
	uint64_t at = BASE + (packed ? draw(64) : 0), bit = 0;

	for (uint32_t i = 0; i < OBJECTS; i++) {
		uint64_t bytes = 1 + draw(i % 3 ? 200 : 4000);

		if (!packed)
			bytes = (bytes + SECTOR - 1) / SECTOR * SECTOR;

		a->objects[i] = (struct ct_counts_object){at, at + bytes, bit, i + 1, 0};
		bit += ((at + bytes) / SECTOR - at / SECTOR + 64) / 64 * 64;
		at += packed ? bytes : (bytes + 255) / 256 * 256;
	}
	cr_assert(bit <= 64 * WORDS);
	a->area.shared = packed;
}

static struct area *make_area(bool packed)
{
	struct area *a = calloc(1, sizeof(*a));

	cr_assert(a);
	place_objects(a, packed);
	for (uint32_t u = 0; u < UNITS; u++)
		a->units[u] = (struct ct_counts_unit){10 + u / 2, 80 + u % 2, u * SITES, SITES};
	for (uint32_t s = 0; s < UNITS * SITES; s++)
		a->operations[s] = s / 3 % 4; /* alike side by side, too */
	a->area.object_count = OBJECTS;
	a->area.unit_count = UNITS;
	a->area.site_count = UNITS * SITES;
	a->area.bit_words = WORDS;
	return a;
}

/* Its own pointers; a copy has others. */
static struct ct_counts_area *at_home(struct area *a)
{
	a->area.sites = address_of(a->sites);
	a->area.operations = address_of(a->operations);
	a->area.units = address_of(a->units);
	a->area.objects = address_of(a->objects);
	a->area.sums = address_of(a->sums);
	a->area.bits = address_of(a->bits);
	a->area.reported = address_of(a->reported);
	return &a->area;
}

static uint64_t draw_site(void)
{
	switch (draw(4)) {
	case 0: /* of a unit with this tag, or none */
		return (uint64_t)(10 + draw(3)) << 32 | draw(SITES + 2);
	default:
		return draw(SITES + 2);
	}
}

static void draw_case(struct count_case *c)
{
	uint32_t size = draw(3) ? 1u << draw(5) : 1 + draw(300), shape = draw(5),
		 stride = draw(300);
	uint64_t base = BASE + draw(MEMORY / 4);

	if (draw(2))
		base &= ~(uint64_t)31;
	c->unit = draw(UNITS);
	c->site = draw_site();
	c->mask = draw(2) ? CT_FULL_MASK : (uint32_t)(seed >> 20) | 1u << draw(32);
	c->is_event = !draw(10);
	c->is_range = !draw(4);
	for (uint32_t lane = 0; lane < CT_WARP_LANES; lane++) {
		c->bytes[lane] = draw(20) || !c->is_range ? size : 1 + draw(3000);
		c->address[lane] = base + lane * (shape == 1 ? size : shape == 2 ? stride : 0);
		if (shape == 3)
			c->address[lane] = BASE + draw(MEMORY / 3);
		if (shape == 4 && lane % 3 == 0)
			c->address[lane] = CT_ADDRESS_IN(3, lane * 4);
	}
}

/* Which counter, from the rules of counts.h. */
static uint32_t counter_of(const struct count_case *c)
{
	uint32_t tag = (uint32_t)(c->site >> 32), site = (uint32_t)c->site;

	if (site >= SITES)
		return UNITS * SITES;
	if (!tag)
		return c->unit * SITES + site;
	for (uint32_t u = 0; u < UNITS; u++)
		if (10 + u / 2 == tag && 80 + u % 2 == 80 + c->unit % 2)
			return u * SITES + site;
	return UNITS * SITES;
}

static void touch(struct truth *t, const struct area *a, uint32_t operation, uint64_t byte)
{
	for (uint32_t i = 0; i < a->area.object_count; i++) {
		const struct ct_counts_object *o = &a->objects[i];

		if (byte < o->start || byte >= o->end)
			continue;
		for (uint32_t map = 0; map < 2; map++)
			if (operation >> map & 1)
				t->touched[i][map][byte / SECTOR - o->start / SECTOR] = 1;
	}
}

/* Byte by byte. */
static void count_by_hand(struct truth *t, const struct area *a, const struct count_case *c)
{
	static uint64_t seen[CT_WARP_LANES * 100];
	uint32_t counter = counter_of(c), sectors = 0;

	t->site[counter][0]++;
	for (uint32_t lane = 0; lane < CT_WARP_LANES; lane++) {
		if (!(c->mask >> lane & 1))
			continue;
		t->site[counter][1]++;
		if (c->is_event)
			continue;
		t->site[counter][3] += c->bytes[lane];
		for (uint64_t b = c->address[lane]; b < c->address[lane] + c->bytes[lane]; b++) {
			uint32_t i = 0;

			while (i < sectors && seen[i] != b / SECTOR)
				i++;
			if (i == sectors)
				seen[sectors++] = b / SECTOR;
			touch(t, a, a->operations[counter] & 3, b);
		}
	}
	t->site[counter][2] += sectors;
}

static void count_on_cpu(struct area *a, const struct count_case *c)
{
	struct ct_producer_counts counts = {&a->area, c->unit, 5, 0};

	if (c->is_event)
		ct_producer_count_event(&counts, c->site, c->mask);
	else
		ct_producer_count(&counts, c->site, c->mask, c->address, c->bytes);
}

static uint64_t touched_sectors(const struct truth *t, uint32_t object, uint32_t map)
{
	uint64_t sum = 0;

	for (uint32_t i = 0; i < MEMORY / SECTOR + 2; i++)
		sum += t->touched[object][map][i];
	return sum;
}

static void check_entry(const struct truth *t, const struct ct_counts_entry *e, uint32_t *sites,
			uint32_t *objects)
{
	cr_assert(e->launch == 9 && e->area == 4);
	if (e->kind == CT_COUNTS_SITE) {
		for (int i = 0; i < 4; i++)
			cr_assert_eq(e->value[i], t->site[e->index][i],
				     "site %u value %d: %lu, %lu", e->index, i, e->value[i],
				     t->site[e->index][i]);
		++*sites;
	} else {
		cr_assert_eq(e->kind, CT_COUNTS_TOUCHED);
		for (uint32_t map = 0; map < 2; map++)
			cr_assert_eq(e->value[map], touched_sectors(t, e->index - 1, map),
				     "object %u map %u: %lu, %lu", e->index, map, e->value[map],
				     touched_sectors(t, e->index - 1, map));
		++*objects;
	}
}

/* All that the reduction says, nothing twice, nothing missing; and the area is empty again. */
static void check_reduction(struct area *a, const struct truth *t)
{
	static struct ct_counts_entry entries[CT_COUNTS_ENTRIES];
	static const struct area empty;
	struct ct_counts_ring ring = {.entries = address_of(entries)};
	struct ct_counts_collect collect = {address_of(&a->area), address_of(&ring), 9, 4, 0};
	uint32_t sites = 0, objects = 0, expected = 0;

	a->area.foreign = 1; /* cases are of several kernels */
	ct_counts_reduce(&collect);
	cr_assert_eq(a->area.launch, 1);
	for (uint32_t s = 0; s <= UNITS * SITES; s++)
		expected += t->site[s][0] != 0;
	for (uint64_t i = 0; i + 1 < ring.head; i++) {
		cr_assert_eq(entries[i].mark, i + 1);
		check_entry(t, &entries[i], &sites, &objects);
	}
	cr_assert_eq(sites, expected);
	expected = 0;
	for (uint32_t i = 0; i < OBJECTS; i++)
		expected += touched_sectors(t, i, 0) || touched_sectors(t, i, 1);
	cr_assert_eq(objects, expected);
	cr_assert_eq(entries[ring.head - 1].kind, CT_COUNTS_DONE);
	cr_assert_eq(entries[ring.head - 1].value[0], sites + objects);
	cr_assert_eq(ring.dropped, 0);
	cr_assert(!memcmp(a->sites, empty.sites, sizeof(a->sites)));
	cr_assert(!memcmp(a->bits, empty.bits, sizeof(a->bits)));
}

/* Some cases become groups: accesses by further sites at distances that all lanes share. */
static void make_group(struct count_case *c)
{
	c->members = 0;
	if (draw(4) || c->is_range || c->is_event)
		return;
	c->members = 1 + draw(CT_GROUP_MEMBERS - 1);
	c->site = draw(SITES - CT_GROUP_MEMBERS);
	for (uint32_t i = 0; i < c->members; i++)
		c->distance[i] = draw(3) ? 4 * draw(3000) : draw(64) - 32ull;
}

/* Some cases become loops of such accesses. */
static void make_loop(struct count_case *c)
{
	static const uint64_t steps[] = {0,   1,   4,    8,     12,     32,     64,
					 128, 640, 1000, -4ull, -32ull, -200ull};

	c->iterations = 0;
	if (draw(3) || c->is_range)
		return;
	c->iterations = 1 + draw(draw(3) ? 10 : 70);
	c->step = steps[draw(sizeof(steps) / sizeof(*steps))];
	c->fan = draw(8) ? 0 : 4 * draw(9);
	c->drift = draw(4) ? 0 : 4 * draw(20);
	c->mask = CT_FULL_MASK;
	c->is_event = 0;
	c->site = (uint32_t)c->site % (draw(8) ? SITES - CT_GROUP_MEMBERS : SITES + 2);
	for (uint32_t i = 0, unrolled = draw(2); unrolled && i < c->members; i++)
		c->distance[i] = (i + 1) * c->bytes[0];
	if (draw(3) == 0) /* rows of eight or sixteen lanes */
		for (uint32_t lane = 0, row = 8u << draw(2); lane < CT_WARP_LANES; lane++)
			c->address[lane] =
			    c->address[0] + lane % row * c->bytes[0] + lane / row * 1000;
	for (uint32_t lane = 0; lane < CT_WARP_LANES; lane++)
		if ((int64_t)c->step < 0) /* so that it stays in memory */
			c->address[lane] -= c->iterations * c->step;
}

/* Bit by bit. */
static void check_maps(const struct area *a, const struct truth *t)
{
	for (uint32_t i = 0; i < a->area.object_count; i++) {
		const struct ct_counts_object *o = &a->objects[i];

		for (uint64_t s = 0; s <= (o->end - 1) / SECTOR - o->start / SECTOR; s++)
			for (uint32_t map = 0; map < 2; map++) {
				uint64_t bit = o->first_bit + s;

				cr_assert_eq(a->bits[map * WORDS + bit / 64] >> bit % 64 & 1,
					     t->touched[i][map][s], "object %u sector %lu map %u",
					     i, s, map);
			}
	}
}

static void keep_half(struct area *a)
{
	struct ct_counts_batch batch = {
	    0, OBJECTS / 2, OBJECTS / 2, a->area.shared, a->area.bits, a->area.bit_words, {{0}}};

	memcpy(batch.object, a->objects, sizeof(a->objects) / 2);
	ct_counts_tell_objects(address_of(&a->area), &batch);
}

/* Access by access, iteration by iteration. */
static void count_one_by_one(struct area *cpu, struct truth *t, const struct area *device,
			     const struct count_case *c)
{
	for (uint64_t k = 0; k < (c->iterations ? c->iterations : 1); k++)
		for (uint32_t i = 0; i <= c->members; i++) {
			struct count_case one = *c;

			one.site += i;
			for (uint32_t lane = 0; lane < CT_WARP_LANES; lane++)
				one.address[lane] += k * (c->step + lane * c->fan + i * c->drift) +
						     (i ? c->distance[i - 1] : 0);
			count_on_cpu(cpu, &one);
			count_by_hand(t, device, &one);
		}
}

static void compare(bool packed)
{
	struct truth *t = calloc(1, sizeof(*t));
	struct area *device = make_area(packed), *cpu = malloc(sizeof(*cpu));
	struct count_case c = {0};

	cr_assert(t && cpu);
	memcpy(cpu, device, sizeof(*cpu));
	at_home(cpu);
	c.area = at_home(device);
	for (int i = 0; i < 300; i++) {
		/* Each case by itself: what others have touched would hide mistakes. */
		memset(device->bits, 0, sizeof(device->bits));
		device->area.launch++;
		memset(cpu->bits, 0, sizeof(cpu->bits));
		memset(t->touched, 0, sizeof(t->touched));
		/* The last ones go: what sites remember of them is no longer true. */
		if (i == 150) {
			keep_half(device);
			keep_half(cpu);
		}
		draw_case(&c);
		make_group(&c);
		make_loop(&c);
		device_count(&c);
		count_one_by_one(cpu, t, device, &c);
		cr_assert(!memcmp(device->sites, cpu->sites, sizeof(cpu->sites)), "case %d", i);
		cr_assert(!memcmp(device->bits, cpu->bits, sizeof(cpu->bits)), "case %d", i);
		cr_assert_eq(device->area.foreign, cpu->area.foreign);
		check_maps(cpu, t);
	}
	check_reduction(cpu, t);
	free(t);
	free(device);
	free(cpu);
}

Test(device_count, agrees_with_counting_by_hand)
{
	for (seed = 1; seed < 5; seed++) {
		uint64_t kept = seed;

		compare(false);
		seed = kept;
	}
}

Test(device_count, agrees_where_objects_share_sectors)
{
	for (seed = 101; seed < 105; seed++) {
		uint64_t kept = seed;

		compare(true);
		seed = kept;
	}
}

/* Executions by the warp and by lanes, of a block that each lane runs so many times, together with
 * those that are still in the loop. */
static void count_block_by_hand(struct ct_counts_site *sites, const struct block_case *c)
{
	uint64_t most = 0, sum = 0;

	for (uint32_t lane = 0; lane < CT_WARP_LANES; lane++) {
		uint64_t times = c->way == BLOCK_ONCE ? 1 : c->times[lane];

		if (!(c->mask >> lane & 1))
			continue;
		times *= c->way == BLOCK_STEPS ? c->scale : 1;
		most = times > most ? times : most;
		sum += times;
	}
	sites[c->site].value[0] += most;
	sites[c->site].value[1] += sum;
	for (uint64_t others = c->way == BLOCK_ONCE ? c->others : 0; others; others >>= 16)
		if (others & 0xffff) {
			sites[c->site + (others & 0xffff)].value[0]++;
			sites[c->site + (others & 0xffff)].value[1] += sum;
		}
}

Test(device_count, blocks_agree_with_counting_by_hand)
{
	static struct ct_counts_site device[SITES], hand[SITES];
	struct block_case c;

	seed = 7;
	for (int i = 0; i < 600; i++) {
		uint64_t same = draw(50);
		bool is_same = draw(2);

		memset(&c, 0, sizeof(c));
		c.counters = address_of(device);
		c.site = draw(SITES - 8);
		c.mask = draw(2)   ? CT_FULL_MASK
			 : draw(3) ? 1u << draw(32)
				   : (uint32_t)(seed >> 20) | 2;
		c.way = draw(3);
		c.scale = draw(2) ? 70001 : 1;
		for (int other = 0; other < 4; other++)
			c.others |= (uint64_t)draw(8) << 16 * other;
		for (uint32_t lane = 0; lane < CT_WARP_LANES; lane++)
			c.times[lane] = is_same ? same : draw(60);
		device_block(&c);
		count_block_by_hand(hand, &c);
		cr_assert(!memcmp(device, hand, sizeof(hand)), "case %d, way %u, mask %x", i, c.way,
			  c.mask);
	}
}
