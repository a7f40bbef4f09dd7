/* SPDX-License-Identifier: Apache-2.0 */
/* Tier values: the device and the CPU target summarise alike, and as one would by hand. */
#include "tests/unit/device-rt/device_summary.h"

#include "cpu-target/runtime/producer/summary.h"
#include "host-rt/counts/reduce.h"
#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define SITES 9u
#define GROUP 6u /* the site that begins the group, to which those behind it belong */
#define OBJECTS 3u
#define MEMORY 4096u
#define PART CT_VALUE_BYTES_MAX /* of values: all that a hook is given at once */
#define ROWS (CT_SUMMARY_ROWS * (SITES + 1))

/* An area with all that it points to, and the memory that is accessed, in three objects. */
struct area {
	struct ct_counts_area area;
	struct ct_counts_site sites[CT_COUNTS_REPLICAS * (SITES + 1)];
	struct ct_counts_summary summaries[ROWS];
	struct ct_counts_unit unit;
	struct ct_counts_object objects[1 + OBJECTS]; /* the first is what is read without a hint */
};

/* By hand, of one site. */
struct truth {
	uint64_t value[4];
	uint64_t high, low;
	uint32_t properties;
	uint32_t objects; /* bit of each, bit OBJECTS: none of them */
	uint32_t map[CT_SUMMARY_MAPS];
};

static uint64_t seed;
static uint8_t memory[MEMORY] __attribute__((aligned(16)));

static uint64_t draw(uint64_t below)
{
	seed = seed * 6364136223846793005u + 1442695040888963407u;
	return (seed >> 20) % below;
}

static uint64_t address_of(const void *object)
{
	return (uint64_t)(uintptr_t)object;
}

/* The last object is short: there is memory behind it that is of none. */
static struct area *make_area(void)
{
	struct area *a = calloc(1, sizeof(*a));

	cr_assert(a);
	for (uint32_t i = 0; i < OBJECTS; i++)
		a->objects[1 + i] = (struct ct_counts_object){
		    .start = address_of(memory) + i * MEMORY / 4,
		    .end = address_of(memory) + (i + 1) * MEMORY / 4,
		    .object = 11 + i,
		};
	a->unit = (struct ct_counts_unit){0, 90, 0, SITES};
	a->area = (struct ct_counts_area){.sites = address_of(a->sites),
					  .units = address_of(&a->unit),
					  .objects = address_of(a->objects + 1),
					  .summaries = address_of(a->summaries),
					  .site_count = SITES,
					  .unit_count = 1,
					  .object_count = OBJECTS};
	return a;
}

/* Floats that are whole, halves, singles, none of these; infinities, no numbers, -0, subnormal. */
static uint64_t draw_float(uint32_t bytes)
{
	static const double special[] = {
	    0,     -0.0,  1,    -3,   0.5,   0.1,   4294967296.0, 4294967297.0,
	    65504, 65520, 1e-7, 6e-8, 1e-40, 1e-310};
	uint32_t which = (uint32_t)draw(17);
	double real = which < 14    ? special[which]
		      : which == 14 ? INFINITY
		      : which == 15 ? NAN
				    : -INFINITY;
	float single = (float)real;
	uint64_t bits = 0;

	if (bytes == 8)
		memcpy(&bits, &real, 8);
	else if (bytes == 4)
		memcpy(&bits, &single, 4);
	else
		bits = draw(1 << 16);
	return bits;
}

