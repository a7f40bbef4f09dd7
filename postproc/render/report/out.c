/* SPDX-License-Identifier: Apache-2.0 */
/* One JSON value written piece by piece into a page. */
#include "postproc/render/report/out.h"
#include "postproc/render/base/json.h"
#include <errno.h>
#include <math.h>

static void begin(struct ct_out *out, const char *key)
{
	uint32_t bit = 1u << out->depth;

	if (out->begun & bit)
		fputc(',', out->file);
	out->begun |= bit;
	if (key)
		fprintf(out->file, "\"%s\":", key);
}

static void open_level(struct ct_out *out, const char *key, int is_array)
{
	begin(out, key);
	fputc(is_array ? '[' : '{', out->file);
	out->depth++;
	out->begun &= ~(1u << out->depth);
	out->arrays &= ~(1u << out->depth);
	out->arrays |= (uint32_t)is_array << out->depth;
}

void ct_out_object(struct ct_out *out, const char *key)
{
	open_level(out, key, 0);
}

void ct_out_array(struct ct_out *out, const char *key)
{
	open_level(out, key, 1);
}

void ct_out_end(struct ct_out *out)
{
	fputc(out->arrays >> out->depth & 1 ? ']' : '}', out->file);
	out->depth--;
	if (ferror(out->file) && !out->err)
		out->err = -EIO;
}

void ct_out_integer(struct ct_out *out, const char *key, uint64_t value)
{
	begin(out, key);
	fprintf(out->file, "%llu", (unsigned long long)value);
}

void ct_out_real(struct ct_out *out, const char *key, double value)
{
	begin(out, key);
	if (fabs(value) < 0x1p53 && value == floor(value))
		fprintf(out->file, "%.0f", value);
	else if (isfinite(value))
		fprintf(out->file, "%.6g", value);
	else
		fputs("null", out->file);
}

void ct_out_bool(struct ct_out *out, const char *key, int value)
{
	begin(out, key);
	fputs(value ? "true" : "false", out->file);
}

void ct_out_text(struct ct_out *out, const char *key, const char *text)
{
	ct_out_json(out, key, ct_json_text(text));
}

/* In JSON '<' stands in strings only. */
static int escape(const char *text, size_t bytes, void *user)
{
	FILE *file = user;

	for (size_t i = 0; i < bytes; i++)
		if (text[i] == '<')
			fputs("\\u003c", file);
		else
			fputc(text[i], file);
	return ferror(file) ? -1 : 0;
}

void ct_out_json(struct ct_out *out, const char *key, json_t *value)
{
	begin(out, key);
	if (!value) {
		out->err = out->err ? out->err : -ENOMEM;
		fputs("null", out->file);
		return;
	}
	if (json_dump_callback(value, escape, out->file,
			       JSON_COMPACT | JSON_ENSURE_ASCII | JSON_ENCODE_ANY |
				   JSON_REAL_PRECISION(9)) &&
	    !out->err)
		out->err = -EIO;
	json_decref(value);
}
