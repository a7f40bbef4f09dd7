/* SPDX-License-Identifier: Apache-2.0 */
/* Bank conflicts: by hand for rows, columns, broadcasts and masks; and of random accesses what a
 * naive count says, on any number of workers and ranks. */
#include "postproc/analysis/banks/analysis.h"
#include "postproc/analysis/finder.h"
#include "postproc/scan/pass.h"
#include "tests/unit/postproc/thread_ranks.h"
#include "tests/unit/trace/trace_fixture.h"
#include "tests/unit/trace/trace_random.h"
#include "trace/read/scanner.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SHARED_WORDS 12288u
#define KERNEL "_Z4turnPf"
#define SEGMENTS 300u

/* Lane l of mask accesses bytes at first + l * step: so many wavefronts, of which so many are
 * needed, and words in one bank. */
static void check(uint32_t bytes, uint32_t mask, uint64_t first, uint64_t step, uint32_t wavefronts,
		  uint32_t ideal, uint32_t ways)
{
	uint64_t address[CT_WARP_LANES];
	struct ct_banks_request request;

	for (uint64_t lane = 0; lane < CT_WARP_LANES; lane++)
		address[lane] = CT_ADDRESS_IN(CT_SPACE_SHARED, first + lane * step);
	request = ct_banks_request(address, mask, bytes);
	cr_assert_eq(request.wavefronts, wavefronts,
		     "%u B, mask %x, step %d: %u wavefronts, not %u", bytes, mask, (int)step,
		     request.wavefronts, wavefronts);
	cr_assert_eq(request.ideal, ideal);
	cr_assert_eq(request.ways, ways);
}

Test(banks, a_column_of_a_tile_is_one_bank_unless_it_is_padded)
{
	check(4, CT_FULL_MASK, 4096, 4, 1, 1, 1);
	check(4, CT_FULL_MASK, 12, 128, 32, 1, 32);
	check(4, CT_FULL_MASK, 12, 132, 1, 1, 1);
	check(4, CT_FULL_MASK, 12, 64, 16, 1, 16);
	check(4, CT_FULL_MASK, 124, (uint64_t)-4, 1, 1, 1);
	check(8, CT_FULL_MASK, 8, 256, 32, 2, 16);
	check(8, CT_FULL_MASK, 8, 264, 2, 2, 1);
	check(16, CT_FULL_MASK, 0, 512, 32, 4, 8);
	check(16, CT_FULL_MASK, 0, 528, 4, 4, 1);
}

Test(banks, wide_rows_take_the_wavefronts_of_their_width)
{
	check(8, CT_FULL_MASK, 0, 8, 2, 2, 1);
	check(16, CT_FULL_MASK, 0, 16, 4, 4, 1);
	check(8, CT_FULL_MASK, 0, 16, 4, 2, 2);
	check(2, CT_FULL_MASK, 0, 2, 1, 1, 1);
	check(1, CT_FULL_MASK, 0, 4, 1, 1, 1);
	check(1, CT_FULL_MASK, 0, 8, 2, 1, 2);
}

Test(banks, one_word_for_several_lanes_is_one)
{
	check(4, CT_FULL_MASK, 64, 0, 1, 1, 1);
	check(1, CT_FULL_MASK, 64, 1, 1, 1, 1);
	check(8, CT_FULL_MASK, 64, 0, 2, 2, 1);
	check(16, CT_FULL_MASK, 64, 0, 4, 4, 1);
}

Test(banks, lanes_that_are_not_active_do_not_count)
{
	check(4, 1u << 17, 0, 128, 1, 1, 1);
	check(4, 0x80000001u, 0, 128, 2, 1, 2);
	check(4, 0x0000ffffu, 0, 128, 16, 1, 16);
	check(8, 0x0000ffffu, 0, 256, 16, 1, 16);
	check(8, 0x00010001u, 0, 256, 2, 2, 1);
	check(16, 0x00ff0000u, 0, 16, 1, 1, 1);
	check(16, 0x00000101u, 0, 512, 2, 2, 1);
}

/* Wavefronts of the lanes that the banks serve together: all words are looked at, bank by bank. */
static uint32_t naive_part(const uint64_t *offset, uint32_t lanes, uint32_t bytes)
{
	static uint8_t is_used[SHARED_WORDS];
	uint32_t most = 0;

	memset(is_used, 0, sizeof(is_used));
	for (uint32_t lane = 0; lane < CT_WARP_LANES; lane++)
		for (uint32_t b = 0; b < bytes && lanes >> lane & 1; b++)
			is_used[(offset[lane] + b) / 4] = 1;
	for (uint32_t bank = 0; bank < 32; bank++) {
		uint32_t words = 0;

		for (uint32_t w = bank; w < SHARED_WORDS; w += 32)
			words += is_used[w];
		most = words > most ? words : most;
	}
	return most;
}

