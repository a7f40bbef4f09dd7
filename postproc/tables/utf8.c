/* SPDX-License-Identifier: Apache-2.0 */
/* Text as readers of UTF-8 take it. */
#include "postproc/tables/utf8.h"
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* Length of the UTF-8 character at text, 0 if it is none. */
static size_t character_bytes(const unsigned char *text)
{
	static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
	size_t bytes = *text < 0x80       ? 1
		       : *text >> 5 == 6  ? 2
		       : *text >> 4 == 14 ? 3
		       : *text >> 3 == 30 ? 4
					  : 0;
	uint32_t code = bytes > 1 ? *text & (0x7fu >> bytes) : *text;

	for (size_t i = 1; i < bytes; i++) {
		if (text[i] >> 6 != 2)
			return 0;
		code = code << 6 | (text[i] & 0x3f);
	}
	return code < least[bytes] || code > 0x10ffff || (code >= 0xd800 && code < 0xe000) ? 0
											   : bytes;
}

bool ct_is_utf8(const char *text)
{
	const unsigned char *at = (const unsigned char *)text;

	while (*at) {
		size_t bytes = character_bytes(at);

		if (!bytes)
			return false;
		at += bytes;
	}
	return true;
}

/* A copy with '?' for each byte that is not of a character; to be freed. */
char *ct_as_utf8(const char *text)
{
	char *copy = strdup(text);

	for (char *c = copy; c && *c;) {
		size_t bytes = character_bytes((const unsigned char *)c);

		if (!bytes)
			*c = '?';
		c += bytes ? bytes : 1;
	}
	return copy;
}
