/* SPDX-License-Identifier: Apache-2.0 */
/* Tests what crosses between devices, over tables of transfers whose answers have closed forms. */
#include "postproc/analysis/comm/scaling/scaling.h"
#include "postproc/analysis/comm/scaling/speedup.h"
#include "tests/unit/postproc/scaling_table.h"
#include "tests/unit/postproc/thread_ranks.h"
#include <criterion/criterion.h>
#include <errno.h>
#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

static struct ct_scaling_options all_devices = {
    .devices_min = 2, .devices_max = 16, .bandwidth = 1e9, .latency = 1e-6};

static void meet_alone(void)
{
	cr_assert_eq(ct_ranks_open(&all_devices.ranks, NULL, 0), 0);
}

TestSuite(comm_scaling, .init = meet_alone);

static struct ct_scaling *model_of(struct table *table, const struct ct_scaling_options *options)
{
	struct ct_scaling *scaling;

	cr_assert_eq(ct_scaling_open(&scaling, &table->comm, options), 0);
	return scaling;
}

static void done(struct table *table, struct ct_scaling *scaling)
{
	ct_scaling_close(scaling);
	free(table->transfer);
}

static const struct ct_scaling_row *row_of(const struct ct_scaling *scaling, uint32_t devices,
					   enum ct_placement placement)
{
	const struct ct_scaling_row *row;
	size_t rows;

	row = ct_scaling_rows(scaling, &rows);
	for (size_t i = 0; i < rows; i++)
		if (row[i].devices == devices && row[i].placement == placement)
			return &row[i];
	cr_assert_fail("no row for %u devices, %s", devices, ct_placement_text(placement));
	return NULL;
}

/* In each superstep every CTA reads 8 bytes of each neighbour. */
static void chain(struct table *table, uint32_t ctas, uint32_t supersteps)
{
	for (uint32_t step = 1; step < supersteps; step++)
		for (uint32_t c = 0; c + 1 < ctas; c++) {
			table_send(table, c, c + 1, step, 8);
			table_send(table, c + 1, c, step, 8);
		}
}

Test(comm_scaling, blocks_of_a_chain_cross_at_their_ends)
{
	struct table table = table_of(240, 5);
	struct ct_scaling *scaling;

	chain(&table, 240, 5);
	scaling = model_of(&table, &all_devices);
	for (uint32_t k = 2; k <= 16; k++) {
		const struct ct_scaling_row *block = row_of(scaling, k, CT_PLACEMENT_BLOCK);
		const struct ct_scaling_row *cyclic = row_of(scaling, k, CT_PLACEMENT_CYCLIC);
		const struct ct_scaling_row *graph = row_of(scaling, k, CT_PLACEMENT_GRAPH);
		double busiest = k > 2 ? 16 : 8;

		cr_expect_eq(block->crossing_transfers, 4 * 2 * (k - 1));
		cr_expect_eq(block->crossing_bytes, 4 * 16 * (k - 1));
		cr_expect_eq(block->superstep_bytes[0], 0);
		for (uint32_t step = 1; step < 5; step++)
			cr_expect_eq(block->superstep_bytes[step], 16 * (k - 1));
		cr_expect_float_eq(block->predicted_seconds, 4 * (1e-6 + busiest / 1e9), 1e-15);
		cr_expect_float_eq(block->crossing_part, (k - 1) / 239.0, 1e-12);
		cr_expect_eq(cyclic->crossing_bytes, 4 * 16 * 239);
		cr_expect_float_eq(cyclic->crossing_part, 1, 1e-12);
		cr_expect_leq(graph->crossing_bytes, block->crossing_bytes);
		cr_expect_leq(graph->balance, 1.1);
		cr_expect_eq(cyclic->is_best, 0);
		cr_expect_eq(block->is_best + graph->is_best, 1);
	}
	cr_expect_float_eq(row_of(scaling, 16, CT_PLACEMENT_BLOCK)->balance, 1, 1e-12);
	done(&table, scaling);
}

