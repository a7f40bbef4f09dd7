/* SPDX-License-Identifier: Apache-2.0 */
/* Ranges, values, events and tagged sites come back from the decoder as they went into the encoder.
 */
#include "trace/codec/decode.h"

#include <criterion/criterion.h>
#include <cudatrace/encode.h>
#include <cudatrace/error.h>
#include <string.h>

struct seen {
	uint32_t records, kind, mask, phase;
	uint64_t site;
	uint64_t address[CT_WARP_LANES];
	uint64_t range[CT_WARP_LANES];
	bool has_range;
	struct ct_decoded_value value;
};

static int on_segment(void *user, const struct ct_segment *segment)
{
	(void)user;
	(void)segment;
	return 1;
}

static int on_site(void *user, uint32_t kind, uint64_t site, uint32_t *bytes)
{
	struct seen *seen = user;

	(void)site;
	seen->kind = kind;
	*bytes = 4;
	return 0;
}

static int on_access(void *user, uint64_t site, const struct ct_decoded_access *access)
{
	struct seen *seen = user;

	seen->records++;
	seen->site = site;
	seen->mask = access->mask;
	seen->has_range = access->range != NULL;
	if (access->range)
		memcpy(seen->range, access->range, sizeof(seen->range));
	return 0;
}

static int on_event(void *user, uint64_t site, uint32_t phase, uint32_t mask)
{
	struct seen *seen = user;

	seen->records++;
	seen->site = site;
	seen->mask = mask;
	seen->phase = phase;
	return 0;
}

static int on_value(void *user, uint64_t site, const struct ct_decoded_value *value)
{
	struct seen *seen = user;

	seen->records++;
	seen->site = site;
	seen->mask = value->mask;
	seen->value = *value;
	return 0;
}

static int decode(struct seen *seen, const uint64_t *words, size_t count)
{
	const struct ct_decoder decoder = {
	    .segment = on_segment,
	    .site = on_site,
	    .access = on_access,
	    .event = on_event,
	    .value = on_value,
	    .address = seen->address,
	    .user = seen,
	};

	memset(seen, 0, sizeof(*seen));
	return ct_decode(&decoder, words, 8 * count, NULL);
}

#define BUFFER_WORDS (2 + CT_RECORD_BYTES_MAX / 8)
#define SEGMENT CT_SEGMENT_WORD0(0, 0, 1), 0

static uint64_t random_state = 0x2545f4914f6cdd1du;

static uint64_t next_random(void)
{
	random_state ^= random_state << 13;
	random_state ^= random_state >> 7;
	random_state ^= random_state << 17;
	return random_state;
}

static uint32_t random_mask(void)
{
	uint32_t mask =
	    (uint32_t)next_random() & (uint32_t)(next_random() % 3 ? ~0u : next_random());

	return next_random() % 4 ? (mask ? mask : 1) : CT_FULL_MASK;
}

/* Small, extended or tagged. */
static uint64_t random_site(void)
{
	uint64_t site = next_random() % 6000;

	return next_random() % 3 ? site : site | (1 + next_random() % 0xfffffff) << 32;
}

Test(record_values, a_range_comes_back_as_it_was)
{
	for (unsigned i = 0; i < 20000; i++) {
		uint64_t words[BUFFER_WORDS] = {SEGMENT}, site = random_site();
		uint64_t address[CT_WARP_LANES], bytes[CT_WARP_LANES];
		uint32_t mask = random_mask(), n;
		struct seen seen;

		for (uint32_t lane = 0; lane < CT_WARP_LANES; lane++) {
			address[lane] = next_random();
			bytes[lane] = next_random() >> next_random() % 64;
		}
		n = ct_encode_range(words + 2, site, mask, address, bytes);
		cr_assert_leq(8 * n, CT_RECORD_BYTES_MAX);
		cr_assert_eq(decode(&seen, words, 2 + n), 0);
		cr_assert_eq(seen.records, 1);
		cr_assert_eq(seen.kind, CT_REC_EXTENDED);
		cr_assert_eq(seen.site, site);
		cr_assert_eq(seen.mask, mask);
		for (uint32_t rest = mask; rest; rest &= rest - 1) {
			int lane = __builtin_ctz(rest);

			cr_assert_eq(seen.address[lane], address[lane]);
			cr_assert_eq(seen.range[lane], bytes[lane]);
		}
	}
}

