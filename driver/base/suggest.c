/* SPDX-License-Identifier: Apache-2.0 */
/* The nearest match of a mistyped word, by edit distance. */
#include "driver/base/suggest.h"

#include <string.h>

#define WORD_MAX 64

static size_t smallest(size_t a, size_t b, size_t c)
{
	size_t least = a < b ? a : b;

	return least < c ? least : c;
}

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

const char *ct_suggest(const char *word, size_t bytes, const char *const *candidates, size_t count)
{
	const char *best = NULL;
	size_t best_distance = bytes / 3 + 1;

	if (bytes > WORD_MAX)
		return NULL;
	for (size_t i = 0; i < count; i++) {
		size_t candidate_bytes = strlen(candidates[i]);
		size_t d;

		if (candidate_bytes > WORD_MAX)
			continue;
		d = distance(word, bytes, candidates[i], candidate_bytes);
		if (d <= best_distance) {
			best = candidates[i];
			best_distance = d ? d - 1 : 0;
		}
	}
	return best;
}
