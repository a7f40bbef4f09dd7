/* SPDX-License-Identifier: Apache-2.0 */
/* Random traces of all kinds of records. */
#include "tests/unit/trace/trace_random.h"
#include "tests/unit/trace/trace_calls.h"
#include "tests/unit/trace/trace_fixture.h"

#include <cudatrace/encode.h>
#include <cudatrace/unit.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LAUNCHES 6u
#define WARPS 4u
#define WORDS_MAX 4000u
#define RECORDS_WORDS_MAX 700u

uint64_t trace_random_state = 0x9e3779b97f4a7c15u;

uint64_t trace_random(void)
{
	trace_random_state ^= trace_random_state << 13;
	trace_random_state ^= trace_random_state >> 7;
	trace_random_state ^= trace_random_state << 17;
	return trace_random_state;
}

uint64_t trace_random_below(uint64_t bound)
{
	return trace_random() % bound;
}

static void check(int64_t err, const char *what)
{
	if (err >= 0)
		return;
	fprintf(stderr, "trace_random: %s: %lld\n", what, (long long)err);
	abort();
}

/* A warp has begun this and not ended it: an access whose values are to come, in parts. */
struct warp {
	uint64_t site;
	uint32_t lanes; /* without a value yet; 0: none is to come */
	uint32_t parts; /* that are to come, bits */
	uint32_t calls[8], depth;
	uint64_t sequence;
};

static struct warp warps[2][LAUNCHES + 2][2 * TRACE_RANDOM_CTAS][WARPS];

static const struct {
	uint64_t site;
	uint32_t bytes;
	uint32_t parts; /* of values */
} with_values[] = {
    {CALLS_LOAD, 4, 1},   {CALLS_CAS, 4, 1 | 1 << CT_PART_COMPARE | 1 << CT_PART_RETURNED},
    {CALLS_SHARED, 2, 1}, {CALLS_VECTOR, 16, 1},
    {CALLS_WIDE, 32, 3},  {CALLS_REDUCE, 4, 1 | 1 << CT_PART_RETURNED},
};
#define WITH_VALUES (sizeof(with_values) / sizeof(with_values[0]))

static uint32_t random_mask(void)
{
	uint32_t mask = trace_random_below(2) ? CT_FULL_MASK : (uint32_t)trace_random();

	return mask ? mask : 1;
}

static void random_addresses(uint64_t address[CT_WARP_LANES])
{
	uint64_t base = CALLS_DATA + trace_random_below(60000), shape = trace_random_below(3);
	uint64_t stride = trace_random_below(40);

	for (uint32_t lane = 0; lane < CT_WARP_LANES; lane++)
		address[lane] = base + lane * stride + (shape ? 0 : trace_random_below(77));
}

static uint32_t put_access(uint64_t *words, uint64_t site, uint32_t bytes, uint32_t mask)
{
	uint64_t address[CT_WARP_LANES];

	random_addresses(address);
	return ct_encode_access(words, site, bytes, mask, address);
}

static uint32_t put_value(uint64_t *words, struct warp *warp, uint32_t lanes, uint32_t part)
{
	uint64_t low[CT_WARP_LANES], high[CT_WARP_LANES];
	uint32_t bytes = warp->site == CALLS_SHARED ? 2 : warp->site >= CALLS_VECTOR ? 16 : 4;

	for (uint32_t lane = 0; lane < CT_WARP_LANES; lane++) {
		low[lane] = trace_random_below(2) ? trace_random_below(5) : trace_random();
		high[lane] = trace_random_below(3);
	}
	if (warp->site == CALLS_REDUCE)
		bytes = 4;
	return ct_encode_value(words, warp->site, part, bytes, lanes, low, high);
}

/* Some of the values that are to come. */
static uint32_t put_values(uint64_t *words, struct warp *warp)
{
	uint32_t n = 0, lanes = warp->lanes;

	if (trace_random_below(6) == 0)
		lanes &= (uint32_t)trace_random();
	for (uint32_t part = 0; lanes && part < 12; part++)
		if (warp->parts >> part & 1 && trace_random_below(12))
			n += put_value(words + n, warp, lanes, part);
	warp->lanes &= ~lanes;
	return n;
}

