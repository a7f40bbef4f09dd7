/* SPDX-License-Identifier: Apache-2.0 */
/* Characters of text from elsewhere. */
#include "base/utf8.h"

#include <stdbool.h>
#include <string.h>

/* The first byte tells how many there are (0: it begins nothing); *code gets its bits. */
static unsigned first_byte(unsigned char byte, uint32_t *code)
{
	*code = byte;
	if (byte < 0x80)
		return 1;
	*code = byte & 0x1f;
	if (byte >= 0xc2 && byte < 0xe0)
		return 2;
	*code = byte & 0x0f;
	if (byte >= 0xe0 && byte < 0xf0)
		return 3;
	*code = byte & 0x07;
	return byte >= 0xf0 && byte < 0xf5 ? 4 : 0;
}

uint32_t ct_utf8_read(const char *text, unsigned *bytes)
{
	uint32_t code, least;

	*bytes = first_byte((unsigned char)*text, &code);
	for (unsigned i = 1; i < *bytes; i++) {
		unsigned char next = (unsigned char)text[i];

		if ((next & 0xc0) != 0x80) {
			*bytes = 0;
			return 0;
		}
		code = code << 6 | (next & 0x3f);
	}
	least = *bytes == 4 ? 0x10000 : *bytes == 3 ? 0x800 : 0;
	if (code < least || code > 0x10ffff || (code >= 0xd800 && code < 0xe000))
		*bytes = 0;
	return code;
}

/* Turns text around, or is not seen: marks, embeddings and isolates of direction. */
static bool is_hidden(uint32_t code)
{
	return code == 0x61c || (code >= 0x200b && code <= 0x200f) ||
	       (code >= 0x2028 && code <= 0x202e) || (code >= 0x2060 && code <= 0x206f) ||
	       code == 0xfeff;
}

void ct_text_make_plain(char *text, size_t bytes)
{
	for (size_t at = 0, length; at < bytes; at += length) {
		unsigned char byte = (unsigned char)text[at];
		unsigned read = 1;
		uint32_t code = byte;

		length = 1;
		if (byte >= 0x20 && byte < 0x7f)
			continue;
		if (byte >= 0x80)
			code = ct_utf8_read(text + at, &read);
		length = read ? read : 1;
		if (byte == '\n' || byte == '\t' || byte == '\r')
			text[at] = ' ';
		else if (byte && (!read || code < 0xa0 || is_hidden(code)))
			memset(text + at, '?', length);
	}
}
