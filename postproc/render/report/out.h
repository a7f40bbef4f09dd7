/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One JSON value written piece by piece into a page. '<' is written as \\u003c,
 * so nothing in it ends or begins an element; what is not ASCII is escaped.
 */
#ifndef CT_RENDER_REPORT_OUT_H
#define CT_RENDER_REPORT_OUT_H

#include <jansson.h>
#include <stdint.h>
#include <stdio.h>

struct ct_out {
	FILE *file;
	int err;         /* the first one */
	uint32_t begun;  /* bit: the level has a member */
	uint32_t arrays; /* bit: the level is an array */
	uint32_t depth;
};

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

#endif
