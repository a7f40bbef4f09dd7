/* SPDX-License-Identifier: Apache-2.0 */
/* Whether a unit's PTX takes addresses of functions: word by word, for functions are declared ahead
 * of what uses them, and statements may go over several lines. */
#include "driver/ptxas/addresses.h"

#include <errno.h>
#include <search.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct scan {
	void *names;         /* tree of strings, of all functions so far */
	bool names_function; /* ahead of the name in a declaration or definition */
	bool is_returned;    /* there, in parentheses: what the function returns */
	bool calls;          /* a statement that names functions and takes no addresses */
	bool takes, failed;
};

static int compare(const void *a, const void *b)
{
	return strcmp(a, b);
}

static void add(struct scan *scan, const char *word)
{
	char *name;

	if (tfind(word, &scan->names, compare))
		return;
	name = strdup(word);
	if (!name || !tsearch(name, &scan->names, compare)) {
		free(name);
		scan->failed = true;
	}
}

static bool begins_name(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '$';
}

static void take_word(struct scan *scan, const char *word)
{
	if (strcmp(word, ".func") == 0) {
		scan->names_function = true;
	} else if (scan->names_function) {
		if (scan->is_returned || !begins_name(word[0]))
			return;
		add(scan, word);
		scan->names_function = false;
	} else if (strcmp(word, "call") == 0 || strncmp(word, "call.", 5) == 0 ||
		   strcmp(word, ".alias") == 0) {
		scan->calls = true;
	} else if (begins_name(word[0]) && !scan->calls) {
		scan->takes |= tfind(word, &scan->names, compare) != NULL;
	}
}

static size_t word_bytes(const char *text)
{
	size_t bytes = 0;

	while (begins_name(text[bytes]) || (text[bytes] >= '0' && text[bytes] <= '9') ||
	       text[bytes] == '.' || text[bytes] == '%')
		bytes++;
	return bytes;
}

/* Changes the line. */
static void take_line(struct scan *scan, char *line)
{
	while (*line && strncmp(line, "//", 2) != 0) {
		size_t bytes = word_bytes(line);
		char behind = line[bytes];

		if (bytes) {
			line[bytes] = '\0';
			take_word(scan, line);
			line[bytes] = behind;
			line += bytes;
			continue;
		}
		if (*line == '"') { /* a file's name: there are no escapes */
			line += 1 + strcspn(line + 1, "\"\n");
			line += *line == '"';
			continue;
		}
		if (*line == '(' || *line == ')')
			scan->is_returned = *line == '(';
		if (*line == ';')
			scan->calls = false;
		line++;
	}
}

int ct_ptx_takes_addresses(const char *path)
{
	struct scan scan = {0};
	FILE *file = fopen(path, "r");
	size_t capacity = 0;
	char *line = NULL;

	if (!file)
		return -errno;
	while (!scan.takes && !scan.failed && getline(&line, &capacity, file) >= 0)
		take_line(&scan, line);
	free(line);
	fclose(file);
	tdestroy(scan.names, free);
	return scan.failed ? -ENOMEM : scan.takes;
}
