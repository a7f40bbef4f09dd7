/* SPDX-License-Identifier: Apache-2.0 */
/* A file of Chrome's trace event format (JSON), never larger than a limit. */
#ifndef CT_EXPORT_PERFETTO_OUT_H
#define CT_EXPORT_PERFETTO_OUT_H

#include "base/json.h"
#include <jansson.h>
#include <stdint.h>
#include <stdio.h>

struct ct_perfetto_out {
	struct ct_json json;
	uint64_t limit, written; /* bytes */
	uint64_t events;
};

void ct_perfetto_begin(struct ct_perfetto_out *out, FILE *file, uint64_t limit);

/* Write and release events that belong together. 0: they do not fit and are left out, or
 * out->json.err is set. */
int ct_perfetto_events(struct ct_perfetto_out *out, json_t *const *event, size_t count);

/* facts, released: what stands beside the events. Returns the first error: -ENOMEM, or of the file.
 */
int ct_perfetto_end(struct ct_perfetto_out *out, json_t *facts);

/* A time in microseconds. */
json_t *ct_perfetto_time(uint64_t ns);

#endif
