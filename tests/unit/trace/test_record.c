/* SPDX-License-Identifier: Apache-2.0 */
/* Tests that the decoder reads what the encoder writes: every kind, random masks and addresses. */
#include "trace/codec/decode.h"

#include <criterion/criterion.h>
#include <cudatrace/encode.h>
#include <cudatrace/error.h>
#include <string.h>

#define SITE_BYTES 4u

struct seen {
	uint32_t accesses, segments;
	uint64_t site;
	uint32_t mask;
	uint64_t address[CT_WARP_LANES];
	struct ct_segment segment;
	bool is_linear;
	int64_t stride;
};

static int on_segment(void *user, const struct ct_segment *segment)
{
	struct seen *seen = user;

	seen->segment = *segment;
	seen->segments++;
	return segment->launch != 99;
}

static int on_site(void *user, uint32_t kind, uint64_t site, uint32_t *bytes)
{
	(void)user;
	(void)kind;
	*bytes = SITE_BYTES;
	return site == 98;
}

/* Whether the active lanes lie on the line through the first of them with that stride. */
static bool is_on_line(uint32_t mask, const uint64_t address[CT_WARP_LANES], int64_t stride)
{
	int first = __builtin_ctz(mask);

	for (uint32_t rest = mask; rest; rest &= rest - 1) {
		int lane = __builtin_ctz(rest);

		if (address[lane] != address[first] + (uint64_t)(lane - first) * (uint64_t)stride)
			return false;
	}
	return true;
}

static int on_access(void *user, uint64_t site, const struct ct_decoded_access *access)
{
	struct seen *seen = user;

	seen->accesses++;
	seen->site = site;
	seen->mask = access->mask;
	cr_assert_null(access->range);
	seen->is_linear = access->is_linear;
	seen->stride = access->stride;
	if (access->is_linear)
		cr_assert(is_on_line(access->mask, seen->address, access->stride));
	return 0;
}

static int decode(struct seen *seen, const uint64_t *words, size_t count, size_t *position)
{
	const struct ct_decoder decoder = {
	    .segment = on_segment,
	    .site = on_site,
	    .access = on_access,
	    .address = seen->address,
	    .user = seen,
	};

	memset(seen, 0, sizeof(*seen));
	return ct_decode(&decoder, words, 8 * count, position);
}

/* Whether a stride of 32 bits leads through all active lanes. */
static bool has_line(uint32_t mask, const uint64_t address[CT_WARP_LANES])
{
	uint32_t rest = mask & (mask - 1);
	int first = __builtin_ctz(mask), second = rest ? __builtin_ctz(rest) : first;
	int64_t stride = rest ? (int64_t)(address[second] - address[first]) / (second - first) : 0;

	return stride == (int32_t)stride && is_on_line(mask, address, stride);
}

/* Encode one access, decode it, compare. Returns the record's kind. */
static unsigned round_trip(uint64_t site, uint32_t mask, const uint64_t address[CT_WARP_LANES])
{
	uint64_t words[2 + CT_RECORD_BYTES_MAX / 8] = {CT_SEGMENT_WORD0(5, 6, 7),
						       CT_SEGMENT_WORD1(8, 9)};
	uint32_t n = ct_encode_access(words + 2, site, SITE_BYTES, mask, address);
	uint32_t head = site >= CT_SITE_EXTENDED ? 3 : 2;
	struct seen seen;

	cr_assert_leq(8 * n, CT_RECORD_BYTES_MAX);
	cr_assert_eq(decode(&seen, words, 2 + n, NULL), 0);
	cr_assert_eq(seen.accesses, 1);
	cr_assert_eq(seen.site, site);
	cr_assert_eq(seen.mask, mask);
	for (uint32_t lane = 0; lane < CT_WARP_LANES; lane++)
		if (mask >> lane & 1)
			cr_assert_eq(seen.address[lane], address[lane], "lane %u of %08x", lane,
				     mask);
	if (has_line(mask, address) && address[__builtin_ctz(mask)] <= CT_ADDRESS_MASK)
		cr_assert(seen.is_linear, "%08x", mask);
	return (unsigned)(words[head] >> CT_RECORD_KIND_SHIFT);
}

static uint64_t random_state = 88172645463325252u;

static uint64_t next_random(void)
{
	random_state ^= random_state << 13;
	random_state ^= random_state >> 7;
	random_state ^= random_state << 17;
	return random_state;
}

