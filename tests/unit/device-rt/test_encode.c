/* SPDX-License-Identifier: Apache-2.0 */
/* The device's encoder writes the same words as the host's, for all shapes, masks and sites. */
#include "tests/unit/device-rt/device_encode.h"

#include <criterion/criterion.h>
#include <cudatrace/encode.h>
#include <stdbool.h>
#include <string.h>

#define WORDS (CT_RECORD_BYTES_MAX / 8)

static uint64_t seed = 1;

static uint32_t draw(uint32_t below)
{
	seed = seed * 6364136223846793005u + 1442695040888963407u;
	return (uint32_t)(seed >> 33) % below;
}

static uint32_t draw_mask(void)
{
	switch (draw(4)) {
	case 0:
		return CT_FULL_MASK;
	case 1:
		return 1u << draw(32);
	case 2:
		return CT_FULL_MASK >> draw(31) << draw(8) | 1u << 31;
	default:
		return (uint32_t)(seed >> 20) | 1u << draw(32);
	}
}

static uint64_t draw_site(void)
{
	switch (draw(3)) {
	case 0:
		return draw(CT_SITE_EXTENDED);
	case 1:
		return CT_SITE_EXTENDED + draw(100000);
	default:
		return (uint64_t)(1 + draw(0xfffffff)) << 32 | draw(10000);
	}
}

static uint64_t draw_address(uint32_t shape, uint32_t lane, uint32_t rank, uint32_t bytes,
			     uint64_t base, int32_t stride)
{
	switch (shape) {
	case 0:
		return base;
	case 1:
		return base + lane * bytes;
	case 2:
		return base + (int64_t)lane * stride;
	case 3:
		return base + (int64_t)rank * stride;
	case 4:
		return base + (lane & 15) * bytes + (int64_t)(lane >> 4) * stride;
	case 5:
		return base + (lane & 7) * bytes + (int64_t)(lane >> 3) * stride;
	case 6:
		return base + draw(200) * bytes;
	case 7:
		return base + (uint64_t)draw(1u << 30) * 16;
	case 8:
		return CT_ADDRESS_IN(3, 1024 + lane * bytes);
	case 9:
		return CT_ADDRESS_IN(draw(2) ? 3 : 5, draw(4096));
	case 10:
		return base - draw(1u << 24);
	default:
		return (uint64_t)draw(1u << 15) << 32 | draw(1u << 30);
	}
}

/* Host and device; lanes without a state are as if they had not called. */
static void compare(const struct device_case *c, const uint64_t *device, uint32_t device_words,
		    const uint64_t *host, uint32_t host_words, uint32_t shape)
{
	cr_assert_eq(device_words, host_words, "shape %u, mask %08x off %08x: %u words, host %u",
		     shape, c->mask, c->off, device_words, host_words);
	for (uint32_t i = 0; i < host_words; i++)
		cr_assert_eq(device[i], host[i], "shape %u, mask %08x, word %u: %llx, host %llx",
			     shape, c->mask, i, (unsigned long long)device[i],
			     (unsigned long long)host[i]);
}

static void draw_case(struct device_case *c)
{
	memset(c, 0, sizeof(*c));
	c->site = draw_site();
	c->mask = draw_mask();
	c->off = draw(4) ? 0 : (uint32_t)(seed >> 13);
	if ((c->mask & ~c->off) == 0)
		c->off = 0;
}

Test(device_encode, accesses_become_the_words_of_the_host)
{
	uint64_t device[WORDS], host[WORDS];
	struct device_case c;

	for (uint32_t i = 0; i < 6000; i++) {
		uint32_t shape = i % 12, rank = 0;
		uint64_t base = (0x7f0000000000u & ~CT_ADDRESS_SPACE_BIT) + 256ull * draw(1 << 20);
		int32_t stride = (int32_t)draw(4000) - 2000;

		draw_case(&c);
		c.bytes = 1u << draw(5);
		for (uint32_t lane = 0; lane < CT_WARP_LANES; lane++) {
			c.low[lane] = draw_address(shape, lane, rank, c.bytes, base, stride);
			rank += c.mask >> lane & 1;
		}
		compare(&c, device, device_encode_access(&c, device), host,
			ct_encode_access(host, c.site, c.bytes, c.mask & ~c.off, c.low), shape);
	}
}