Test(comm_scaling, all_to_all_crosses_wherever_ctas_live)
{
	struct table table = table_of(48, 2);
	struct ct_scaling *scaling;

	for (uint32_t s = 0; s < 48; s++)
		for (uint32_t t = 0; t < 48; t++)
			table_send(&table, s, t, 1, 10);
	scaling = model_of(&table, &all_devices);
	for (uint32_t k = 2; k <= 16; k++) {
		/* k equal parts of 48/k: each CTA reads from all that live elsewhere. */
		if (48 % k)
			continue;
		for (uint32_t p = 0; p < CT_PLACEMENTS; p++) {
			const struct ct_scaling_row *row = row_of(scaling, k, p);
			uint64_t elsewhere = 48 - 48 / k;

			cr_expect_eq(row->crossing_bytes, 48 * elsewhere * 10, "%u devices, %s", k,
				     ct_placement_text(p));
			cr_expect_eq(row->crossing_transfers, 48 * elsewhere);
			cr_expect_float_eq(row->predicted_seconds,
					   1e-6 + 48.0 / k * (double)elsewhere * 10 / 1e9, 1e-15);
			/* The share of the bytes between different CTAs. */
			cr_expect_float_eq(row->crossing_part, (double)elsewhere / 47, 1e-12);
			cr_expect_float_eq(row->balance, 1, 1e-12);
			cr_expect_eq(row->is_best, p == 0);
		}
	}
	done(&table, scaling);
}

Test(comm_scaling, bytes_that_ctas_of_a_device_share_cross_once)
{
	static const uint32_t writers[] = {0, 1}, readers[] = {0, 2, 3};
	static const struct ct_comm_delivery delivery = {.source_superstep = 0,
							 .target_superstep = 1,
							 .source = writers,
							 .target = readers,
							 .sources = 2,
							 .targets = 3,
							 .bytes = 100};
	struct ct_scaling_options two = all_devices;
	struct table table = table_of(4, 2);
	struct ct_scaling *scaling;

	for (uint32_t w = 0; w < 2; w++)
		for (uint32_t r = 0; r < 3; r++)
			table_send(&table, writers[w], readers[r], 1, 100);
	table.comm.delivery = &delivery;
	table.comm.deliveries = 1;
	two.devices_max = 2;
	scaling = model_of(&table, &two);
	/* Blocks: 0 and 1 write on one device, 2 and 3 read on the other. */
	cr_expect_eq(row_of(scaling, 2, CT_PLACEMENT_BLOCK)->crossing_bytes, 100);
	cr_expect_eq(row_of(scaling, 2, CT_PLACEMENT_BLOCK)->superstep_bytes[1], 100);
	cr_expect_eq(row_of(scaling, 2, CT_PLACEMENT_BLOCK)->crossing_transfers, 4);
	/* In turn: 0 for 3, 1 for 0 and 2. */
	cr_expect_eq(row_of(scaling, 2, CT_PLACEMENT_CYCLIC)->crossing_bytes, 200);
	cr_expect_eq(row_of(scaling, 2, CT_PLACEMENT_CYCLIC)->crossing_transfers, 3);
	cr_expect_eq(row_of(scaling, 2, CT_PLACEMENT_CYCLIC)->is_bound, 0);
	done(&table, scaling);
}

Test(comm_scaling, the_graph_finds_cliques_that_blocks_cut)
{
	struct ct_scaling_options two = all_devices;
	struct table table = table_of(64, 3);
	struct ct_scaling *scaling;

	/* CTAs 0, 1, 4, 5, 8 … and 2, 3, 6, 7 …: neither blocks nor turns part them. */
	for (uint32_t s = 0; s < 64; s++)
		for (uint32_t t = 0; t < 64; t++)
			if (s != t && (s & 2) == (t & 2))
				table_send(&table, s, t, 2, 100);
	table_send(&table, 0, 2, 1, 7);
	two.devices_max = 2;
	scaling = model_of(&table, &two);
	cr_expect_eq(row_of(scaling, 2, CT_PLACEMENT_GRAPH)->crossing_bytes, 7);
	cr_expect_eq(row_of(scaling, 2, CT_PLACEMENT_GRAPH)->superstep_bytes[1], 7);
	cr_expect_eq(row_of(scaling, 2, CT_PLACEMENT_GRAPH)->superstep_bytes[2], 0);
	cr_expect_eq(row_of(scaling, 2, CT_PLACEMENT_GRAPH)->is_best, 1);
	cr_expect_float_eq(row_of(scaling, 2, CT_PLACEMENT_GRAPH)->balance, 1, 1e-12);
	cr_expect_eq(row_of(scaling, 2, CT_PLACEMENT_BLOCK)->crossing_bytes, 2 * 2 * 16 * 16 * 100);
	cr_expect_eq(row_of(scaling, 2, CT_PLACEMENT_CYCLIC)->crossing_bytes,
		     2 * 2 * 16 * 16 * 100);
	done(&table, scaling);
}

