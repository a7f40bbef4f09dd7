/* SPDX-License-Identifier: Apache-2.0 */
/* Problems that people expect. */
#include "postproc/problems/suppression.h"

#include "base/array.h"
#include "base/error.h"

#include <ctype.h>
#include <errno.h>
#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MARK "ct:"
#define EXPECTED "expected"
#define WORD_BYTES 64u
#define ABOVE_MAX 8u
#define LINES_MAX 100000u

static const char *behind_blanks(const char *at)
{
	return at + strspn(at, " \t\r\n");
}

/* The next id of a list with commas. Returns what is behind it, NULL: there is none. */
static const char *next_id(const char *at, char word[WORD_BYTES])
{
	size_t length;

	at = behind_blanks(at);
	for (length = 0; at[length] && (isalnum((unsigned char)at[length]) || at[length] == '-');)
		length++;
	if (!length || length >= WORD_BYTES)
		return NULL;
	memcpy(word, at, length);
	word[length] = '\0';
	return at + length;
}

/* Adds an id and those that it is wider than. */
static int add_id(bool ids[CT_IDS], const char *word, char *why)
{
	bool is_all = !strcmp(word, "all");
	enum ct_finding_id wanted = is_all ? 0 : ct_gate_id(word, why);

	if (wanted == CT_IDS)
		return -EINVAL;
	for (enum ct_finding_id id = 0; id < CT_IDS; id++)
		ids[id] |= is_all || id == wanted || ct_finding_id_wider(id) == wanted;
	return 0;
}

/* The ids of a list; *end: behind it. 0 or -EINVAL */
static int read_ids(bool ids[CT_IDS], const char *at, const char **end, char *why)
{
	char word[WORD_BYTES];
	int err = 0;

	snprintf(why, CT_GATE_WHY_BYTES, "ids are expected");
	for (;;) {
		at = next_id(at, word);
		if (!at)
			return -EINVAL;
		err = add_id(ids, word, why);
		if (err < 0)
			return err;
		*end = at;
		at = behind_blanks(at);
		if (*at != ',')
			return 0;
		at++;
	}
}

/* Behind "ct: expected" in a comment of the line; NULL: there is none. */
static const char *find_mark(const char *line)
{
	const char *at = line;

	while ((at = strstr(at, MARK))) {
		const char *word = behind_blanks(at + strlen(MARK));
		const char *before = at;

		while (before > line && (before[-1] == ' ' || before[-1] == '\t'))
			before--;
		if (before - line >= 2 && (before[-1] == '/' || before[-1] == '*') &&
		    !strncmp(word, EXPECTED, strlen(EXPECTED)) &&
		    isspace((unsigned char)word[strlen(EXPECTED)]))
			return word + strlen(EXPECTED);
		at++;
	}
	return NULL;
}

/* Without what ends or begins it. */
static void put_reason(char reason[CT_EXPECTED_BYTES], const char *from)
{
	size_t length;

	from += strspn(from, " \t:;.-(");
	snprintf(reason, CT_EXPECTED_BYTES, "%s", from);
	length = strcspn(reason, "\r\n");
	if (strstr(reason, "*/") && (size_t)(strstr(reason, "*/") - reason) < length)
		length = (size_t)(strstr(reason, "*/") - reason);
	while (length && (isspace((unsigned char)reason[length - 1]) || reason[length - 1] == ')'))
		length--;
	reason[length] = '\0';
}

enum ct_expected ct_line_expects(const char *line, enum ct_finding_id id,
				 char reason[CT_EXPECTED_BYTES])
{
	const char *at = find_mark(line), *end = NULL;
	bool ids[CT_IDS] = {false};
	char why[CT_GATE_WHY_BYTES];

	*reason = '\0';
	if (!at)
		return CT_EXPECTED_NOT;
	if (read_ids(ids, at, &end, why) < 0 && !ids[id]) {
		snprintf(reason, CT_EXPECTED_BYTES, "%s", why);
		return CT_EXPECTED_UNKNOWN;
	}
	if (!ids[id])
		return CT_EXPECTED_NOT;
	if (end)
		put_reason(reason, end);
	return CT_EXPECTED;
}

