/* SPDX-License-Identifier: Apache-2.0 */
/* Growing text and numbers drawn from a seed, for programs that are generated. */
#ifndef TESTS_DIFFERENTIAL_TEXT_H
#define TESTS_DIFFERENTIAL_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* All zero is empty; data ends in a zero byte once something was put. */
struct text {
	char *data;
	size_t used, room;
};

void text_print(struct text *text, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* Appends words; each `$` becomes the number, `@0` to `@9` the arguments (NULL: none are). */
void text_fill(struct text *text, const char *words, int number, const char *const *arguments);
void text_free(struct text *text);

/* A string that lives until say_free. */
char *say(const char *format, ...) __attribute__((format(printf, 1, 2)));
void say_free(void);

struct random {
	uint64_t state;
};

void random_start(struct random *random, uint64_t seed, uint64_t stream);
uint64_t random_draw(struct random *random);
/* From 0 to bound - 1. */
unsigned random_below(struct random *random, unsigned bound);
bool random_chance(struct random *random, unsigned percent);
/* One of the count strings. */
const char *random_word(struct random *random, const char *const *words, unsigned count);

#define WORD(random, ...)                                                                          \
	random_word(random, (const char *const[]){__VA_ARGS__},                                    \
		    sizeof((const char *const[]){__VA_ARGS__}) / sizeof(char *))

#endif