Test(comm_scaling, the_busiest_device_decides)
{
	struct ct_scaling_options two = all_devices;
	struct table table = table_of(4, 3);
	struct ct_scaling *scaling;

	/* Into superstep 1: device 0 sends 100 and 50, receives 30. Into 2: device 1 sends 5. */
	table_send(&table, 0, 2, 1, 100);
	table_send(&table, 1, 3, 1, 50);
	table_send(&table, 0, 1, 1, 1000);
	table_send(&table, 2, 1, 1, 30);
	table_send(&table, 3, 0, 2, 5);
	two.devices_max = 2;
	scaling = model_of(&table, &two);
	cr_expect_float_eq(row_of(scaling, 2, CT_PLACEMENT_BLOCK)->predicted_seconds,
			   2e-6 + 155 / 1e9, 1e-15);
	cr_expect_eq(row_of(scaling, 2, CT_PLACEMENT_BLOCK)->crossing_transfers, 4);
	done(&table, scaling);
}

Test(comm_scaling, a_device_that_receives_from_all_is_the_busiest)
{
	struct ct_scaling_options three = all_devices;
	struct table table = table_of(3, 2);
	struct ct_scaling *scaling;

	table_send(&table, 0, 2, 1, 10);
	table_send(&table, 1, 2, 1, 20);
	three.devices_min = three.devices_max = 3;
	scaling = model_of(&table, &three);
	cr_expect_float_eq(row_of(scaling, 3, CT_PLACEMENT_BLOCK)->predicted_seconds,
			   1e-6 + 30 / 1e9, 1e-15);
	done(&table, scaling);
}

Test(comm_scaling, one_cta_and_no_transfers_cost_nothing)
{
	for (uint64_t ctas = 0; ctas <= 1; ctas++) {
		struct table table = table_of(ctas, ctas);
		struct ct_scaling *scaling;
		const struct ct_scaling_row *row;
		size_t rows;

		if (ctas)
			table_send(&table, 0, 0, 1, 8);
		table.comm.figures.supersteps = 2 * ctas;
		scaling = model_of(&table, &all_devices);
		row = ct_scaling_rows(scaling, &rows);
		cr_assert_eq(rows, 45);
		for (size_t i = 0; i < rows; i++) {
			cr_expect_eq(row[i].devices, 2 + i / 3);
			cr_expect_eq(row[i].placement, i % 3);
			cr_expect_eq(row[i].crossing_bytes, 0);
			cr_expect_eq(row[i].crossing_transfers, 0);
			cr_expect_float_eq(row[i].predicted_seconds, 0, 0);
			cr_expect_float_eq(row[i].crossing_part, 0, 0);
			cr_expect_float_eq(row[i].balance, ctas ? row[i].devices : 1, 1e-12);
			cr_expect_eq(row[i].is_best, i % 3 == 0);
		}
		done(&table, scaling);
	}
}

Test(comm_scaling, fewer_ctas_than_devices_live_alone)
{
	for (uint32_t ctas = 2; ctas <= 20; ctas++) {
		struct table table = table_of(ctas, 2);
		struct ct_scaling *scaling;

		chain(&table, ctas, 2);
		scaling = model_of(&table, &all_devices);
		for (uint32_t k = 2; k <= 16; k++) {
			const struct ct_scaling_row *graph = row_of(scaling, k, CT_PLACEMENT_GRAPH);
			uint32_t fullest = (ctas + k - 1) / k;

			cr_expect_float_eq(graph->balance, (double)fullest * k / ctas, 1e-9,
					   "%u CTAs, %u devices: %f", ctas, k, graph->balance);
			cr_expect_leq(graph->crossing_bytes,
				      row_of(scaling, k, CT_PLACEMENT_BLOCK)->crossing_bytes);
			if (ctas <= k)
				cr_expect_eq(graph->crossing_bytes, 16 * (ctas - 1));
		}
		done(&table, scaling);
	}
}

