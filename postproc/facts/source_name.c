/* SPDX-License-Identifier: Apache-2.0 */
/* Names as in the source. */
#include "postproc/facts/source_name.h"
#include <stddef.h>
#include <string.h>

/* Of the C++ run-time library: to be freed, or NULL. */
char *__cxa_demangle(const char *symbol, char *buffer, size_t *bytes, int *status);

char *ct_source_name(const char *symbol)
{
	/* Without the prefix a single letter would be taken for a type. */
	char *name =
	    strncmp(symbol, "_Z", 2) == 0 ? __cxa_demangle(symbol, NULL, NULL, NULL) : NULL;

	return name ? name : strdup(symbol);
}
