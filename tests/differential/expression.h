/* SPDX-License-Identifier: Apache-2.0 */
/* Expressions of device code: their text, and what they are in each lane of a warp. */
#ifndef TESTS_DIFFERENTIAL_EXPRESSION_H
#define TESTS_DIFFERENTIAL_EXPRESSION_H

#include "tests/differential/operation.h"

struct value {
	enum type type;
	const char *text;
	uint64_t lane[LANES];
	uint32_t known; /* lanes in which the language says what it is */
};

/* A value of the inputs, another of each lane. */
struct value expression_leaf(struct snippet *s, enum type type);
struct value expression_cast(struct value value, enum type type);
/* A random expression of operations of a category, and of the variables given (may be none). */
struct value expression_make(struct snippet *s, enum category category, enum type type, int depth,
			     const struct value *variables, unsigned count);
/* Stores the value to the row, and what is known of it to what is expected. */
void expression_store(struct snippet *s, int row, struct value value);

/* The beginning of a kernel `k$` with `lane`, and of the launch that runs it. */
void kernel_begin(struct snippet *s, const char *attributes);
void kernel_end(struct snippet *s);

#endif
