/* SPDX-License-Identifier: Apache-2.0 */
/* Tests what memory checks keep: who had an address, which bytes are written, and who may have
 * written before a launch reads. */
#include "postproc/analysis/check/bits.h"
#include "postproc/analysis/check/memory.h"
#include "postproc/analysis/check/owners.h"
#include "postproc/analysis/check/steps.h"
#include "postproc/analysis/check/unwritten.h"
#include "postproc/analysis/check/words.h"
#include "tests/builder/trace.h"
#include "tests/unit/trace/trace_fixture.h"

#include <criterion/criterion.h>
#include <errno.h>

#define X 0x7000000000ul
#define LIMIT ((uint64_t)1 << 20)

Test(check_bits, parts_of_pages_are_written_and_copied)
{
	static const uint64_t bytes[] = {10000, 10000, 0};
	struct ct_check_bits *bits;

	cr_assert_eq(ct_check_bits_open(&bits, bytes, 3, LIMIT), 0);
	cr_expect(ct_check_bits_are_clear(bits, 0, 0, 10000));
	cr_expect_not(ct_check_bits_are_clear(bits, 0, 0, 10001), "not all in the object");
	cr_expect_not(ct_check_bits_are_clear(bits, 2, 0, 1), "of what is not looked at");
	cr_assert_eq(ct_check_bits_set(bits, 0, 4090, 13, true), 0);
	cr_expect(ct_check_bits_are_clear(bits, 0, 0, 4090));
	cr_expect_not(ct_check_bits_are_clear(bits, 0, 4089, 2));
	cr_expect_not(ct_check_bits_are_clear(bits, 0, 4102, 1));
	cr_expect(ct_check_bits_are_clear(bits, 0, 4103, 4));
	cr_assert_eq(ct_check_bits_copy(bits, 1, 100, 0, 4085, 20), 0);
	cr_expect(ct_check_bits_are_clear(bits, 1, 100, 5), "as its source");
	cr_expect_not(ct_check_bits_are_clear(bits, 1, 105, 1));
	cr_expect_not(ct_check_bits_are_clear(bits, 1, 117, 1));
	cr_expect(ct_check_bits_are_clear(bits, 1, 118, 2));
	cr_assert_eq(ct_check_bits_copy(bits, 1, 0, 2, 0, 8), 0);
	cr_expect_not(ct_check_bits_are_clear(bits, 1, 0, 1), "from what is not looked at");
	cr_assert_eq(ct_check_bits_set(bits, 0, 0, 10000, false), 0);
	cr_expect(ct_check_bits_are_clear(bits, 0, 0, 10000));
	ct_check_bits_close(bits);
}

Test(check_bits, whole_pages_take_no_memory_and_the_limit_is_kept)
{
	static const uint64_t bytes[] = {(uint64_t)8 << 20};
	struct ct_check_bits *bits;
	uint64_t at = 0;
	int err = 0;

	cr_assert_eq(ct_check_bits_open(&bits, bytes, 1, 32768), 0);
	cr_expect_eq(ct_check_bits_set(bits, 0, 0, bytes[0], true), 0);
	cr_expect_eq(ct_check_bits_set(bits, 0, 0, bytes[0], false), 0);
	for (; err == 0 && at < bytes[0]; at += CT_CHECK_PAGE_BYTES)
		err = ct_check_bits_set(bits, 0, at, 1, true);
	cr_expect_eq(err, -EDQUOT, "%d", err);
	cr_expect_not(ct_check_bits_are_clear(bits, 0, 0, 1));
	ct_check_bits_close(bits);
}

/* Events have the indices of the order in which they are written, from that of the device on. */
struct story {
	char *directory;
	struct build *b;
	struct ct_trace *trace;
};

static struct story begin_on(bool is_cpu)
{
	struct story story = {.directory = fixture_directory()};
	struct build_unit *unit = build_unit(1, 90, "demo.cu");

	story.b = build_part(story.directory, NULL);
	build_kernel(unit, "_Z3ownPf", "own(float*)", 1);
	build_site(unit, "_Z3ownPf", 2, BUILD_LOAD, 4);
	build_site(unit, "_Z3ownPf", 3, BUILD_STORE, 4);
	build_add_unit(story.b, unit);
	BUILD_EVENT(story.b, device, .name = build_string(story.b, "Demo"), .sm_count = 2,
		    .is_cpu_target = is_cpu);
	return story;
}

