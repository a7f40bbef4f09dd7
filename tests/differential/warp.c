/* SPDX-License-Identifier: Apache-2.0 */
/* Snippets of statements: what lanes, and warps as a whole, compute one after another. */
#include "tests/differential/expression.h"

#define ALL 0xffffffffu
#define VARIABLES 10

struct body {
	struct snippet *s;
	struct value variables[VARIABLES];
	unsigned count;
};

static struct value expression(struct body *body, enum type type)
{
	return expression_make(body->s, INTEGER, type, 1 + (int)random_below(&body->s->random, 2),
			       body->variables, body->count);
}

static enum type some_type(struct body *body)
{
	return (const enum type[]){I32, U32, I64, U64}[random_below(&body->s->random, 4)];
}

/* The value's name is now a variable's. */
static void keep(struct body *body, struct value value)
{
	value.text = say("t%u", body->count);
	body->variables[body->count++] = value;
}

/* `$` is the next variable's number. */
static void fill(struct body *body, const char *words, const char *const *arguments)
{
	text_fill(&body->s->top, words, (int)body->count, arguments);
}

static void put_assignment(struct body *body)
{
	struct value value = expression(body, some_type(body));

	text_print(&body->s->top, "\t%s t%u = %s;\n", type_name(value.type), body->count,
		   value.text);
	keep(body, value);
}

static void put_condition(struct body *body)
{
	enum type type = some_type(body);
	struct value first = expression(body, type), second = expression(body, type),
		     when = expression(body, I32);
	bool otherwise = random_chance(&body->s->random, 50);

	fill(body,
	     otherwise ? "\t@0 t$;\n\tif (@1)\n\t\tt$ = @2;\n\telse\n\t\tt$ = @3;\n"
		       : "\t@0 t$ = @3;\n\tif (@1)\n\t\tt$ = @2;\n",
	     (const char *const[]){type_name(type), when.text, second.text, first.text});
	for (unsigned lane = 0; lane < LANES; lane++)
		if (!when.lane[lane])
			second.lane[lane] = first.lane[lane];
	keep(body, second);
}

static void put_shuffle(struct body *body)
{
	struct random *random = &body->s->random;
	static const char *const names[] = {"", "_up", "_down", "_xor"};
	unsigned which = random_below(random, 4), width = 32u >> random_below(random, 4),
		 by = random_below(random, which == 0 ? 40 : 32);
	struct value value = expression(body, some_type(body)), result = value;

	for (unsigned lane = 0; lane < LANES; lane++) {
		unsigned first = lane & ~(width - 1), last = first + width - 1, from = lane;

		if (which == 0)
			from = first + by % width;
		else if (which == 1 && lane - first >= by)
			from = lane - by;
		else if (which == 2 && lane + by <= last)
			from = lane + by;
		else if (which == 3 && (lane ^ by) <= last)
			from = lane ^ by;
		result.lane[lane] = value.lane[from];
	}
	text_print(&body->s->top, "\t%s t%u = __shfl%s_sync(0xffffffff, %s, %u, %u);\n",
		   type_name(value.type), body->count, names[which], value.text, by, width);
	keep(body, result);
}

static uint64_t reduced(unsigned which, uint64_t a, uint64_t b)
{
	switch (which) {
	case 0:
		return a + b;
	case 1:
		return a < b ? a : b;
	case 2:
		return a > b ? a : b;
	case 3:
		return a & b;
	case 4:
		return a | b;
	default:
		return a ^ b;
	}
}