static void draw_case(struct summary_case *c, uint32_t site)
{
	static const uint32_t elements[SITES] = {
	    CT_ELEMENT(CT_SCALAR_INTEGER, 2, CT_ELEMENT_LOAD | CT_ELEMENT_GLOBAL),
	    CT_ELEMENT(CT_SCALAR_FLOAT, 2, CT_ELEMENT_STORE | CT_ELEMENT_GLOBAL),
	    CT_ELEMENT(CT_SCALAR_FLOAT, 3, CT_ELEMENT_STORE | CT_ELEMENT_GLOBAL),
	    CT_ELEMENT(CT_SCALAR_INTEGER, 1, CT_ELEMENT_LOAD | CT_ELEMENT_GLOBAL),
	    CT_ELEMENT(CT_SCALAR_POINTER, 3, CT_ELEMENT_STORE),
	    CT_ELEMENT(CT_SCALAR_BFLOAT, 1, CT_ELEMENT_STORE | CT_ELEMENT_GLOBAL),
	    CT_ELEMENT(CT_SCALAR_FLOAT, 2,
		       CT_ELEMENT_LOAD | CT_ELEMENT_GLOBAL | CT_ELEMENT_ALIGNED),
	};
	uint32_t size = CT_ELEMENT_BYTES(elements[site]), few = (uint32_t)draw(2);
	uint64_t base = draw(2) ? draw(MEMORY / 2) : draw(4) * MEMORY / 4, one;
	bool is_one;

	c->unit = 0;
	c->site = site;
	c->element = elements[site];
	c->bytes = site == 1 || site == GROUP ? 4 : size << draw(size == 8 ? 2 : 3);
	if (site == 0) /* also one whose second part is a single element */
		c->bytes = draw(2) ? 4 : 20;
	c->way = site == GROUP                 ? SUMMARY_GROUP
		 : c->bytes == size && draw(2) ? SUMMARY_INLINE
					       : SUMMARY_ANY;
	c->mask = draw(2) ? CT_FULL_MASK : (uint32_t)draw(1ull << 32) | 1u << draw(32);
	base = base / c->bytes * c->bytes + (site == 2 && draw(2)); /* unaligned, too */
	one = draw_float(size);
	is_one = draw(3) != 0; /* what others make news of hides mistakes */
	for (uint32_t lane = 0; lane < CT_WARP_LANES; lane++) {
		uint64_t value[2] = {0, 0};

		for (uint32_t at = 0; at < c->bytes && at < PART; at += size) {
			uint64_t bits = ct_summary_is_float(CT_ELEMENT_SCALAR(c->element))
					    ? is_one ? one : draw_float(size)
					: few ? draw(2)
					      : draw(1ull << 40);

			memcpy((char *)value + at, &bits, size);
		}
		c->low[lane] = value[0];
		c->high[lane] = value[1];
		c->address[lane] = address_of(memory) + (base + lane * c->bytes) % (MEMORY - 32);
	}
}

/*
 * Members hold what the first one holds, by other lanes; by their distance, which is that of all,
 * they may lie in other objects, or in none. turn, of `turns`: of groups. The first ones have all
 * values there will be but for those that tell more of the type; the last ones have one of them, at
 * addresses that the others do not have.
 */
static void draw_members(struct summary_case *c, uint64_t step, uint64_t turn, uint64_t turns)
{
	static const float values[] = {-1000, 1000, 0, 0.5f, 0.3f, 0};
	const bool is_late = turn + turns / 4 + 1 > turns;
	const bool is_down = step >> 63;
	const uint64_t eighth = is_down ? 3 - is_late : is_late;
	const uint64_t base = draw(MEMORY / 8 - 128) / 4 * 4 + eighth * MEMORY / 8;
	const uint64_t from = turn ? (is_late ? 5 : 2 + draw(turn < turns / 2 ? 1 : 3)) : 0;

	for (uint32_t lane = 0; lane < CT_WARP_LANES; lane++) {
		c->low[lane] = 0;
		memcpy(&c->low[lane], &values[from + (turn ? 0 : lane % 3)], sizeof(float));
		c->address[lane] = address_of(memory) + base + 4ull * lane;
	}
	c->mask = turn && !is_late ? c->mask : CT_FULL_MASK;
	for (uint32_t k = 0; k < SUMMARY_MEMBERS; k++) {
		c->distance[k] = k * step;
		for (uint32_t lane = 0; lane < CT_WARP_LANES; lane++)
			c->member[k][lane] = c->low[(lane + k) % CT_WARP_LANES];
	}
}

