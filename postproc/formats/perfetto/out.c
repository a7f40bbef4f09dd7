/* SPDX-License-Identifier: Apache-2.0 */
/* A file of Chrome's trace event format (JSON), never larger than a limit. */
#include "postproc/formats/perfetto/out.h"
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define EVENTS_MAX 4
#define END_BYTES 8192 /* kept free for the facts and brackets */
#define SEPARATOR_BYTES 2

/* The first error of the file; what it was is known best where it happens. */
static void check(struct ct_perfetto_out *out)
{
	if (ferror(out->json.out))
		ct_json_fail(&out->json, errno ? -errno : -EIO);
}

void ct_perfetto_begin(struct ct_perfetto_out *out, FILE *file, uint64_t limit)
{
	*out = (struct ct_perfetto_out){.limit = limit};
	ct_json_init(&out->json, file, 0, CT_JSON_UTF8);
	ct_json_open_object(&out->json, NULL, CT_JSON_INLINE);
	ct_json_open_array(&out->json, "traceEvents", CT_JSON_LINES);
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
	uint64_t bytes = 0;
	int fits;

	for (size_t i = 0; i < count; i++) {
		text[i] =
		    event[i] ? json_dumps(event[i], JSON_COMPACT | JSON_REAL_PRECISION(17)) : NULL;
		json_decref(event[i]);
		if (!text[i])
			ct_json_fail(&out->json, -ENOMEM);
		bytes += text[i] ? strlen(text[i]) + SEPARATOR_BYTES : 0;
	}
	fits = !out->json.err && out->written + bytes + END_BYTES <= out->limit;
	for (size_t i = 0; i < count; i++) {
		if (fits) {
			ct_json_put_key(&out->json, NULL);
			fputs(text[i], out->json.out);
		}
		free(text[i]);
	}
	out->written += fits ? bytes : 0;
	out->events += fits ? count : 0;
	check(out);
	return fits;
}

int ct_perfetto_end(struct ct_perfetto_out *out, json_t *facts)
{
	struct ct_json *json = &out->json;

	ct_json_close(json);
	ct_json_put_key(json, "otherData");
	if (!facts || json_dumpf(facts, json->out, JSON_INDENT(1)))
		ct_json_fail(json, -ENOMEM);
	json_decref(facts);
	ct_json_close(json);
	fputc('\n', json->out);
	check(out);
	return json->err;
}
