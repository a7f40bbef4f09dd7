/* SPDX-License-Identifier: Apache-2.0 */
/* The figures of ctpost verify, and its order hash: what it tells apart, and what it must not. */
#include "postproc/analysis/verify/tally.h"
#include "postproc/analysis/verify/tally_order.h"
#include "tests/unit/trace/trace_fixture.h"
#include "tests/unit/trace/trace_random.h"
#include <criterion/criterion.h>
#include <errno.h>
#include <stdlib.h>

#define ROW 0x7f0000001000ull

/* A record of warp 3 of CTA 5: lane l accesses base + 4 * l. */
static struct ct_access record(uint64_t segment, uint32_t sequence, uint32_t mask, uint64_t base)
{
	struct ct_access access = {.cta = 5, .warp = 3, .mask = mask, .is_linear = 1, .stride = 4};

	access.segment = segment;
	access.sequence = sequence;
	for (uint32_t lane = 0; lane < CT_WARP_LANES; lane++)
		access.address[lane] = base + 4 * lane;
	return access;
}

/* line: of its site */
static void add(struct ct_tally_order *order, uint8_t by, struct ct_access access, uint64_t line)
{
	cr_assert_eq(ct_tally_order_add(order, 0, by, &access, ct_tally_hash(line)), 0);
}

static struct ct_tally_launch conclude(struct ct_tally_order *order)
{
	struct ct_tally_launch launch = {.order = 0};

	ct_tally_order_finish(order, &launch);
	ct_tally_order_fini(order);
	return launch;
}

/* From the definition in tally.h, lane by lane: `count` accesses at bases[k] and lines[k]. */
static uint64_t defined(const uint64_t *bases, const uint64_t *lines, size_t count)
{
	uint64_t sum = 0;

	for (uint32_t lane = 0; lane < CT_WARP_LANES; lane++) {
		uint64_t power = 1;

		for (size_t k = 0; k < count; k++, power *= CT_TALLY_BASE)
			sum += (ct_tally_hash(lane) | 1) * power *
			       (bases[k] + 4 * lane + ct_tally_hash(lines[k]));
	}
	return sum * (ct_tally_hash(32 * 5 + 3) | 1);
}

static const uint64_t bases[] = {ROW, ROW + 128, ROW + 4096, ROW};
static const uint64_t lines[] = {10, 11, 12, 10};

Test(model_tally, whole_warps_hash_as_defined)
{
	for (uint8_t by = CT_TALLY_BY_WARP; by <= CT_TALLY_BY_LANE; by++) {
		struct ct_tally_order order;

		ct_tally_order_init(&order);
		for (size_t k = 0; k < 4; k++)
			add(&order, by, record(1, 0, CT_FULL_MASK, bases[k]), lines[k]);
		cr_assert_eq(conclude(&order).order, defined(bases, lines, 4));
	}
}

Test(model_tally, records_in_another_order_are_reported)
{
	struct ct_tally_order order;
	struct ct_tally_launch launch;

	ct_tally_order_init(&order);
	add(&order, CT_TALLY_BY_WARP, record(1, 0, CT_FULL_MASK, bases[1]), lines[1]);
	add(&order, CT_TALLY_BY_WARP, record(1, 0, CT_FULL_MASK, bases[0]), lines[0]);
	launch = conclude(&order);
	cr_assert_neq(launch.order, defined(bases, lines, 2));
	cr_assert_eq(launch.warps, 1);
	cr_assert_eq(launch.segments, 1);
	cr_assert_eq(launch.gaps, 0);
}

Test(model_tally, addresses_at_exchanged_lines_are_reported)
{
	struct ct_tally_order order;

	ct_tally_order_init(&order);
	add(&order, CT_TALLY_BY_WARP, record(1, 0, CT_FULL_MASK, bases[0]), lines[1]);
	add(&order, CT_TALLY_BY_WARP, record(1, 0, CT_FULL_MASK, bases[1]), lines[0]);
	cr_assert_neq(conclude(&order).order, defined(bases, lines, 2));
}

/* second is gone. */
static void join(struct ct_tally_order *first, struct ct_tally_order *second, bool as_bytes)
{
	struct ct_buffer bytes = {0};

	if (as_bytes) {
		cr_assert_eq(ct_tally_order_pack(second, &bytes), 0);
		cr_assert_eq(ct_tally_order_unpack(first, bytes.bytes, bytes.size - 1), -EPROTO);
		cr_assert_eq(ct_tally_order_unpack(first, bytes.bytes, bytes.size), 0);
	} else {
		cr_assert_eq(ct_tally_order_join(first, second), 0);
	}
	ct_buffer_fini(&bytes);
	ct_tally_order_fini(second);
}