static struct ct_banks_request naive(const uint64_t *offset, uint32_t lanes, uint32_t bytes)
{
	static const uint32_t halves[] = {0xffff, 0xffff0000},
			      quarters[] = {0xff, 0xff00, 0xff0000, 0xff000000},
			      all[] = {CT_FULL_MASK};
	const uint32_t *part = bytes == 8 ? halves : bytes == 16 ? quarters : all;
	struct ct_banks_request sum = {0};

	for (uint32_t i = 0; i < (bytes == 8 ? 2 : bytes == 16 ? 4 : 1); i++) {
		uint32_t ways = naive_part(offset, lanes & part[i], bytes);

		sum.wavefronts += ways;
		sum.ideal += ways > 0;
		sum.ways = ways > sum.ways ? ways : sum.ways;
	}
	return sum;
}

/* Sites 0 and 1 are copies of one line. */
enum { LOAD, COPY, STORE_8, LOAD_16, BYTE, ATOMIC, MIXED, SITES };
static const uint32_t site_bytes[SITES] = {4, 4, 8, 16, 1, 4, 4};

static char *directory;
static struct ct_banks_figures expected[SITES];

static void add_unit(struct build *b)
{
	static const enum build_operation operation[SITES] = {
	    BUILD_LOAD, BUILD_LOAD,       BUILD_STORE, BUILD_LOAD,
	    BUILD_LOAD, BUILD_ATOMIC_ADD, BUILD_LOAD,
	};
	struct build_unit *unit = build_unit(1, 90, "src/turn.cu");

	unit->header.spaces |= 1u << CT_SPACE_SHARED;
	build_kernel(unit, KERNEL, "turn(float*)", 3);
	for (uint32_t i = 0; i < SITES; i++) {
		struct ct_unit_site *site =
		    build_site(unit, KERNEL, 10 + (i > COPY ? i : 0), operation[i], site_bytes[i]);

		site->space = i == MIXED ? CT_SPACE_GENERIC : CT_SPACE_SHARED;
		site->verdict = i == MIXED ? CT_VERDICT_CHECKED : CT_VERDICT_GLOBAL;
	}
	build_add_unit(b, unit);
}

static uint32_t random_mask(void)
{
	uint32_t mask = (uint32_t)trace_random();

	return trace_random_below(2) || !mask ? CT_FULL_MASK : mask;
}

/* An access at a site, and what it should count. Of MIXED odd lanes are in global memory. */
static void add_access(struct build *b, uint32_t site, uint64_t words)
{
	uint64_t offset[CT_WARP_LANES], address[CT_WARP_LANES];
	uint32_t bytes = site_bytes[site], mask = random_mask(), lanes = mask;
	struct ct_banks_request request;

	for (uint32_t lane = 0; lane < CT_WARP_LANES; lane++) {
		offset[lane] = trace_random_below(words * 4 / bytes) * bytes;
		address[lane] = CT_ADDRESS_IN(CT_SPACE_SHARED, offset[lane]);
		if (site == MIXED && lane % 2)
			address[lane] = FIXTURE_X + offset[lane];
	}
	build_access(b, site, bytes, mask, address);
	lanes &= site == MIXED ? 0x55555555u : CT_FULL_MASK;
	if (site == ATOMIC || !lanes)
		return;
	request = naive(offset, lanes, bytes);
	expected[site].requests++;
	expected[site].wavefronts += request.wavefronts;
	expected[site].ideal += request.ideal;
	if (request.ways > expected[site].most_ways)
		expected[site].most_ways = request.ways;
}

static void make(void)
{
	struct build *b;
	uint64_t ticket = 0;

	directory = fixture_directory();
	memset(expected, 0, sizeof(expected));
	trace_random_state = 815;
	b = build_part(directory, NULL);
	add_unit(b);
	BUILD_EVENT(b, device, .name = build_string(b, "Demo"), .sm_count = 2);
	BUILD_LAUNCH(b, .kernel_name = build_string(b, KERNEL), .grid = {SEGMENTS});
	for (uint32_t cta = 0; cta < SEGMENTS; cta++) {
		if (cta && (cta % 3 == 0 || trace_random_below(4) == 0))
			build_chunk_alone(b, ticket++);
		BUILD_SEGMENT(b, .launch = 1, .cta = cta);
		for (uint32_t site = 0; site < SITES; site++)
			add_access(b, site, trace_random_below(2) ? SHARED_WORDS : 256);
	}
	build_chunk_alone(b, ticket);
	build_done(b, 1);
	cr_assert_eq(build_close(b, "{\"complete\": true}"), 0);
}

static void clean(void)
{
	fixture_remove(directory);
}

/* Runs the analysis as its finder says, on rank 0 to the figures that are expected. */
struct rank_run {
	struct thread_rank rank;
	uint32_t threads;
	bool is_alone;
	struct ct_findings findings;
	bool is_equal;
	pthread_t thread;
};

