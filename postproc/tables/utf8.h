/* SPDX-License-Identifier: Apache-2.0 */
/* Text as readers of UTF-8 take it. */
#ifndef CT_POSTPROC_TABLES_UTF8_H
#define CT_POSTPROC_TABLES_UTF8_H

#include <stdbool.h>

bool ct_is_utf8(const char *text);

/* A copy with '?' for each byte that is not of a character, freed by the caller; NULL: no memory.
 */
char *ct_as_utf8(const char *text);

#endif
