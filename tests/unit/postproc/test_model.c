/* SPDX-License-Identifier: Apache-2.0 */
/* Performance models against the book's numbers (seed 004) and figures worked by hand. */
#include "postproc/analysis/model/caches.h"
#include "postproc/analysis/model/gpuperf.h"
#include "postproc/analysis/model/part.h"
#include "postproc/analysis/model/ranking.h"
#include "postproc/analysis/model/theory.h"
#include "postproc/analysis/model/whatif.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void near(double is, double should, double tolerance)
{
	cr_assert(fabs(is - should) <= tolerance * fmax(fabs(should), 1e-12), "%.9g is not %.9g",
		  is, should);
}

/* 2.2: a tree that sums 16 numbers has 31 nodes and 5 levels. */
Test(model, brent_and_parallelism_of_a_tree_sum)
{
	static const double expected[][2] = {{1, 31}, {2, 18}, {4, 11.5}, {8, 8.25}};

	for (int i = 0; i < 4; i++)
		near(ct_model_brent(31, 5, expected[i][0]), expected[i][1], 1e-12);
	near(ct_model_parallelism(31, 5), 6.2, 1e-12);
}

/* Sum of n words in lines of 8: Q = n / 8, intensity nearly 1. p = 4, beta = 2, alpha = 100:
 * machine 2; little 1 + 100 * 2 / 8 / (128 / 10) = 2.953125; amdahl 1 + 3 / (1024 / 10). */
Test(model, balance_has_its_four_terms)
{
	const struct ct_model_memory memory = {4, 1, 100, 2, 8};
	struct ct_model_balance balance;

	ct_model_balance(&balance, &memory, 1024, 10, 128);
	near(balance.intensity, 1, 1e-12);
	near(balance.machine, 2, 1e-12);
	near(balance.little, 2.953125, 1e-12);
	near(balance.amdahl, 1.029296875, 1e-12);
	near(balance.slack, 1.029296875 / 5.90625, 1e-12);
	/* L = 16, Q = 64: 2 * (1 + 12.5 / 6.4). beta = 4: 1 * (1 + 50 / 12.8). */
	near(balance.twice_line, 1.029296875 / 5.90625, 1e-12);
	near(balance.twice_bandwidth, 1.029296875 / 4.90625, 1e-12);
}

Test(model, roofs_and_metrics_to_prune_by)
{
	near(ct_model_roof(1000, 100, 4), 400, 1e-12);
	near(ct_model_roof(1000, 100, 40), 1000, 1e-12);
	near(ct_model_efficiency(500, 1000), 2e-6, 1e-12);
	/* 120 / 6 * ((8 - 1) / 2 + (3 - 1) * 8) */
	near(ct_model_utilization(120, 6, 8, 3), 390, 1e-12);
}

/* The book's machine: 144 GB/s, 1.15 GHz, transactions of 128 bytes, 14 SMs. */
static const struct ct_gpuperf_machine c2050 = {
    .clock_hz = 1.15e9,
    .bandwidth = 144e9,
    .transaction_bytes = 128,
    .instruction_latency = 20,
    .float_latency = 20,
    .dram_latency = 380,
    .hit_latency = 50,
    .departure_delay = 20,
    .barrier_factor = 64,
    .warp_size = 32,
    .simd_width = 32,
    .sfu_width = 4,
};

static const struct ct_gpuperf_kernel with_barriers = {
    .instructions = 100,
    .memory_instructions = 10,
    .syncs = 2,
    .floats = 40,
    .ilp = 2,
    .mlp = 2,
    .sm_warps = 48,
    .active_sms = 14,
    .warps = 24,
    .transactions = 2,
    .miss_ratio = 0.5,
    .data_bytes = 14400,
};

Test(model, gpuperf_has_the_numbers_of_the_book)
{
	struct ct_gpuperf r;

	ct_gpuperf(&r, &with_barriers, &c2050);
	near(r.dram_latency, 400, 1e-12);
	near(r.bandwidth_per_warp, 0.368e9, 1e-12);
	near(r.mwp_peak_bw, 27.95, 1e-4);
}

