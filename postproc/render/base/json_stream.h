/* SPDX-License-Identifier: Apache-2.0 */
/* A large JSON object (base/json.h), a line for each field and element, whose small values are
 * jansson's. */
#ifndef CT_RENDER_JSON_STREAM_H
#define CT_RENDER_JSON_STREAM_H

#include "base/json.h"
#include "postproc/render/base/json.h"

void ct_json_begin(struct ct_json *json, FILE *out);
/* Field `key`, or an element if that is NULL, with this value, which is released. */
void ct_json_field(struct ct_json *json, const char *key, json_t *value);
/* Returns the first error. */
int ct_json_end(struct ct_json *json);

#endif
