/* SPDX-License-Identifier: Apache-2.0 */
/* Scans of all shards hand out what one scan does, of sound files and of damaged ones. */
#include "tests/unit/trace/trace_fixture.h"
#include "trace/codec/chunk.h"

#include <criterion/criterion.h>
#include <cudatrace/encode.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LAUNCHES 5u
#define CTAS 4u
#define ITEMS_MAX 20000u

static char *directory;
static uint64_t random_state;
static bool has_strays; /* records of launches and CTAs that do not exist */

static uint64_t next_random(void)
{
	random_state ^= random_state << 13;
	random_state ^= random_state >> 7;
	random_state ^= random_state << 17;
	return random_state;
}

static void write_launches(struct ct_writer *writer)
{
	size_t bytes;
	void *unit = fixture_unit(&bytes);

	cr_assert_eq(ct_writer_unit(writer, unit, bytes), 0);
	free(unit);
	for (uint32_t id = 1; id <= LAUNCHES; id++) {
		struct ct_event_launch event = {
		    .header = {CT_EVENT_LAUNCH, 0, sizeof(event), 1},
		    .launch = id,
		    .device = id % 2,
		    .unit_id = FIXTURE_UNIT_ID,
		    .unit_arch = 90,
		    .grid = {2, CTAS / 2, 1},
		    .flags = CT_LAUNCH_TRACED,
		};

		ct_writer_string(writer, "_Z3sumPf", &event.kernel_name);
		cr_assert_eq(ct_writer_event(writer, &event.header), 0);
		if (next_random() % 2)
			ct_writer_flush(writer);
	}
}

static uint32_t write_access(uint64_t *words)
{
	static const uint32_t bytes[FIXTURE_SITES] = {4, 4, 8, 16};
	uint64_t address[CT_WARP_LANES], base = FIXTURE_X + next_random() % 100000;
	uint32_t site = (uint32_t)next_random() % FIXTURE_SITES;
	uint32_t mask = next_random() % 2 ? CT_FULL_MASK : (uint32_t)next_random() | 1;
	uint64_t stride = next_random() % 40, shape = next_random() % 3;

	if (next_random() % 8 == 0)
		return ct_encode_event(words, site, (uint32_t)next_random() % 2, mask);
	for (uint64_t lane = 0; lane < CT_WARP_LANES; lane++)
		address[lane] = base + lane * stride + (shape ? 0 : next_random() % 77);
	if (next_random() % 16 == 0)
		return ct_encode_range(words, site, mask, address, address);
	return ct_encode_access(words, site, bytes[site], mask, address);
}

/* One ring chunk of a device: some segments of some warps of one of its launches. */
static void write_ticket(struct ct_writer_stream *stream, uint32_t device, uint64_t ticket)
{
	uint64_t words[900];
	uint32_t n = 0;

	for (uint64_t segments = 1 + next_random() % 4; segments; segments--) {
		uint32_t launch = 2 + (uint32_t)next_random() % (LAUNCHES - 1);
		uint64_t cta = next_random() % CTAS;

		launch -= launch % 2 != device;
		if (has_strays && next_random() % 40 == 0)
			launch = LAUNCHES + 1 + (uint32_t)next_random() % 2;
		words[n++] = CT_SEGMENT_WORD0(3, ticket, launch);
		cta += has_strays && next_random() % 40 == 0 ? CTAS : 0;
		words[n++] = CT_SEGMENT_WORD1(next_random() % 3, cta);
		for (uint64_t left = next_random() % 4; left; left--)
			n += write_access(words + n);
		if (next_random() % 4 == 0)
			words[n++] = 0;
	}
	cr_assert_eq(ct_writer_stream_records(stream, ticket, words, 8 * n), 0);
}

static void make_trace(uint32_t part)
{
	const struct ct_writer_options options = {.part = part, .level = (int)next_random() % 2};
	struct ct_writer *writer;
	struct ct_writer_stream *stream[2];
	char why[512];

	cr_assert_eq(ct_writer_open(&writer, directory, &options, why, sizeof(why)), 0, "%s", why);
	for (uint32_t device = 0; device < 2; device++)
		cr_assert_eq(ct_writer_stream_open(&stream[device], writer, device), 0);
	write_launches(writer);
	for (uint64_t ticket = 0; ticket < 60; ticket++) {
		write_ticket(stream[0], 0, ticket);
		write_ticket(stream[1], 1, ticket + ticket / 20); /* some are lost */
		for (uint32_t device = 0; device < 2; device++)
			if (next_random() % 3 == 0)
				ct_writer_stream_flush(stream[device]);
	}
	for (uint32_t device = 0; device < 2; device++)
		cr_assert_eq(ct_writer_stream_close(stream[device]), 0);
	if (part == 0)
		ct_writer_manifest(writer, "{}");
	cr_assert_eq(ct_writer_close(writer), 0);
}

