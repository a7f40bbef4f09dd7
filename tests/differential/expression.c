/* SPDX-License-Identifier: Apache-2.0 */
/* Expressions of device code: their text, and what they are in each lane of a warp. */
#include "tests/differential/expression.h"

#define ALL 0xffffffffu

struct value expression_leaf(struct snippet *s, enum type type)
{
	static const unsigned char strides[] = {1, 3, 5, 7, 13, 31, 0};
	unsigned stride = strides[random_below(&s->random, sizeof(strides))];
	unsigned first = random_below(&s->random, INPUTS);
	unsigned kind = type == F32 ? 1 : type == F64 ? 2 : 0;
	struct value value = {type, NULL, {0}, ALL};
	const char *load =
	    say("in[%u + (lane * %u + %u) %% %u]", kind * INPUTS, stride, first, INPUTS);

	for (unsigned lane = 0; lane < LANES; lane++)
		value.lane[lane] =
		    wrapped(type == F32 || type == F64 ? U64 : type,
			    s->program->inputs[kind * INPUTS + (lane * stride + first) % INPUTS]);
	if (type == F32)
		value.text = say("__uint_as_float((unsigned)%s)", load);
	else if (type == F64)
		value.text = say("__longlong_as_double(%s)", load);
	else
		value.text = say("(%s)%s", type_name(type), load);
	return value;
}

static struct value constant(struct snippet *s, enum type type)
{
	static const int64_t some[] = {0,  1,   -1,   2,          7,           31,
				       32, 255, -128, 0x7fffffff, -0x7fffffff, 65535};
	struct value value = {type, NULL, {0}, ALL};
	uint64_t number = wrapped(type, (uint64_t)some[random_below(&s->random, 12)]);

	for (unsigned lane = 0; lane < LANES; lane++)
		value.lane[lane] = number;
	value.text = say("(%s)%lld", type_name(type), (long long)number);
	return value;
}

static bool is_float(enum type type)
{
	return type == F32 || type == F64;
}

struct value expression_cast(struct value value, enum type type)
{
	if (value.type == type)
		return value;
	value.text = say("(%s)%s", type_name(type), value.text);
	for (unsigned lane = 0; lane < LANES; lane++)
		value.lane[lane] = wrapped(type, value.lane[lane]);
	value.type = type;
	return value;
}

/* An operation of the category whose result can be had as this type. */
static const struct operation *choose(struct snippet *s, enum category category, enum type type)
{
	for (;;) {
		const struct operation *operation =
		    &operations[random_below(&s->random, operations_count)];

		if (operation->category == category &&
		    (operation->result == type ||
		     (!is_float(type) && !is_float(operation->result))))
			return operation;
	}
}

static struct value apply(const struct operation *operation, const struct value operands[3])
{
	struct value value = {operation->result, NULL, {0}, ALL};

	for (unsigned i = 0; i < 3 && operation->operands[i]; i++)
		value.known &= operands[i].known;
	for (unsigned lane = 0; lane < LANES; lane++) {
		operation_unknown = false;
		value.lane[lane] = operation->evaluate(
		    operands[0].lane[lane], operands[1].lane[lane], operands[2].lane[lane]);
		value.lane[lane] = operation_canonical(operation->result, value.lane[lane]);
		if (!is_float(operation->result))
			value.lane[lane] = wrapped(operation->result, value.lane[lane]);
		if (operation_unknown)
			value.known &= ~(1u << lane);
	}
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
	value.text = say(operation->format, operands[0].text, operands[1].text, operands[2].text);
	return value;
}

struct value expression_make(struct snippet *s, enum category category, enum type type, int depth,
			     const struct value *variables, unsigned count)
{
	const struct operation *operation;
	struct value operands[3] = {{0}};

	if (depth == 0) {
		if (!is_float(type) && random_chance(&s->random, 15))
			return constant(s, type);
		if (!is_float(type) && count && random_chance(&s->random, 60))
			return expression_cast(variables[random_below(&s->random, count)], type);
		return expression_leaf(s, type);
	}
	operation = choose(s, category, type);
	for (unsigned i = 0; i < 3 && operation->operands[i]; i++) {
		enum type wanted = operation->operands[i];
		bool made = category == INTEGER || category == VIDEO || category == FLOAT;
		int below = made ? (int)random_below(&s->random, (unsigned)depth) : 0;

		/* By a constant that is the width or more a shift is what each compiler likes. */
		operands[i] = category == SHIFT && i == 1
				  ? expression_leaf(s, wanted)
				  : expression_make(s, category, wanted, below, variables, count);
	}
	return expression_cast(apply(operation, operands), type);
}

void expression_store(struct snippet *s, int row, struct value value)
{
	static const char *const forms[] = {"(u64)(%s)", "same(%s)"};

	if (s->rows <= row)
		s->rows = row + 1;
	text_print(&s->top, "\to[lane + %d] = ", row * LANES);
	text_print(&s->top, forms[is_float(value.type)], value.text);
	text_print(&s->top, ";\n");
	s->known[row] = true;
	s->unknown[row] = ~value.known;
	for (unsigned lane = 0; lane < LANES; lane++)
		s->expected[row][lane] = value.lane[lane];
}

void kernel_begin(struct snippet *s, const char *attributes)
{
	text_print(&s->top,
		   "__global__ %s void k%d(u64 *o, const u64 *in)\n{\n"
		   "\tconst unsigned lane = threadIdx.x;\n",
		   attributes, s->number);
}

void kernel_end(struct snippet *s)
{
	TOP(s, "}\n");
	RUN(s, "\tk$<<<1, 32>>>(o, in);\n");
}
