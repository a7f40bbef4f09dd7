/* SPDX-License-Identifier: Apache-2.0 */
/* Fields of CSV files. */
#include "base/csv.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* Whether programs that show tables would take the text for something to be computed. */
static bool is_formula(const char *text)
{
	char *end;

	if (!*text || !strchr("=+-@\t\r\n", *text) || !text[1])
		return false;
	(void)strtod(text, &end);
	return *end != '\0';
}

void ct_csv_text(FILE *out, const char *text)
{
	bool is_quoted = strpbrk(text, ",\"\r\n") != NULL;

	if (is_quoted)
		fputc('"', out);
	if (is_formula(text))
		fputc('\'', out);
	for (; *text; text++) {
		if (*text == '"')
			fputc('"', out);
		fputc(*text, out);
	}
	if (is_quoted)
		fputc('"', out);
}