static size_t chunk_bytes(const char *content)
{
	struct ct_chunk_header header;

	memcpy(&header, content, sizeof(header));
	return sizeof(header) + header.coded_bytes;
}

/* Begin of a random chunk that is not the last. */
static size_t random_chunk(const char *content, size_t bytes)
{
	size_t at = 0, next = chunk_bytes(content);

	while (next < bytes && next + chunk_bytes(content + next) < bytes && next_random() % 8) {
		at = next;
		next += chunk_bytes(content + next);
	}
	return at;
}

enum damage { SOUND, FLIPPED, CUT, TWICE, MISSING, GARBAGE, EMPTY, LOST_LAUNCH, DAMAGES };

static void damage(enum damage what)
{
	const char *name = what == LOST_LAUNCH ? "events-0.ct" : "device-0-0.ct";
	char *content, *changed;
	size_t bytes, at, chunk;

	content = fixture_read(directory, name, &bytes);
	changed = malloc(3 * bytes + 100);
	memcpy(changed, content, bytes);
	at = random_chunk(content, bytes);
	chunk = chunk_bytes(content + at);
	if (what == FLIPPED) {
		for (int i = 0; i < 4; i++)
			changed[next_random() % bytes] ^= 1 << next_random() % 8;
	} else if (what == CUT) {
		bytes = next_random() % bytes;
	} else if (what == TWICE) {
		memcpy(changed + bytes, content + at, chunk);
		bytes += chunk;
	} else if (what == MISSING || what == LOST_LAUNCH) {
		memmove(changed + at, content + at + chunk, bytes - at - chunk);
		bytes -= chunk;
	} else if (what == GARBAGE) {
		memset(changed + at, 'C', 100);
		memcpy(changed + at + 100, content + at, bytes - at);
		bytes += 100;
	} else if (what == EMPTY) {
		bytes = 0;
	}
	fixture_write(directory, name, changed, bytes);
	free(changed);
	free(content);
}

#define CHUNKS_MAX 400u

/* The chunks of a device file in another order. */
static void shuffle(const char *name)
{
	size_t at[CHUNKS_MAX + 1] = {0}, count = 0, bytes, used = 0;
	char *content = fixture_read(directory, name, &bytes), *changed = malloc(bytes);
	uint32_t order[CHUNKS_MAX];

	while (at[count] < bytes) {
		cr_assert_lt(count, CHUNKS_MAX);
		order[count] = (uint32_t)count;
		at[count + 1] = at[count] + chunk_bytes(content + at[count]);
		count++;
	}
	for (size_t i = count; i > 1; i--) {
		size_t k = next_random() % i;
		uint32_t moved = order[k];

		order[k] = order[i - 1];
		order[i - 1] = moved;
	}
	for (size_t i = 0; i < count; i++) {
		size_t size = at[order[i] + 1] - at[order[i]];

		memcpy(changed + used, content + at[order[i]], size);
		used += size;
	}
	fixture_write(directory, name, changed, bytes);
	free(changed);
	free(content);
}

struct item {
	uint32_t part, device, launch, warp, sequence, site, mask, is_linear, kind;
	uint64_t cta, segment, order;
	int64_t stride;
	uint64_t address[CT_WARP_LANES], range[CT_WARP_LANES];
};

struct list {
	struct item item[ITEMS_MAX];
	uint64_t count, damaged;
	char warnings[1 << 16]; /* sorted lines */
};

