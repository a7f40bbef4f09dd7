/* SPDX-License-Identifier: Apache-2.0 */
/* A file of Chrome's trace event format (JSON), never larger than a limit. */
#include "postproc/formats/perfetto/out.h"
#include <assert.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>

#define END_BYTES 8192 /* kept free for the facts and brackets */
#define SEPARATOR_BYTES 2
#define REAL_DIGITS 17

/* The first error of the file; what it was is known best where it happens. */
static void check(struct ct_perfetto_out *out)
{
	if (ferror(out->json.out))
		ct_json_fail(&out->json, errno ? -errno : -EIO);
}

int ct_perfetto_begin(struct ct_perfetto_out *out, FILE *file, uint64_t limit)
{
	FILE *next;

	*out = (struct ct_perfetto_out){.limit = limit};
	next = open_memstream(&out->text, &out->bytes);
	ct_json_init(&out->json, file, 0, CT_JSON_UTF8);
	ct_json_init(&out->next, next, 0, CT_JSON_UTF8);
	ct_json_open_object(&out->json, NULL, CT_JSON_INLINE);
	ct_json_open_array(&out->json, "traceEvents", CT_JSON_LINES);
	if (!next)
		ct_json_fail(&out->json, -ENOMEM);
	return out->json.err;
}

/* Readers multiply by 1000, and some cut what comes out: it must not be less than ns. */
void ct_perfetto_put_time(struct ct_json *json, const char *key, uint64_t ns)
{
	double us = (double)ns / 1000;

	while ((uint64_t)(us * 1000) < ns)
		us = nextafter(us, INFINITY);
	ct_json_put_real(json, key, us, REAL_DIGITS);
}

struct ct_json *ct_perfetto_open(struct ct_perfetto_out *out, const struct ct_perfetto_event *event)
{
	struct ct_json *json = &out->next;

	ct_json_open_object(json, NULL, CT_JSON_COMPACT);
	ct_json_put_text(json, "name", event->name);
	if (event->category)
		ct_json_put_text(json, "cat", event->category);
	ct_json_put_text(json, "ph", event->phase);
	if (event->id)
		ct_json_put_number(json, "id", event->id);
	if (*event->phase == 'i')
		ct_json_put_text(json, "s", "t"); /* of the thread */
	if (*event->phase == 'f')
		ct_json_put_text(json, "bp", "e"); /* ends at what encloses it */
	ct_json_put_number(json, "pid", event->pid);
	ct_json_put_number(json, "tid", event->tid);
	ct_perfetto_put_time(json, "ts", event->begin_ns);
	if (*event->phase == 'X')
		ct_perfetto_put_time(json, "dur", event->lasts_ns);
	ct_json_open_object(json, "args", CT_JSON_COMPACT);
	return json;
}

void ct_perfetto_close(struct ct_perfetto_out *out)
{
	assert(out->count < CT_PERFETTO_TOGETHER);
	ct_json_close(&out->next);
	ct_json_close(&out->next);
	out->end[out->count++] = (size_t)ftell(out->next.out);
}

int ct_perfetto_take(struct ct_perfetto_out *out)
{
	size_t begin = 0, bytes = out->end[out->count - 1] + SEPARATOR_BYTES * out->count;
	int fits;

	if (fflush(out->next.out))
		ct_json_fail(&out->json, -ENOMEM);
	fits = !out->json.err && out->written + bytes + END_BYTES <= out->limit;
	for (size_t i = 0; i < out->count && fits; begin = out->end[i++]) {
		ct_json_put_key(&out->json, NULL);
		fwrite(out->text + begin, 1, out->end[i] - begin, out->json.out);
	}
	out->written += fits ? bytes : 0;
	out->events += fits ? out->count : 0;
	out->count = 0;
	rewind(out->next.out);
	check(out);
	return fits;
}

struct ct_json *ct_perfetto_facts(struct ct_perfetto_out *out)
{
	ct_json_close(&out->json);
	ct_json_open_object(&out->json, "otherData", CT_JSON_LINES);
	return &out->json;
}

int ct_perfetto_end(struct ct_perfetto_out *out)
{
	struct ct_json *json = &out->json;

	while (json->depth)
		ct_json_close(json);
	fputc('\n', json->out);
	check(out);
	if (out->next.out)
		fclose(out->next.out);
	free(out->text);
	return json->err;
}