static struct summary_case member_of(const struct summary_case *c, uint32_t k)
{
	struct summary_case member = *c;

	member.site += k;
	memcpy(member.low, c->member[k], sizeof(member.low));
	for (uint32_t lane = 0; lane < CT_WARP_LANES; lane++)
		member.address[lane] += c->distance[k];
	return member;
}

static void note_by_hand(struct truth *t, const struct summary_case *c, uint64_t bits,
			 uint64_t address)
{
	uint32_t size = CT_ELEMENT_BYTES(c->element), scalar = CT_ELEMENT_SCALAR(c->element);
	uint32_t hash = ct_summary_hash(size, bits), object = OBJECTS;
	uint64_t key = ct_summary_key(scalar, size, bits), ones = ~0ull >> (64 - 8 * size);
	double real = 0;
	float single;

	memcpy(&single, &bits, 4);
	memcpy(&real, &bits, 8);
	real = size == 4 ? (double)single : real;
	t->map[hash % 64] |= 1u << __builtin_ctz(hash / 64 | 1u << 26);
	if (scalar == CT_SCALAR_POINTER)
		t->properties |= CT_PROPERTY_UNFOUND;
	if (scalar == CT_SCALAR_BFLOAT)
		t->properties |= CT_PROPERTY_FRACTION;
	if (scalar == CT_SCALAR_FLOAT) {
		if (!(fabs(real) <= 4294967296.0 && real == floor(real)) ||
		    (real == 0 && signbit(real)))
			t->properties |= CT_PROPERTY_FRACTION;
		if (isfinite(real) &&
		    (fabs(real) > 65504 || real * 16777216 != floor(real * 16777216) ||
		     (real != 0 && ldexp(real, 11 - ilogb(real) - 1) !=
				       floor(ldexp(real, 11 - ilogb(real) - 1)))))
			t->properties |= CT_PROPERTY_NO_HALF;
		if (size == 8 && !isnan(real) && (double)(float)real != real)
			t->properties |= CT_PROPERTY_NO_SINGLE;
	}
	if ((scalar == CT_SCALAR_FLOAT && isnan(real)) ||
	    (scalar == CT_SCALAR_BFLOAT && (bits & 0x7fff) > 0x7f80)) {
		t->properties |= CT_PROPERTY_NAN;
	} else {
		t->high = key > t->high ? key : t->high;
		t->low = ones - key > t->low ? ones - key : t->low;
	}
	if (!(c->element & CT_ELEMENT_GLOBAL))
		return;
	for (uint32_t i = 0; i < OBJECTS; i++)
		if (address >= address_of(memory) + i * MEMORY / 4 &&
		    address + size <= address_of(memory) + (i + 1) * MEMORY / 4)
			object = i;
	t->objects |= 1u << object;
}

static void summarise_by_hand(struct truth *t, const struct summary_case *c)
{
	uint32_t size = CT_ELEMENT_BYTES(c->element), first = (uint32_t)__builtin_ctz(c->mask);
	bool is_float = ct_summary_is_float(CT_ELEMENT_SCALAR(c->element));

	t->value[0]++;
	for (uint32_t lane = 0; lane < CT_WARP_LANES; lane++) {
		uint64_t value[2] = {c->low[lane], c->high[lane]};
		uint64_t lowest[2] = {c->low[first], c->high[first]};

		for (uint32_t at = 0; at < c->bytes && c->mask >> lane & 1; at += size) {
			uint64_t bits = 0, other = 0;

			memcpy(&bits, (char *)value + at % PART, size);
			memcpy(&other, (char *)lowest + at % PART, size);
			t->value[1]++;
			t->value[2] += !bits || (is_float && bits == 1ull << (8 * size - 1));
			if (c->element & CT_ELEMENT_LOAD)
				t->value[3] += bits == other;
			else if (c->element & CT_ELEMENT_GLOBAL)
				t->value[3] += !memcmp((void *)(uintptr_t)(c->address[lane] + at),
						       &bits, size);
			note_by_hand(t, c, bits, c->address[lane] + at);
		}
	}
}