Test(model, gpuperf_of_a_kernel_with_barriers_is_as_by_hand)
{
	struct ct_gpuperf r;

	ct_gpuperf(&r, &with_barriers, &c2050);
	near(r.amat, 250, 1e-12);        /* 400 * 0.5 + 50 */
	near(r.itilp_max, 20, 1e-12);    /* 20 / (32 / 32) */
	near(r.itilp, 20, 1e-12);        /* min(2 * 24, 20) */
	near(r.comp_cycles, 100, 1e-12); /* 100 * 20 / 20 */
	near(r.mem_cycles, 1250, 1e-12); /* 10 * 250 / 2 */
	near(r.cwp_full, 13.5, 1e-12);
	near(r.cwp, 13.5, 1e-12);
	near(r.mwp, 20, 1e-12); /* min(400 / 20, 27.95, 24) */
	near(r.mwp_cp, 12.5, 1e-12);
	near(r.itmlp, 25, 1e-12);        /* min(2 * 12.5, 27.95) */
	near(r.t_mem, 4800, 1e-12);      /* 10 * 48 / 25 * 250 */
	near(r.f_sync, 2560, 1e-12);     /* 64 * 400 * 10 / 100 */
	near(r.o_sync, 245760, 1e-12);   /* 2 * 48 * 2560 */
	near(r.w_parallel, 4800, 1e-12); /* 100 * 48 * 20 / 20 */
	near(r.t_comp, 250560, 1e-12);
	near(r.f_overlap, 23.0 / 24, 1e-12);
	near(r.t_overlap, 4800, 1e-12);
	near(r.t_exec, 250560, 1e-12);
	near(r.t_fp, 1920, 1e-12);     /* 40 * 48 * 20 / 20 */
	near(r.t_mem_min, 115, 1e-12); /* 14400 * 1.15e9 / 144e9 */
	near(r.b_itilp, 0, 1e-12);
	near(r.b_serial, 245760, 1e-12);
	near(r.b_fp, 2880, 1e-12);
	near(r.b_memlp, 0, 1e-12);
}

/* One warp, one load at a time, special functions: nothing hides anything. */
Test(model, gpuperf_of_a_lone_warp_is_as_by_hand)
{
	struct ct_gpuperf_kernel k = with_barriers;
	struct ct_gpuperf r;

	k.syncs = 0;
	k.special = 50;
	k.ilp = k.mlp = k.transactions = k.warps = 1;
	k.sm_warps = 3;
	k.miss_ratio = 1;
	k.bank_cycles = 30;
	ct_gpuperf(&r, &k, &c2050);
	near(r.dram_latency, 380, 1e-12);
	near(r.amat, 430, 1e-12);
	near(r.itilp, 1, 1e-12);
	near(r.comp_cycles, 2000, 1e-12);
	near(r.mem_cycles, 4300, 1e-12);
	near(r.cwp, 1, 1e-12);
	near(r.mwp, 1, 1e-12);
	near(r.itmlp, 1, 1e-12);
	near(r.t_mem, 12900, 1e-12); /* 10 * 3 * 430 */
	near(r.f_sfu, 0.375, 1e-12); /* 50 / 100 - 4 / 32 */
	near(r.o_sfu, 450, 1e-12);   /* 50 * 3 * 8 * 0.375 */
	near(r.w_serial, 480, 1e-12);
	near(r.w_parallel, 6000, 1e-12);
	near(r.f_overlap, 0, 1e-12); /* (1 - 1) / 1 */
	near(r.t_exec, 19380, 1e-12);
	near(r.b_itilp, 5700, 1e-12);                  /* 6000 - 100 * 3 * 20 / 20 */
	near(r.b_fp, 6480 - 2400 - 5700 - 480, 1e-12); /* negative, as (4.29) may be */
	near(r.b_memlp, 12900 - 115, 1e-12);
	near(r.seconds, 19380 / 1.15e9, 1e-12);
}

Test(model, what_warps_wait_for_is_at_least_what_the_bytes_take)
{
	struct ct_gpuperf_kernel k = with_barriers;
	struct ct_gpuperf r;

	k.least_memory_cycles = 9000;
	ct_gpuperf(&r, &k, &c2050);
	near(r.t_mem, 9000, 1e-12);
	k.memory_instructions = 0; /* caution 6: CWP is 1 without */
	k.least_memory_cycles = 0;
	ct_gpuperf(&r, &k, &c2050);
	near(r.cwp, 1, 1e-12);
	near(r.t_mem, 0, 1e-12);
	near(r.t_exec, r.w_parallel, 1e-12);
}

/* 1000 cycles become 200, of which the load-store unit is busy for 180, in a launch that was
 * measured to take 300: 180 of these stay. */
