/* SPDX-License-Identifier: Apache-2.0 */
/* Lists in arguments of nvcc. */
#include "driver/nvcc/words.h"

#include <ctype.h>
#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* A word that grows, with room for text that is as long as what it is made from, and more. */
struct word {
	char *text;
	size_t used, room;
	bool begun; /* "" is a word, nothing is none */
};

static void put(struct word *word, struct ct_args *words, char c)
{
	if (word->used + 1 >= word->room) {
		char *text = realloc(word->text, 2 * word->room + 64);

		if (!text) {
			words->failed = true;
			return;
		}
		word->text = text;
		word->room = 2 * word->room + 64;
	}
	word->text[word->used++] = c;
	word->text[word->used] = '\0';
	word->begun = true;
}

static void finish(struct word *word, struct ct_args *words)
{
	if (word->begun)
		ct_args_push(words, word->used ? word->text : "");
	word->used = 0;
	word->begun = false;
}

/* An item of a list: blanks around it are dropped, and empty ones are. */
static void finish_item(struct word *word, struct ct_args *words)
{
	size_t first = 0;

	while (first < word->used && isspace((unsigned char)word->text[first]))
		first++;
	while (word->used > first && isspace((unsigned char)word->text[word->used - 1]))
		word->used--;
	if (word->used > first)
		ct_args_pushf(words, "%.*s", (int)(word->used - first), word->text + first);
	word->used = 0;
	word->begun = false;
}

/* The items of a list, their quotes still on them. A backslash that escapes is dropped. */
static int cut_list(struct ct_args *items, const char *text, bool escapes, char *stray)
{
	struct word word = {0};
	bool quoted = false;

	*stray = '\0';
	for (; *text && !*stray; text++) {
		if (*text == '\\' && escapes && text[1]) {
			put(&word, items, *++text);
			continue;
		}
		if (*text == '\\' && escapes)
			*stray = *text;
		if (*text == '"')
			quoted = !quoted;
		if (*text == ',' && !quoted)
			finish_item(&word, items);
		else
			put(&word, items, *text);
	}
	if (quoted)
		*stray = '"';
	finish_item(&word, items);
	free(word.text);
	return *stray ? -EINVAL : 0;
}

/* The value of the variable that $ at *text begins, and *text at its end; NULL if it is none. */
static const char *expand(const char **text)
{
	bool braced = (*text)[1] == '{';
	const char *name = *text + 1 + braced;
	size_t bytes = 0;
	const char *value;
	char *copy;

	while (isalnum((unsigned char)name[bytes]) || name[bytes] == '_')
		bytes++;
	if (!bytes || isdigit((unsigned char)*name) || (braced && name[bytes] != '}'))
		return NULL;
	copy = strndup(name, bytes);
	value = copy ? getenv(copy) : NULL;
	free(copy);
	*text = name + bytes - 1 + braced;
	return value ? value : "";
}

static void put_expanded(struct word *word, struct ct_args *words, const char **text)
{
	const char *value = expand(text);

	if (!value)
		put(word, words, '$');
	for (; value && *value; value++)
		put(word, words, *value);
}

/* Splits text as sh does: of an item of -D, which nvcc puts between quotes, it makes one word. */
static void take_apart(struct ct_args *words, const char *text, enum ct_nvcc_list list)
{
	bool whole = list == CT_NVCC_LIST_OF_TEXT, expands = list != CT_NVCC_LIST_OF_WORDS;
	struct word word = {0};
	char quote = 0;

	for (; *text; text++) {
		bool inside = whole || quote == '"';

		if (*text == '\\' && text[1] && quote != '\'' &&
		    (!inside || strchr(whole ? "$`\\" : "$`\\\"", text[1])))
			put(&word, words, *++text);
		else if (*text == '$' && expands && quote != '\'')
			put_expanded(&word, words, &text);
		else if (!whole &&
			 (quote ? *text == quote : *text == '"' || (*text == '\'' && expands))) {
			quote = quote ? 0 : *text;
			word.begun = true;
		} else if (!whole && !quote && isspace((unsigned char)*text))
			finish(&word, words);
		else
			put(&word, words, *text);
	}
	finish(&word, words);
	free(word.text);
}

void ct_nvcc_words_of_shell(struct ct_args *words, const char *text)
{
	take_apart(words, text, CT_NVCC_LIST_OF_SHELL);
}

static void push_without_quotes(struct ct_args *words, const char *item)
{
	struct word word = {0};

	for (word.begun = true; *item; item++)
		if (*item != '"')
			put(&word, words, *item);
	finish(&word, words);
	free(word.text);
}

/* Items of one option are words of one text: quotes of sh may reach over several. */
static void take_joined_apart(struct ct_args *words, const struct ct_args *items)
{
	struct word all = {0};

	for (size_t i = 0; i < items->count; i++) {
		for (const char *at = items->words[i]; *at; at++)
			put(&all, words, *at);
		put(&all, words, ' ');
	}
	if (all.text)
		ct_nvcc_words_of_shell(words, all.text);
	free(all.text);
}

int ct_nvcc_words_of_list(struct ct_args *words, const char *text, enum ct_nvcc_list list,
			  char *stray)
{
	struct ct_args items = {0};
	int err = cut_list(&items, text, list <= CT_NVCC_LIST_OF_SHELL, stray);

	if (err == 0 && list == CT_NVCC_LIST_OF_SHELL)
		take_joined_apart(words, &items);
	for (size_t i = 0; i < items.count && err == 0 && list != CT_NVCC_LIST_OF_SHELL; i++) {
		if (list == CT_NVCC_LIST_OF_NAMES)
			push_without_quotes(words, items.words[i]);
		else
			take_apart(words, items.words[i], list);
	}
	words->failed |= items.failed;
	ct_args_fini(&items);
	return err;
}

int ct_nvcc_words_of_variable(struct ct_args *words, const char *text, char *stray)
{
	struct word word = {0};
	bool quoted = false;

	for (char before = '\0'; *text; before = *text++) {
		if (*text == '"' && !(quoted && before == '\\'))
			quoted = !quoted;
		if (!quoted && (*text == ' ' || *text == '\t'))
			finish(&word, words);
		else
			put(&word, words, *text);
	}
	finish(&word, words);
	free(word.text);
	*stray = '"';
	return quoted ? -EINVAL : 0;
}

/* Take escapes off, and quotes with them. */
static void push_unquoted(struct ct_args *words, const char *text)
{
	struct word word = {0};

	for (word.begun = true; *text; text++) {
		if (*text == '\\' && text[1])
			put(&word, words, *++text);
		else if (*text != '"')
			put(&word, words, *text);
	}
	finish(&word, words);
	free(word.text);
}

int ct_nvcc_words_of_file(struct ct_args *words, const char *text, char *stray)
{
	struct ct_args once = {0};
	struct word word = {0};
	bool quoted = false;

	for (; *text; text++) {
		if (*text == '\\' && text[1]) {
			put(&word, &once, *++text);
			continue;
		}
		if (*text == '"')
			quoted = !quoted;
		if (!quoted && isspace((unsigned char)*text))
			finish(&word, &once);
		else
			put(&word, &once, *text);
	}
	finish(&word, &once);
	free(word.text);
	for (size_t i = 0; i < once.count; i++)
		push_unquoted(words, once.words[i]);
	words->failed |= once.failed;
	ct_args_fini(&once);
	*stray = '"';
	return quoted ? -EINVAL : 0;
}
