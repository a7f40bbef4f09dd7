/* SPDX-License-Identifier: Apache-2.0 */
/* Operations of device code and what they give, evaluated by definitions of our own. */
#ifndef TESTS_DIFFERENTIAL_OPERATION_H
#define TESTS_DIFFERENTIAL_OPERATION_H

#include "tests/differential/program.h"

enum type { NONE, I8, U8, I16, U16, I32, U32, I64, U64, F32, F64 };

enum category { INTEGER, VIDEO, FLOAT, CONVERT, HALF, EXACT, SHIFT };

/* Values are raw: integers extended to 64 bits as their type says, the bits of floats. */
struct operation {
	enum category category;
	const char *format; /* %s for each operand */
	enum type result, operands[3];
	uint64_t (*evaluate)(uint64_t a, uint64_t b, uint64_t c);
};

extern const struct operation operations[];
extern const unsigned operations_count;
/* -ftz=true: operations of single precision take and give no denormal numbers. */
extern bool operation_flushes;
/* Set by an evaluation whose result is the machine's own. */
extern bool operation_unknown;

/* Returns for a NaN the one that programs print. */
uint64_t operation_canonical(enum type type, uint64_t raw);

/* A number as its type holds it. */
uint64_t wrapped(enum type type, uint64_t bits);
const char *type_name(enum type type);
unsigned type_bits(enum type type);
bool type_signed(enum type type);

#endif