Test(record_values, an_event_comes_back_as_it_was)
{
	for (unsigned i = 0; i < 20000; i++) {
		uint64_t words[BUFFER_WORDS] = {SEGMENT}, site = random_site();
		uint32_t mask = random_mask(), phase = i % 2;
		uint32_t n = ct_encode_event(words + 2, site, phase, mask);
		struct seen seen;

		cr_assert_leq(n, 2);
		cr_assert_eq(decode(&seen, words, 2 + n), 0);
		cr_assert_eq(seen.records, 1);
		cr_assert_eq(seen.site, site);
		cr_assert_eq(seen.mask, mask);
		cr_assert_eq(seen.phase, phase);
	}
}

Test(record_values, an_access_at_a_tagged_site_keeps_the_tag)
{
	uint64_t words[BUFFER_WORDS] = {SEGMENT}, site = 3 | 0xabcdef1ull << 32;
	uint64_t address[CT_WARP_LANES] = {0x1000, 0x2000};
	uint32_t n = ct_encode_access(words + 2, site, 4, 3, address);
	struct seen seen;

	cr_assert_eq(decode(&seen, words, 2 + n), 0);
	cr_assert_eq(seen.site, site);
	cr_assert_not(seen.has_range);
	cr_assert_eq(words[2], 13ull << 60 | 0xabcdef1ull << 32 | 3);
	cr_assert_eq(words[3] >> 48 & 0xfff, 0xfff);
}

enum fill { ZERO, UNIFORM, STEPS, WRAP, RANDOM, ALMOST, FILLS };

static void fill(uint64_t low[CT_WARP_LANES], uint64_t high[CT_WARP_LANES], uint32_t mask,
		 enum fill how)
{
	uint64_t base = next_random(), step = next_random() >> next_random() % 64, rank = 0;
	uint64_t top = next_random();

	for (uint32_t lane = 0; lane < CT_WARP_LANES; lane++) {
		const uint64_t value[FILLS] = {
		    [ZERO] = 0,
		    [UNIFORM] = base,
		    [STEPS] = base % 1000 - rank * (step % 1000),
		    [WRAP] = base + rank * step,
		    [RANDOM] = next_random(),
		    [ALMOST] = rank == 5 ? 1 : 0,
		};

		low[lane] = value[how];
		high[lane] = how == ZERO ? 0 : how == RANDOM ? next_random() : top;
		rank += mask >> lane & 1;
	}
}

static uint64_t low_bytes(uint64_t value, uint32_t bytes)
{
	for (uint32_t byte = bytes; byte < 8; byte++)
		value &= ~(0xffull << 8 * byte);
	return value;
}

/* The rule of docs/trace-format.md, lane by lane and bit by bit. */
static uint32_t naive_shape(uint32_t bytes, uint32_t mask, const uint64_t *low,
			    const uint64_t *high)
{
	uint64_t value[CT_WARP_LANES], top[CT_WARP_LANES], step = 0;
	uint32_t count = 0;
	bool zero = true, equal = true, affine = true;

	for (uint32_t lane = 0; lane < CT_WARP_LANES; lane++) {
		if (!(mask >> lane & 1))
			continue;
		value[count] = low_bytes(low[lane], bytes < 8 ? bytes : 8);
		top[count] = bytes > 8 ? low_bytes(high[lane], bytes - 8) : 0;
		count++;
	}
	for (uint32_t r = 0; r < count; r++) {
		zero &= !value[r] && !top[r];
		equal &= value[r] == value[0] && top[r] == top[0];
	}
	if (zero || equal)
		return zero ? CT_VALUE_ZERO : CT_VALUE_UNIFORM;
	step = value[1] - value[0];
	for (uint32_t r = 0; r < count; r++)
		affine &= low_bytes(value[0] + r * step, bytes < 8 ? bytes : 8) == value[r];
	return bytes <= 8 && affine ? CT_VALUE_AFFINE : CT_VALUE_RAW;
}

