/* SPDX-License-Identifier: Apache-2.0 */
/* Base names of functions, from left to right: what stands before a blank is the return type, what
 * comes behind parameters only matters if it goes on with "::". */
#include "postproc/facts/folded_name.h"
#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ARGUMENTS "<...>"

struct folding {
	const char *at;
	char *name;
	size_t length;
	size_t kept; /* template arguments of at most so many bytes stay */
};

static void put(struct folding *folding, const char *text, size_t bytes)
{
	memcpy(folding->name + folding->length, text, bytes);
	folding->length += bytes;
}

static void copy(struct folding *folding, size_t bytes)
{
	put(folding, folding->at, bytes);
	folding->at += bytes;
}

/* Behind the bracket that closes the one at hand; the end if none does. */
static const char *behind(const char *at)
{
	size_t depth = 0;

	for (; *at; at++) {
		if (at[0] == '-' && at[1] == '>')
			at++;
		else if (strchr("<({[", *at))
			depth++;
		else if (strchr(">)}]", *at) && --depth == 0)
			return at + 1;
	}
	return at;
}

static bool is_word(char letter)
{
	return isalnum((unsigned char)letter) || letter == '_' || letter == '$';
}

static bool is_operator(const struct folding *folding, const char *function)
{
	return strncmp(folding->at, "operator", 8) == 0 && !is_word(folding->at[8]) &&
	       (folding->at == function || !is_word(folding->at[-1]));
}

/* "operator<<", "operator()", "operator new[]", "operator bool" */
static void copy_operator(struct folding *folding)
{
	copy(folding, strlen("operator"));
	if (strncmp(folding->at, "()", 2) == 0)
		copy(folding, 2);
	else if (*folding->at == ' ')
		copy(folding, strcspn(folding->at, "(<"));
	else
		copy(folding, strspn(folding->at, "+-*/%^&|~!=<>[],\""));
	while (*folding->at == ' ')
		folding->at++;
}

/* False: the name ends here. */
static bool skip_parameters(struct folding *folding)
{
	static const char *const names[] = {"(anonymous namespace)", "(anonymous class)"};
	const char *rest = behind(folding->at);

	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
		if (strncmp(folding->at, names[i], strlen(names[i])) == 0) {
			copy(folding, strlen(names[i]));
			return true;
		}
	if (strncmp(rest, " const", 6) == 0)
		rest += 6;
	folding->at = rest;
	return strncmp(rest, "::", 2) == 0;
}

static void fold_arguments(struct folding *folding)
{
	const char *end = behind(folding->at);

	if ((size_t)(end - folding->at) <= folding->kept + strlen("<>") && end[-1] == '>') {
		copy(folding, (size_t)(end - folding->at));
		return;
	}
	put(folding, ARGUMENTS, strlen(ARGUMENTS));
	folding->at = end;
}

static void fold(struct folding *folding)
{
	const char *function = folding->at;

	while (*folding->at) {
		if (is_operator(folding, function)) {
			copy_operator(folding);
		} else if (*folding->at == '<') {
			fold_arguments(folding);
		} else if (*folding->at == '{') {
			copy(folding, (size_t)(behind(folding->at) - folding->at));
		} else if (*folding->at == '(') {
			if (!skip_parameters(folding))
				return;
		} else if (*folding->at == ' ') {
			folding->length = 0;
			folding->at++;
		} else {
			copy(folding, 1);
		}
	}
}

static char *folded(const char *function, size_t kept)
{
	/* A "<" that nothing closes becomes five bytes. */
	struct folding folding = {function, malloc(strlen(function) * 5 + 1), 0, kept};

	if (!folding.name)
		return NULL;
	fold(&folding);
	if (!folding.length)
		put(&folding, function, strlen(function));
	folding.name[folding.length] = '\0';
	return folding.name;
}

char *ct_folded_name(const char *function)
{
	return folded(function, 0);
}

const char *ct_short_name(const char *name, char buffer[CT_BRIEF_NAME_BYTES])
{
	const char *brief = ct_source_name_brief(name, buffer);
	size_t blanks = strspn(brief, " ");
	char *rest = strpbrk(brief, "(<") ? folded(brief + blanks, CT_SHORT_ARGUMENTS) : NULL;

	if (!rest || !strcmp(rest, brief + blanks)) {
		free(rest);
		return brief;
	}
	snprintf(buffer, CT_BRIEF_NAME_BYTES, "%*s%s", (int)blanks, "", rest);
	free(rest);
	return buffer;
}

/* Names are so in the whole process, as its output is. */
static bool are_names_full;

void ct_show_full_names(void)
{
	are_names_full = true;
}

const char *ct_shown_name(const char *name, char buffer[CT_BRIEF_NAME_BYTES])
{
	return are_names_full ? name : ct_short_name(name, buffer);
}