/* ballot, any, all, match and reductions, of the lanes that the condition has. */
static void put_vote(struct body *body)
{
	static const char *const operations[] = {"add", "min", "max", "and", "or", "xor"};
	struct random *random = &body->s->random;
	unsigned which = random_below(random, 6), operation = random_below(random, 6), mask = 0;
	struct value when = expression(body, I32),
		     value = expression_cast(expression(body, U32), U32), result;
	static const char *const forms[] = {"__ballot_sync(m$, (@0 & 3) == 1)",
					    "(unsigned)__any_sync(m$, (@0 & 3) == 1)",
					    "(unsigned)__all_sync(m$, (@0 & 3) == 1)",
					    "__match_any_sync(m$, @0 & 3)",
					    "__reduce_@1_sync(m$, @0)",
					    "__shfl_sync(m$, @0, __ffs(m$) - 1)"};

	result = value;
	for (unsigned lane = 0; lane < LANES; lane++)
		mask |= (unsigned)(when.lane[lane] != 0) << lane;
	fill(body,
	     "\tunsigned t$ = 9, m$ = __ballot_sync(0xffffffff, @0);\n\tif (m$ >> lane & "
	     "1)\n\t\tt$ = ",
	     &when.text);
	fill(body, forms[which], (const char *const[]){value.text, operations[operation]});
	fill(body, ";\n", NULL);
	for (unsigned lane = 0; lane < LANES; lane++) {
		uint64_t ballot = 0, same = 0, sum = 0;
		bool begun = false;

		result.lane[lane] = 9;
		if (!(mask >> lane & 1))
			continue;
		for (unsigned other = 0; other < LANES; other++) {
			if (!(mask >> other & 1))
				continue;
			ballot |= (uint64_t)((value.lane[other] & 3) == 1) << other;
			same |= (uint64_t)((value.lane[other] & 3) == (value.lane[lane] & 3))
				<< other;
			sum =
			    begun ? reduced(operation, sum, value.lane[other]) : value.lane[other];
			begun = true;
		}
		result.lane[lane] = wrapped(U32, which == 0   ? ballot
						 : which == 1 ? ballot != 0
						 : which == 2 ? ballot == mask
						 : which == 3 ? same
						 : which == 4 ? sum
							      : value.lane[__builtin_ctz(mask)]);
	}
	keep(body, result);
}

static void put_exchange(struct body *body)
{
	struct random *random = &body->s->random;
	unsigned stride = 1 + 2 * random_below(random, 16), first = random_below(random, 32);
	struct value value = expression(body, some_type(body)), result = value;
	const char *barrier =
	    WORD(random, "__syncthreads()", "__syncwarp()", "__syncthreads_count(1)",
		 "asm volatile(\"bar.sync 0;\" ::: \"memory\")", "__syncwarp(~0u)");

	for (unsigned lane = 0; lane < LANES; lane++)
		result.lane[lane] = value.lane[(lane * stride + first) % LANES];
	text_print(&body->s->top,
		   "\t%s__shared__ %s s%u[32];\n\ts%u[lane] = %s;\n\t%s;\n\t%s t%u = s%u[(lane * "
		   "%u + %u) %% 32];\n",
		   random_chance(random, 30) ? "volatile " : "", type_name(value.type), body->count,
		   body->count, value.text, barrier, type_name(value.type), body->count,
		   body->count, stride, first);
	keep(body, result);
}

static void put_loop(struct body *body)
{
	struct random *random = &body->s->random;
	unsigned mask = (1u << random_below(random, 5)) - 1, leave = random_below(random, 7),
		 shape = random_below(random, 3);
	struct value value = expression(body, U32), times = expression(body, U32), result = value;
	static const char *const forms[] = {
	    "\tfor (unsigned i = 0; i < (@0 & @1); i++) {\n\t\tif (i == @2)\n\t\t\tbreak;\n\t\tt$ "
	    "= t$ * 3 + i;\n\t}\n",
	    "\tfor (unsigned i = 0; ; i++) {\n\t\tif (i >= (@0 & @1) || i == "
	    "@2)\n\t\t\tbreak;\n\t\tt$ = t$ * 3 + i;\n\t}\n",
	    "\t{\n\t\tunsigned i = 0;\n\t\twhile (i < (@0 & @1)) {\n\t\t\tif (i == "
	    "@2)\n\t\t\t\tgoto out$;\n\t\t\tt$ = t$ * 3 + i++;\n\t\t}\n\t}\nout$:\n\t;\n"};

	fill(body, "\tunsigned t$ = @0;\n", &value.text);
	/* A goto must not pass what is initialized: nothing is, between the two. */
	fill(body, forms[shape],
	     (const char *const[]){times.text, say("%u", mask), say("%u", leave)});
	for (unsigned lane = 0; lane < LANES; lane++)
		for (unsigned i = 0; i < (times.lane[lane] & mask) && i != leave; i++)
			result.lane[lane] = wrapped(U32, result.lane[lane] * 3 + i);
	keep(body, result);
}

