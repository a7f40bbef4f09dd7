/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Runs of a program made by hand, as traces with calls, uses and contents, and the study of them.
 * Every call site is a stack of one frame: stack n is reported as "app+0x<n>0". Times are
 * microseconds from the run's begin. Calls must be given in the order of their ends.
 */
#ifndef CT_TEST_FFM_STORY_H
#define CT_TEST_FFM_STORY_H

#include "postproc/analysis/ffm/study.h"
#include "tests/builder/trace.h"
#include "tests/unit/trace/trace_fixture.h"
#include <criterion/criterion.h>
#include <string.h>

#define STORY_START_NS 1750000000000000000ull
#define STORY_STACKS 16u
#define STORY_THREAD 100u
#define STORY_AT(us) .header.time_ns = STORY_START_NS + (uint64_t)(us)*1000

struct story {
	char *directory;
	struct build *b;
	struct ct_trace *trace;
	struct ct_ffm_study study;
};

static inline void story_begin(struct story *story)
{
	struct ct_row_stack stack[STORY_STACKS];

	story->directory = fixture_directory();
	story->b = build_part(story->directory, NULL);
	BUILD_EVENT(story->b, module, .module = 1, .size = 0x10000,
		    .path = build_string(story->b, "/nowhere/app"));
	for (uint32_t i = 0; i < STORY_STACKS; i++)
		stack[i] = (struct ct_row_stack){.offset = 16 * (i + 1), .module = 1};
	ct_writer_rows(story->b->writer, CT_TABLE_STACK, stack, STORY_STACKS, NULL);
}

/* Fields of row are kept; times and name are filled in. */
static inline void story_call(struct story *story, const char *name, uint32_t stack, uint64_t from,
			      uint64_t to, struct ct_row_call row)
{
	row.name = build_string(story->b, name);
	row.begin_ns = STORY_START_NS + from * 1000;
	row.duration_ns = (to - from) * 1000;
	row.thread = STORY_THREAD;
	row.kind = CT_SPAN_RUNTIME;
	row.stack = stack;
	ct_writer_rows(story->b->writer, CT_TABLE_CALL, &row, 1, NULL);
}

static inline void story_work(struct story *story, uint32_t kind, uint32_t correlation,
			      uint64_t stream, uint64_t from, uint64_t to)
{
	struct ct_row_activity row = {.begin_ns = STORY_START_NS + from * 1000,
				      .duration_ns = (to - from) * 1000,
				      .correlation = correlation,
				      .stream = stream,
				      .kind = kind};

	ct_writer_rows(story->b->writer, CT_TABLE_ACTIVITY, &row, 1, NULL);
}

/* used: one range, first accessed then by stack; 0: one that is never accessed. */
static inline void story_wait(struct story *story, uint32_t call, uint64_t end, uint64_t used,
			      uint32_t stack)
{
	struct ct_row_wait wait = {.call = call,
				   .end_ns = STORY_START_NS + end * 1000,
				   .ranges = 1,
				   .used = used > 0,
				   .unused = used == 0};
	struct ct_row_use use = {.wait = call,
				 .kind = CT_USE_LOAD,
				 .time_ns = STORY_START_NS + used * 1000,
				 .stack = stack};

	ct_writer_rows(story->b->writer, CT_TABLE_WAIT, &wait, 1, NULL);
	if (used)
		ct_writer_rows(story->b->writer, CT_TABLE_USE, &use, 1, NULL);
}

static inline void story_study(struct story *story)
{
	struct ct_ffm_options options = {.far_ns = 20000};
	char why[512];

	cr_assert_eq(build_close(story->b, "{}"), 0);
	cr_assert_eq(ct_trace_open(&story->trace, story->directory, why, sizeof(why)), 0, "%s",
		     why);
	cr_assert_eq(
	    ct_ffm_study_init(&story->study, story->trace, story->trace, story->trace, &options),
	    0);
}

static inline void story_end(struct story *story)
{
	ct_ffm_study_fini(&story->study);
	ct_trace_close(story->trace);
	fixture_remove(story->directory);
}

/* The only entry of this kind; NULL: there is none. */
static inline const struct ct_ffm_entry *story_entry(const struct story *story,
						     enum ct_ffm_kind kind)
{
	const struct ct_ffm_entry *found = NULL;

	for (size_t i = 0; i < story->study.entries; i++) {
		if (story->study.entry[i].kind != kind)
			continue;
		cr_assert_null(found, "two entries of kind %d", kind);
		found = &story->study.entry[i];
	}
	return found;
}

/* How often an entry is related to a call (stack n); 0: it is not. */
static inline uint64_t story_related(const struct story *story, const struct ct_ffm_entry *entry,
				     enum ct_ffm_site_role role, const char *call, uint32_t stack)
{
	uint32_t node = ct_ffm_study_node(&story->study, story->trace, 0, stack);

	for (size_t i = 0; i < entry->relations; i++)
		if (entry->related[i].role == role && entry->related[i].site.stack == node &&
		    strcmp(entry->related[i].site.call, call) == 0)
			return entry->related[i].site.count;
	return 0;
}

static inline bool story_says(const char *text, const char *words)
{
	return text && strstr(text, words);
}

#endif
