/* SPDX-License-Identifier: Apache-2.0 */
/* Names as in the source. */
#include "postproc/facts/source_name.h"
#include <stddef.h>
#include <stdio.h>
#include <string.h>

/* Provided by the C++ run-time library: to be freed, or NULL. */
char *__cxa_demangle(const char *symbol, char *buffer, size_t *bytes, int *status);

char *ct_source_name(const char *symbol)
{
	/* Without the prefix a single letter would be taken for a type. */
	char *name =
	    strncmp(symbol, "_Z", 2) == 0 ? __cxa_demangle(symbol, NULL, NULL, NULL) : NULL;

	return name ? name : strdup(symbol);
}

/* After the ":12:3)" that a place ends with, or NULL. */
static const char *end_of_place(const char *at)
{
	for (at = strchr(at, ':'); at; at = strchr(at + 1, ':')) {
		size_t line = strspn(at + 1, "0123456789");
		const char *column = at + 1 + line + 1;
		size_t digits;

		if (!line || column[-1] != ':')
			continue;
		digits = strspn(column, "0123456789");
		if (digits && column[digits] == ')')
			return column + digits + 1;
	}
	return NULL;
}

/* The next place in a name: behind its " at ". *end: behind it. NULL: there is none. */
static const char *next_place(const char *name, const char **end)
{
	static const char *const kinds[] = {"(lambda at ", "(unnamed ", "(anonymous "};

	for (; (name = strchr(name, '(')); name++) {
		for (size_t i = 0; i < sizeof(kinds) / sizeof(*kinds); i++) {
			const char *at = strstr(name, " at ");

			if (strncmp(name, kinds[i], strlen(kinds[i])) != 0 || !at ||
			    memchr(name, ')', (size_t)(at - name)))
				continue;
			*end = end_of_place(at);
			if (*end)
				return at + strlen(" at ");
		}
	}
	return NULL;
}

const char *ct_source_name_brief(const char *name, char buffer[CT_BRIEF_NAME_BYTES])
{
	const char *rest = name, *place, *end;
	size_t used = 0;

	while (used < CT_BRIEF_NAME_BYTES && (place = next_place(rest, &end))) {
		const char *slash = memrchr(place, '/', (size_t)(end - place));
		const char *file = slash ? slash + 1 : place;

		used += (size_t)snprintf(buffer + used, CT_BRIEF_NAME_BYTES - used, "%.*s%.*s",
					 (int)(place - rest), rest, (int)(end - file), file);
		rest = end;
	}
	if (rest == name)
		return name;
	if (used < CT_BRIEF_NAME_BYTES)
		snprintf(buffer + used, CT_BRIEF_NAME_BYTES - used, "%s", rest);
	return buffer;
}