static void put_switch(struct body *body)
{
	struct value on = expression(body, I32), a = expression(body, I64),
		     b = expression(body, I64), result = a;

	text_print(&body->s->top,
		   "\tlong long t%u = 5;\n\tswitch (%s & 7) {\n\tcase 1:\n\tcase 6:\n\t\tt%u = "
		   "%s;\n\t\tbreak;\n"
		   "\tcase 3:\n\t\tt%u = 11; // through\n\tcase 4:\n\t\tt%u ^= "
		   "%s;\n\t\tbreak;\n\tdefault:\n\t\tt%u = -1;\n\t}\n",
		   body->count, on.text, body->count, a.text, body->count, body->count, b.text,
		   body->count);
	for (unsigned lane = 0; lane < LANES; lane++) {
		unsigned which = on.lane[lane] & 7;

		result.lane[lane] = which == 1 || which == 6 ? a.lane[lane]
				    : which == 3             ? 11 ^ b.lane[lane]
				    : which == 4             ? 5 ^ b.lane[lane]
							     : (uint64_t)-1;
	}
	keep(body, result);
}

static void put_array(struct body *body)
{
	struct value at = expression(body, U32), value = expression(body, U64),
		     from = expression(body, U32), result = value;

	text_print(&body->s->top,
		   "\tu64 a%u[5] = {lane, 2, 3};\n\ta%u[%s %% 5] ^= %s;\n\tu64 t%u = a%u[%s %% 5] "
		   "+ a%u[4];\n",
		   body->count, body->count, at.text, value.text, body->count, body->count,
		   from.text, body->count);
	for (unsigned lane = 0; lane < LANES; lane++) {
		uint64_t array[5] = {lane, 2, 3};

		array[at.lane[lane] % 5] ^= value.lane[lane];
		result.lane[lane] = array[from.lane[lane] % 5] + array[4];
	}
	keep(body, result);
}

/* A structure by value to a function that is not inlined, and one back. */
static void put_call(struct body *body)
{
	struct value a = expression(body, I32), b = expression(body, U64), result = b;

	text_print(&body->s->top, "\tu64 t%u = pair_sum(pair_swap(Pair{(short)%s, %s}));\n",
		   body->count, a.text, b.text);
	for (unsigned lane = 0; lane < LANES; lane++)
		result.lane[lane] = wrapped(I16, b.lane[lane]) * 7 + wrapped(I16, a.lane[lane]);
	keep(body, result);
}

void make_body(struct snippet *s)
{
	static void (*const statements[])(struct body *) = {
	    put_assignment, put_condition, put_shuffle, put_vote, put_exchange,
	    put_loop,       put_switch,    put_array,   put_call};
	struct body body = {s, {{0}}, 0};
	unsigned count = 4 + random_below(&s->random, VARIABLES - 4);

	kernel_begin(s, WORD(&s->random, "", "__launch_bounds__(32)", "__launch_bounds__(64, 2)",
			     "static", "__launch_bounds__(1024)"));
	while (body.count < count)
		statements[random_below(&s->random, sizeof(statements) / sizeof(*statements))](
		    &body);
	for (int row = 0; row < ROWS; row++)
		expression_store(s, row, body.variables[count - 1 - (unsigned)row]);
	kernel_end(s);
}