static uint32_t put_with_values(uint64_t *words, struct warp *warp)
{
	size_t i = trace_random_below(WITH_VALUES);
	uint32_t mask = random_mask(), n;

	n = put_access(words, with_values[i].site, with_values[i].bytes, mask);
	warp->site = with_values[i].site;
	warp->lanes = mask;
	warp->parts = with_values[i].parts;
	return n;
}

static uint32_t put_call(uint64_t *words, struct warp *warp)
{
	static const uint32_t sites[] = {CALLS_CALL, CALLS_CALL_TOO, CALLS_AGAIN};
	uint32_t site = sites[trace_random_below(3)];
	bool is_leave = warp->depth == 8 || (warp->depth && trace_random_below(2));

	if (is_leave && trace_random_below(8))
		site = warp->calls[--warp->depth];
	else if (!is_leave)
		warp->calls[warp->depth++] = site;
	return ct_encode_event(words, site, is_leave ? CT_PHASE_LEAVE : CT_PHASE_HAPPENS,
			       random_mask());
}

static uint32_t put_loop(uint64_t *words)
{
	uint32_t count = 1 + (uint32_t)trace_random_below(3);
	struct ct_loop_site sites[3];

	for (uint32_t k = 0; k < count; k++)
		sites[k] = (struct ct_loop_site){
		    .base = CALLS_DATA + trace_random_below(9000),
		    .log2_width = (uint32_t)trace_random_below(6),
		    .inner = (int32_t)trace_random_below(9),
		    .outer = (int32_t)trace_random_below(200),
		    .step = (int64_t)trace_random_below(100) - 40,
		};
	return ct_encode_loop(words, CALLS_LEAF, count, 1 + trace_random_below(6), sites);
}

static uint32_t put_group(uint64_t *words)
{
	uint32_t leader = (uint32_t)trace_random_below(2) ? CALLS_LEAF : CALLS_ELSEWHERE;
	uint64_t distance[2] = {trace_random_below(99), trace_random_below(99)};

	return ct_encode_group(words, leader, 1 + (uint32_t)trace_random_below(2), distance);
}

static uint32_t put_range(uint64_t *words)
{
	uint64_t address[CT_WARP_LANES], bytes[CT_WARP_LANES];

	random_addresses(address);
	for (uint32_t lane = 0; lane < CT_WARP_LANES; lane++)
		bytes[lane] = trace_random_below(300);
	return ct_encode_range(words, CALLS_COPY, random_mask(), address, bytes);
}

static uint64_t stray_site(void)
{
	return trace_random_below(2) ? CALLS_SITES + 3 : (uint64_t)0x7777777 << 32;
}

static uint32_t put_record(uint64_t *words, struct warp *warp, bool has_strays)
{
	if (has_strays && trace_random_below(50) == 0)
		return put_access(words, stray_site(), 4, random_mask());
	switch (trace_random_below(10)) {
	case 0:
		return put_call(words, warp);
	case 1:
		return put_loop(words);
	case 2:
		return put_group(words);
	case 3:
		return put_range(words);
	case 4:
		return ct_encode_event(words, CALLS_BARRIER, CT_PHASE_HAPPENS, CT_FULL_MASK);
	case 5: /* leads a group, where one is in force */
	case 6:
		return put_access(words, trace_random_below(2) ? CALLS_LEAF : CALLS_ELSEWHERE, 4,
				  random_mask());
	case 7:
		return put_access(words, (uint64_t)ct_unit_tag(CALLS_OTHER_ID) << 32, 8,
				  random_mask());
	default:
		return put_with_values(words, warp);
	}
}

/* Puts what a warp left to come, then more; sometimes the values of its last access are left to a
 * later segment again. */
static uint32_t put_records(uint64_t *words, struct warp *warp, bool has_strays)
{
	uint32_t n = 0;

	for (uint64_t left = trace_random_below(12); left && n < RECORDS_WORDS_MAX; left--) {
		if (warp->lanes && trace_random_below(16))
			n += put_values(words + n, warp);
		if (warp->lanes && trace_random_below(30))
			continue;
		warp->lanes = 0;
		n += put_record(words + n, warp, has_strays);
		if (trace_random_below(20) == 0)
			words[n++] = 0;
	}
	return n;
}

