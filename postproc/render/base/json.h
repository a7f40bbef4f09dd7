/* SPDX-License-Identifier: Apache-2.0 */
/* JSON (docs/json-schema.md): building blocks on jansson. */
#ifndef CT_RENDER_JSON_H
#define CT_RENDER_JSON_H

#include "trace/read/reader.h"
#include <jansson.h>
#include <stdint.h>
#include <stdio.h>

/* A string; bytes that are not UTF-8 become '?'. */
json_t *ct_json_text(const char *text);

json_t *ct_json_number(uint64_t number);

/* [x, y, z] */
json_t *ct_json_extent(const uint32_t extent[3]);

/* "0x7f…", since JSON readers lose integers beyond 2^53. */
json_t *ct_json_address(uint64_t address);

/* Write and release value, with a line feed. indent 0: one line. */
int ct_json_write(FILE *out, json_t *value, int indent);

#endif