static void note(struct list *list, const struct ct_access *access, uint32_t kind)
{
	struct item *item = &list->item[list->count];

	cr_assert_lt(list->count, ITEMS_MAX);
	memset(item, 0, sizeof(*item));
	item->part = access->launch->part;
	item->device = access->launch->event->device;
	item->launch = access->launch->event->launch;
	item->cta = access->cta;
	item->warp = access->warp;
	item->sequence = access->sequence;
	item->segment = access->segment;
	item->site = access->site;
	item->mask = access->mask;
	item->kind = kind;
	item->order = list->count++;
	for (uint32_t lane = 0; kind == 0 && lane < CT_WARP_LANES; lane++) {
		if (!(access->mask >> lane & 1))
			continue;
		item->address[lane] = access->address[lane];
		item->range[lane] = access->range ? access->range[lane] : 0;
	}
	item->is_linear = kind == 0 && access->is_linear;
	item->stride = item->is_linear ? access->stride : 0;
}

static int on_access(void *user, const struct ct_access *access)
{
	note(user, access, 0);
	return 0;
}

static int on_event(void *user, const struct ct_event *event)
{
	cr_assert_not(event->at->is_linear);
	note(user, event->at, 1 + event->phase);
	return 0;
}

static int compare_items(const void *a, const void *b)
{
	const struct item *x = a, *y = b;

	if (x->part != y->part)
		return x->part < y->part ? -1 : 1;
	if (x->device != y->device)
		return x->device < y->device ? -1 : 1;
	if (x->segment != y->segment)
		return x->segment < y->segment ? -1 : 1;
	return x->order < y->order ? -1 : x->order > y->order;
}

