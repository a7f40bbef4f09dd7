/* SPDX-License-Identifier: Apache-2.0 */
/* Names of functions and lines of the source as identities have them. */
#include "postproc/problems/identity.h"

#include "postproc/facts/source_name.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

static bool is_blank(char c)
{
	return isspace((unsigned char)c);
}

static bool ends_as(const char *begin, const char *end, const char *word)
{
	size_t length = strlen(word);

	return (size_t)(end - begin) >= length && !strncmp(end - length, word, length) &&
	       ((size_t)(end - begin) == length ||
		!(isalnum((unsigned char)end[-1 - (long)length]) || end[-1 - (long)length] == '_'));
}

/* Behind the bracket that closes the one at `at`. */
static const char *behind(const char *at)
{
	char open = *at, close = open == '(' ? ')' : '>';
	int depth = 0;

	for (; *at; at++) {
		depth += *at == open;
		depth -= *at == close && (close != '>' || at[-1] != '-');
		if (depth == 0)
			return at + 1;
	}
	return at;
}

/* Whether brackets at `at` hold parameters, and not the name of what has none. */
static bool are_parameters(const char *name, const char *at)
{
	static const char *const named[] = {"(anonymous", "(lambda", "(unnamed", "(null"};

	if (ends_as(name, at, "operator"))
		return false;
	for (size_t i = 0; i < sizeof(named) / sizeof(*named); i++)
		if (!strncmp(at, named[i], strlen(named[i])))
			return false;
	return true;
}

/* Adds a name in brackets, "(lambda at a.cu:3:4)" as "(lambda)". Returns what is behind it. */
static const char *put_bracket(char *text, size_t bytes, size_t *used, const char *at)
{
	const char *end = behind(at), *place = strstr(at, " at ");
	size_t length = place && place < end ? (size_t)(place - at) : (size_t)(end - at);

	*used += (size_t)snprintf(text + *used, bytes - *used, "%.*s%s", (int)length, at,
				  place && place < end ? ")" : "");
	if (*used >= bytes)
		*used = bytes - 1;
	return end;
}

const char *ct_function_name(const char *name, char *text, size_t bytes)
{
	char brief[CT_BRIEF_NAME_BYTES];
	const char *at = name = ct_source_name_brief(name, brief);
	size_t used = 0;
	bool is_operator;

	while (*at && used + 1 < bytes) {
		is_operator = ends_as(name, at, "operator");
		if (*at == '<' && !is_operator) {
			at = behind(at);
		} else if (*at == '(' && !is_operator && are_parameters(name, at)) {
			/* "f(int)::{lambda()#1}::operator()(int) const": names go on behind it. */
			at = behind(at);
			/* "{lambda(int)#1}": the number is that among those of the function. */
			if (*at == '#')
				at += strcspn(at, "}");
			else if (strncmp(at, "::", 2) != 0)
				break;
		} else if (*at == '(') {
			at = put_bracket(text, bytes, &used, at);
		} else if (*at == ' ' && !is_operator) {
			used = 0; /* what stands there was a type */
			at++;
		} else {
			text[used++] = *at++;
		}
	}
	text[used] = '\0';
	return text;
}

/* Behind the comment that begins at `at`, or NULL: none does. */
static const char *behind_comment(const char *at)
{
	const char *end;

	if (at[0] != '/' || (at[1] != '/' && at[1] != '*'))
		return NULL;
	end = at[1] == '*' ? strstr(at + 2, "*/") : NULL;
	return end ? end + 2 : at + strlen(at);
}

const char *ct_line_text(const char *line, char *to, size_t bytes)
{
	size_t used = 0;
	bool is_apart = false;
	char quote = 0;

	while (*line && used + 2 < bytes) {
		const char *next = quote ? NULL : behind_comment(line);

		if (next || (!quote && is_blank(*line))) {
			is_apart = true;
			line = next ? next : line + 1;
			continue;
		}
		if (quote ? *line == quote : (*line == '"' || *line == '\''))
			quote = quote ? 0 : *line;
		if (is_apart && used)
			to[used++] = ' ';
		is_apart = false;
		to[used++] = *line;
		if (quote && *line == '\\' && line[1] && used + 2 < bytes)
			to[used++] = *++line;
		line++;
	}
	to[used] = '\0';
	return to;
}
