/* SPDX-License-Identifier: Apache-2.0 */
/* Fields of CSV files (RFC 4180). */
#ifndef CT_BASE_CSV_H
#define CT_BASE_CSV_H

#include <stdio.h>

/* The text as one field: in quotes if it holds a comma, quote or line break, its quotes doubled.
 * What begins as a formula does (=, +, -, @, a tab or a line break) and is no number gets an
 * apostrophe before it, so that programs that show tables do not compute it.
 * Errors stay in the file (ferror). */
void ct_csv_text(FILE *out, const char *text);

#endif
