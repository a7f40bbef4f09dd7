/* SPDX-License-Identifier: Apache-2.0 */
/* Growing text and numbers drawn from a seed, for programs that are generated. */
#include "tests/differential/text.h"
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void *at_least(void *memory, size_t size)
{
	memory = realloc(memory, size);
	if (!memory) {
		fputs("generate: no memory\n", stderr);
		exit(2);
	}
	return memory;
}

static void append(struct text *text, const char *words, size_t length)
{
	if (text->used + length + 1 > text->room) {
		text->room = 2 * (text->used + length + 1);
		text->data = at_least(text->data, text->room);
	}
	memcpy(text->data + text->used, words, length);
	text->used += length;
	text->data[text->used] = 0;
}

static char *formatted(const char *format, va_list arguments)
{
	va_list again;
	int length;
	char *words;

	va_copy(again, arguments);
	length = vsnprintf(NULL, 0, format, again);
	va_end(again);
	words = at_least(NULL, (size_t)length + 1);
	vsnprintf(words, (size_t)length + 1, format, arguments);
	return words;
}

void text_print(struct text *text, const char *format, ...)
{
	va_list arguments;
	char *words;

	va_start(arguments, format);
	words = formatted(format, arguments);
	va_end(arguments);
	append(text, words, strlen(words));
	free(words);
}

void text_fill(struct text *text, const char *words, int number, const char *const *arguments)
{
	const char *next;

	for (; *(next = words + strcspn(words, "$@")); words = next + 1) {
		append(text, words, (size_t)(next - words));
		if (*next == '$') {
			text_print(text, "%d", number);
		} else if (arguments && next[1] >= '0' && next[1] <= '9') {
			next++;
			append(text, arguments[*next - '0'], strlen(arguments[*next - '0']));
		} else {
			append(text, next, 1);
		}
	}
	append(text, words, strlen(words));
}

void text_free(struct text *text)
{
	free(text->data);
	memset(text, 0, sizeof(*text));
}

static char **said;
static size_t said_count;

char *say(const char *format, ...)
{
	va_list arguments;

	said = at_least(said, (said_count + 1) * sizeof(*said));
	va_start(arguments, format);
	said[said_count] = formatted(format, arguments);
	va_end(arguments);
	return said[said_count++];
}

void say_free(void)
{
	while (said_count > 0)
		free(said[--said_count]);
	free(said);
	said = NULL;
}

/* splitmix64: seeds that lie together give streams that have nothing in common. */
uint64_t random_draw(struct random *random)
{
	uint64_t z = random->state += 0x9e3779b97f4a7c15u;

	z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
	z = (z ^ z >> 27) * 0x94d049bb133111ebu;
	return z ^ z >> 31;
}

void random_start(struct random *random, uint64_t seed, uint64_t stream)
{
	random->state = seed;
	random->state = random_draw(random) + stream;
	random->state = random_draw(random);
}

unsigned random_below(struct random *random, unsigned bound)
{
	return (unsigned)(random_draw(random) >> 33) % bound;
}

bool random_chance(struct random *random, unsigned percent)
{
	return random_below(random, 100) < percent;
}

const char *random_word(struct random *random, const char *const *words, unsigned count)
{
	return words[random_below(random, count)];
}