Test(model, what_a_change_saves_leaves_the_load_store_unit_its_requests)
{
	const struct ct_machine machine = {.clock_hz = 1e9};
	const struct ct_simulation before = {.cycles = 1000},
				   after = {.cycles = 200, .accesses = 0.9};
	struct ct_model_kernel kernel = {.simulation = {.cycles = 1000}};

	near(ct_what_if_saved(&kernel, &machine, &before, &after), 800e-9, 1e-9);
	kernel.measured.seconds = 300e-9;
	near(ct_what_if_saved(&kernel, &machine, &before, &after), 400e-9, 1e-9);
	kernel.measured.seconds = 100e-9;
	near(ct_what_if_saved(&kernel, &machine, &before, &after), 0, 1e-9);
}

Test(model, rankings_have_errors_and_correlations)
{
	struct ct_model_ranked ranked[] = {{.predicted = 3, .measured = 4},
					   {.predicted = 1, .measured = 1},
					   {.predicted = 2, .measured = 1.6}};

	ct_model_sort_ranking(ranked, 3);
	near(ranked[0].predicted, 1, 0);
	cr_assert(ct_model_has_errors(ranked, 3));
	near(ct_model_mean_error(ranked, 3), (0 + 0.25 + 0.25) / 3, 1e-12);
	near(ct_model_rank_correlation(ranked, 3), 1, 1e-12);
	ranked[0].measured = 1.6; /* as the second: ranks 1.5, 1.5, 3; 1.5 / sqrt(2 * 1.5) */
	near(ct_model_rank_correlation(ranked, 3), 1.5 / sqrt(3), 1e-12);
	ranked[2].measured = 0;
	cr_assert_not(ct_model_has_errors(ranked, 3));
}

/* Streams of 32 lanes at consecutive words: requests of four sectors of one line. */
static struct ct_streams *streams;
static struct ct_unit_site site = {.bytes = 4, .line = 7};

static void request(uint64_t cta, uint32_t warp, uint64_t line, enum ct_stream_kind kind)
{
	struct ct_access access = {.cta = cta, .warp = warp, .mask = ~0u, .info = &site};

	for (uint32_t lane = 0; lane < CT_WARP_LANES; lane++)
		access.address[lane] = line * 128 + 4 * lane;
	if (kind == CT_STREAM_BARRIER)
		cr_assert_eq(ct_streams_barrier(streams, &access), 0);
	else
		cr_assert_eq(ct_streams_access(streams, &access, ~0u, kind), 0);
}

static void start(void)
{
	cr_assert_eq(ct_streams_open(&streams, 0), 0);
}

static void finish(void)
{
	ct_streams_close(streams);
}

TestSuite(caches, .init = start, .fini = finish);

static const struct ct_caches_machine small = {
    .sms = 2, .resident = 2, .l1_bytes = 2048, .l2_bytes = 1 << 20};

/* A warp loads a line twice, another of the same SM loads it too: whatever the order, four sectors
 * of twelve come from memory, and eight from the L1. */
Test(caches, an_sm_loads_a_line_once)
{
	struct ct_caches caches;
	struct ct_streams_extent extent;

	request(0, 0, 5, CT_STREAM_LOAD);
	request(0, 0, 5, CT_STREAM_LOAD);
	request(0, 1, 5, CT_STREAM_LOAD);
	cr_assert_eq(ct_caches_run(&caches, streams, &small, 0.01, 8, 1), 0);
	near(caches.counts.requests, 3, 0);
	near(caches.counts.sectors, 12, 0);
	near(caches.counts.l1_hits, 8, 0);
	near(caches.counts.l2_accesses, 4, 0);
	near(caches.counts.dram, 4, 0);
	near(caches.l1.mean, 8.0 / 12, 1e-12);
	cr_assert(caches.is_reliable);
	cr_assert_eq(caches.samples, 4);
	cr_assert_eq(caches.lines, 1);
	cr_assert_eq(caches.line[0].line, 7);
	near(caches.line[0].counts.dram, 4, 0);
	cr_assert_eq(ct_streams_extent(streams, &extent), 0);
	cr_assert(extent.ctas == 1 && extent.alone == 4 && extent.common == 0);
	ct_caches_fini(&caches);
}

/* Two CTAs on two SMs: each has an L1, the L2 is one. Stores go on to it; atomics pass the L1. */
Test(caches, sms_share_the_l2_alone)
{
	struct ct_caches caches;

	request(0, 0, 5, CT_STREAM_LOAD);
	request(1, 0, 5, CT_STREAM_LOAD);
	request(1, 0, 5, CT_STREAM_STORE);
	request(1, 0, 5, CT_STREAM_ATOMIC);
	cr_assert_eq(ct_caches_run(&caches, streams, &small, 0.01, 4, 1), 0);
	near(caches.counts.l1_hits, 0, 0);
	near(caches.counts.l2_accesses, 16, 0);
	near(caches.counts.l2_hits, 12, 0);
	near(caches.counts.dram, 4, 0);
	ct_caches_fini(&caches);
}

