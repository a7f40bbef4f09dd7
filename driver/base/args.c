/* SPDX-License-Identifier: Apache-2.0 */
/* Argument vectors: growing, @FILE expansion, quoting. */
#include "driver/base/args.h"
#include "base/array.h"

#include <ctype.h>
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define RESPONSE_DEPTH_MAX 20
#define RESPONSE_BYTES_MAX (64u << 20)

/* Takes word, which was malloc'ed. */
static void push_owned(struct ct_args *args, char *word)
{
	if (!word || args->failed) {
		args->failed = true;
		free(word);
		return;
	}
	if (ct_array_reserve(&args->words, &args->capacity, args->count + 2, sizeof(*args->words)) <
	    0) {
		args->failed = true;
		free(word);
		return;
	}
	args->words[args->count++] = word;
	args->words[args->count] = NULL;
}

void ct_args_push(struct ct_args *args, const char *word)
{
	push_owned(args, strdup(word));
}

void ct_args_pushf(struct ct_args *args, const char *format, ...)
{
	char *word = NULL;
	va_list values;

	va_start(values, format);
	if (vasprintf(&word, format, values) < 0)
		word = NULL;
	va_end(values);
	push_owned(args, word);
}

void ct_args_push_words(struct ct_args *args, char *const *words, size_t count)
{
	for (size_t i = 0; i < count; i++)
		ct_args_push(args, words[i]);
}

char *ct_args_read(const char *path)
{
	FILE *file = fopen(path, "r");
	char *text = NULL;
	size_t used = 0, got;

	if (!file)
		return NULL;
	do {
		char *more = realloc(text, used + 65537);

		if (!more || used > RESPONSE_BYTES_MAX) {
			free(more ? more : text);
			fclose(file);
			return NULL;
		}
		text = more;
		got = fread(text + used, 1, 65536, file);
		used += got;
	} while (got);
	text[used] = '\0';
	fclose(file);
	return text;
}

/* One word of GNU response-file syntax at *text into a malloc'ed string; NULL at the end. */
static char *next_word(const char **text, bool *failed)
{
	const char *at = *text;
	char *word, *end;
	char quote = '\0';

	while (isspace((unsigned char)*at))
		at++;
	*text = at;
	if (!*at)
		return NULL;
	word = end = malloc(strlen(at) + 1);
	if (!word) {
		*failed = true;
		return NULL;
	}
	for (; *at && (quote || !isspace((unsigned char)*at)); at++) {
		if (*at == '\\' && at[1] && quote != '\'')
			*end++ = *++at;
		else if (quote && *at == quote)
			quote = '\0';
		else if (!quote && (*at == '"' || *at == '\''))
			quote = *at;
		else
			*end++ = *at;
	}
	*end = '\0';
	*text = at;
	return word;
}

static void push_expanded(struct ct_args *args, const char *word, unsigned depth)
{
	char *text = word[0] == '@' && depth < RESPONSE_DEPTH_MAX ? ct_args_read(word + 1) : NULL;
	const char *at = text;
	char *inner;

	if (!text) {
		ct_args_push(args, word);
		return;
	}
	while ((inner = next_word(&at, &args->failed))) {
		push_expanded(args, inner, depth + 1);
		free(inner);
	}
	free(text);
}

void ct_args_push_expanded(struct ct_args *args, const char *word)
{
	push_expanded(args, word, 0);
}

size_t ct_args_bytes(const struct ct_args *args)
{
	size_t bytes = 0;

	for (size_t i = 0; i < args->count; i++)
		bytes += strlen(args->words[i]) + 1;
	return bytes;
}

static bool is_plain(const char *word)
{
	return *word && !word[strcspn(word, " \t\n\"'\\$`*?[]{}()<>|&;#~!\x1f")];
}

char *ct_args_quote(const struct ct_args *args)
{
	char *line = malloc(4 * ct_args_bytes(args) + 3 * args->count + 1);
	char *end = line;

	if (!line)
		return NULL;
	for (size_t i = 0; i < args->count; i++) {
		bool plain = is_plain(args->words[i]);

		if (i)
			*end++ = ' ';
		if (!plain)
			*end++ = '\'';
		for (const char *at = args->words[i]; *at; at++) {
			if (*at == '\'') {
				memcpy(end, "'\\'", 3);
				end += 3;
			}
			*end++ = *at;
		}
		if (!plain)
			*end++ = '\'';
	}
	*end = '\0';
	return line;
}

int ct_args_write(const struct ct_args *args, const char *path)
{
	FILE *file = fopen(path, "w");
	int err = 0;

	if (!file)
		return -errno;
	for (size_t i = 1; i < args->count; i++) {
		fputc('"', file);
		for (const char *at = args->words[i]; *at; at++) {
			if (*at == '"' || *at == '\\')
				fputc('\\', file);
			fputc(*at, file);
		}
		fputs("\"\n", file);
	}
	if (ferror(file))
		err = -EIO;
	if (fclose(file) != 0 && !err)
		err = -errno;
	return err;
}

void ct_args_fini(struct ct_args *args)
{
	for (size_t i = 0; i < args->count; i++)
		free(args->words[i]);
	free(args->words);
	*args = (struct ct_args){0};
}
