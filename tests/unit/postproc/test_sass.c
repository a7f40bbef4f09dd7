/* SPDX-License-Identifier: Apache-2.0 */
/* From program counters to lines and producers, in a cubin made by hand. */
#include "postproc/sass/cubin.h"
#include "postproc/sass/ptx.h"
#include "tests/builder/cubin.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

/* A pointer chase: line 6 loads what line 9 and the next turn's line 5 use; line 11 has a load from
 * shared memory. Two functions with registers of the same names. */
static const char *const text[] = {
    ".visible .entry chase(.param .u64 p)",       /* 1 */
    "{",                                          /* 2 */
    "ld.param.b64 %rd1, [p];",                    /* 3 */
    "$L__BB0_1:                              //", /* 4 */
    "mul.wide.u32 %rd2, %r1, 4;",                 /* 5 */
    "ld.global.v2.b32 {%r1, %r3}, [%rd3+8];",     /* 6 */
    "add.s64 %rd3, %rd1, %rd2;",                  /* 7 */
    "setp.ne.b32 %p1, %r3, 0;",                   /* 8 */
    "mad.lo.s32 %r2, %r2, 3, %r1;",               /* 9 */
    "@%p1 bra $L__BB0_1;",                        /* 10 */
    "ld.shared.b32 %r4, [%r2];",                  /* 11 */
    "st.global.b32 [%rd1], %r4;",                 /* 12 */
    "}",                                          /* 13 */
    ".visible .entry other(.param .u64 p)",       /* 14 */
    "{",                                          /* 15 */
    "mov.u32 %r1, %tid.x;",                       /* 16 */
    "add.s32 %r2, %r1, 1;",                       /* 17 */
    "}",                                          /* 18 */
};

static void *make(size_t *bytes)
{
	struct build_cubin *c = build_cubin();

	for (size_t i = 0; i < sizeof(text) / sizeof(text[0]); i++)
		build_cubin_ptx(c, text[i]);
	build_cubin_function(c, "chase", 0x100);
	build_cubin_line(c, BUILD_SOURCE, 0x10, 100);
	build_cubin_line(c, BUILD_SOURCE, 0x80, 20);
	build_cubin_line(c, BUILD_PTX, 0x10, 9);
	build_cubin_callee(c, "$chase$_Z3farf", 0xc0, 0x40);
	build_cubin_function(c, "other", 0x40);
	build_cubin_line(c, BUILD_SOURCE, 0, 300);
	build_cubin_inlined(c, 0x10, 44, 1);
	build_cubin_line(c, BUILD_SOURCE, 0x20, 301);
	return build_cubin_bytes(c, bytes);
}

static struct ct_cubin *open_cubin(void)
{
	struct ct_cubin *cubin;
	size_t bytes;
	void *content = make(&bytes);

	cr_assert_eq(ct_cubin_open(&cubin, content, bytes), 0);
	free(content);
	cr_assert(!ct_cubin_is_damaged(cubin));
	return cubin;
}

static void expect(const struct ct_cubin *cubin, const char *function, uint64_t pc, uint32_t line,
		   uint32_t ptx_line, const char *symbol)
{
	struct ct_cubin_place place;

	cr_assert(ct_cubin_find(cubin, function, pc, &place));
	cr_expect_eq(place.line, line, "%s+%lx: line %u", function, (unsigned long)pc, place.line);
	cr_expect_eq(place.ptx_line, ptx_line, "%s+%lx: PTX %u", function, (unsigned long)pc,
		     place.ptx_line);
	cr_expect_str_eq(place.symbol, symbol);
	cr_expect_str_eq(place.file, line ? "dir/step.cu" : "");
}

Test(sass, addresses_have_the_line_of_the_row_before_them)
{
	struct ct_cubin *cubin = open_cubin();
	struct ct_cubin_place place;

	expect(cubin, "chase", 0, 0, 0, "chase");
	expect(cubin, "chase", 0x10, 100, 9, "chase");
	expect(cubin, "chase", 0x7f, 100, 9, "chase");
	expect(cubin, "chase", 0x80, 20, 9, "chase");
	/* A callee that is not inlined lies in its kernel; beyond its end is nothing. */
	expect(cubin, "chase", 0xc0, 20, 9, "_Z3farf");
	expect(cubin, "$chase$_Z3farf", 0, 20, 9, "_Z3farf");
	expect(cubin, "chase", 0x100, 0, 0, "");
	expect(cubin, "other", 0x0, 300, 0, "other");
	expect(cubin, "other", 0x30, 301, 0, "other");
	cr_expect(!ct_cubin_find(cubin, "none", 0, &place));
	ct_cubin_close(cubin);
}

Test(sass, inlined_code_has_the_row_of_its_call)
{
	struct ct_cubin *cubin = open_cubin();
	struct ct_cubin_place place;
	const struct ct_line *caller;
	const char *callee;

	cr_assert(ct_cubin_find(cubin, "other", 0x10, &place));
	cr_expect_eq(place.line, 44);
	caller = ct_cubin_caller(cubin, place.source, &callee);
	cr_assert_not_null(caller);
	cr_expect_eq(caller->line, 300);
	cr_expect_null(ct_cubin_caller(cubin, caller, &callee));
	cr_assert(ct_cubin_find(cubin, "other", 0x20, &place));
	cr_expect_null(ct_cubin_caller(cubin, place.source, &callee));
	ct_cubin_close(cubin);
}

static void expect_producers(const struct ct_ptx *ptx, uint32_t line, const char *reason,
			     size_t count, uint32_t first)
{
	uint32_t lines[CT_PTX_PRODUCERS_MAX] = {0};
	size_t found = ct_ptx_producers(ptx, line, ct_ptx_producer_of(reason), lines);

	cr_expect_eq(found, count, "line %u, %s: %zu", line, reason, found);
	if (count)
		cr_expect_eq(lines[0], first, "line %u, %s: %u", line, reason, lines[0]);
}

