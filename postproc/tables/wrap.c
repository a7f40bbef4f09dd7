/* SPDX-License-Identifier: Apache-2.0 */
/* Text as wide as it is on a screen. */
#include "postproc/tables/wrap.h"
#include <string.h>

#define LEAST_WIDTH 40 /* below, lines of a word each are no better than long ones */

unsigned ct_display_width(const char *text, size_t bytes)
{
	unsigned width = 0;

	for (size_t i = 0; i < bytes; i++)
		width += (text[i] & 0xc0) != 0x80;
	return width;
}

void ct_write_wrapped(FILE *out, const char *text, unsigned indent, unsigned width)
{
	unsigned at = indent;

	if (width < LEAST_WIDTH)
		width = 0;
	while (*text) {
		size_t bytes = strcspn(text, " ");
		unsigned word = ct_display_width(text, bytes);

		if (width && at > indent && at + 1 + word > width) {
			fprintf(out, "\n%*s", (int)indent, "");
			at = indent;
		} else if (at > indent) {
			fputc(' ', out);
			at++;
		}
		fwrite(text, 1, bytes, out);
		at += word;
		text += bytes + (text[bytes] == ' ');
	}
	fputc('\n', out);
}