static void check_value(const struct seen *seen, uint32_t bytes, uint32_t mask, const uint64_t *low,
			const uint64_t *high)
{
	for (uint32_t rest = mask; rest; rest &= rest - 1) {
		int lane = __builtin_ctz(rest);
		uint8_t expected[CT_VALUE_BYTES_MAX];

		memcpy(expected, &low[lane], 8);
		memcpy(expected + 8, &high[lane], 8);
		memset(expected + bytes, 0, CT_VALUE_BYTES_MAX - bytes);
		cr_assert_eq(memcmp(seen->value.data[lane], expected, sizeof(expected)), 0);
	}
}

Test(record_values, a_value_comes_back_in_the_shape_that_the_rule_says)
{
	uint32_t shapes = 0;

	for (unsigned i = 0; i < 60000; i++) {
		uint64_t words[BUFFER_WORDS] = {SEGMENT}, site = random_site();
		uint64_t low[CT_WARP_LANES], high[CT_WARP_LANES];
		uint32_t mask = random_mask(), bytes = 1 + (uint32_t)(next_random() % 16);
		uint32_t part = (uint32_t)(next_random() % CT_VALUE_PARTS), n, shape;
		struct seen seen;

		fill(low, high, mask, (enum fill)(i % FILLS));
		n = ct_encode_value(words + 2, site, part, bytes, mask, low, high);
		cr_assert_leq(8 * n, CT_RECORD_BYTES_MAX);
		cr_assert_eq(decode(&seen, words, 2 + n), 0);
		cr_assert_eq(seen.records, 1);
		cr_assert_eq(seen.site, site);
		cr_assert_eq(seen.mask, mask);
		cr_assert_eq(seen.value.part, part);
		cr_assert_eq(seen.value.bytes, bytes);
		check_value(&seen, bytes, mask, low, high);
		shape = words[(words[2] >> 60) == CT_REC_SITE ? 3 : 2] >> 44 & 15;
		cr_assert_eq(shape, naive_shape(bytes, mask, low, high));
		shapes |= 1u << shape;
	}
	cr_assert_eq(shapes, 0xf);
}

Test(record_values, few_bytes_for_regular_values)
{
	uint64_t words[BUFFER_WORDS], low[CT_WARP_LANES], high[CT_WARP_LANES] = {0};

	for (uint32_t lane = 0; lane < CT_WARP_LANES; lane++)
		low[lane] = 250 + lane; /* wraps around in one byte */
	cr_assert_eq(ct_encode_value(words, 1, 0, 1, CT_FULL_MASK, low, high), 3);
	cr_assert_eq(words[1], 250);
	cr_assert_eq(words[2], 1);
	for (uint32_t lane = 0; lane < CT_WARP_LANES; lane++)
		low[lane] = 5 - lane;
	cr_assert_eq(ct_encode_value(words, 1, 0, 4, CT_FULL_MASK, low, high), 3);
	cr_assert_eq(words[2], UINT64_MAX); /* the step is sign-extended */
	cr_assert_eq(words[1], 5);
	low[1] = 99;
	cr_assert_eq(ct_encode_value(words, 1, 0, 4, CT_FULL_MASK, low, high), 1 + 16);
}

