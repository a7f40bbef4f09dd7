/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One JSON value written piece by piece into a page. '<' is written as \\u003c,
 * so nothing in it ends or begins an element; what is not ASCII is escaped.
 */
#ifndef CT_RENDER_REPORT_OUT_H
#define CT_RENDER_REPORT_OUT_H

#include "base/json.h"
#include <jansson.h>
#include <stdint.h>
#include <stdio.h>

struct ct_out {
	struct ct_json json;
};

/* file is borrowed. */
void ct_out_init(struct ct_out *out, FILE *file);

/* key: NULL in arrays and for the whole. */
void ct_out_object(struct ct_out *out, const char *key);
void ct_out_array(struct ct_out *out, const char *key);
void ct_out_end(struct ct_out *out);
void ct_out_integer(struct ct_out *out, const char *key, uint64_t value);
void ct_out_real(struct ct_out *out, const char *key,
		 double value); /* six digits, whole numbers all */
void ct_out_text(struct ct_out *out, const char *key, const char *text);
void ct_out_bool(struct ct_out *out, const char *key, int value);
void ct_out_json(struct ct_out *out, const char *key, json_t *value); /* takes value over */

/* The first error. */
int ct_out_error(struct ct_out *out);

#endif