static uint32_t random_mask(void)
{
	uint32_t mask = (uint32_t)next_random();

	switch (next_random() % 4) {
	case 0:
		return CT_FULL_MASK;
	case 1:
		return mask | 1;
	case 2:
		return 1u << mask % 32;
	default:
		return (mask & (uint32_t)next_random() & (uint32_t)next_random()) | 0x80000000u;
	}
}

enum shape {
	UNIFORM,
	AFFINE,
	STRIDED,
	NEGATIVE,
	RANKED,
	ROWS_16,
	ROWS_8,
	NEAR,
	ALIGNED,
	FAR,
	WIDE,
	SHAPES
};

static void fill(uint64_t address[CT_WARP_LANES], uint32_t mask, enum shape shape)
{
	uint64_t base = 0x7f0000000000u + next_random() % (1u << 30);
	uint64_t stride = 1 + next_random() % 100000, rank = 0;

	for (uint64_t lane = 0; lane < CT_WARP_LANES; lane++) {
		const uint64_t value[SHAPES] = {
		    [UNIFORM] = base,
		    [AFFINE] = base + lane * SITE_BYTES,
		    [STRIDED] = base + lane * stride,
		    [NEGATIVE] = base - lane * stride,
		    [RANKED] = base + rank * stride,
		    [ROWS_16] = base + lane % 16 * SITE_BYTES + lane / 16 * stride,
		    [ROWS_8] = base + lane % 8 * SITE_BYTES + lane / 8 * stride,
		    [NEAR] = base + next_random() % 200,
		    [ALIGNED] = base + 4096 * (next_random() % 30000),
		    [FAR] = next_random() & CT_ADDRESS_MASK,
		    [WIDE] = next_random(),
		};

		address[lane] = value[shape];
		rank += mask >> lane & 1;
	}
}

Test(record, any_access_comes_back_as_it_was)
{
	uint32_t seen_kinds = 0;

	for (unsigned i = 0; i < 40000; i++) {
		uint64_t address[CT_WARP_LANES];
		uint32_t mask = random_mask(), site = i % 3 ? i % 97 : CT_SITE_EXTENDED - 1 + i;

		fill(address, mask, (enum shape)(i % SHAPES));
		seen_kinds |= 1u << round_trip(site, mask, address);
	}
	for (unsigned kind = CT_REC_AFFINE; kind <= CT_REC_NEAR; kind++)
		cr_assert(seen_kinds >> kind & 1, "kind %u was never chosen", kind);
}

static unsigned kind_of(enum shape shape, uint32_t mask)
{
	uint64_t address[CT_WARP_LANES];

	fill(address, mask, shape);
	return round_trip(1, mask, address);
}

Test(record, each_shape_has_its_kind)
{
	const struct {
		enum shape shape;
		uint32_t mask;
		unsigned kind;
	} expected[] = {
	    {UNIFORM, CT_FULL_MASK, CT_REC_UNIFORM}, {UNIFORM, 0x10, CT_REC_UNIFORM_MASK},
	    {AFFINE, CT_FULL_MASK, CT_REC_AFFINE},   {AFFINE, 0xff00ff00, CT_REC_AFFINE_MASK},
	    {STRIDED, 0x0ffffff0, CT_REC_STRIDED},   {NEGATIVE, CT_FULL_MASK, CT_REC_STRIDED},
	    {ROWS_16, CT_FULL_MASK, CT_REC_ROWS},    {ROWS_8, CT_FULL_MASK, CT_REC_ROWS},
	    {NEAR, CT_FULL_MASK, CT_REC_NEAR},       {NEAR, 0x7fffffff, CT_REC_DELTA},
	    {FAR, CT_FULL_MASK, CT_REC_RAW},         {RANKED, 0xb, CT_REC_RANKED},
	    {WIDE, 0x80000001, CT_REC_RAW},
	};

	for (size_t i = 0; i < sizeof(expected) / sizeof(expected[0]); i++)
		cr_assert_eq(kind_of(expected[i].shape, expected[i].mask), expected[i].kind,
			     "shape %u", expected[i].shape);
}

Test(record, addresses_on_both_sides_of_zero_are_written_out)
{
	uint64_t address[CT_WARP_LANES] = {16, 0xffffffffff000000u, 48};

	cr_assert_eq(round_trip(1, 7, address), CT_REC_RAW);
}

