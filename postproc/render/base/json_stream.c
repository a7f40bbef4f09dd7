/* SPDX-License-Identifier: Apache-2.0 */
/* A large JSON object written field by field: what was written is not kept in memory. */
#include "postproc/render/base/json_stream.h"
#include <errno.h>

static void open_level(struct ct_json_stream *stream, char bracket)
{
	fputc(bracket, stream->out);
	stream->depth++;
	stream->is_first = 1;
}

static void new_line(struct ct_json_stream *stream)
{
	fprintf(stream->out, "\n%*s", (int)(2 * stream->depth), "");
}

static void close_level(struct ct_json_stream *stream, char bracket)
{
	stream->depth--;
	if (!stream->is_first)
		new_line(stream);
	fputc(bracket, stream->out);
	stream->is_first = 0;
}

static void next(struct ct_json_stream *stream)
{
	if (!stream->is_first)
		fputc(',', stream->out);
	new_line(stream);
	stream->is_first = 0;
}

static void write_key(struct ct_json_stream *stream, const char *key)
{
	next(stream);
	fprintf(stream->out, "\"%s\": ", key);
}

static void write_value(struct ct_json_stream *stream, json_t *value)
{
	if (!value && !stream->err)
		stream->err = -ENOMEM;
	if (value && !stream->err && json_dumpf(value, stream->out, JSON_ENCODE_ANY))
		stream->err = -EIO;
	json_decref(value);
}

void ct_json_begin(struct ct_json_stream *stream, FILE *out)
{
	*stream = (struct ct_json_stream){.out = out};
	open_level(stream, '{');
}

void ct_json_field(struct ct_json_stream *stream, const char *key, json_t *value)
{
	write_key(stream, key);
	write_value(stream, value);
}

void ct_json_array(struct ct_json_stream *stream, const char *key)
{
	write_key(stream, key);
	open_level(stream, '[');
}

void ct_json_element(struct ct_json_stream *stream, json_t *value)
{
	next(stream);
	write_value(stream, value);
}

void ct_json_array_end(struct ct_json_stream *stream)
{
	close_level(stream, ']');
}

void ct_json_object(struct ct_json_stream *stream, const char *key)
{
	write_key(stream, key);
	open_level(stream, '{');
}

void ct_json_object_end(struct ct_json_stream *stream)
{
	close_level(stream, '}');
}

int ct_json_end(struct ct_json_stream *stream)
{
	close_level(stream, '}');
	fputc('\n', stream->out);
	if (!stream->err && ferror(stream->out))
		stream->err = -EIO;
	return stream->err;
}