Test(comm_scaling, ctas_that_never_communicate_are_placed_too)
{
	struct ct_scaling_options four = all_devices;
	struct table table = table_of(1000, 2);
	struct ct_scaling *scaling;

	table_send(&table, 1, 999, 1, 64);
	table_send(&table, 999, 1, 1, 64);
	four.devices_min = four.devices_max = 4;
	scaling = model_of(&table, &four);
	cr_expect_eq(row_of(scaling, 4, CT_PLACEMENT_GRAPH)->crossing_bytes, 0);
	cr_expect_leq(row_of(scaling, 4, CT_PLACEMENT_GRAPH)->balance, 1.06);
	cr_expect_eq(row_of(scaling, 4, CT_PLACEMENT_BLOCK)->crossing_bytes, 128);
	done(&table, scaling);
}

Test(comm_scaling, huge_transfers_do_not_overflow_the_partitioner)
{
	struct ct_scaling_options two = all_devices;
	struct table table = table_of(64, 2);
	struct ct_scaling *scaling;

	for (uint32_t s = 0; s < 64; s++)
		for (uint32_t t = 0; t < 64; t++)
			if (s != t)
				table_send(&table, s, t, 1,
					   (s & 2) == (t & 2) ? 1ull << 48 : 1ull << 32);
	two.devices_max = 2;
	scaling = model_of(&table, &two);
	cr_expect_eq(row_of(scaling, 2, CT_PLACEMENT_GRAPH)->crossing_bytes, 2ull * 32 * 32 << 32);
	done(&table, scaling);
}

/* 1200 CTAs that all talk: more edges than the graph may have. */
Test(comm_scaling, large_graphs_are_coarsened)
{
	struct ct_scaling_options options = all_devices;
	struct table table = table_of(1200, 2);
	struct ct_scaling *scaling;

	for (uint32_t s = 0; s < 1200; s++)
		for (uint32_t t = 0; t < 1200; t++)
			table_send(&table, s, t, 1, 4);
	options.devices_min = options.devices_max = 4;
	scaling = model_of(&table, &options);
	for (uint32_t p = 0; p < CT_PLACEMENTS; p++)
		cr_expect_leq(row_of(scaling, 4, p)->crossing_bytes, 1200ull * 900 * 4);
	cr_expect_eq(row_of(scaling, 4, CT_PLACEMENT_BLOCK)->crossing_bytes, 1200ull * 900 * 4);
	cr_expect_leq(row_of(scaling, 4, CT_PLACEMENT_GRAPH)->balance, 1.06);
	done(&table, scaling);
}

/* More supersteps than the counters of one pass hold: as one after the other. */
Test(comm_scaling, many_supersteps_take_several_passes)
{
	enum { STEPS = 40000 };
	struct table table = table_of(4, STEPS);
	struct ct_scaling *scaling;
	const struct ct_scaling_row *row;

	for (uint32_t step = 1; step < STEPS; step++)
		table_send(&table, step % 4, (step + 1) % 4, step, step);
	scaling = model_of(&table, &all_devices);
	cr_expect_gt(table.comm.passes, 3);
	row = row_of(scaling, 4, CT_PLACEMENT_CYCLIC);
	cr_expect_eq(row->crossing_transfers, STEPS - 1);
	cr_expect_eq(row->crossing_bytes, (uint64_t)STEPS * (STEPS - 1) / 2);
	for (uint32_t step = 1; step < STEPS; step++)
		cr_assert_eq(row->superstep_bytes[step], step);
	cr_expect_float_eq(row->predicted_seconds,
			   (STEPS - 1) * 1e-6 + (double)row->crossing_bytes / 1e9, 1e-9);
	done(&table, scaling);
}

Test(comm_scaling, options_out_of_range_are_refused)
{
	struct ct_scaling_options bad[] = {all_devices, all_devices, all_devices, all_devices,
					   all_devices, all_devices, all_devices};
	struct table table = table_of(1, 1);
	struct ct_scaling *scaling;

	bad[0].devices_min = 1;
	bad[1].devices_max = 17;
	bad[2].devices_min = 9, bad[2].devices_max = 8;
	bad[3].bandwidth = 0;
	bad[4].latency = -1;
	bad[5].bandwidth = (double)INFINITY;
	bad[6].ranks = NULL;
	for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++) {
		cr_expect_eq(ct_scaling_open(&scaling, &table.comm, &bad[i]), -EINVAL);
		cr_expect_null(scaling);
	}
	free(table.transfer);
	ct_scaling_close(NULL);
}