Test(record, deltas_take_one_to_four_planes)
{
	for (unsigned planes = 1; planes <= 4; planes++) {
		uint64_t address[CT_WARP_LANES], words[CT_RECORD_BYTES_MAX / 8];
		uint64_t most = (planes == 4 ? 1ull << 31 : 1ull << 8 * planes) - 1;

		for (uint32_t lane = 0; lane < CT_WARP_LANES; lane++)
			address[lane] = 0x10000 + lane * lane % 7;
		address[31] = 0x10000 + most;
		cr_assert_eq(round_trip(1, CT_FULL_MASK, address), CT_REC_NEAR);
		cr_assert_eq(ct_encode_access(words, 1, 4, CT_FULL_MASK, address), 1 + 4 * planes);
		cr_assert_eq(words[0] & 15, planes - 1);
		cr_assert_eq(round_trip(1, 0xfffffffe, address), CT_REC_DELTA);
		cr_assert_eq(ct_encode_access(words, 1, 4, 0xfffffffe, address),
			     2 + (31 * planes + 7) / 8);
		cr_assert_eq(words[1] >> 32, planes);
	}
}

Test(record, near_is_chosen_by_the_rule)
{
	const struct {
		uint64_t base, step, last;
		unsigned kind;
		uint64_t low; /* of the first word */
	} known[] = {
	    {0x1000, 4, 0, CT_REC_NEAR, 2 << 2 | 0},
	    {0x1008, 8, 0, CT_REC_NEAR, 3 << 2 | 0},
	    {0x100c, 16, 0, CT_REC_NEAR, 2 << 2 | 0},         /* base takes shift down with it */
	    {0x1000, 16, 0, CT_REC_NEAR, 3 << 2 | 0},         /* shift is at most 3 */
	    {0x1000, 16, 0x1000 + 16 * 255, CT_REC_DELTA, 0}, /* which takes a plane more */
	    {0x1001, 1, 0x1001 + 255, CT_REC_DELTA, 1},       /* as does a lower base */
	    {0x1000, 1, 0x1000 + 255, CT_REC_NEAR, 0},
	    {0x1000, 1, 0x80000fff, CT_REC_NEAR, 3},
	};

	for (size_t i = 0; i < sizeof(known) / sizeof(*known); i++) {
		uint64_t address[CT_WARP_LANES], words[CT_RECORD_BYTES_MAX / 8];

		for (uint64_t lane = 0; lane < CT_WARP_LANES; lane++)
			address[lane] = known[i].base + lane * lane % 7 * known[i].step;
		if (known[i].last)
			address[31] = known[i].last;
		cr_assert_eq(round_trip(1, CT_FULL_MASK, address), known[i].kind, "case %zu", i);
		ct_encode_access(words, 1, 4, CT_FULL_MASK, address);
		cr_assert_eq(words[0] & 15, known[i].low, "case %zu: %llx", i,
			     (unsigned long long)words[0]);
	}
}

/* Lanes around their first, 2^32 - 1 apart: NEAR leaves them to DELTA. */
Test(record, near_keeps_to_32_bits)
{
	uint64_t address[CT_WARP_LANES];

	for (uint64_t lane = 0; lane < CT_WARP_LANES; lane++)
		address[lane] = 0x7f0080000000u + lane * lane % 5 * 16;
	address[7] = 0x7f0000000000u;
	address[9] = 0x7f0080000000u + 0x7fffffe0u;
	cr_assert_eq(round_trip(1, CT_FULL_MASK, address), CT_REC_NEAR);
	address[9] = 0x7f0080000000u + 0x7ffffff1u;
	cr_assert_eq(round_trip(1, CT_FULL_MASK, address), CT_REC_DELTA);
}