enum ct_expected ct_source_expects(const struct ct_line_texts *texts, const char *path,
				   uint32_t line, enum ct_finding_id id,
				   char reason[CT_EXPECTED_BYTES])
{
	char buffer[CT_LINE_BYTES], code[CT_LINE_BYTES];
	enum ct_expected said = CT_EXPECTED_NOT;

	*reason = '\0';
	for (uint32_t above = 0; above < line && above <= ABOVE_MAX; above++) {
		const char *text = texts->text(texts->user, path, line - above, buffer);

		/* A comment behind code is about that code. */
		if (!text ||
		    (above && (*ct_line_text(text, code, sizeof(code)) || !find_mark(text))))
			return said;
		said = ct_line_expects(text, id, reason);
		if (said != CT_EXPECTED_NOT)
			return said;
	}
	return said;
}

static char *word_of(const char **at)
{
	size_t length = strcspn(*at, " \t\r\n#");
	char *word = strndup(*at, length);

	*at = behind_blanks(*at + length);
	return word;
}

/* A line that holds something. */
static int read_line(struct ct_suppressions *to, const char *line, unsigned number, char *why)
{
	struct ct_suppression *own;
	const char *at = behind_blanks(line), *end = at;
	char reason[CT_EXPECTED_BYTES] = "";
	int err;

	if (!*at || *at == '#')
		return 0;
	if (ct_array_grow(&to->list, to->count, sizeof(*own)) < 0)
		return -ENOMEM;
	own = &to->list[to->count++];
	*own = (struct ct_suppression){.line = number};
	err = read_ids(own->ids, at, &end, why);
	if (err == 0 && *end && *end != '#' && !isspace((unsigned char)*end)) {
		snprintf(why, CT_GATE_WHY_BYTES, "ids are expected, with commas, and then a blank");
		err = -EINVAL;
	}
	if (err < 0)
		return err;
	own->words = strndup(at, (size_t)(end - at));
	at = behind_blanks(end);
	own->file = *at && *at != '#' ? word_of(&at) : strdup("*");
	own->function = *at && *at != '#' ? word_of(&at) : strdup("*");
	if (*at == '#')
		put_reason(reason, at + 1);
	own->reason = strdup(reason);
	if (!own->words || !own->file || !own->function || !own->reason)
		return -ENOMEM;
	if (!*at || *at == '#')
		return 0;
	snprintf(why, CT_GATE_WHY_BYTES,
		 "ids, a file and a kernel are expected, and a reason only behind #");
	return -EINVAL;
}

int ct_suppressions_read(struct ct_suppressions *suppressions, const char *path,
			 char why[CT_SUPPRESSION_WHY_BYTES])
{
	FILE *file = fopen(path, "re");
	char reason[CT_GATE_WHY_BYTES] = "", *line = NULL;
	size_t bytes = 0;
	unsigned number = 0;
	int err = file ? 0 : -errno;

	errno = 0;
	while (err == 0 && getline(&line, &bytes, file) >= 0) {
		err = ++number > LINES_MAX ? -E2BIG : read_line(suppressions, line, number, reason);
		if (err < 0)
			snprintf(why, CT_SUPPRESSION_WHY_BYTES, "line %u: %s", number,
				 *reason ? reason : ct_strerror(err));
	}
	if (err == 0 && ferror(file))
		err = errno ? -errno : -EIO;
	if (err < 0 && !number)
		snprintf(why, CT_SUPPRESSION_WHY_BYTES, "%s", ct_strerror(err));
	free(line);
	if (file)
		fclose(file);
	return err;
}

void ct_suppressions_fini(struct ct_suppressions *suppressions)
{
	for (size_t i = 0; i < suppressions->count; i++) {
		free(suppressions->list[i].words);
		free(suppressions->list[i].file);
		free(suppressions->list[i].function);
		free(suppressions->list[i].reason);
	}
	free(suppressions->list);
	*suppressions = (struct ct_suppressions){.count = 0};
}

/* With a slash it is of the end of the path, from a directory on. */
static bool is_file(const char *pattern, const struct ct_identity *identity)
{
	if (!strchr(pattern, '/'))
		return fnmatch(pattern, identity->file, 0) == 0;
	for (const char *at = identity->path; at; at = strchr(at, '/')) {
		at += at > identity->path;
		if (fnmatch(pattern, at, 0) == 0)
			return true;
	}
	return false;
}

struct ct_suppression *ct_suppressions_find(const struct ct_suppressions *suppressions,
					    const struct ct_identity *identity)
{
	for (size_t i = 0; i < suppressions->count; i++) {
		struct ct_suppression *one = &suppressions->list[i];

		if (one->ids[identity->id] && is_file(one->file, identity) &&
		    fnmatch(one->function, identity->function, 0) == 0) {
			one->problems++;
			return one;
		}
	}
	return NULL;
}