/* The second worked example of docs/trace-format.md. */
Test(record_values, the_documented_example_is_what_is_written)
{
	static const uint64_t expected[] = {
	    0xd00abcde00000007,
	    0xcfff00000000ffff,
	    0xb00020040000000f,
	    0x64,
	    0xffffffffffffffff,
	    0xb00034020000000b,
	    0x0000000800050001,
	    0xe00c000000000000,
	    0x1,
	    0x00007f0000001000,
	    0x4e20,
	};
	uint64_t words[64], low[CT_WARP_LANES], high[CT_WARP_LANES] = {0};
	uint64_t address[CT_WARP_LANES] = {0x7f0000001000u}, bytes[CT_WARP_LANES] = {20000};
	uint32_t n = 0;

	n += ct_encode_event(words + n, 7 | 0x0abcdeull << 32, CT_PHASE_HAPPENS, 0xffff);
	for (uint32_t lane = 0; lane < CT_WARP_LANES; lane++)
		low[lane] = 100 - lane;
	n += ct_encode_value(words + n, 0, CT_PART_VALUE, 4, 0xf, low, high);
	low[0] = 1;
	low[1] = 5;
	low[3] = 8;
	n += ct_encode_value(words + n, 0, CT_PART_COMPARE, 2, 0xb, low, high);
	n += ct_encode_range(words + n, 12, 1, address, bytes);
	for (uint32_t i = 0; i < sizeof(expected) / sizeof(expected[0]); i++)
		cr_expect_eq(words[i], expected[i], "word %u is %016jx", i, (uintmax_t)words[i]);
	cr_assert_eq(8 * n, sizeof(expected));
}

#define HEAD(kind) ((uint64_t)(kind) << 60 | 1ull << 48)
#define VALUE(shape, part, bytes, mask)                                                            \
	(HEAD(CT_REC_VALUE) | (uint64_t)(shape) << 44 | (uint64_t)(part) << 40 |                   \
	 (uint64_t)(bytes) << 32 | (mask))

#define CONTENT(count)                                                                             \
	(HEAD(CT_REC_EXTENDED) | (uint64_t)CT_EXTENDED_CONTENT << CT_EXTENDED_VARIANT_SHIFT |      \
	 (count))

/* Joins what ranges moved, put together from its pieces. */
struct content {
	uint32_t mask;
	uint64_t site;
	uint8_t data[CT_WARP_LANES][800];
};

static int on_piece(void *user, uint64_t site, const struct ct_decoded_value *value)
{
	struct content *content = user;

	cr_assert_eq(value->part, CT_PART_CONTENT);
	content->mask |= value->mask;
	content->site = site;
	for (uint32_t rest = value->mask; rest; rest &= rest - 1) {
		int lane = __builtin_ctz(rest);

		memcpy(content->data[lane] + value->offset, value->data[lane], value->bytes);
	}
	return 0;
}

static int take_site(void *user, uint32_t kind, uint64_t site, uint32_t *bytes)
{
	(void)user;
	(void)site;
	*bytes = 0;
	return kind != CT_REC_VALUE;
}

static void check_content(uint32_t mask, uint64_t site, const uint64_t *bytes, uint8_t (*data)[800])
{
	static struct content seen;
	const struct ct_decoder decoder = {
	    .segment = on_segment, .site = take_site, .value = on_piece, .user = &seen};
	const void *from[CT_WARP_LANES];
	uint64_t words[BUFFER_WORDS] = {SEGMENT}, offset = 0;
	uint32_t n, some = 0;

	memset(&seen, 0, sizeof(seen));
	for (uint32_t lane = 0; lane < CT_WARP_LANES; lane++) {
		from[lane] = data[lane];
		some |= bytes[lane] ? mask & 1u << lane : 0;
	}
	while ((n = ct_encode_content(words + 2, site, mask, bytes, from, &offset))) {
		cr_assert_leq(8 * n, CT_RECORD_BYTES_MAX);
		cr_assert_eq(ct_decode(&decoder, words, 8 * (2 + n), NULL), 0);
	}
	cr_assert_eq(seen.mask, some);
	for (uint32_t rest = some; rest; rest &= rest - 1) {
		int lane = __builtin_ctz(rest);

		cr_assert_eq(seen.site, site);
		cr_assert_eq(memcmp(seen.data[lane], data[lane], bytes[lane]), 0);
		for (uint64_t i = bytes[lane]; i < 800; i++)
			cr_assert_eq(seen.data[lane][i], 0);
	}
}