/* The worked example of docs/trace-format.md. */
Test(record, the_documented_example_is_what_is_written)
{
	static const uint8_t expected[] = {
	    0x07, 0x00, 0x00, 0x00,
	    0x02, 0x00, 0x03, 0xf0, /* segment: launch 7, sequence 2, SM 3 */
	    0x05, 0x00, 0x00, 0x00,
	    0x00, 0x00, 0x00, 0x08, /* warp 1, CTA 5 */
	    0x00, 0x10, 0x00, 0x00,
	    0x00, 0x7f, 0x0c, 0x10, /* AFFINE, site 12 */
	    0x00, 0x20, 0x00, 0x00,
	    0x00, 0x7f, 0x0d, 0x70, /* DELTA, site 13 */
	    0x0b, 0x00, 0x00, 0x00,
	    0x01, 0x03, 0x00, 0x00, /* mask 0xb, 1 plane, shift 3 */
	    0x00, 0x05, 0x01, 0x00,
	    0x00, 0x00, 0x00, 0x00, /* deltas 0, 5, 1 */
	};
	uint64_t words[64] = {CT_SEGMENT_WORD0(3, 2, 7), CT_SEGMENT_WORD1(1, 5)};
	uint64_t address[CT_WARP_LANES] = {0};
	uint32_t n = 2;

	for (uint32_t lane = 0; lane < CT_WARP_LANES; lane++)
		address[lane] = 0x7f0000001000u + 4 * lane;
	n += ct_encode_access(words + n, 12, 4, CT_FULL_MASK, address);
	address[0] = 0x7f0000002000u;
	address[1] = 0x7f0000002028u;
	address[3] = 0x7f0000002008u;
	n += ct_encode_access(words + n, 13, 4, 0xb, address);
	cr_assert_eq(8 * n, sizeof(expected));
	cr_assert_eq(memcmp(words, expected, sizeof(expected)), 0);
}

Test(decode, reads_segment_headers)
{
	uint64_t words[] = {CT_SEGMENT_WORD0(0xabc, 0xffff, 0xfffffffe),
			    CT_SEGMENT_WORD1(31, (1ull << 59) - 1), 0, 0};
	struct seen seen;

	cr_assert_eq(decode(&seen, words, 4, NULL), 0);
	cr_assert_eq(seen.segment.sm, 0xabc);
	cr_assert_eq(seen.segment.sequence, 0xffff);
	cr_assert_eq(seen.segment.launch, 0xfffffffe);
	cr_assert_eq(seen.segment.warp, 31);
	cr_assert_eq(seen.segment.cta, (1ull << 59) - 1);
}

Test(decode, skips_segments_and_sites_that_are_not_wanted)
{
	uint64_t words[] = {
	    CT_SEGMENT_WORD0(0, 0, 99),
	    0,
	    2ull << 60 | 0x1000, /* launch 99: not wanted */
	    CT_SEGMENT_WORD0(0, 1, 1),
	    0,
	    2ull << 60 | 98ull << 48 | 0x1000, /* nor site 98 */
	    2ull << 60 | 1ull << 48 | 0x2000,
	};
	struct seen seen;

	words[1] = words[4] = CT_SEGMENT_WORD1(0, 1);
	cr_assert_eq(decode(&seen, words, 7, NULL), 0);
	cr_assert_eq(seen.segments, 2);
	cr_assert_eq(seen.accesses, 1);
	cr_assert_eq(seen.address[17], 0x2000);
}

#define SEGMENT CT_SEGMENT_WORD0(0, 0, 1), 0
#define RECORD(kind) ((uint64_t)(kind) << 60 | 1ull << 48 | 0x1000)

Test(decode, refuses_what_is_not_valid)
{
	const struct {
		uint64_t words[6];
		size_t count, position;
	} bad[] = {
	    {{RECORD(CT_REC_UNIFORM)}, 1, 0}, /* no segment */
	    {{CT_SEGMENT_WORD0(0, 0, 1)}, 1, 0},
	    {{SEGMENT, RECORD(CT_REC_NEAR), 1, 2, 3}, 6, 16},       /* one plane of 32 bytes */
	    {{SEGMENT, 1}, 3, 16},                                  /* padding that is not zero */
	    {{SEGMENT, RECORD(CT_REC_STRIDED)}, 3, 16},             /* second word missing */
	    {{SEGMENT, RECORD(CT_REC_STRIDED), 1ull << 32}, 4, 16}, /* no lane */
	    {{SEGMENT, RECORD(CT_REC_UNIFORM_MASK), 1ull << 32 | 1}, 4, 16},
	    {{SEGMENT, RECORD(CT_REC_ROWS), 2ull << 32}, 4, 16},
	    {{SEGMENT, RECORD(CT_REC_ROWS), 1ull << 40 | 3ull << 32}, 4, 16},
	    {{SEGMENT, RECORD(CT_REC_DELTA), 0ull << 32 | 3, 0}, 5, 16},
	    {{SEGMENT, RECORD(CT_REC_DELTA), 5ull << 32 | 3, 0}, 5, 16},
	    {{SEGMENT, RECORD(CT_REC_DELTA), 64ull << 40 | 1ull << 32 | 3, 0}, 5, 16},
	    {{SEGMENT, RECORD(CT_REC_DELTA), 1ull << 32 | 3}, 4, 16}, /* payload missing */
	    {{SEGMENT, RECORD(CT_REC_RAW), 3, 0}, 5, 16},
	    {{SEGMENT, 8ull << 60 | 1ull << 48, 3, 0}, 5, 16}, /* one of two addresses */
	    {{SEGMENT, 13ull << 60 | 5000}, 3, 16},            /* site without a record */
	    {{SEGMENT, 13ull << 60 | 5000, RECORD(CT_REC_UNIFORM)}, 4, 16},
	    {{SEGMENT, 2ull << 60 | 0xfffull << 48 | 0x1000}, 3, 16}, /* record without its site */
	};

	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		struct seen seen;
		size_t position = 12345;

		cr_assert_eq(decode(&seen, bad[i].words, bad[i].count, &position), -CT_ERECORD,
			     "case %zu", i);
		cr_assert_eq(position, bad[i].position, "case %zu", i);
		cr_assert_eq(seen.accesses, 0);
	}
}

