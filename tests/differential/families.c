/* SPDX-License-Identifier: Apache-2.0 */
/* The families of snippets, and those that are expressions alone. */
#include "tests/differential/expression.h"

const struct family families[] = {
    {"integer", make_integer, 2, 0},     {"video", make_video, 2, 0},
    {"float", make_float, 3, 0},         {"convert", make_convert, 3, 0},
    {"half", make_half, 2, 0},           {"exact", make_exact, 3, 0},
    {"shift", make_shift, 1, 0},         {"divide", make_divide, 1, 0},
    {"body", make_body, 4, 0},           {"unset", make_unset, 3, 0},
    {"aggregate", make_aggregate, 2, 0}, {"atomic", make_atomic, 3, 0},
    {"tile", make_tile, 2, 0},           {"volatile", make_volatile, 2, 0},
    {"declare", make_declare, 4, 0},     {"unevaluated", make_unevaluated, 2, 0},
    {"shared", make_shared, 2, 0},       {"launch", make_launch, 3, 0},
    {"static", make_static, 1, 0},       {"variable", make_variable, 3, 0},
    {"parameter", make_parameter, 2, 0}, {"macro", make_macro, 1, 0},
    {"lambda", make_lambda, 2, 0},       {"unreached", make_unreached, 2, 0},
    {"unit", make_unit, 2, 0},           {"symbol", make_symbol, 1, 0},
    {"shape", make_shape, 6, 40000},
};
const unsigned families_count = sizeof(families) / sizeof(families[0]);

void expect_series(struct snippet *s, int row, uint64_t first, uint64_t step)
{
	if (s->rows <= row)
		s->rows = row + 1;
	s->known[row] = true;
	for (unsigned lane = 0; lane < LANES; lane++)
		s->expected[row][lane] = first + lane * step;
}

void expect_all(struct snippet *s, int row, uint64_t value)
{
	expect_series(s, row, value, 0);
}

/* Rows of expressions of one category, of the types given. */
static void make_rows(struct snippet *s, enum category category, int depth, const enum type *types,
		      unsigned count)
{
	kernel_begin(s, "");
	for (int row = 0; row < ROWS; row++)
		expression_store(
		    s, row,
		    expression_make(s, category, types[random_below(&s->random, count)],
				    1 + (int)random_below(&s->random, (unsigned)depth), NULL, 0));
	kernel_end(s);
}

void make_integer(struct snippet *s)
{
	make_rows(s, INTEGER, 4, (const enum type[]){I32, U32, I64, U64}, 4);
}

void make_video(struct snippet *s)
{
	make_rows(s, VIDEO, 2, (const enum type[]){U32, I32}, 2);
}

void make_float(struct snippet *s)
{
	make_rows(s, FLOAT, 2, (const enum type[]){F32, F64}, 2);
}

void make_convert(struct snippet *s)
{
	make_rows(s, CONVERT, 1, (const enum type[]){I32, U32, I64, U64, F32, F64}, 6);
}

void make_half(struct snippet *s)
{
	make_rows(s, HALF, 1, (const enum type[]){U16, I32, F32}, 3);
}

void make_exact(struct snippet *s)
{
	/* Functions of single precision with -ftz=true treat denormal numbers as they do. */
	if (s->program->flush)
		make_rows(s, EXACT, 1, (const enum type[]){F64}, 1);
	else
		make_rows(s, EXACT, 1, (const enum type[]){I32, F32, F64}, 3);
}

void make_shift(struct snippet *s)
{
	make_rows(s, SHIFT, 1, (const enum type[]){U32, I32, U64, I64}, 4);
}

/* By zero, and the least number by -1: PTX leaves both to the machine, no program ends by them. */
void make_divide(struct snippet *s)
{
	const char *type = WORD(&s->random, "int", "unsigned", "long long", "unsigned long long");

	kernel_begin(s, "");
	TOP_OF(s,
	       "\t@0 a = (@0)in[lane], b = (@0)in[(lane * 5) % 64];\n\to[lane] = lane + "
	       "1;\n\to[lane + 32] = (u64)(a @1 b);\n"
	       "\to[lane + 64] = (u64)((lane & 1 ? a : (@0)((u64)1 << (8 * sizeof(@0) - 1))) @1 "
	       "(@0)-1);\n",
	       type, WORD(&s->random, "/", "%"));
	/* How exact these are the command line says; devices and their PTX are compared. */
	TOP_OF(s, "\to[lane + 96] = same(@0);\n",
	       WORD(&s->random, "sqrtf(__uint_as_float((unsigned)in[64 + lane]))",
		    "__uint_as_float((unsigned)in[64 + lane]) / __uint_as_float((unsigned)in[96 + "
		    "lane])",
		    "1.f / __uint_as_float((unsigned)in[64 + lane])",
		    "rsqrtf(__uint_as_float((unsigned)in[64 + lane]))",
		    "hypotf(__uint_as_float((unsigned)in[64 + lane]), (float)lane)",
		    "sqrt(__longlong_as_double(in[128 + lane])) / lane"));
	kernel_end(s);
	expect_series(s, 0, 1, 1);
	s->rows = ROWS;
}