Test(caches, a_warm_l2_has_what_the_launch_before_left)
{
	struct ct_caches_machine warm = small;
	struct ct_caches caches;

	warm.is_warm = true;
	for (uint64_t line = 0; line < 64; line++)
		request(0, 0, line, CT_STREAM_LOAD);
	cr_assert_eq(ct_caches_run(&caches, streams, &warm, 0.01, 4, 1), 0);
	near(caches.l1.mean, 0, 0);
	near(caches.l2.mean, 1, 0);
	near(caches.counts.dram, 0, 0);
	ct_caches_fini(&caches);
}

/* The L1 has room for 16 lines. The first warp's 16 behind the barrier would drive line 1 out
 * before the second, which is slow to come to it, loads it: but that is before the barrier. */
Test(caches, no_warp_passes_a_barrier_before_the_others)
{
	struct ct_caches caches;

	request(0, 0, 1, CT_STREAM_LOAD);
	request(0, 0, 0, CT_STREAM_BARRIER);
	for (uint64_t line = 100; line < 116; line++)
		request(0, 0, line, CT_STREAM_LOAD);
	for (int i = 0; i < 60; i++)
		request(0, 1, 2, CT_STREAM_LOAD);
	request(0, 1, 1, CT_STREAM_LOAD);
	request(0, 1, 0, CT_STREAM_BARRIER);
	cr_assert_eq(ct_caches_run(&caches, streams, &small, 0.01, 8, 3), 0);
	near(caches.counts.l2_accesses, 4 * 18, 0);
	near(caches.l1.deviation, 0, 0);
	ct_caches_fini(&caches);
}

/* A CTA that ends early leaves its place to the next one, and one that waits for nothing goes on.
 */
Test(caches, more_ctas_than_places_are_all_run)
{
	struct ct_caches caches;

	for (uint64_t cta = 0; cta < 40; cta++) {
		request(cta, 0, cta, CT_STREAM_LOAD);
		request(cta, 0, 0, CT_STREAM_BARRIER);
		request(cta, 1, 1000 + cta, CT_STREAM_LOAD);
		request(cta, 1, 0, CT_STREAM_BARRIER);
		request(cta, 1, 1000 + cta, CT_STREAM_LOAD);
	}
	cr_assert_eq(ct_caches_run(&caches, streams, &small, 0.01, 4, 1), 0);
	near(caches.counts.requests, 120, 0);
	near(caches.counts.dram, 320, 0);
	ct_caches_fini(&caches);
}

/* A load of one word: of sector `sector` of a line. */
static void load_word(uint32_t sector)
{
	struct ct_access access = {.mask = 1, .info = &site};

	access.address[0] = 4096 + 32ull * sector;
	cr_assert_eq(ct_streams_access(streams, &access, 1, CT_STREAM_LOAD), 0);
}

static void next_block(void)
{
	struct ct_access access = {.mask = 1, .info = &site};

	cr_assert_eq(ct_streams_block(streams, &access, 0), 0);
}

/* Sectors 0 and 2 come, and in the next block with them 1 and 3; asked for in the same block, the
 * other one of a pair is under way. What is stored is taken as it is. */
Test(caches, memory_hands_out_pairs_of_sectors)
{
	struct ct_caches caches;

	next_block();
	load_word(0);
	load_word(2);
	next_block();
	load_word(1);
	load_word(4);
	load_word(5);
	request(0, 0, 99, CT_STREAM_STORE);
	cr_assert_eq(ct_caches_run(&caches, streams, &small, 0.01, 4, 1), 0);
	near(caches.counts.l2_accesses, 9, 0);
	near(caches.counts.l2_hits, 1 + 4, 0);
	near(caches.counts.dram, 6 + 4, 0);
	near(caches.line[0].counts.dram, 6 + 4, 0);
	ct_caches_fini(&caches);
}

/* 1 of 16 CTAs: 8 of 132 SMs, on which they are one each; 64 of 256: 33. Of 10000 CTAs 5 are what
 * less than a tenth of an SM has: one SM has 10000 / 132 of them, 15.2 times as many. */
