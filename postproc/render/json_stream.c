/* SPDX-License-Identifier: Apache-2.0 */
/* A large JSON object written field by field: what was written is not kept in memory. */
#include "json_stream.h"
#include <errno.h>

void ct_json_begin(struct ct_json_stream *stream, FILE *out)
{
	*stream = (struct ct_json_stream){.out = out, .before = "{\n"};
}

static void write_key(struct ct_json_stream *stream, const char *key)
{
	fprintf(stream->out, "%s  \"%s\": ", stream->before, key);
	stream->before = ",\n";
}

static void write_value(struct ct_json_stream *stream, json_t *value)
{
	if (!value && !stream->err)
		stream->err = -ENOMEM;
	if (value && !stream->err && json_dumpf(value, stream->out, JSON_ENCODE_ANY))
		stream->err = -EIO;
	json_decref(value);
}

void ct_json_field(struct ct_json_stream *stream, const char *key, json_t *value)
{
	write_key(stream, key);
	write_value(stream, value);
}

void ct_json_array(struct ct_json_stream *stream, const char *key)
{
	write_key(stream, key);
	fputc('[', stream->out);
	stream->before = "\n    ";
}

void ct_json_element(struct ct_json_stream *stream, json_t *value)
{
	fputs(stream->before, stream->out);
	stream->before = ",\n    ";
	write_value(stream, value);
}

void ct_json_array_end(struct ct_json_stream *stream)
{
	fputs(stream->before[0] == ',' ? "\n  ]" : "]", stream->out);
	stream->before = ",\n";
}

int ct_json_end(struct ct_json_stream *stream)
{
	fputs(stream->before[0] == '{' ? "{}\n" : "\n}\n", stream->out);
	if (!stream->err && ferror(stream->out))
		stream->err = -EIO;
	return stream->err;
}