static void summarise_on_cpu(struct area *a, const struct summary_case *c)
{
	struct ct_producer_counts counts = {&a->area, 0, 5, 1};
	struct ct_align_group group = {.site = c->site, .mask = c->mask};

	for (uint32_t at = 0, left = c->bytes; left; at += PART) {
		uint32_t bytes = left < PART ? left : PART, part = group.values++;

		group.value[part].part = CT_SUMMARY_PART(part, c->element);
		group.value[part].bytes = (uint8_t)bytes;
		memcpy(group.value[part].low, c->low, sizeof(c->low));
		memcpy(group.value[part].high, c->high, sizeof(c->high));
		for (uint32_t lane = 0; lane < CT_WARP_LANES; lane++)
			if (c->mask >> lane & 1)
				ct_producer_summarise(&counts, c->site, c->element, bytes,
						      c->low[lane], c->high[lane],
						      c->address[lane] + at);
		left -= bytes;
	}
	ct_producer_summarise_group(&counts, &group);
}

/* Stores what is in memory afterwards, so that later stores find it. */
static void store(const struct summary_case *c)
{
	for (uint32_t lane = 0; lane < CT_WARP_LANES; lane++) {
		uint64_t value[2] = {c->low[lane], c->high[lane]};

		if (c->mask >> lane & 1 && c->element & CT_ELEMENT_STORE &&
		    c->element & CT_ELEMENT_GLOBAL && draw(2))
			memcpy((void *)(uintptr_t)c->address[lane], value, c->bytes);
	}
}

static uint32_t object_of(const struct truth *t)
{
	if (!t->objects)
		return 0;
	if (t->objects & (t->objects - 1))
		return CT_NONE;
	return t->objects >> OBJECTS ? 0 : 11 + (uint32_t)__builtin_ctz(t->objects);
}

/* Ten entries a site, one after another; and the area is as it was. */
static void check_reduction(struct area *a, const struct truth *truth)
{
	static struct ct_counts_entry entries[CT_COUNTS_ENTRIES];
	struct ct_counts_ring ring = {.entries = address_of(entries)};
	struct ct_counts_collect collect = {address_of(&a->area), address_of(&ring), 9, 4, 0};
	static const struct area empty;

	ct_counts_reduce(&collect);
	cr_assert_eq(ring.head, SITES * CT_COUNTS_SITE_ENTRIES + 1);
	for (uint32_t s = 0; s < SITES; s++) {
		const struct ct_counts_entry *e = &entries[s * CT_COUNTS_SITE_ENTRIES];
		struct ct_counts_summary sum;

		cr_assert(e->kind == CT_COUNTS_SITE && e->index == s && e->launch == 9);
		cr_assert(!memcmp(e->value, truth[s].value, sizeof(e->value)),
			  "site %u: %lu %lu %lu %lu, %lu %lu %lu %lu", s, e->value[0], e->value[1],
			  e->value[2], e->value[3], truth[s].value[0], truth[s].value[1],
			  truth[s].value[2], truth[s].value[3]);
		for (uint32_t i = 1; i < CT_COUNTS_SITE_ENTRIES; i++) {
			cr_assert_eq(e[i].mark, s * CT_COUNTS_SITE_ENTRIES + i + 1);
			memcpy((char *)&sum + (i - 1) * 32, e[i].value, 32);
		}
		cr_assert_eq(sum.high, truth[s].high, "site %u", s);
		cr_assert_eq(sum.low, truth[s].low, "site %u", s);
		cr_assert_eq(sum.properties, truth[s].properties, "site %u: %x, %x", s,
			     sum.properties, truth[s].properties);
		cr_assert_eq(sum.hint, object_of(&truth[s]), "site %u: %u, %x", s, sum.hint,
			     truth[s].objects);
		cr_assert(!memcmp(sum.map, truth[s].map, sizeof(sum.map)));
	}
	cr_assert(!memcmp(a->sites, empty.sites, sizeof(a->sites)));
	cr_assert(!memcmp(a->summaries, empty.summaries, sizeof(a->summaries)));
}

