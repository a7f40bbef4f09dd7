/* SPDX-License-Identifier: Apache-2.0 */
/* The device's encoder writes the same words as the host's, for all shapes, masks and sites. */
#include "device_encode.h"

#include <criterion/criterion.h>
#include <cudatrace/encode.h>
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