static uint64_t draw_value(uint32_t shape, uint32_t rank, uint64_t base, int64_t step)
{
	switch (shape) {
	case 0:
		return 0;
	case 1:
		return base;
	case 2:
		return base + rank * (uint64_t)step;
	case 3:
		return draw(2);
	default:
		return (uint64_t)draw(1u << 30) << 32 | draw(1u << 30);
	}
}

Test(device_encode, values_become_the_words_of_the_host)
{
	uint64_t device[WORDS], host[WORDS];
	struct device_case c;

	for (uint32_t i = 0; i < 6000; i++) {
		uint32_t shape = i % 5, rank = 0, high_shape = draw(5);
		uint64_t base = (uint64_t)draw(1u << 30) << 33 | draw(1u << 30);
		int64_t step = (int64_t)draw(600) - 300;

		draw_case(&c);
		c.bytes = 1 + draw(CT_VALUE_BYTES_MAX);
		c.part = draw(12);
		for (uint32_t lane = 0; lane < CT_WARP_LANES; lane++) {
			c.low[lane] = draw_value(shape, rank, base, step);
			c.high[lane] = draw_value(high_shape, 0, base, 0);
			rank += (c.mask & ~c.off) >> lane & 1;
		}
		compare(
		    &c, device, device_encode_value(&c, device), host,
		    ct_encode_value(host, c.site, c.part, c.bytes, c.mask & ~c.off, c.low, c.high),
		    shape);
	}
}

/* As many records as there are members, in their order. */
Test(device_encode, values_of_groups_become_the_words_of_the_host)
{
	static const uint64_t none[CT_WARP_LANES];
	uint64_t device[GROUP_WORDS], host[GROUP_WORDS], value[CT_GROUP_MEMBERS][CT_WARP_LANES];

	for (uint32_t i = 0; i < 1000; i++) {
		uint32_t count = 2 + draw(CT_GROUP_MEMBERS - 1), bytes = draw(2) ? 4 : 8;
		uint32_t site = draw(4000), words = 0;

		for (uint32_t k = 0; k < count; k++) {
			uint64_t base = (uint64_t)draw(1u << 30) << 33 | draw(1u << 30);
			uint32_t shape = draw(5);
			int64_t step = (int64_t)draw(600) - 300;

			for (uint32_t lane = 0; lane < CT_WARP_LANES; lane++)
				value[k][lane] = draw_value(shape, lane, base, step);
			words += ct_encode_value(host + words, site + k, CT_PART_VALUE, bytes,
						 CT_FULL_MASK, value[k], none);
		}
		cr_assert_eq(device_encode_group_values(site, bytes, count, value, device), words);
		cr_assert_eq(memcmp(device, host, 8 * words), 0, "group of %u", count);
	}
}

Test(device_encode, content_becomes_the_words_of_the_host)
{
	static uint8_t memory[CT_WARP_LANES][704];
	uint64_t device[8 * WORDS * 11], host[WORDS];
	struct device_case c;

	for (uint32_t i = 0; i < 300; i++) {
		const void *from[CT_WARP_LANES];
		uint64_t offset = 0;
		uint32_t words, n, at = 0;

		draw_case(&c);
		c.off = 0;
		for (uint32_t lane = 0; lane < CT_WARP_LANES; lane++) {
			uint32_t start = draw(16);

			for (uint32_t k = 0; k < sizeof(memory[lane]); k++)
				memory[lane][k] = (uint8_t)draw(256);
			from[lane] = memory[lane] + start;
			c.low[lane] = (uintptr_t)from[lane];
			c.high[lane] = draw(i % 4 ? 60 : 680);
		}
		words = device_encode_content(&c, device);
		while ((n = ct_encode_content(host, c.site, c.mask, c.high, from, &offset))) {
			cr_assert_leq(at + n, words);
			cr_assert_eq(memcmp(device + at, host, 8 * (size_t)n), 0, "mask %08x",
				     c.mask);
			at += n;
		}
		cr_assert_eq(at, words);
	}
}