static int compare_lines(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static void list_warnings(struct list *list, const struct ct_trace *trace)
{
	const char *const *warnings;
	size_t count = ct_trace_warnings(trace, &warnings), used = 0;
	const char **lines = malloc((count + 1) * sizeof(*lines));

	for (size_t i = 0; i < count; i++)
		lines[i] = warnings[i];
	qsort(lines, count, sizeof(*lines), compare_lines);
	list->warnings[0] = '\0';
	for (size_t i = 0; i < count; i++) {
		used += (size_t)sprintf(list->warnings + used, "%s\n", lines[i]);
		cr_assert_lt(used, sizeof(list->warnings) - 1000);
	}
	free(lines);
}

/* Shards 0: one scan. Items end up in the order of the files. */
static void collect(struct list *list, uint32_t shards)
{
	struct ct_scan scan = {
	    .access = on_access, .event = on_event, .user = list, .shards = shards};
	struct ct_trace *first = NULL, *trace;

	list->count = list->damaged = 0;
	for (scan.shard = 0; scan.shard == 0 || scan.shard < shards; scan.shard++) {
		uint64_t damaged;
		char why[512];

		cr_assert_eq(ct_trace_open(&trace, directory, why, sizeof(why)), 0, "%s", why);
		cr_assert_eq(ct_trace_scan(trace, &scan, &damaged), 0);
		list->damaged += damaged;
		if (first) {
			ct_trace_join_warnings(first, trace);
			ct_trace_close(trace);
		} else {
			first = trace;
		}
	}
	list_warnings(list, first);
	ct_trace_close(first);
	if (shards)
		qsort(list->item, list->count, sizeof(list->item[0]), compare_items);
}

static void check_equal(struct list *one, struct list *all, uint32_t shards)
{
	cr_assert_eq(all->count, one->count, "%u shards", shards);
	cr_assert_eq(all->damaged, one->damaged, "%u shards: %ju damaged, not %ju", shards,
		     (uintmax_t)all->damaged, (uintmax_t)one->damaged);
	cr_assert_str_eq(all->warnings, one->warnings);
	for (uint64_t i = 0; i < one->count; i++) {
		all->item[i].order = i;
		cr_assert_eq(memcmp(&one->item[i], &all->item[i], sizeof(one->item[i])), 0,
			     "%u shards: item %ju", shards, (uintmax_t)i);
	}
}

/* In one scan, segments ascend through each device file, and each is of one warp. */
static void check_segments(const struct list *list)
{
	for (uint64_t i = 1; i < list->count; i++) {
		const struct item *x = &list->item[i - 1], *y = &list->item[i];

		if (x->part != y->part || x->device != y->device)
			continue;
		cr_assert_leq(x->segment, y->segment);
		if (x->segment == y->segment)
			cr_assert(x->launch == y->launch && x->cta == y->cta && x->warp == y->warp);
	}
}

static struct list *one, *all;

static void make(void)
{
	directory = fixture_directory();
	one = malloc(sizeof(*one));
	all = malloc(sizeof(*all));
	random_state = 0x9e3779b97f4a7c15u;
}

static void clean(void)
{
	free(one);
	free(all);
	fixture_remove(directory);
}

TestSuite(shards, .init = make, .fini = clean, .timeout = 200);

Test(shards, hand_out_together_what_one_scan_does)
{
	static const uint32_t shards[] = {1, 2, 3, 7, 100};
	uint64_t total = 0, damaged = 0;

	for (unsigned round = 0; round < 64; round++) {
		has_strays = round % 3 == 0;
		make_trace(0);
		make_trace(1);
		damage(round % DAMAGES);
		collect(one, 0);
		check_segments(one);
		for (size_t i = 0; i < sizeof(shards) / sizeof(shards[0]); i++) {
			collect(all, shards[i]);
			check_equal(one, all, shards[i]);
		}
		total += one->count;
		damaged += one->damaged;
	}
	cr_assert_gt(total, 10000);
	cr_assert_gt(damaged, 20);
}

Test(shards, hand_out_the_same_of_chunks_in_any_order)
{
	static const uint32_t shards[] = {1, 2, 5};

	for (unsigned round = 0; round < 24; round++) {
		has_strays = round % 3 == 0;
		make_trace(0);
		make_trace(1);
		collect(one, 0);
		shuffle("device-0-0.ct");
		shuffle("device-1-1.ct");
		collect(all, 0);
		check_equal(one, all, 0);
		damage(round % DAMAGES);
		collect(one, 0);
		check_segments(one);
		for (size_t i = 0; i < sizeof(shards) / sizeof(shards[0]); i++) {
			collect(all, shards[i]);
			check_equal(one, all, shards[i]);
		}
	}
}

Test(shards, leave_out_the_ctas_that_a_grid_does_not_have)
{
	static const char expected[] =
	    "device-0-0.ct: launch 4: records of CTAs that its grid does not have; skipped\n";

	has_strays = true;
	make_trace(0);
	collect(one, 0);
	cr_assert(strstr(one->warnings, expected), "%s", one->warnings);
	cr_assert_gt(one->damaged, 0);
	for (uint64_t i = 0; i < one->count; i++)
		cr_assert_lt(one->item[i].cta, CTAS);
}

Test(shards, only_the_owner_of_a_damaged_chunk_reads_it)
{
	char *content, why[512];
	size_t bytes, second;

	make_trace(0);
	content = fixture_read(directory, "device-0-0.ct", &bytes);
	second = chunk_bytes(content);
	content[second + sizeof(struct ct_chunk_header)] ^= 1;
	fixture_write(directory, "device-0-0.ct", content, bytes);
	free(content);
	for (uint32_t shard = 0; shard < 3; shard++) {
		struct ct_scan scan = {
		    .access = on_access, .user = one, .shard = shard, .shards = 3};
		const char *const *warnings;
		struct ct_trace *trace;
		uint64_t damaged;
		size_t before;

		one->count = 0;
		cr_assert_eq(ct_trace_open(&trace, directory, why, sizeof(why)), 0, "%s", why);
		before = ct_trace_warnings(trace, &warnings);
		cr_assert_eq(ct_trace_scan(trace, &scan, &damaged), 0);
		cr_assert_eq(damaged, shard == 1);
		cr_assert_eq(ct_trace_warnings(trace, &warnings), before + (shard == 1));
		if (shard == 1)
			cr_assert(strstr(warnings[before], "checksum does not match"));
		ct_trace_close(trace);
	}
}

static int ignore_value(void *user, const struct ct_value *value)
{
	(void)user;
	(void)value;
	return 0;
}

Test(shards, refuse_what_needs_the_whole_file)
{
	const struct ct_scan bad[] = {
	    {.access = on_access, .user = one, .shard = 2, .shards = 2},
	    {.access = on_access, .user = one, .shards = 2, .paths = 1},
	    {.access = on_access, .user = one, .shards = 2, .value = ignore_value},
	};
	struct ct_trace *trace;
	char why[512];

	make_trace(0);
	cr_assert_eq(ct_trace_open(&trace, directory, why, sizeof(why)), 0, "%s", why);
	for (size_t i = 0; i < 3; i++)
		cr_assert_eq(ct_trace_scan(trace, &bad[i], NULL), -EINVAL);
	ct_trace_close(trace);
}
