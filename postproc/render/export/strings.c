/* SPDX-License-Identifier: Apache-2.0 */
/* Texts by number: a hash table with open addressing, at most half full. */
#include "postproc/render/export/strings.h"
#include "postproc/base/grow.h"
#include <stdlib.h>
#include <string.h>

struct ct_strings {
	char **list;
	size_t count;
	uint32_t *slot; /* number + 1, 0: free */
	size_t slots;   /* a power of two */
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
	free(strings->slot);
	free(strings);
}

static uint64_t hash_of(const char *text)
{
	uint64_t hash = 0xcbf29ce484222325ull; /* FNV-1a */

	while (*text)
		hash = (hash ^ (unsigned char)*text++) * 0x100000001b3ull;
	return hash ^ hash >> 32;
}

/* The slot of text, or the free one where it belongs. */
static uint32_t *find(const struct ct_strings *strings, const char *text)
{
	size_t at = hash_of(text) & (strings->slots - 1);

	while (strings->slot[at] && strcmp(strings->list[strings->slot[at] - 1], text))
		at = (at + 1) & (strings->slots - 1);
	return &strings->slot[at];
}

static int make_room(struct ct_strings *strings)
{
	uint32_t *before = strings->slot;

	if (2 * (strings->count + 1) <= strings->slots)
		return 0;
	strings->slot = calloc(strings->slots ? 2 * strings->slots : 256, sizeof(*before));
	if (!strings->slot) {
		strings->slot = before;
		return -ENOMEM;
	}
	strings->slots = strings->slots ? 2 * strings->slots : 256;
	for (size_t i = 0; i < strings->count; i++)
		*find(strings, strings->list[i]) = (uint32_t)i + 1;
	free(before);
	return 0;
}

int ct_strings_add(struct ct_strings *strings, const char *text, uint32_t *number)
{
	uint32_t *slot;
	char *copy;

	if (make_room(strings) < 0)
		return -ENOMEM;
	slot = find(strings, text);
	if (!*slot) {
		if (ct_grow((void **)&strings->list, strings->count, sizeof(*strings->list)) < 0)
			return -ENOMEM;
		copy = strdup(text);
		if (!copy)
			return -ENOMEM;
		strings->list[strings->count++] = copy;
		*slot = (uint32_t)strings->count;
	}
	*number = *slot - 1;
	return 0;
}

size_t ct_strings_list(const struct ct_strings *strings, const char *const **list)
{
	*list = (const char *const *)strings->list;
	return strings->count;
}