Test(sass, waits_lead_to_the_nearest_instruction_that_makes_them)
{
	struct ct_cubin *cubin = open_cubin();
	struct ct_ptx *ptx;
	size_t bytes;
	const char *content = ct_cubin_ptx(cubin, "", &bytes);

	cr_assert_not_null(content);
	cr_assert_eq(ct_ptx_open(&ptx, content, bytes), 0);
	expect_producers(ptx, 9, "long_scoreboard", 1, 6);
	/* Over the multiplication and the addition to the turn before; vectors write all they name.
	 */
	expect_producers(ptx, 7, "long_scoreboard", 1, 6);
	expect_producers(ptx, 6, "long_scoreboard", 1, 6);
	expect_producers(ptx, 10, "long_scoreboard", 1, 6);
	expect_producers(ptx, 12, "short_scoreboard", 1, 11);
	expect_producers(ptx, 12, "long_scoreboard", 1, 6);
	/* The same names in another function are other registers; tid comes from far. */
	expect_producers(ptx, 17, "long_scoreboard", 0, 0);
	expect_producers(ptx, 17, "short_scoreboard", 1, 16);
	expect_producers(ptx, 9, "wait", 0, 0);
	expect_producers(ptx, 0, "long_scoreboard", 0, 0);
	expect_producers(ptx, 1000, "long_scoreboard", 0, 0);
	ct_ptx_close(ptx);
	ct_cubin_close(cubin);
}

Test(sass, barriers_are_waited_for_by_what_leads_to_them_alone)
{
	static const char text[] = ".visible .entry k(\0"
				   "\tadd.s32 %r1, %r1, 1;\0" /* 2 */
				   "$L__BB0_1:\0"
				   "\tadd.s32 %r2, %r2, 1;\0" /* 4 */
				   "\tbar.sync \t0;\0"
				   "\tadd.s32 %r3, %r3, 1;\0" /* 6 */
				   "\t@%p1 bra $L__BB0_3;\0"
				   "\tbra.uni \t$L__BB0_1;\0" /* 8 */
				   "$L__BB0_3:\0"
				   "\tbarrier.sync \t0;\0" /* 10 */
				   "\tret;\0"
				   ".visible .entry other(\0"
				   "\tbra $L__BB0_1;\0"; /* 13: of another function */
	static const bool before_first[] = {1, 1, 1, 1, 0, 1, 1, 1, 0, 0, 0, 0, 0};
	static const bool before_second[] = {0, 0, 0, 0, 0, 1, 1, 0, 1, 0, 0, 0, 0};
	struct ct_ptx *ptx;
	bool *before;

	cr_assert_eq(ct_ptx_open(&ptx, text, sizeof(text) - 1), 0);
	cr_assert_eq(ct_ptx_lines(ptx), 13);
	before = ct_ptx_before(ptx, 5);
	cr_assert_not_null(before);
	cr_expect_arr_eq(before, before_first, sizeof(before_first));
	free(before);
	before = ct_ptx_before(ptx, 10);
	cr_assert_not_null(before);
	cr_expect_arr_eq(before, before_second, sizeof(before_second));
	free(before);
	cr_expect_null(ct_ptx_before(ptx, 4));
	cr_expect_null(ct_ptx_before(ptx, 14));
	ct_ptx_close(ptx);
}

Test(sass, what_was_begun_before_a_loop_is_not_waited_for_in_it)
{
	static const char text[] = ".visible .entry k(\0"
				   "\tld.global.f64 %fd1, [%rd1];\0" /* 2 */
				   "$L__BB0_1:\0"
				   "\tadd.s64 %rd2, %rd2, 8;\0"
				   "\tld.global.f64 %fd2, [%rd2];\0" /* 5 */
				   "\tsetp.ge.f64 %p1, %fd2, %fd1;\0"
				   "\t@%p1 bra $L__BB0_3;\0"
				   "\tadd.f64 %fd4, %fd1, %fd1;\0" /* 8 */
				   "\tbra.uni \t$L__BB0_1;\0"
				   "$L__BB0_3:\0"
				   "\tadd.f64 %fd3, %fd2, %fd1;\0"; /* 11 */
	struct ct_ptx *ptx;

	cr_assert_eq(ct_ptx_open(&ptx, text, sizeof(text) - 1), 0);
	expect_producers(ptx, 6, "long_scoreboard", 1, 5);
	expect_producers(ptx, 8, "long_scoreboard", 1, 2);
	expect_producers(ptx, 11, "long_scoreboard", 2, 2);
	ct_ptx_close(ptx);
}

static void use(const void *content, size_t bytes)
{
	struct ct_cubin_place place;
	struct ct_cubin *cubin;
	const char *callee;

	if (ct_cubin_open(&cubin, content, bytes) < 0)
		return;
	for (uint64_t pc = 0; pc < 0x140; pc += 0x20)
		if (ct_cubin_find(cubin, "chase", pc, &place) && place.source)
			ct_cubin_caller(cubin, place.source, &callee);
	ct_cubin_close(cubin);
}

/* AddressSanitizer watches. */
Test(sass, damage_is_no_end_of_the_program)
{
	size_t bytes;
	char *content = make(&bytes);

	for (size_t cut = 0; cut < bytes; cut += 7)
		use(content, cut);
	for (size_t at = 0; at < bytes; at++) {
		char was = content[at];

		content[at] = (char)(was ^ 0xff);
		use(content, bytes);
		content[at] = (char)(was + 1);
		use(content, bytes);
		content[at] = was;
	}
	free(content);
}
