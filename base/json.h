/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Write one JSON value piece by piece: what was written is not kept in memory. Keys and
 * brackets come out in the order of the calls; the caller sees to it that each level is closed
 * and that keys are there in objects, NULL in arrays and for the whole. Errors are kept in the
 * writer, so that they can be asked for once at the end.
 */
#ifndef CT_BASE_JSON_H
#define CT_BASE_JSON_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#define CT_JSON_LEVELS 32u /* at most, inside each other */

/* How the members of an object or array stand. */
enum ct_json_layout {
	CT_JSON_LINES,   /* each on a line of its own, indented: {\n  "a": 1,\n  "b": 2\n} */
	CT_JSON_INLINE,  /* {"a": 1, "b": 2} */
	CT_JSON_COMPACT, /* {"a":1,"b":2} */
};

enum ct_json_characters {
	CT_JSON_UTF8, /* as they are; bytes that are not UTF-8 become '?' */
	CT_JSON_ASCII /* others as \uXXXX, and '<' too, so that nothing ends a <script> */
};

struct ct_json_level {
	char end; /* '}' or ']' */
	uint8_t layout;
	bool is_begun; /* has a member */
};

struct ct_json {
	FILE *out;
	unsigned indent; /* columns per level of LINES */
	enum ct_json_characters characters;
	int err; /* the first: -EIO, or what ct_json_fail was given */
	unsigned depth;
	struct ct_json_level level[CT_JSON_LEVELS];
};

/* out is borrowed. */
void ct_json_init(struct ct_json *json, FILE *out, unsigned indent,
		  enum ct_json_characters characters);

void ct_json_open_object(struct ct_json *json, const char *key, enum ct_json_layout layout);
void ct_json_open_array(struct ct_json *json, const char *key, enum ct_json_layout layout);
/* The innermost level. */
void ct_json_close(struct ct_json *json);

void ct_json_put_text(struct ct_json *json, const char *key, const char *text);
void ct_json_put_number(struct ct_json *json, const char *key, uint64_t number);
void ct_json_put_signed(struct ct_json *json, const char *key, int64_t number);
/* So many significant digits, at most 17; of whole numbers below 2^53 all. What is not finite
 * becomes null. */
void ct_json_put_real(struct ct_json *json, const char *key, double number, int digits);
void ct_json_put_bool(struct ct_json *json, const char *key, bool value);
void ct_json_put_null(struct ct_json *json, const char *key);
/* "0x7f…", since JSON readers lose integers beyond 2^53. */
void ct_json_put_address(struct ct_json *json, const char *key, uint64_t address);

/* Only separator and key: the caller writes a value to json->out by itself. */
void ct_json_put_key(struct ct_json *json, const char *key);

/* Note an error, unless there is one. */
void ct_json_fail(struct ct_json *json, int err);
/* The first error, of the file too. */
int ct_json_error(struct ct_json *json);

#endif