static struct story begin(void)
{
	return begin_on(true);
}

static void allocate(struct story *story, uint32_t object, uint64_t address, uint64_t bytes)
{
	BUILD_EVENT(story->b, alloc, .address = address, .bytes = bytes, .object = object,
		    .kind = CT_OBJECT_DEVICE);
}

static void launch(struct story *story, uint64_t stream)
{
	uint32_t id = BUILD_LAUNCH(story->b, .kernel_name = build_string(story->b, "_Z3ownPf"),
				   .grid = {1}, .stream = stream);

	BUILD_SEGMENT(story->b, .launch = id);
	build_lanes(story->b, 0, 4, 1, X, 4);
	build_chunk(story->b);
	build_done(story->b, id);
}

static void set(struct story *story, uint64_t address, uint64_t bytes)
{
	BUILD_EVENT(story->b, transfer, .target = address, .width = bytes, .height = 1, .depth = 1,
		    .target_row = bytes, .target_slice = bytes, .kind = CT_TRANSFER_SET);
}

static void read_story(struct story *story)
{
	char why[512];

	cr_assert_eq(build_close(story->b, "{}"), 0);
	cr_assert_eq(ct_trace_open(&story->trace, story->directory, why, sizeof(why)), 0, "%s",
		     why);
}

static void end(struct story *story)
{
	ct_trace_close(story->trace);
	fixture_remove(story->directory);
}

static uint32_t owner(struct ct_check_owners *owners, uint64_t address, uint64_t index)
{
	const struct ct_object_info *object = ct_check_object_at(owners, 0, address, index);

	return object ? object->event->object : 0;
}

Test(check_owners, the_last_one_is_found_forth_and_back)
{
	struct story story = begin();
	const struct ct_object_info *object;
	struct ct_check_owners *owners;

	allocate(&story, 1, X, 4096);
	BUILD_EVENT(story.b, free, .address = X, .object = 1);
	allocate(&story, 2, X + 1024, 1024);
	BUILD_EVENT(story.b, free, .address = X + 1024, .object = 2);
	allocate(&story, 3, X + 1536, 4096);
	read_story(&story);
	cr_assert_eq(ct_trace_objects(story.trace, &object), 3);
	cr_assert_eq(ct_check_owners_open(&owners, story.trace), 0);
	for (int round = 0; round < 2; round++) {
		uint64_t last = object[2].allocated_at + 1;

		cr_expect_eq(owner(owners, X + 1024, last), 2, "freed");
		cr_expect_eq(owner(owners, X + 1536, last), 3);
		cr_expect_eq(owner(owners, X + 1023, last), 1);
		cr_expect_eq(owner(owners, X + 4095, last), 3);
		cr_expect_eq(owner(owners, X + 1536 + 4096, last), 0);
		cr_expect_eq(owner(owners, X + 1536, object[2].allocated_at), 2);
		cr_expect_eq(owner(owners, X + 4095, object[2].allocated_at), 1);
		cr_expect_eq(owner(owners, X + 1536, object[1].allocated_at), 1);
		cr_expect_eq(owner(owners, X, object[0].allocated_at), 0, "not yet");
		cr_expect_eq(ct_check_object_at(owners, 1, X, last), NULL, "of another part");
		cr_expect_eq(ct_check_freed_since(owners, &object[0], last, 10), 4096 + 1024 + 20);
		cr_expect_eq(ct_check_freed_since(owners, &object[1], last, 10), 1024 + 10);
		cr_expect_eq(ct_check_freed_since(owners, &object[1], object[1].allocated_at, 10),
			     0);
	}
	ct_check_owners_close(owners);
	end(&story);
}