Test(device_encode, ranges_become_the_words_of_the_host)
{
	uint64_t device[WORDS], host[WORDS];
	struct device_case c;

	for (uint32_t i = 0; i < 500; i++) {
		draw_case(&c);
		c.off = 0;
		for (uint32_t lane = 0; lane < CT_WARP_LANES; lane++) {
			c.low[lane] = draw_address(11, lane, 0, 4, 0, 0);
			c.high[lane] = draw(100000);
		}
		compare(&c, device, device_encode_range(&c, device), host,
			ct_encode_range(host, c.site, c.mask, c.low, c.high), 0);
	}
}

static int32_t draw_step(void)
{
	return draw(3) ? (int32_t)draw(1u << 16) - (1 << 15) : 4 << draw(4);
}

/* The device must find this in addresses made from site: the widest rows there are. */
static struct ct_loop_site draw_loop_site(void)
{
	struct ct_loop_site site = {
	    .base = (1ull << 33) + draw(1u << 20) * 8ull,
	    .log2_width = 1 + draw(5),
	    .inner = draw_step(),
	    .step = (int64_t)draw_step() * (draw(4) ? 1 : 1 << 20),
	};

	if (site.log2_width < 5)
		site.outer =
		    (int32_t)((uint32_t)site.inner << site.log2_width) + 4 + 8 * (int32_t)draw(100);
	return site;
}

Test(device_encode, loops_become_the_words_of_the_host)
{
	static uint64_t table[CT_WARP_LANES][3 * CT_LOOP_SITES];
	uint64_t host[WORDS], device[WORDS], iterations[CT_WARP_LANES];
	const uint64_t *tables[CT_WARP_LANES];
	struct ct_loop_site sites[CT_LOOP_SITES];

	for (int i = 0; i < 2000; i++) {
		uint32_t count = 1 + draw(CT_LOOP_SITES), site = draw(4000), words;

		for (uint32_t lane = 0; lane < CT_WARP_LANES; lane++) {
			iterations[lane] = 1 + (uint64_t)i * 12345;
			tables[lane] = table[lane];
		}
		for (uint32_t k = 0; k < count; k++) {
			sites[k] = draw_loop_site();
			for (uint32_t lane = 0; lane < CT_WARP_LANES; lane++) {
				uint32_t low = lane & ((1u << sites[k].log2_width) - 1);

				table[lane][3 * k] =
				    sites[k].base + (int64_t)low * sites[k].inner +
				    (int64_t)(lane >> sites[k].log2_width) * sites[k].outer;
				table[lane][3 * k + 1] = (uint64_t)sites[k].step;
				table[lane][3 * k + 2] = 4;
			}
		}
		words = ct_encode_loop(host, site, count, iterations[0], sites);
		cr_assert_eq(
		    device_encode_loop(site, count, CT_FULL_MASK, iterations, tables, device),
		    words);
		cr_assert_eq(memcmp(device, host, 8 * words), 0, "loop of %u sites", count);
	}
}

Test(device_encode, loops_of_lanes_that_differ_are_refused)
{
	uint64_t words[WORDS], iterations[CT_WARP_LANES], table[CT_WARP_LANES][3];
	const uint64_t *tables[CT_WARP_LANES];

	for (uint32_t lane = 0; lane < CT_WARP_LANES; lane++) {
		iterations[lane] = 7;
		table[lane][0] = 4096 + 4 * lane;
		table[lane][1] = 128;
		table[lane][2] = 4;
		tables[lane] = table[lane];
	}
	cr_assert_eq(device_encode_loop(1, 1, CT_FULL_MASK, iterations, tables, words), 5);
	cr_assert_eq(device_encode_loop(1, 1, CT_FULL_MASK >> 1, iterations, tables, words), 0);
	iterations[9] = 8;
	cr_assert_eq(device_encode_loop(1, 1, CT_FULL_MASK, iterations, tables, words), 0);
	iterations[9] = 7;
	table[30][1] = 64;
	cr_assert_eq(device_encode_loop(1, 1, CT_FULL_MASK, iterations, tables, words), 0);
	table[30][1] = 128;
	table[5][0] += 4;
	cr_assert_eq(device_encode_loop(1, 1, CT_FULL_MASK, iterations, tables, words), 0);
}