static bool is_expected(const struct ct_banks_job *job)
{
	bool is_equal = true;

	for (uint32_t i = 0; i < SITES; i++) {
		const struct ct_banks_figures *f = &job->site[0][i], *e = &expected[i];

		is_equal &= f->requests == e->requests && f->wavefronts == e->wavefronts &&
			    f->ideal == e->ideal &&
			    f->most_ways == (e->most_ways > 1 ? e->most_ways : 0) &&
			    f->excess[0] + f->excess[1] + f->excess[2] == e->wavefronts - e->ideal;
	}
	return is_equal;
}

static void *run_rank(void *user)
{
	struct rank_run *run = user;
	const struct ct_finder *finder = &ct_banks_finder;
	const struct ct_pass_options options = {.threads = run->threads,
						.ranks = run->is_alone ? NULL : &run->rank.ranks};
	struct ct_inquiry inquiry = {.filter = NULL};
	struct ct_task task = {finder->analysis, NULL};
	struct ct_trace *trace;
	char why[512];

	cr_assert_eq(ct_trace_open(&trace, directory, why, sizeof(why)), 0, "%s", why);
	cr_assert_gt(ct_trace_record_chunks(trace), SEGMENTS / 3, "there is something to share");
	inquiry.trace = trace;
	cr_assert_eq(finder->open(&task.job, &inquiry), 0);
	cr_assert_eq(ct_pass_run(trace, &task, 1, &options, NULL, NULL), 0);
	if (run->rank.ranks.rank == 0) {
		run->is_equal = is_expected(task.job);
		cr_assert_eq(finder->find(&run->findings, task.job, &inquiry), 0);
	}
	finder->close(task.job);
	ct_trace_close(trace);
	return NULL;
}

TestSuite(banks_pass, .init = make, .fini = clean);

Test(banks_pass, counts_what_a_naive_count_does)
{
	for (uint32_t threads = 1; threads <= 3; threads += 2) {
		struct rank_run run = {.threads = threads, .is_alone = true};

		run_rank(&run);
		cr_assert(run.is_equal);
		ct_findings_fini(&run.findings);
	}
}

Test(banks_pass, is_shared_by_ranks)
{
	struct rank_run run[THREAD_RANKS];
	struct thread_meeting meeting;

	pthread_barrier_init(&meeting.barrier, NULL, THREAD_RANKS);
	for (uint32_t i = 0; i < THREAD_RANKS; i++) {
		run[i] = (struct rank_run){.rank = thread_rank_make(&meeting, i), .threads = 2};
		cr_assert_eq(pthread_create(&run[i].thread, NULL, run_rank, &run[i]), 0);
	}
	for (uint32_t i = 0; i < THREAD_RANKS; i++)
		pthread_join(run[i].thread, NULL);
	cr_assert(run[0].is_equal);
	ct_findings_fini(&run[0].findings);
	pthread_barrier_destroy(&meeting.barrier);
}

/* Lines but that of atomics whose excess is a tenth of the kernel's wavefronts, copies together. */
static size_t count_worthwhile(const struct ct_banks_figures *both)
{
	uint64_t all = both->wavefronts;
	size_t count;

	for (uint32_t i = COPY + 1; i < SITES; i++)
		all += expected[i].wavefronts;
	count = 10 * (both->wavefronts - both->ideal) >= all;
	for (uint32_t i = COPY + 1; i < SITES; i++)
		count += 10 * (expected[i].wavefronts - expected[i].ideal) >= all;
	return count;
}

/* One for each line where that is worth a word, most excess first. */
Test(banks_pass, finds_lines_by_their_excess)
{
	struct rank_run run = {.threads = 2, .is_alone = true};
	struct ct_banks_figures both = expected[LOAD];
	char text[128];
	bool is_found = false;

	run_rank(&run);
	ct_banks_figures_add(&both, &expected[COPY]);
	cr_assert_eq(run.findings.count, count_worthwhile(&both));
	cr_assert_eq(run.findings.count, 3);
	snprintf(text, sizeof(text), "-way bank conflicts at turn.cu:10: %u %03u of ",
		 (uint32_t)(both.wavefronts - both.ideal) / 1000,
		 (uint32_t)(both.wavefronts - both.ideal) % 1000);
	for (size_t i = 0; i < run.findings.count; i++) {
		const struct ct_finding *finding = &run.findings.list[i];

		cr_assert_eq(finding->worth.value, finding->figure.value);
		cr_assert(i == 0 || finding->worth.value <= finding[-1].worth.value);
		cr_assert_neq(finding->site[0].site, ATOMIC);
		cr_assert(strstr(finding->fix, "no constant distance"), "%s", finding->fix);
		is_found |= strstr(finding->text, text) != NULL;
	}
	cr_assert(is_found, "no '%s'", text);
	ct_findings_fini(&run.findings);
}