Test(check_owners, what_lies_nowhere_is_behind_freed_or_unknown)
{
	struct story story = begin();
	const struct ct_launch_info *run;
	struct ct_check_owners *owners;
	struct ct_check_found found;

	allocate(&story, 1, X, 100);
	allocate(&story, 2, X + 1024, 1024);
	BUILD_EVENT(story.b, free, .address = X + 1024, .object = 2);
	launch(&story, 0);
	read_story(&story);
	cr_assert_eq(ct_trace_launches(story.trace, &run), 1);
	cr_assert_eq(ct_check_owners_open(&owners, story.trace), 0);
	found = ct_check_find(owners, story.trace, run, X + 99);
	cr_expect(found.where == CT_CHECK_LIVE && found.object->event->object == 1);
	found = ct_check_find(owners, story.trace, run, X + 255);
	cr_expect(found.where == CT_CHECK_BEHIND && found.object->event->object == 1);
	cr_expect_eq(ct_check_find(owners, story.trace, run, X + 256).where, CT_CHECK_UNKNOWN);
	found = ct_check_find(owners, story.trace, run, X + 1024);
	cr_expect(found.where == CT_CHECK_FREED && found.object->event->object == 2);
	cr_expect_eq(ct_check_find(owners, story.trace, run, X + 2048).where, CT_CHECK_UNKNOWN);
	cr_expect_eq(ct_check_find(owners, story.trace, run, 8).where, CT_CHECK_NOWHERE);
	ct_check_owners_close(owners);
	end(&story);
}

static int count_step(void *user, const struct ct_transfer_info *transfer, uint32_t step)
{
	(void)step;
	*(uint64_t *)user = *(uint64_t *)user * 10 + transfer->event->width;
	return 0;
}

/* Transfers of the legacy default stream are waited for by the launches behind them. */
Test(check_steps, transfers_come_once_before_the_launch_they_precede)
{
	struct story story = begin();
	const struct ct_launch_info *run;
	struct ct_check_steps *steps;
	uint64_t seen = 0;

	allocate(&story, 1, X, 64);
	set(&story, X, 1);
	launch(&story, 0);
	set(&story, X, 2);
	launch(&story, 0);
	set(&story, X, 3);
	read_story(&story);
	cr_assert_eq(ct_trace_launches(story.trace, &run), 2);
	cr_assert_eq(ct_check_steps_open(&steps, story.trace), 0);
	cr_expect(ct_check_steps_are_known(steps));
	cr_expect_eq(ct_check_steps_until(steps, &run[0], count_step, &seen), 0);
	cr_expect_eq(seen, 1, "%lu", (unsigned long)seen);
	cr_expect_eq(ct_check_steps_until(steps, &run[1], count_step, &seen), 0);
	cr_expect_eq(seen, 12, "%lu", (unsigned long)seen);
	cr_expect_eq(ct_check_steps_until(steps, NULL, count_step, &seen), 0);
	cr_expect_eq(seen, 123, "%lu", (unsigned long)seen);
	cr_expect(ct_check_steps_before(steps, ct_check_steps_of(steps, &run[0]),
					ct_check_steps_of(steps, &run[1])));
	ct_check_steps_close(steps);
	end(&story);
}

Test(check_steps, a_launch_that_is_not_recorded_may_have_written)
{
	struct story story = begin();
	const struct ct_object_info *object;
	const struct ct_launch_info *run;
	struct ct_check_steps *steps;

	allocate(&story, 1, X, 64);
	BUILD_LAUNCH(story.b, .kernel_name = build_string(story.b, "_Z3ownPf"), .grid = {1},
		     .reason = build_string(story.b, "not selected"));
	allocate(&story, 2, X + 256, 64);
	launch(&story, 0);
	read_story(&story);
	cr_assert_eq(ct_trace_objects(story.trace, &object), 2);
	cr_assert_eq(ct_trace_launches(story.trace, &run), 2);
	cr_assert_eq(ct_check_steps_open(&steps, story.trace), 0);
	cr_expect_not(ct_check_steps_can_tell(steps, &run[1], object[0].allocated_at));
	cr_expect(ct_check_steps_can_tell(steps, &run[1], object[1].allocated_at));
	ct_check_steps_close(steps);
	end(&story);
}

