/* SPDX-License-Identifier: Apache-2.0 */
/* Sections of docs/problems.md, which embed.cmake puts into pages_text.c at build time. */
#include "postproc/render/findings/pages.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* With a NUL behind it. */
extern const unsigned char ct_problem_pages[];

/* "\n### tail\n" */
static const char *find(enum ct_finding_id id)
{
	char heading[128];
	const char *at;

	snprintf(heading, sizeof(heading), "\n### %s\n", ct_finding_id_text(id));
	at = strstr((const char *)ct_problem_pages, heading);
	return at ? at + strlen(heading) : "";
}

/* Up to the next heading, outside of code. */
static size_t length_of(const char *text)
{
	const char *at = text;
	bool is_code = false;

	while (*at) {
		if (!strncmp(at, "```", 3))
			is_code = !is_code;
		if (*at == '#' && !is_code)
			break;
		at = strchr(at, '\n') ? strchr(at, '\n') + 1 : at + strlen(at);
	}
	while (at > text && at[-1] == '\n')
		at--;
	return (size_t)(at - text);
}

char *ct_page(enum ct_finding_id id)
{
	const char *text = find(id);

	text += strspn(text, "\n");
	return strndup(text, length_of(text));
}

char *ct_page_first(enum ct_finding_id id)
{
	char *page = ct_page(id), *end = page ? strstr(page, "\n\n") : NULL;

	if (end)
		*end = '\0';
	for (char *c = page; c && *c; c++)
		if (*c == '\n')
			*c = ' ';
	return page;
}

const char *ct_page_uri(enum ct_finding_id id, char *buffer, size_t bytes)
{
	snprintf(buffer, bytes, "%s#%s", CT_PROBLEMS_URI, ct_finding_id_text(id));
	return buffer;
}