/* Three threads as ranks. */

struct member {
	struct thread_rank rank;
	struct ct_comm comm;
	struct ct_scaling *scaling;
	int err;
};

static void *run_member(void *user)
{
	struct member *member = user;
	struct ct_scaling_options options = all_devices;

	options.ranks = &member->rank.ranks;
	member->err = ct_scaling_open(&member->scaling, &member->comm, &options);
	return NULL;
}

/* The last rank has most of the transfers. */
static size_t share(const struct table *table, uint32_t ranks)
{
	return table->comm.transfers * ranks * ranks * ranks /
	       (THREAD_RANKS * THREAD_RANKS * THREAD_RANKS);
}

static void run_ranks(struct member *member, struct thread_meeting *meeting,
		      const struct table *table)
{
	pthread_t thread[THREAD_RANKS];

	pthread_barrier_init(&meeting->barrier, NULL, THREAD_RANKS);
	for (uint32_t r = 0; r < THREAD_RANKS; r++) {
		size_t first = share(table, r);

		member[r] = (struct member){.rank = thread_rank_make(meeting, r),
					    .comm = {.transfer = table->transfer + first,
						     .transfers = share(table, r + 1) - first}};
		if (r == 0) /* the others have no figures */
			member[r].comm.figures = table->comm.figures;
		cr_assert_eq(pthread_create(&thread[r], NULL, run_member, &member[r]), 0);
	}
	for (uint32_t r = 0; r < THREAD_RANKS; r++)
		pthread_join(thread[r], NULL);
	pthread_barrier_destroy(&meeting->barrier);
}

static void expect_equal_rows(const struct ct_scaling *one, const struct ct_scaling *other,
			      size_t supersteps)
{
	const struct ct_scaling_row *a, *b;
	size_t rows, count;

	a = ct_scaling_rows(one, &rows);
	b = ct_scaling_rows(other, &count);
	cr_assert_eq(rows, count);
	for (size_t i = 0; i < rows; i++) {
		cr_expect_eq(a[i].crossing_bytes, b[i].crossing_bytes);
		cr_expect_eq(a[i].crossing_transfers, b[i].crossing_transfers);
		cr_expect_float_eq(a[i].crossing_part, b[i].crossing_part, 0);
		cr_expect_float_eq(a[i].predicted_seconds, b[i].predicted_seconds, 0);
		cr_expect_float_eq(a[i].balance, b[i].balance, 0);
		cr_expect_eq(a[i].is_best, b[i].is_best);
		cr_expect_arr_eq(a[i].superstep_bytes, b[i].superstep_bytes,
				 supersteps * sizeof(uint64_t));
	}
}

static void compare_ranks(struct table *table, size_t supersteps)
{
	static struct member member[THREAD_RANKS];
	static struct thread_meeting meeting;
	struct ct_scaling *alone = model_of(table, &all_devices);
	size_t rows;

	run_ranks(member, &meeting, table);
	for (uint32_t r = 0; r < THREAD_RANKS; r++)
		cr_assert_eq(member[r].err, 0);
	expect_equal_rows(alone, member[0].scaling, supersteps);
	for (uint32_t r = 1; r < THREAD_RANKS; r++) {
		ct_scaling_rows(member[r].scaling, &rows);
		cr_expect_eq(rows, 0);
	}
	for (uint32_t r = 0; r < THREAD_RANKS; r++)
		ct_scaling_close(member[r].scaling);
	done(table, alone);
}

Test(comm_scaling, ranks_find_what_one_process_finds)
{
	struct table table = table_of(100, 30);
	uint64_t seed = 7;

	for (uint32_t i = 0; i < 20000; i++) {
		seed = seed * 6364136223846793005ull + 1442695040888963407ull;
		table_send(&table, seed >> 33 & 63, (seed >> 40) % 100, 1 + i % 29,
			   1 + (seed >> 55));
	}
	compare_ranks(&table, 30);
}

/* One rank has more edges than the bound, the others fewer. */
Test(comm_scaling, ranks_coarsen_as_one_process_does)
{
	struct table table = table_of(1300, 2);

	for (uint32_t s = 0; s < 1300; s++)
		for (uint32_t t = 0; t < s; t++)
			table_send(&table, s, t, 1, 1 + (s ^ t) % 64);
	compare_ranks(&table, 2);
}
