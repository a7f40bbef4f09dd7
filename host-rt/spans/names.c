/* SPDX-License-Identifier: Apache-2.0 */
/* Names of spans, interned. */
#include "host-rt/spans/names.h"
#include "base/array.h"
#include "base/intern.h"
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#define MORE "(names beyond a million)"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct ct_intern numbers;
static char **texts; /* by number - 1 */
static uint32_t count;

static bool add(const char *text)
{
	char *copy = strdup(text);

	if (!copy || ct_array_grow(&texts, count, sizeof(*texts)) < 0) {
		free(copy);
		return false;
	}
	texts[count++] = copy;
	return true;
}

/* A name that found no memory has a number without a text. */
uint32_t ct_span_name(const char *text)
{
	bool is_new = false;
	uint32_t number;

	pthread_mutex_lock(&lock);
	if (count >= CT_SPAN_NAMES_MAX)
		text = MORE;
	number = ct_intern_add(&numbers, text, strlen(text), &is_new);
	if (number && is_new && !add(text))
		number = 0;
	pthread_mutex_unlock(&lock);
	return number;
}

const char *ct_span_name_text(uint32_t number)
{
	const char *text;

	pthread_mutex_lock(&lock);
	text = number && number <= count ? texts[number - 1] : NULL;
	pthread_mutex_unlock(&lock);
	return text;
}