Test(device_encode, groups_become_the_words_of_the_host)
{
	uint64_t host[WORDS], device[WORDS], distance[CT_GROUP_MEMBERS - 1];

	for (int i = 0; i < 500; i++) {
		uint32_t count = 1 + draw(CT_GROUP_MEMBERS - 1), site = draw(4000), words;

		for (uint32_t k = 0; k < count; k++)
			distance[k] = (uint64_t)draw(1u << 31) - (1u << 30);
		words = ct_encode_group(host, site, count, distance);
		cr_assert_eq(device_encode_group(site, count, draw_mask(), distance, device),
			     words);
		cr_assert_eq(memcmp(device, host, 8 * words), 0, "group of %u", count);
	}
}

/* Sites of groups are below CT_SITE_EXTENDED. */
static void draw_grouped(struct device_case *c)
{
	draw_case(c);
	c->off = 0;
	c->site = draw(4000);
	c->bytes = 1u << draw(5);
	for (uint32_t lane = 0; lane < CT_WARP_LANES; lane++)
		c->low[lane] = draw_address(draw(12), lane, 0, c->bytes, 1ull << 33, 48);
}

Test(device_encode, leaders_of_groups_become_the_words_of_the_host)
{
	uint64_t device[WORDS], host[WORDS];
	struct device_case c;

	for (uint32_t i = 0; i < 500; i++) {
		draw_grouped(&c);
		for (uint32_t lane = 0; i % 2 && lane < CT_WARP_LANES; lane++)
			c.low[lane] = (1ull << 33) + lane * c.bytes;
		compare(&c, device, device_encode_leader(&c, device), host,
			ct_encode_access(host, c.site, c.bytes, c.mask, c.low), 0);
	}
}

Test(device_encode, an_access_alone_is_a_range_of_its_bytes)
{
	uint64_t device[WORDS], host[WORDS], bytes[CT_WARP_LANES];
	struct device_case c;

	for (uint32_t i = 0; i < 500; i++) {
		draw_grouped(&c);
		for (uint32_t lane = 0; lane < CT_WARP_LANES; lane++)
			bytes[lane] = c.bytes;
		compare(&c, device, device_encode_alone(&c, device), host,
			ct_encode_range(host, c.site, c.mask, c.low, bytes), 0);
	}
}

static void check_counted(const struct device_case *c, const struct device_counted *counted,
			  uint32_t count, const uint64_t *distance)
{
	for (uint32_t k = 0; k < CT_GROUP_MEMBERS; k++)
		for (uint32_t lane = 0; lane < CT_WARP_LANES; lane++) {
			bool is_there = k <= count && c->mask >> lane & 1;
			uint64_t address = c->low[lane] + (k ? distance[k - 1] : 0);

			cr_assert_eq(counted->bytes[k][lane], is_there ? c->bytes : 0);
			cr_assert_eq(counted->address[k][lane], is_there ? address : 0);
		}
}

Test(device_encode, groups_are_counted_as_their_accesses)
{
	uint64_t distance[CT_GROUP_MEMBERS - 1] = {8, 4096, (uint64_t)-64, 20, 1};
	struct device_counted counted;
	struct device_case c;

	for (uint32_t i = 0; i < 100; i++) {
		uint32_t count = 1 + draw(CT_GROUP_MEMBERS - 1), lanes;

		draw_grouped(&c);
		lanes = (uint32_t)__builtin_popcount(c.mask);
		cr_assert_eq(device_count_group(&c, count, distance, &counted),
			     lanes * (count + 1));
		check_counted(&c, &counted, count, distance);
		cr_assert_eq(device_count_alone(&c, &counted), lanes);
		check_counted(&c, &counted, 0, distance);
	}
}