/* Hints and spans may differ: they are of objects that were accessed. */
static void forget_hints(struct area *a)
{
	for (uint32_t i = 0; i < ROWS; i++) {
		memset(&a->summaries[i].own, 0, sizeof(a->summaries[i].own));
		memset(&a->summaries[i].group, 0, sizeof(a->summaries[i].group));
		a->summaries[i].hint = 0;
	}
}

/* As if so many values had come that no further one's bit is news. */
static void fill_maps(struct area *device, struct area *cpu, struct truth *truth)
{
	for (uint32_t s = 0; s < SITES; s++) {
		uint32_t row = 5 % CT_SUMMARY_ROWS * (SITES + 1) + s;

		memset(device->summaries[row].map, 0xff, sizeof(truth->map));
		memset(cpu->summaries[row].map, 0xff, sizeof(truth->map));
		memset(truth[s].map, 0xff, sizeof(truth->map));
	}
}

Test(device_summary, agrees_with_summarising_by_hand)
{
	static const int64_t steps[] = {0, MEMORY / 8, -(int64_t)MEMORY / 8, MEMORY};

	for (uint64_t round = 1; round < 60; round++) {
		struct area *device = make_area(), *cpu = make_area();
		struct truth truth[SITES] = {0};
		struct summary_case c;

		seed = round;
		memset(memory, 0, sizeof(memory));
		if (round % 2)
			fill_maps(device, cpu, truth);
		for (uint32_t i = 0; i < round * (GROUP + 1); i++) {
			uint32_t site = i % (GROUP + 1);

			draw_case(&c, site);
			if (site == GROUP)
				draw_members(&c, (uint64_t)steps[round / 2 % 4], i / (GROUP + 1),
					     round);
			c.area = &device->area;
			device_summary(&c);
			for (uint32_t k = 0; k < (site == GROUP ? SUMMARY_MEMBERS : 1); k++) {
				struct summary_case m = site == GROUP ? member_of(&c, k) : c;

				summarise_on_cpu(cpu, &m);
				summarise_by_hand(&truth[m.site], &m);
			}
			store(&c);
			cr_assert(!memcmp(device->sites, cpu->sites, sizeof(cpu->sites)),
				  "round %lu case %u", round, i);
			if (i % 100 == 0) {
				forget_hints(device);
				forget_hints(cpu);
			}
		}
		forget_hints(device);
		forget_hints(cpu);
		cr_assert(!memcmp(device->summaries, cpu->summaries, sizeof(cpu->summaries)));
		check_reduction(cpu, truth);
		free(device);
		free(cpu);
	}
}

Test(device_summary, keys_are_in_the_order_of_numbers)
{
	const double reals[] = {-INFINITY, -1e300, -1, -1e-310, -0.0, 0, 1e-310, 0.5, 1, INFINITY};
	const int8_t bytes[] = {-128, -1, 0, 1, 127};
	uint64_t bits, before = 0;

	for (size_t i = 0; i < sizeof(reals) / sizeof(*reals); i++) {
		memcpy(&bits, &reals[i], 8);
		cr_assert_gt(ct_summary_key(CT_SCALAR_FLOAT, 8, bits), before);
		before = ct_summary_key(CT_SCALAR_FLOAT, 8, bits);
		cr_assert_eq(ct_summary_bits_of_key(CT_SCALAR_FLOAT, 8, before), bits);
	}
	for (size_t i = 0; i < sizeof(bytes); i++) {
		uint64_t key = ct_summary_key(CT_SCALAR_INTEGER, 1, (uint8_t)bytes[i]);

		cr_assert_eq(key, (uint64_t)(bytes[i] + 128));
		cr_assert_eq(ct_summary_bits_of_key(CT_SCALAR_INTEGER, 1, key), (uint8_t)bytes[i]);
	}
}
