/* SPDX-License-Identifier: Apache-2.0 */
/* Samples of program counters, made by hand. */
#include "tests/unit/trace/trace_samples.h"
#include "tests/builder/cubin.h"
#include "tests/builder/trace.h"

#include <cudatrace/places.h>
#include <stdlib.h>
#include <string.h>

#define KERNEL "_Z5chasePj"
#define CUBIN 77u
#define PREFIX "smsp__pcsamp_warps_issue_stalled_"
#define STRINGS "\0_Z5chasePj\0step.cu\0_Z5twicej"

static const char *const text[] = {
    ".visible .entry _Z5chasePj(",
    "{",
    "ld.param.b64 %rd1, [_Z5chasePj_param_0];",
    "$L__BB0_1:",
    "mul.wide.u32 %rd2, %r1, 4;",
    "ld.global.b32 %r1, [%rd3];",
    "add.s64 %rd3, %rd1, %rd2;",
    "",
    "mad.lo.s32 %r2, %r2, 3, %r1;",
    "@%p1 bra $L__BB0_1;",
    "ld.shared.b32 %r4, [%r2];",
    "st.global.b32 [%rd1], %r4;",
    "}",
};

struct blob {
	struct ct_places_header header;
	struct ct_places_function function;
	struct ct_places_row row[2];
	struct ct_ptx_place place[3];
	char strings[sizeof(STRINGS)];
};

/* Offsets of names in STRINGS. */
enum { CHASE = 1, STEP = 12, TWICE = 20 };

static const struct blob places = {
    .header = {.magic = CT_PLACES_MAGIC,
	       .version = CT_PLACES_VERSION,
	       .header_bytes = sizeof(struct ct_places_header),
	       .unit_id = 1,
	       .arch = 90,
	       .function_count = 1,
	       .row_count = 2,
	       .place_count = 3,
	       .string_bytes = sizeof(STRINGS)},
    .function = {.name = CHASE, .first_line = 2, .last_line = 13, .row_count = 2},
    .row = {{4, 0}, {8, 2}},
    .place = {{CHASE, STEP, 8, 10, CT_NO_PLACE},
	      {CHASE, STEP, 9, 2, CT_NO_PLACE},
	      {TWICE, STEP, 3, 5, 1}},
    .strings = STRINGS,
};

static const struct {
	uint32_t look;
	const char *function;
	uint64_t pc;
	const char *reason;
	uint64_t samples;
} rows[] = {
    {1, KERNEL, 0x10, PREFIX "selected", 10},
    {1, KERNEL, 0x20, PREFIX "long_scoreboard", 60},
    {1, KERNEL, 0x20, PREFIX "long_scoreboard_not_issued", 50},
    {1, KERNEL, 0x20, PREFIX "wait", 5},
    {1, KERNEL, 0x40, PREFIX "short_scoreboard", 15},
    {1, KERNEL, 0x40, PREFIX "short_scoreboard_not_issued", 15},
    {2, KERNEL, 0x20, PREFIX "long_scoreboard", 30},
    {2, KERNEL, 0x20, PREFIX "long_scoreboard_not_issued", 20},
    {3, "library", 0x20, PREFIX "selected", 10},
};

void *samples_cubin(size_t *bytes)
{
	struct build_cubin *c = build_cubin();

	for (size_t i = 0; i < sizeof(text) / sizeof(text[0]); i++)
		build_cubin_ptx(c, text[i]);
	build_cubin_function(c, KERNEL, 0x80);
	build_cubin_line(c, BUILD_SOURCE, 0x10, 8);
	build_cubin_line(c, BUILD_SOURCE, 0x20, 3);
	build_cubin_line(c, BUILD_PTX, 0x10, 6);
	build_cubin_line(c, BUILD_PTX, 0x20, 9);
	build_cubin_line(c, BUILD_PTX, 0x40, 12);
	return build_cubin_bytes(c, bytes);
}

const void *samples_places(size_t *bytes)
{
	*bytes = sizeof(places);
	return &places;
}

