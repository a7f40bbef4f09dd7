/* SPDX-License-Identifier: Apache-2.0 */
/* A large JSON object written field by field: what was written is not kept in memory. */
#ifndef CT_RENDER_JSON_STREAM_H
#define CT_RENDER_JSON_STREAM_H

#include "postproc/render/base/json.h"

struct ct_json_stream {
	FILE *out;
	unsigned depth;
	int is_first; /* nothing stands before the next field or element */
	int err;      /* the first: -ENOMEM, -EIO */
};

void ct_json_begin(struct ct_json_stream *stream, FILE *out);
/* Field `key` with this value, which is released. */
void ct_json_field(struct ct_json_stream *stream, const char *key, json_t *value);
/* Field `key`, an array whose elements follow, each on a line of its own. */
void ct_json_array(struct ct_json_stream *stream, const char *key);
void ct_json_element(struct ct_json_stream *stream, json_t *value);
void ct_json_array_end(struct ct_json_stream *stream);
/* Field `key`, an object whose fields follow. */
void ct_json_object(struct ct_json_stream *stream, const char *key);
void ct_json_object_end(struct ct_json_stream *stream);
/* Returns the first error. */
int ct_json_end(struct ct_json_stream *stream);

#endif
