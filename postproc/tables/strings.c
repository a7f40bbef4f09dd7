/* SPDX-License-Identifier: Apache-2.0 */
/* Texts by number. */
#include "postproc/tables/strings.h"
#include "base/array.h"
#include "base/intern.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>

struct ct_strings {
	struct ct_intern numbers; /* number + 1 */
	char **list;
	size_t count;
};

int ct_strings_open(struct ct_strings **out)
{
	struct ct_strings *strings = calloc(1, sizeof(*strings));
	uint32_t number;

	*out = strings;
	if (!strings || ct_strings_add(strings, "", &number) < 0) {
		ct_strings_close(strings);
		*out = NULL;
		return -ENOMEM;
	}
	return 0;
}

void ct_strings_close(struct ct_strings *strings)
{
	if (!strings)
		return;
	for (size_t i = 0; i < strings->count; i++)
		free(strings->list[i]);
	free(strings->list);
	ct_intern_fini(&strings->numbers);
	free(strings);
}

int ct_strings_add(struct ct_strings *strings, const char *text, uint32_t *number)
{
	bool is_new;
	char *copy;

	*number = ct_intern_add(&strings->numbers, text, strlen(text), &is_new) - 1;
	if (*number == UINT32_MAX)
		return -ENOMEM;
	if (!is_new)
		return 0;
	copy = strdup(text);
	if (!copy || ct_array_grow(&strings->list, strings->count, sizeof(*strings->list)) < 0) {
		free(copy);
		return -ENOMEM;
	}
	strings->list[strings->count++] = copy;
	return 0;
}

size_t ct_strings_list(const struct ct_strings *strings, const char *const **list)
{
	*list = (const char *const *)strings->list;
	return strings->count;
}
