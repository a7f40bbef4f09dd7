/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A generated program: snippets, each a kernel of its own or more, run by one warp on results of
 * its own. What the generator can predict of a result is in `expected`; the rest is compared
 * between compilers alone.
 */
#ifndef TESTS_DIFFERENTIAL_PROGRAM_H
#define TESTS_DIFFERENTIAL_PROGRAM_H

#include "tests/differential/text.h"

#define LANES 32
#define ROWS 4
#define INPUTS 64 /* of each kind: integers, bits of floats, bits of doubles */

struct program {
	struct random random;
	uint64_t seed;
	int standard;     /* of C++: 14, 17, 20 */
	bool flush, fast; /* -ftz=true; -use_fast_math */
	bool separate;    /* -rdc=true, and a second unit */
	bool lambdas;     /* --extended-lambda */
	bool unpredicted; /* as well what only compilers can be compared on */
	uint64_t inputs[3 * INPUTS];
	struct text options;            /* one a line */
	struct text macros;             /* prints what those of the options are */
	struct text top, second, plain; /* second unit (CUDA), and one for the host's compiler */
	struct text table, expected;
};

struct snippet {
	struct program *program;
	struct random random;
	int number;
	const char *family;
	bool host; /* prints by itself, needs no device */
	struct text top, run;
	struct text second, plain; /* what of it is in other units */
	int rows;
	bool known[ROWS];
	uint32_t unknown[ROWS]; /* lanes of known rows in which it is not */
	uint64_t expected[ROWS][LANES];
};

/* Appends to the source at file scope, to the body of the function that runs it: `$` is the
 * snippet's number, `@0` and on are the arguments. */
#define TOP(s, words) text_fill(&(s)->top, words, (s)->number, NULL)
#define RUN(s, words) text_fill(&(s)->run, words, (s)->number, NULL)
#define TOP_OF(s, words, ...)                                                                      \
	text_fill(&(s)->top, words, (s)->number, (const char *const[]){__VA_ARGS__})
#define RUN_OF(s, words, ...)                                                                      \
	text_fill(&(s)->run, words, (s)->number, (const char *const[]){__VA_ARGS__})

/* Row `row` has this value in all lanes, or first + lane * step. */
void expect_all(struct snippet *s, int row, uint64_t value);
void expect_series(struct snippet *s, int row, uint64_t first, uint64_t step);

struct family {
	const char *name;
	void (*make)(struct snippet *s);
	unsigned weight;
	uint64_t since; /* programs of seeds before have none of it, and stay what they were */
};

extern const struct family families[];
extern const unsigned families_count;

/* The families, by file. */
void make_integer(struct snippet *s);
void make_video(struct snippet *s);
void make_float(struct snippet *s);
void make_convert(struct snippet *s);
void make_half(struct snippet *s);
void make_exact(struct snippet *s);
void make_shift(struct snippet *s);
void make_divide(struct snippet *s);
void make_body(struct snippet *s);
void make_unset(struct snippet *s);
void make_aggregate(struct snippet *s);
void make_atomic(struct snippet *s);
void make_tile(struct snippet *s);
void make_volatile(struct snippet *s);
void make_declare(struct snippet *s);
void make_unevaluated(struct snippet *s);
void make_shared(struct snippet *s);
void make_launch(struct snippet *s);
void make_static(struct snippet *s);
void make_variable(struct snippet *s);
void make_parameter(struct snippet *s);
void make_macro(struct snippet *s);
void make_lambda(struct snippet *s);
void make_unreached(struct snippet *s);
void make_unit(struct snippet *s);
void make_symbol(struct snippet *s);
void make_shape(struct snippet *s);

/* The command line, and what of it programs depend on. */
void choose_options(struct program *program);

#endif