/* Segments of a warp come from two shards, the later ones first. */
static void check_order(uint8_t by, bool as_bytes)
{
	struct ct_tally_order first, second;
	struct ct_tally_launch launch;

	ct_tally_order_init(&first);
	ct_tally_order_init(&second);
	add(&first, by, record(9, 1, CT_FULL_MASK, bases[2]), lines[2]);
	add(&first, by, record(9, 1, CT_FULL_MASK, bases[3]), lines[3]);
	add(&second, by, record(4, 0, CT_FULL_MASK, bases[0]), lines[0]);
	add(&second, by, record(4, 0, CT_FULL_MASK, bases[1]), lines[1]);
	join(&first, &second, as_bytes);
	launch = conclude(&first);
	cr_assert_eq(launch.order, defined(bases, lines, 4));
	cr_assert_eq(launch.segments, 2);
	cr_assert_eq(launch.gaps, 0);
}

Test(model_tally, segments_are_brought_into_order)
{
	for (uint8_t by = CT_TALLY_BY_WARP; by <= CT_TALLY_BY_LANE; by++) {
		check_order(by, false);
		check_order(by, true);
	}
}

/* By lane, groups of lanes may interleave as they like. */
Test(model_tally, grouping_of_lanes_does_not_count_by_lane)
{
	struct ct_tally_order order;

	ct_tally_order_init(&order);
	add(&order, CT_TALLY_BY_LANE, record(1, 0, 0xffff0000u, bases[0]), lines[0]);
	add(&order, CT_TALLY_BY_LANE, record(1, 0, 0xffff0000u, bases[1]), lines[1]);
	add(&order, CT_TALLY_BY_LANE, record(1, 0, 0x000000ffu, bases[0]), lines[0]);
	add(&order, CT_TALLY_BY_LANE, record(2, 1, 0x0000ff00u, bases[0]), lines[0]);
	add(&order, CT_TALLY_BY_LANE, record(2, 1, 0x0000ffffu, bases[1]), lines[1]);
	cr_assert_eq(conclude(&order).order, defined(bases, lines, 2));
}

Test(model_tally, missing_segments_are_found)
{
	struct ct_tally_order order;
	struct ct_tally_launch launch;

	ct_tally_order_init(&order);
	add(&order, CT_TALLY_BY_WARP, record(1, 0, CT_FULL_MASK, bases[0]), lines[0]);
	add(&order, CT_TALLY_BY_WARP, record(7, 2, CT_FULL_MASK, bases[1]), lines[1]);
	launch = conclude(&order);
	cr_assert_eq(launch.gaps, 1);
	cr_assert_eq(launch.gap_cta, 5);
	cr_assert_eq(launch.gap_warp, 3);
	/* Sequences go on at 0 after 65535; the first segment of a warp is 0. */
	ct_tally_order_init(&order);
	for (uint32_t i = 0; i < 65538; i++)
		add(&order, CT_TALLY_BY_WARP, record(i, i & 0xffff, CT_FULL_MASK, ROW), 1);
	cr_assert_eq(conclude(&order).gaps, 0);
	ct_tally_order_init(&order);
	add(&order, CT_TALLY_BY_WARP, record(3, 1, CT_FULL_MASK, ROW), 1);
	cr_assert_eq(conclude(&order).gaps, 1);
}

#define SHARDS 3u
#define CTAS 300u

/* Segments of many warps, some of them missing, one warp's three times 65536: spread over shards in
 * any order, and joined. */
static struct ct_tally_launch finish_shards(uint8_t by, bool as_bytes)
{
	struct ct_tally_order shard[SHARDS];
	struct ct_access other = record(0, 0, 1, ROW);