/* All that a GPU writes is known if CUPTI reports calls, and no more copies than were asked for. */
Test(check_steps, what_a_gpu_writes_is_known_with_its_calls)
{
	static const struct {
		const char *source;
		uint64_t copies;
		bool is_known;
	} cases[] = {{"wrappers, CUPTI 13.0", 1, true},
		     {"wrappers, CUPTI 13.0", 2, false},
		     {"wrappers", 1, false},
		     {NULL, 0, false}};

	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		const struct ct_row_activity copies[2] = {{.kind = CT_ACTIVITY_COPY},
							  {.kind = CT_ACTIVITY_SET}};
		struct story story = begin_on(false);
		struct ct_check_steps *steps;

		if (cases[i].source)
			BUILD_EVENT(story.b, calls,
				    .source = build_string(story.b, cases[i].source));
		ct_writer_rows(story.b->writer, CT_TABLE_ACTIVITY, copies, cases[i].copies, NULL);
		allocate(&story, 1, X, 64);
		set(&story, X, 64);
		launch(&story, 0);
		read_story(&story);
		cr_assert_eq(ct_check_steps_open(&steps, story.trace), 0);
		cr_expect_eq(ct_check_steps_are_known(steps), cases[i].is_known, "case %zu", i);
		ct_check_steps_close(steps);
		end(&story);
	}
}

/* One lane of a warp, at X + offset. */
static void access_at(struct ct_check_unwritten *unwritten, const struct ct_launch_info *run,
		      uint32_t site, uint32_t warp, uint64_t offset)
{
	const struct ct_access access = {.launch = run,
					 .unit = run->unit,
					 .warp = warp,
					 .mask = 1,
					 .site = site,
					 .info = &run->unit->sites[site],
					 .address = {X + offset}};

	cr_assert_eq(ct_check_unwritten_add(unwritten, &access), 0);
}

Test(check_unwritten, what_nothing_writes_in_order_is_read_unwritten)
{
	enum { LOAD, STORE };
	struct story story = begin();
	struct ct_check_unwritten *unwritten;
	struct ct_check_owners *owners;
	struct ct_check_causes causes;
	const struct ct_launch_info *run;

	allocate(&story, 1, X, 64);
	set(&story, X + 16, 8);
	launch(&story, 0);
	read_story(&story);
	cr_assert_eq(ct_trace_launches(story.trace, &run), 1);
	ct_check_causes_init(&causes, story.trace);
	cr_assert_eq(ct_check_owners_open(&owners, story.trace), 0);
	cr_assert_eq(ct_check_unwritten_open(&unwritten, story.trace, owners, &causes, 0, LIMIT),
		     0);
	access_at(unwritten, run, LOAD, 0, 0); /* its own warp writes later */
	access_at(unwritten, run, STORE, 0, 0);
	access_at(unwritten, run, LOAD, 0, 0); /* and reads again */
	access_at(unwritten, run, LOAD, 0, 4); /* another warp writes, in whatever order */
	access_at(unwritten, run, STORE, 1, 4);
	access_at(unwritten, run, LOAD, 2, 8); /* so of two warps that read before it, twice */
	access_at(unwritten, run, LOAD, 0, 8);
	access_at(unwritten, run, LOAD, 2, 8);
	access_at(unwritten, run, STORE, 1, 8);
	access_at(unwritten, run, LOAD, 0, 16); /* the memset's */
	access_at(unwritten, run, LOAD, 0, 22); /* two bytes of it */
	access_at(unwritten, run, LOAD, 0, 24); /* not written */
	cr_assert_eq(ct_check_unwritten_end(unwritten), 0);
	cr_expect(ct_check_unwritten_is_known(unwritten));
	cr_assert_eq(causes.count, 1);
	cr_expect_eq(causes.list[0].kind, CT_CHECK_UNINITIALIZED_READ);
	cr_expect_eq(causes.list[0].count, 2, "%lu", (unsigned long)causes.list[0].count);
	cr_expect_eq(causes.list[0].address, X);
	ct_check_unwritten_close(unwritten);
	ct_check_owners_close(owners);
	ct_check_causes_fini(&causes);
	end(&story);
}

static void is_named(const char *symbol, const char *name)
{
	char buffer[CT_CHECK_NAME_BYTES];

	cr_expect_str_eq(ct_check_variable_name(symbol, buffer), name, "%s: %s", symbol, buffer);
}

Test(check_words, variables_have_their_names_of_the_source)
{
	is_named("table", "table");
	is_named("_ZL5table", "table");
	is_named("_ZN4grid5tableE", "grid::table");
	is_named("_ZN12_GLOBAL__N_15tableE", "(anonymous namespace)::table");
	is_named("_ZN4grid5tableIiE5cellsE", "_ZN4grid5tableIiE5cellsE");
	is_named("_ZN99grid", "_ZN99grid");
}
