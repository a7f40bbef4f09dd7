/* SPDX-License-Identifier: Apache-2.0 */
/* A file of Chrome's trace event format (JSON), never larger than a limit. */
#include "postproc/render/perfetto/out.h"
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define EVENTS_MAX 4
#define END_BYTES 8192 /* kept free for the facts and brackets */

static void put(struct ct_perfetto_out *out, const char *text)
{
	if (fputs(text, out->file) < 0 && !out->err)
		out->err = errno ? -errno : -EIO;
	out->written += strlen(text);
}

void ct_perfetto_begin(struct ct_perfetto_out *out, FILE *file, uint64_t limit)
{
	*out = (struct ct_perfetto_out){.file = file, .limit = limit};
	put(out, "{\"traceEvents\": [");
}

/* Readers multiply by 1000, and some cut what comes out: it must not be less than ns. */
json_t *ct_perfetto_time(uint64_t ns)
{
	double us = (double)ns / 1000;

	while ((uint64_t)(us * 1000) < ns)
		us = nextafter(us, INFINITY);
	return json_real(us);
}

int ct_perfetto_events(struct ct_perfetto_out *out, json_t *const *event, size_t count)
{
	char *text[EVENTS_MAX] = {NULL};
	uint64_t bytes = END_BYTES;
	int fits = !out->err;

	for (size_t i = 0; i < count; i++) {
		text[i] =
		    event[i] ? json_dumps(event[i], JSON_COMPACT | JSON_REAL_PRECISION(17)) : NULL;
		json_decref(event[i]);
		if (!text[i] && !out->err)
			out->err = -ENOMEM;
		bytes += text[i] ? strlen(text[i]) + 2 : 0;
	}
	fits = fits && !out->err && out->written + bytes <= out->limit;
	for (size_t i = 0; i < count; i++) {
		if (fits) {
			put(out, out->events++ ? ",\n" : "\n");
			put(out, text[i]);
		}
		free(text[i]);
	}
	return fits;
}

int ct_perfetto_end(struct ct_perfetto_out *out, json_t *facts)
{
	char *text = facts ? json_dumps(facts, JSON_INDENT(1)) : NULL;

	json_decref(facts);
	put(out, "\n],\n\"otherData\": ");
	put(out, text ? text : "{}");
	put(out, "}\n");
	if (!text && !out->err)
		out->err = -ENOMEM;
	free(text);
	return out->err;
}
