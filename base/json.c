/* SPDX-License-Identifier: Apache-2.0 */
/* Write one JSON value piece by piece. */
#include "base/json.h"
#include "base/utf8.h"

#include <assert.h>
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <string.h>

void ct_json_init(struct ct_json *json, FILE *out, unsigned indent,
		  enum ct_json_characters characters)
{
	*json = (struct ct_json){.out = out, .indent = indent, .characters = characters};
}

static void write_escaped(FILE *out, uint32_t code)
{
	static const char letters[] = {['\b'] = 'b', ['\f'] = 'f', ['\n'] = 'n', ['\r'] = 'r',
				       ['\t'] = 't', ['"'] = '"',  ['\\'] = '\\'};

	if (code < sizeof(letters) && letters[code])
		fprintf(out, "\\%c", letters[code]);
	else if (code < 0x10000)
		fprintf(out, "\\u%04" PRIx32, code);
	else
		fprintf(out, "\\u%04" PRIx32 "\\u%04" PRIx32, 0xd7c0 + (code >> 10),
			0xdc00 + (code & 0x3ff));
}

static bool is_escaped(const struct ct_json *json, uint32_t code)
{
	if (code < 0x20 || code == '"' || code == '\\')
		return true;
	return json->characters == CT_JSON_ASCII && (code >= 0x80 || code == '<');
}

/* How many characters from text on stand for themselves, a byte each. */
static size_t plain_bytes(const char *text)
{
	size_t bytes = 0;

	while (text[bytes] >= 0x20 && text[bytes] < 0x7f && text[bytes] != '"' &&
	       text[bytes] != '\\' && text[bytes] != '<')
		bytes++;
	return bytes;
}

static unsigned write_character(const struct ct_json *json, const char *text)
{
	unsigned bytes;
	uint32_t code = ct_utf8_read(text, &bytes);

	if (!bytes)
		fputc('?', json->out);
	else if (is_escaped(json, code))
		write_escaped(json->out, code);
	else
		fwrite(text, 1, bytes, json->out);
	return bytes ? bytes : 1;
}

static void write_text(const struct ct_json *json, const char *text)
{
	fputc('"', json->out);
	for (;;) {
		size_t plain = plain_bytes(text);

		fwrite(text, 1, plain, json->out);
		text += plain;
		if (!*text)
			break;
		text += write_character(json, text);
	}
	fputc('"', json->out);
}

static void new_line(const struct ct_json *json)
{
	fprintf(json->out, "\n%*s", (int)(json->indent * json->depth), "");
}

void ct_json_put_key(struct ct_json *json, const char *key)
{
	struct ct_json_level *level = json->depth ? &json->level[json->depth - 1] : NULL;

	if (level && level->is_begun)
		fputs(level->layout == CT_JSON_INLINE ? ", " : ",", json->out);
	if (level && level->layout == CT_JSON_LINES)
		new_line(json);
	if (level)
		level->is_begun = true;
	if (!key)
		return;
	write_text(json, key);
	fputs(level && level->layout == CT_JSON_COMPACT ? ":" : ": ", json->out);
}

static void open_level(struct ct_json *json, const char *key, const char brackets[2],
		       enum ct_json_layout layout)
{
	assert(json->depth < CT_JSON_LEVELS);
	ct_json_put_key(json, key);
	fputc(brackets[0], json->out);
	json->level[json->depth++] =
	    (struct ct_json_level){.end = brackets[1], .layout = (uint8_t)layout};
}

void ct_json_open_object(struct ct_json *json, const char *key, enum ct_json_layout layout)
{
	open_level(json, key, "{}", layout);
}

void ct_json_open_array(struct ct_json *json, const char *key, enum ct_json_layout layout)
{
	open_level(json, key, "[]", layout);
}

void ct_json_close(struct ct_json *json)
{
	const struct ct_json_level *level;

	assert(json->depth > 0);
	level = &json->level[--json->depth];
	if (level->is_begun && level->layout == CT_JSON_LINES)
		new_line(json);
	fputc(level->end, json->out);
}

void ct_json_put_text(struct ct_json *json, const char *key, const char *text)
{
	ct_json_put_key(json, key);
	write_text(json, text);
}

void ct_json_put_number(struct ct_json *json, const char *key, uint64_t number)
{
	ct_json_put_key(json, key);
	fprintf(json->out, "%" PRIu64, number);
}

void ct_json_put_signed(struct ct_json *json, const char *key, int64_t number)
{
	ct_json_put_key(json, key);
	fprintf(json->out, "%" PRId64, number);
}

void ct_json_put_real(struct ct_json *json, const char *key, double number, int digits)
{
	char text[32], *point;

	ct_json_put_key(json, key);
	if (!isfinite(number)) {
		fputs("null", json->out);
		return;
	}
	if (fabs(number) < 0x1p53 && number == (double)(int64_t)number)
		digits = 17;
	snprintf(text, sizeof(text), "%.*g", digits, number);
	point = strchr(text, ','); /* the traced program may have set a locale */
	if (point)
		*point = '.';
	fputs(text, json->out);
}

void ct_json_put_bool(struct ct_json *json, const char *key, bool value)
{
	ct_json_put_key(json, key);
	fputs(value ? "true" : "false", json->out);
}

void ct_json_put_null(struct ct_json *json, const char *key)
{
	ct_json_put_key(json, key);
	fputs("null", json->out);
}

void ct_json_put_address(struct ct_json *json, const char *key, uint64_t address)
{
	ct_json_put_key(json, key);
	fprintf(json->out, "\"0x%" PRIx64 "\"", address);
}

void ct_json_fail(struct ct_json *json, int err)
{
	if (!json->err)
		json->err = err;
}

int ct_json_error(struct ct_json *json)
{
	if (ferror(json->out))
		ct_json_fail(json, -EIO);
	return json->err;
}
