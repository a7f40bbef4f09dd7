/* SPDX-License-Identifier: Apache-2.0 */
/* Text of man pages. */
#include "driver/base/roff.h"

#include <stdbool.h>

/* One character of UTF-8 that is more than a byte, by its number. Returns its bytes. */
static int put_wide(FILE *out, const char *text)
{
	unsigned number = (unsigned char)*text;
	int bytes = number >= 0xf0 ? 4 : number >= 0xe0 ? 3 : 2;

	number &= 0x7fu >> bytes;
	for (int i = 1; i < bytes && text[i]; i++)
		number = number << 6 | (text[i] & 0x3fu);
	fprintf(out, "\\[u%04X]", number);
	return bytes;
}

void ct_roff_put(FILE *out, const char *text)
{
	bool begins = true;

	for (; *text; text++) {
		if (begins && (*text == '.' || *text == '\''))
			fputs("\\&", out);
		if (*text == '-')
			fputs("\\-", out);
		else if (*text == '\\')
			fputs("\\e", out);
		else if ((*text & 0x80) == 0)
			fputc(*text, out);
		else
			text += put_wide(out, text) - 1;
		begins = *text == '\n';
	}
}