Test(record_values, content_comes_back_as_it_was)
{
	static uint8_t data[CT_WARP_LANES][800];

	for (unsigned i = 0; i < 2000; i++) {
		uint64_t bytes[CT_WARP_LANES];

		for (uint32_t lane = 0; lane < CT_WARP_LANES; lane++) {
			bytes[lane] = next_random() % (i % 3 ? 70 : 700);
			for (uint32_t k = 0; k < 800; k++)
				data[lane][k] = (uint8_t)next_random();
		}
		check_content(i % 5 ? random_mask() : 1u << i % 32, random_site(), bytes, data);
	}
}

Test(record_values, what_is_not_valid_is_refused)
{
	const struct {
		uint64_t words[6];
		size_t count;
	} bad[] = {
	    {{SEGMENT, HEAD(CT_REC_EVENT)}, 3},                  /* no lane */
	    {{SEGMENT, HEAD(CT_REC_EVENT) | 2ull << 44 | 1}, 3}, /* phase */
	    {{SEGMENT, HEAD(CT_REC_EVENT) | 1ull << 32 | 1}, 3},
	    {{SEGMENT, HEAD(CT_REC_EXTENDED)}, 3},
	    {{SEGMENT, HEAD(CT_REC_EXTENDED), 0}, 4},
	    {{SEGMENT, HEAD(CT_REC_EXTENDED) | 8, 1, 0, 0}, 6},
	    {{SEGMENT, HEAD(CT_REC_EXTENDED), 1ull << 32 | 1, 0, 0}, 6},
	    {{SEGMENT, HEAD(CT_REC_EXTENDED), 3, 0, 0}, 6}, /* the second lane's is missing */
	    {{SEGMENT, CONTENT(0), 1}, 4},
	    {{SEGMENT, CONTENT(1), 0}, 4},    /* no lane */
	    {{SEGMENT, CONTENT(1), 3, 0}, 5}, /* the second lane's is missing */
	    {{SEGMENT, CONTENT(1) | 1 << 8, 1, 0}, 5},
	    {{SEGMENT, CONTENT(1), 4ull << 32 | 1, 0}, 5}, /* offset */
	    {{SEGMENT, CONTENT(65), 1}, 4},
	    {{SEGMENT, CONTENT(1) + (1ull << CT_EXTENDED_VARIANT_SHIFT), 1, 0}, 5}, /* variant */
	    {{SEGMENT, VALUE(CT_VALUE_ZERO, 0, 4, 0)}, 3},
	    {{SEGMENT, VALUE(CT_VALUE_ZERO, 0, 0, 1)}, 3},
	    {{SEGMENT, VALUE(CT_VALUE_ZERO, 0, 17, 1)}, 3},
	    {{SEGMENT, VALUE(CT_VALUE_ZERO, 14, 4, 1)}, 3},
	    {{SEGMENT, VALUE(4, 0, 4, 1)}, 3},
	    {{SEGMENT, VALUE(CT_VALUE_UNIFORM, 0, 4, 1)}, 3},
	    {{SEGMENT, VALUE(CT_VALUE_UNIFORM, 0, 9, 1), 0}, 4},
	    {{SEGMENT, VALUE(CT_VALUE_AFFINE, 0, 9, 3), 0, 0}, 5},
	    {{SEGMENT, VALUE(CT_VALUE_AFFINE, 0, 8, 3), 0}, 4},
	    {{SEGMENT, VALUE(CT_VALUE_RAW, 0, 8, 7), 0, 0}, 5},
	    {{SEGMENT, 13ull << 60 | 1, 0}, 4}, /* padding is no record */
	    {{SEGMENT, 13ull << 60 | 1, 13ull << 60 | 1}, 4},
	};

	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		struct seen seen;

		cr_assert_eq(decode(&seen, bad[i].words, bad[i].count), -CT_ERECORD, "case %zu", i);
		cr_assert_eq(seen.records, 0);
	}
}
