/* SPDX-License-Identifier: Apache-2.0 */
/* Text as wide as it is on a screen. */
#ifndef CT_POSTPROC_TABLES_WRAP_H
#define CT_POSTPROC_TABLES_WRAP_H

#include <stddef.h>
#include <stdio.h>

/* Characters on the screen, of UTF-8. */
unsigned ct_display_width(const char *text, size_t bytes);

/* Words and a line feed, broken so that no line is wider than width unless a word is; 0, and less
 * than 40: any. The text begins `indent` characters from the left, as its further lines then do. */
void ct_write_wrapped(FILE *out, const char *text, unsigned indent, unsigned width);

#endif