static uint32_t put_segment(uint64_t *words, uint32_t device, uint32_t *last_launch,
			    const struct trace_random_options *options)
{
	uint32_t launch = 2 + (uint32_t)trace_random_below(LAUNCHES - 1), number, n = 0;
	uint64_t cta = trace_random_below(TRACE_RANDOM_CTAS);
	bool is_short = *last_launch && trace_random_below(2);
	struct warp *warp;

	launch -= launch % 2 != device % 2;
	if (options->has_strays && trace_random_below(40) == 0)
		launch = LAUNCHES + 1;
	cta += options->has_strays && trace_random_below(40) == 0 ? TRACE_RANDOM_CTAS : 0;
	launch = is_short ? *last_launch : launch;
	number = (uint32_t)trace_random_below(WARPS);
	warp = &warps[device][launch][cta][number];
	if (is_short) {
		words[n++] = CT_SEGMENT_SHORT_WORD(number, cta);
	} else {
		words[n++] = CT_SEGMENT_WORD0(trace_random_below(3), warp->sequence, launch);
		words[n++] = CT_SEGMENT_WORD1(number, cta);
	}
	warp->sequence++;
	*last_launch = launch;
	return n + put_records(words + n, warp, options->has_strays);
}

static void put_ticket(struct ct_writer_stream *stream, uint32_t device, uint64_t ticket,
		       const struct trace_random_options *options)
{
	static uint64_t words[WORDS_MAX];
	uint32_t n = 0, last_launch = 0;

	for (uint64_t segments = 1 + trace_random_below(6);
	     segments && n < WORDS_MAX - 2 * RECORDS_WORDS_MAX; segments--)
		n += put_segment(words + n, device, &last_launch, options);
	check(ct_writer_stream_records(stream, ticket, words, 8 * n), "records");
}

static void put_launches(struct ct_writer *writer, uint32_t devices)
{
	for (uint32_t id = 1; id <= LAUNCHES; id++) {
		struct ct_event_launch event = {
		    .header = {CT_EVENT_LAUNCH, 0, sizeof(event), id},
		    .launch = id,
		    .device = id % devices,
		    .unit_id = CALLS_UNIT_ID,
		    .unit_arch = 90,
		    .grid = {TRACE_RANDOM_CTAS, 1, 1},
		    .block = {CT_WARP_LANES * WARPS, 1, 1},
		    .cluster = {1, 1, 1},
		    .flags = CT_LAUNCH_TRACED,
		};

		ct_writer_string(writer, "_Z4walkPi", &event.kernel_name);
		check(ct_writer_event(writer, &event.header), "launch");
		if (trace_random_below(2))
			ct_writer_flush(writer);
	}
}

static void make_part(const char *directory, uint32_t part,
		      const struct trace_random_options *options)
{
	const struct ct_writer_options writer_options = {.part = part,
							 .level = (int)trace_random_below(2)};
	const struct ct_event_alloc alloc = {
	    .header = {CT_EVENT_ALLOC, 0, sizeof(alloc), 1},
	    .address = CALLS_DATA,
	    .bytes = 1 << 15,
	    .object = 1,
	    .kind = CT_OBJECT_DEVICE,
	};
	struct ct_writer_stream *stream[2];
	struct ct_writer *writer;
	char why[512];

	memset(warps, 0, sizeof(warps));
	check(ct_writer_open(&writer, directory, &writer_options, why, sizeof(why)), why);
	for (uint32_t device = 0; device < options->devices; device++)
		check(ct_writer_stream_open(&stream[device], writer, device), "stream");
	calls_write_units(writer);
	check(ct_writer_event(writer, &alloc.header), "allocation");
	put_launches(writer, options->devices);
	for (uint64_t ticket = 0; ticket < options->tickets; ticket++)
		for (uint32_t device = 0; device < options->devices; device++) {
			uint64_t gaps = options->has_gaps && device ? ticket / 20 : 0;

			put_ticket(stream[device], device, ticket + gaps, options);
			if (trace_random_below(3) == 0)
				ct_writer_stream_flush(stream[device]);
		}
	for (uint32_t device = 0; device < options->devices; device++)
		check(ct_writer_stream_close(stream[device]), "close");
	if (part == 0)
		ct_writer_manifest(writer, "{}");
	check(ct_writer_close(writer), "close");
}

void trace_random_make(const char *directory, const struct trace_random_options *options)
{
	for (uint32_t part = 0; part < options->parts; part++)
		make_part(directory, part, options);
}
