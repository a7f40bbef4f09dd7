/* SPDX-License-Identifier: Apache-2.0 */
/* The nearest match of a mistyped word, by edit distance. */
#include "base/nearest.h"

#include <stdbool.h>
#include <string.h>

#define WORD_MAX 64

static size_t smallest(size_t a, size_t b, size_t c)
{
	size_t least = a < b ? a : b;

	return least < c ? least : c;
}

/* Levenshtein's, row by row. */
static size_t distance(const char *a, size_t a_bytes, const char *b, size_t b_bytes)
{
	size_t row[WORD_MAX + 1];

	for (size_t j = 0; j <= b_bytes; j++)
		row[j] = j;
	for (size_t i = 1; i <= a_bytes; i++) {
		size_t diagonal = row[0];

		row[0] = i;
		for (size_t j = 1; j <= b_bytes; j++) {
			size_t above = row[j];

			row[j] =
			    smallest(above + 1, row[j - 1] + 1, diagonal + (a[i - 1] != b[j - 1]));
			diagonal = above;
		}
	}
	return row[b_bytes];
}

/* "--ct-" is the beginning of every option, and of none in particular. */
static bool is_beginning(const struct ct_nearest *nearest, const char *candidate)
{
	return nearest->bytes > 0 && nearest->typed[nearest->bytes - 1] != '-' &&
	       strncmp(nearest->typed, candidate, nearest->bytes) == 0;
}

void ct_nearest_begin(struct ct_nearest *nearest, const char *typed, size_t bytes)
{
	*nearest = (struct ct_nearest){.typed = typed, .bytes = bytes, .distance = bytes / 3 + 2};
}

void ct_nearest_consider(struct ct_nearest *nearest, const char *candidate)
{
	size_t bytes = strlen(candidate), d;

	if (nearest->bytes > WORD_MAX || bytes > WORD_MAX)
		return;
	d = distance(nearest->typed, nearest->bytes, candidate, bytes);
	if (d > 1 && is_beginning(nearest, candidate))
		d = 1;
	if (d < nearest->distance) {
		nearest->best = candidate;
		nearest->distance = d;
	}
}