static int add_code(struct build *b)
{
	struct ct_code_header header = {.kind = CT_CODE_CUBIN, .id = CUBIN};
	size_t bytes;
	void *cubin = samples_cubin(&bytes);
	int err = ct_writer_code(b->writer, &header, cubin, bytes);

	free(cubin);
	header = (struct ct_code_header){.kind = CT_CODE_PLACES, .id = 1};
	return err < 0 ? err : ct_writer_code(b->writer, &header, &places, sizeof(places));
}

static int add_rows(struct build *b)
{
	struct ct_row_sample samples[sizeof(rows) / sizeof(rows[0])] = {{0}};
	struct ct_row_look looks[3];
	int err;

	for (uint32_t i = 0; i < 3; i++)
		looks[i] = (struct ct_row_look){.time_ns = BUILD_START_NS,
						.period = 1024,
						.total = 2,
						.dropped = 2,
						.launch = i < 2 ? i + 1 : 0,
						.correlation = i + 1,
						.mode = CT_LOOK_SERIAL};
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		samples[i] = (struct ct_row_sample){
		    .cubin = rows[i].look < 3 ? CUBIN : CUBIN + 1,
		    .pc = rows[i].pc,
		    .samples = rows[i].samples,
		    .look = rows[i].look,
		    .function = build_string(b, rows[i].function),
		    .reason = build_string(b, rows[i].reason),
		};
		if (!strstr(rows[i].reason, "_not_issued"))
			looks[rows[i].look - 1].total += rows[i].samples;
	}
	err = ct_writer_rows(b->writer, CT_TABLE_LOOK, looks, 3, NULL);
	return err < 0 ? err
		       : ct_writer_rows(b->writer, CT_TABLE_SAMPLE, samples,
					sizeof(rows) / sizeof(rows[0]), NULL);
}

/* Adds the variables of the source: columns are those of the places. */
static void add_blame(struct build_unit *unit)
{
	enum { LIST, SUM, OUT, X, RESULT };
	struct ct_unit_statement *load, *product;
	struct ct_unit_outcome *outcome;
	struct ct_unit_variable *result;

	build_variable(unit, KERNEL, "list")->kind = CT_VARIABLE_PARAMETER;
	build_variable(unit, KERNEL, "sum");
	build_variable(unit, KERNEL, "out");
	build_variable(unit, "_Z5twicej", "x");
	result = build_variable(unit, "_Z5twicej", "");
	result->kind = CT_VARIABLE_EXIT;
	result->exit = build_text(unit, "return");
	load = build_statement(unit, KERNEL, 8);
	load->column = 10;
	load->blamed = load->nearest = build_list(unit, SUM);
	load->read = build_list(unit, LIST);
	product = build_statement(unit, "_Z5twicej", 3);
	product->column = 5;
	product->blamed = product->leaving = build_list(unit, RESULT);
	product->read = build_list(unit, X);
	build_call(unit, KERNEL, 9, "_Z5twicej")->column = 2;
	outcome = build_outcome(unit, "return");
	outcome->blamed = outcome->nearest = build_list(unit, OUT);
}

int samples_make(const char *directory)
{
	struct build *b = build_part(directory, NULL);
	struct build_unit *unit = build_unit(1, 90, "step.cu");
	int err;

	build_kernel(unit, KERNEL, "chase(unsigned int*)", 6);
	add_blame(unit);
	build_add_unit(b, unit);
	BUILD_EVENT(b, device, .name = build_string(b, "Demo"), .sm_count = 4);
	BUILD_EVENT(b, sampling, .source = build_string(b, "CUPTI"));
	for (int i = 0; i < 2; i++)
		BUILD_LAUNCH(b, .kernel_name = build_string(b, KERNEL), .context = 1,
			     .reason = build_string(b, "program counters are sampled"));
	err = add_code(b);
	if (err == 0)
		err = add_rows(b);
	return err < 0 ? err : build_close(b, "{}");
}