/* The encoder never writes what is linear or all the same in this form. */
Test(decode, tells_linear_records_from_others)
{
	const struct {
		uint64_t words[5];
		size_t count;
		bool is_linear;
		int64_t stride;
	} known[] = {
	    {{SEGMENT, RECORD(CT_REC_AFFINE)}, 3, true, SITE_BYTES},
	    {{SEGMENT, RECORD(CT_REC_UNIFORM)}, 3, true, 0},
	    {{SEGMENT, RECORD(CT_REC_AFFINE_MASK), 0xf0f0}, 4, true, SITE_BYTES},
	    {{SEGMENT, RECORD(CT_REC_UNIFORM_MASK), 0xf0f0}, 4, true, 0},
	    {{SEGMENT, RECORD(CT_REC_STRIDED), 0xfffffff8ull << 32 | 0xf0f0}, 4, true, -8},
	    {{SEGMENT, RECORD(CT_REC_RANKED), 7ull << 32 | 0x0ff0}, 4, true, 7},
	    {{SEGMENT, RECORD(CT_REC_RANKED), 7ull << 32 | CT_FULL_MASK}, 4, true, 7},
	    {{SEGMENT, RECORD(CT_REC_RANKED), 7ull << 32 | 0x0f70}, 4, false, 0},
	    {{SEGMENT, RECORD(CT_REC_RANKED), 7ull << 32 | 0x80000001}, 4, false, 0},
	    {{SEGMENT, RECORD(CT_REC_ROWS), 3ull << 32 | 100}, 4, false, 0},
	    {{SEGMENT, RECORD(CT_REC_DELTA), 1ull << 32 | 3, 0x0400}, 5, false, 0},
	    {{SEGMENT, RECORD(CT_REC_DELTA), 1ull << 32 | 0x40, 0x04}, 5, true, 0},
	    {{SEGMENT, RECORD(CT_REC_RAW) & ~CT_ADDRESS_MASK, 0x40, 1ull << 50}, 5, true, 0},
	    {{SEGMENT, RECORD(CT_REC_RANKED), 7ull << 32 | 0x40}, 4, true, 7},
	};

	for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++) {
		struct seen seen;

		cr_assert_eq(decode(&seen, known[i].words, known[i].count, NULL), 0, "case %zu", i);
		cr_assert_eq(seen.accesses, 1);
		cr_assert_eq(seen.is_linear, known[i].is_linear, "case %zu", i);
		if (seen.is_linear)
			cr_assert_eq(seen.stride, known[i].stride, "case %zu", i);
	}
}

/* Words before the one that is refused are sound, and were handed on as they are. */
Test(decode, random_words_are_read_up_to_what_is_not_valid)
{
	unsigned sound = 0, refused = 0;

	for (unsigned i = 0; i < 20000; i++) {
		uint64_t words[24] = {CT_SEGMENT_WORD0(0, 0, 1), 0};
		struct seen seen, again;
		size_t position = 12345, length = 3 + i % 22;

		for (size_t k = 2; k < length; k++)
			words[k] = next_random() >> next_random() % 64;
		if (decode(&seen, words, length, &position) == 0) {
			sound++;
			continue;
		}
		cr_assert_lt(position, 8 * length);
		cr_assert_eq(decode(&again, words, position / 8, NULL), 0, "round %u", i);
		cr_assert_eq(again.accesses, seen.accesses, "round %u", i);
		refused++;
	}
	cr_assert_gt(sound, 10);
	cr_assert_gt(refused, 10000);
}