Test(parts, a_machine_is_as_much_as_the_launch_is)
{
	struct ct_model_part part = ct_model_part(132, 1, 16);

	cr_assert_eq(part.sms, 8);
	near(part.share, 8.0 / 132, 1e-12);
	near(part.times, 8.0 / 132 * 16, 1e-12);
	part = ct_model_part(132, 64, 256);
	cr_assert_eq(part.sms, 33);
	near(part.share, 0.25, 1e-12);
	near(part.times, 1, 1e-12);
	part = ct_model_part(132, 5, 10000);
	cr_assert_eq(part.sms, 1);
	near(part.times, 10000.0 / 132 / 5, 1e-12);
	/* All, and more than the mean launch has. */
	part = ct_model_part(132, 16, 16);
	cr_assert(part.sms == 132 && part.share == 1 && part.times == 1);
	part = ct_model_part(132, 31, 16);
	cr_assert(part.sms == 132 && part.share == 1 && part.times == 1);
	part = ct_model_part(132, 0, 16);
	cr_assert(part.sms == 132 && part.share == 1 && part.times == 1);
}

/* Two CTAs of four sectors each, of which one line is common: of 100 CTAs 404 sectors, as many KB
 * as they have in quarters, of which the two have 12. */
Test(caches, parts_of_a_launch_have_a_part_of_the_l2)
{
	const double sectors = 100 * 4 + 4;
	struct ct_streams_extent extent;

	for (uint64_t cta = 0; cta < 2; cta++) {
		request(cta, 0, cta, CT_STREAM_LOAD);
		request(cta, 1, 7, CT_STREAM_LOAD);
	}
	cr_assert_eq(ct_streams_extent(streams, &extent), 0);
	cr_assert(extent.ctas == 2 && extent.alone == 8 && extent.common == 4);
	cr_assert_eq(ct_model_part_l2(sectors * 32, &extent, 2, 100), (uint64_t)sectors * 32);
	near(ct_model_part_l2(sectors * 16, &extent, 2, 100), 16 * 12, 1);
	near(ct_model_part_l2(sectors * 16, &extent, 1, 100), 16 * 8, 1);
	/* All of it, and more than there is. */
	near(ct_model_part_l2(64, &extent, 2, 2), 64, 0);
	near(ct_model_part_l2(64, &extent, 5, 2), 64, 0);
}

/* Two warps a CTA, each with one request of four sectors. */
Test(caches, parts_are_of_whole_ctas)
{
	const struct ct_warp_stream *const *list;
	size_t count;
	uint64_t ctas;

	for (uint64_t cta = 0; cta < 6; cta++)
		for (uint32_t warp = 0; warp < 2; warp++)
			request(cta, warp, cta, CT_STREAM_LOAD);
	list = ct_streams_list(streams, &count, &ctas);
	cr_assert_eq(count, 12);
	cr_assert_eq(ct_model_part_warps(list, 12, 0, 1), 12);
	cr_assert_eq(ct_model_part_warps(list, 12, 60, 1), 12);
	cr_assert_eq(ct_model_part_warps(list, 12, 59, 1), 10);
	cr_assert_eq(ct_model_part_warps(list, 12, 25, 1), 4);
	cr_assert_eq(ct_model_part_warps(list, 12, 25, 4), 8);
	cr_assert_eq(ct_model_part_warps(list, 12, 1, 1), 2);
	cr_assert_eq(ct_model_part_warps(list, 12, 1, 7), 12);
}

/* There is room for 50 of 100 CTAs of four sectors: 32 are kept, whoever comes first, and if two
 * threads have a part of them each. */
Test(parts, what_is_kept_of_a_launch_is_the_same_in_any_order)
{
	for (int order = 0; order < 3; order++) {
		struct ct_streams *part[2];
		size_t count;
		uint64_t ctas;

		for (int i = 0; i < 2; i++)
			cr_assert_eq(ct_streams_open(&part[i], 200), 0);
		for (uint64_t i = 0; i < 100; i++) {
			struct ct_access access = {.mask = CT_FULL_MASK, .info = &site};

			access.cta = order == 1 ? 99 - i : i;
			for (uint32_t lane = 0; lane < 32; lane++)
				access.address[lane] = 4096 + 4 * lane;
			cr_assert_eq(ct_streams_access(part[order == 2 && i % 3 == 0], &access,
						       CT_FULL_MASK, CT_STREAM_LOAD),
				     0);
		}
		cr_assert_eq(ct_streams_join(part[0], part[1]), 0);
		ct_streams_list(part[0], &count, &ctas);
		cr_assert(count == 32 && ctas == 32, "order %d: %zu", order, count);
		for (int i = 0; i < 2; i++)
			ct_streams_close(part[i]);
	}
}