	trace_random_state = 99;
	other.cta = other.warp = 0;
	for (uint32_t i = 0; i < SHARDS; i++)
		ct_tally_order_init(&shard[i]);
	for (uint64_t warp = 0; warp < CTAS * 3; warp++) {
		uint32_t segments = warp == 77 ? 200000 : 1 + (uint32_t)trace_random_below(3);

		for (uint32_t i = 0; i < segments; i++) {
			struct ct_access access = record(warp << 20 | i, i & 0xffff, 1, ROW);
			struct ct_tally_order *to = &shard[trace_random_below(SHARDS)];

			access.cta = warp / 3 * 50;
			access.warp = (uint32_t)(warp % 3) * 15;
			if (trace_random_below(100) == 0)
				continue;
			add(to, by, access, 1);
			add(to, by, access, 1); /* of the same segment */
			/* A record that waits for its value comes behind accesses of other
			 * segments. */
			if (by == CT_TALLY_NO_ORDER && (warp + i) % 5 == 0) {
				add(to, by, other, 1);
				add(to, by, access, 1);
			}
			other = access;
		}
	}
	join(&shard[1], &shard[2], as_bytes);
	join(&shard[0], &shard[1], as_bytes);
	return conclude(&shard[0]);
}

Test(model_tally, segments_without_an_order_are_missed_as_well)
{
	struct ct_tally_launch ordered = finish_shards(CT_TALLY_BY_WARP, false);

	cr_assert_gt(ordered.gaps, 500);
	for (int as_bytes = 0; as_bytes < 2; as_bytes++) {
		struct ct_tally_launch launch = finish_shards(CT_TALLY_NO_ORDER, as_bytes);

		cr_assert_eq(launch.warps, ordered.warps);
		cr_assert_eq(launch.segments, ordered.segments);
		cr_assert_eq(launch.gaps, ordered.gaps, "%d gaps, not %d", (int)launch.gaps,
			     (int)ordered.gaps);
		cr_assert_eq(launch.gap_cta, ordered.gap_cta);
		cr_assert_eq(launch.gap_warp, ordered.gap_warp);
	}
}

/* Sums a launch's accesses at one line. */
static struct ct_tally_figures figures_of(const struct ct_trace *trace,
					  const struct ct_access *access)
{
	const struct ct_launch_info *launches;
	uint8_t *by = calloc(ct_trace_launches(trace, &launches), 1);
	struct ct_tally_figures figures;
	struct ct_tally_line *lines;
	struct ct_tally *tally;
	size_t count;

	cr_assert_eq(ct_tally_open(&tally, trace, by), 0);
	cr_assert_eq(ct_tally_add(tally, access), 0);
	cr_assert_eq(ct_tally_lines(tally, 0, &lines, &count), 0);
	cr_assert_eq(count, 1);
	figures = lines[0].figures;
	free(lines);
	ct_tally_close(tally);
	free(by);
	return figures;
}

Test(model_tally, linear_accesses_sum_up_as_their_lanes_do)
{
	static const uint32_t masks[] = {CT_FULL_MASK, 0x80000001u};
	char *directory = fixture_directory(), why[512];
	const struct ct_launch_info *launches;
	struct ct_trace *trace;

	cr_assert_eq(fixture_make(directory, 1, false), 0);
	cr_assert_eq(ct_trace_open(&trace, directory, why, sizeof(why)), 0, "%s", why);
	ct_trace_launches(trace, &launches);
	for (size_t m = 0; m < 2; m++) {
		struct ct_access access = record(1, 0, masks[m], ROW);
		struct ct_tally_figures sum = {0}, linear, scattered;

		access.launch = &launches[0];
		access.unit = launches[0].unit;
		for (uint64_t lane = 0; lane < CT_WARP_LANES; lane++) {
			if (!(masks[m] >> lane & 1))
				continue;
			sum.count++;
			sum.sum += ROW + 4 * lane;
			sum.squares += (ROW + 4 * lane) * (ROW + 4 * lane);
		}
		linear = figures_of(trace, &access);
		access.is_linear = 0;
		scattered = figures_of(trace, &access);
		cr_assert_arr_eq(&linear, &sum, sizeof(sum));
		cr_assert_arr_eq(&scattered, &sum, sizeof(sum));
	}
	ct_trace_close(trace);
	fixture_remove(directory);
}

Test(model_tally, a_line_is_the_kernels_own_however_deep_the_site_was_inlined)
{
	static const struct ct_unit_header header = {.frame_count = 2};
	static const struct ct_unit_site sites[] = {{.line = 5, .inlined_at = CT_NONE},
						    {.line = 7, .inlined_at = 0}};
	static const struct ct_unit_frame frames[] = {{.line = 20, .inlined_at = 1},
						      {.line = 30, .inlined_at = CT_NONE}};
	static const struct ct_unit unit = {.header = &header, .sites = sites, .frames = frames};

	cr_assert_eq(ct_tally_line_of(&unit, 0), 5);
	cr_assert_eq(ct_tally_line_of(&unit, 1), 30);
}
