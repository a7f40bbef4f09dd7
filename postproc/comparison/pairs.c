/* SPDX-License-Identifier: Apache-2.0 */
/* Kernels and lines of two studies, each with the one that it was. */
#include "postproc/comparison/pairs.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* Lines of one file and kernel that are aligned; of more of them numbers alone decide. */
#define ALIGNED_MAX 4096u

/* That two lines are the same: they say the same; they do the same, if what they say is not known,
 * and if it is, for it was edited; and how much more it says that they have one number. */
#define SCORE_TEXT 8u
#define SCORE_SAME 4u
#define SCORE_EDITED 2u
#define SCORE_NUMBER 1u

size_t ct_compared_pairs_other(const struct ct_compared_pairs *pairs, unsigned when, size_t number)
{
	for (size_t i = 0; i < pairs->count; i++) {
		const struct ct_compared_pair *pair = &pairs->list[i];

		if ((when ? pair->after : pair->before) == number)
			return when ? pair->before : pair->after;
	}
	return CT_PAIR_NONE;
}

void ct_compared_pairs_fini(struct ct_compared_pairs *pairs)
{
	free(pairs->list);
	*pairs = (struct ct_compared_pairs){.count = 0};
}

/* Opens pairs: each of before has none of after yet. */
static size_t *open_pairs(size_t before)
{
	size_t *other = malloc((before + 1) * sizeof(*other));

	for (size_t i = 0; other && i < before; i++)
		other[i] = CT_PAIR_NONE;
	return other;
}

/* From each one's other, which is freed. */
static int close_pairs(struct ct_compared_pairs *pairs, size_t *other, size_t before, size_t after)
{
	bool *is_taken = calloc(after + 1, sizeof(*is_taken));
	int err = other && is_taken ? 0 : -ENOMEM;

	*pairs =
	    (struct ct_compared_pairs){.list = malloc((before + after + 1) * sizeof(*pairs->list))};
	if (!pairs->list)
		err = -ENOMEM;
	for (size_t i = 0; i < before && err == 0; i++) {
		pairs->list[pairs->count++] = (struct ct_compared_pair){i, other[i]};
		if (other[i] != CT_PAIR_NONE)
			is_taken[other[i]] = true;
	}
	for (size_t i = 0; i < after && err == 0; i++)
		if (!is_taken[i])
			pairs->list[pairs->count++] = (struct ct_compared_pair){CT_PAIR_NONE, i};
	free(is_taken);
	free(other);
	return err;
}

/* The one kernel that has no other and whose folded name is this; CT_PAIR_NONE: there is none, or
 * there are several. */
static size_t find_folded(const struct ct_side *side, const char *folded, const bool *has_other)
{
	size_t found = CT_PAIR_NONE;

	for (size_t i = 0; i < side->kernels; i++) {
		if (has_other[i] || strcmp(side->kernel[i].folded, folded) != 0)
			continue;
		if (found != CT_PAIR_NONE)
			return CT_PAIR_NONE;
		found = i;
	}
	return found;
}

static void pair_kernels(const struct ct_side *before, const struct ct_side *after, size_t *other,
			 bool *has_before, bool *has_after)
{
	for (size_t i = 0; i < before->kernels; i++) {
		other[i] = ct_side_kernel_of(after, before->kernel[i].name);
		has_before[i] = other[i] != CT_PAIR_NONE;
		if (has_before[i])
			has_after[other[i]] = true;
	}
	for (size_t i = 0; i < before->kernels; i++) {
		const char *folded = before->kernel[i].folded;

		if (has_before[i] || find_folded(before, folded, has_before) != i)
			continue;
		other[i] = find_folded(after, folded, has_after);
		has_before[i] = other[i] != CT_PAIR_NONE;
		if (has_before[i])
			has_after[other[i]] = true;
	}
}

int ct_compared_pairs_kernels(struct ct_compared_pairs *pairs, const struct ct_side *before,
			      const struct ct_side *after)
{
	size_t *other = open_pairs(before->kernels);
	bool *has_before = calloc(before->kernels + 1, sizeof(*has_before));
	bool *has_after = calloc(after->kernels + 1, sizeof(*has_after));

	if (other && has_before && has_after) {
		pair_kernels(before, after, other, has_before, has_after);
	} else {
		free(other);
		other = NULL;
	}
	free(has_before);
	free(has_after);
	return close_pairs(pairs, other, before->kernels, after->kernels);
}

/* Lines of one kernel and file: from first on, so many. */
struct run {
	const struct ct_side *side;
	size_t first, count;
};

static struct run run_of(const struct ct_side *side, size_t kernel, const char *base)
{
	struct run run = {side, 0, 0};

	for (size_t i = 0; i < side->lines; i++) {
		if (side->line[i].kernel != kernel || strcmp(side->line[i].base, base) != 0)
			continue;
		if (!run.count)
			run.first = i;
		run.count++;
	}
	return run;
}

static unsigned score_of(const struct ct_side_line *a, const struct ct_side_line *b)
{
	const bool are_known = *a->text && *b->text;
	unsigned score = 0;

	if (are_known && !strcmp(a->text, b->text))
		score += SCORE_TEXT;
	if (*a->signature && !strcmp(a->signature, b->signature))
		score += are_known && !score ? SCORE_EDITED : SCORE_SAME;
	return score && a->line == b->line ? score + SCORE_NUMBER : score;
}

static size_t least(size_t a, size_t b)
{
	return a < b ? a : b;
}

/* The lines that are the same, in the order of both: those that say most that they are. best:
 * (a.count + 1) x (b.count + 1), from each pair of lines on. */
static void align(const struct run *a, const struct run *b, uint32_t *best, size_t *other)
{
	size_t width = b->count + 1, i, j;

	for (i = a->count; i-- > 0;)
		for (j = b->count; j-- > 0;) {
			unsigned score =
			    score_of(&a->side->line[a->first + i], &b->side->line[b->first + j]);
			uint32_t most = best[(i + 1) * width + j];

			if (best[i * width + j + 1] > most)
				most = best[i * width + j + 1];
			if (score && best[(i + 1) * width + j + 1] + score > most)
				most = best[(i + 1) * width + j + 1] + score;
			best[i * width + j] = most;
		}
	for (i = 0, j = 0; i < a->count && j < b->count;) {
		unsigned score =
		    score_of(&a->side->line[a->first + i], &b->side->line[b->first + j]);

		if (score && best[i * width + j] == best[(i + 1) * width + j + 1] + score)
			other[a->first + i++] = b->first + j++;
		else if (best[i * width + j] == best[(i + 1) * width + j])
			i++;
		else
			j++;
	}
}

/* Too many to be aligned. */
static void match_numbers(const struct run *a, const struct run *b, size_t *other)
{
	for (size_t i = 0, j = 0; i < a->count && j < b->count;) {
		uint32_t x = a->side->line[a->first + i].line;
		uint32_t y = b->side->line[b->first + j].line;

		if (x == y)
			other[a->first + i] = b->first + j;
		i += x <= y;
		j += y <= x;
	}
}

static int pair_runs(const struct run *a, const struct run *b, size_t *other)
{
	uint32_t *best;

	if (least(a->count, b->count) == 0)
		return 0;
	if (a->count > ALIGNED_MAX || b->count > ALIGNED_MAX) {
		match_numbers(a, b, other);
		return 0;
	}
	best = calloc((a->count + 1) * (b->count + 1), sizeof(*best));
	if (!best)
		return -ENOMEM;
	align(a, b, best, other);
	free(best);
	return 0;
}

int ct_compared_pairs_lines(struct ct_compared_pairs *pairs, const struct ct_side *before,
			    const struct ct_side *after, const struct ct_compared_pairs *kernels)
{
	size_t *other = open_pairs(before->lines);
	int err = other ? 0 : -ENOMEM;

	for (size_t i = 0; i < before->lines && err == 0;) {
		const struct ct_side_line *line = &before->line[i];
		const struct run a = run_of(before, line->kernel, line->base);
		const struct run b =
		    run_of(after, ct_compared_pairs_other(kernels, 0, line->kernel), line->base);

		err = pair_runs(&a, &b, other);
		i = a.first + a.count;
	}
	if (err < 0) {
		free(other);
		other = NULL;
	}
	return close_pairs(pairs, other, before->lines, after->lines);
}

static bool has_file(const struct ct_side *side, const char *base)
{
	for (size_t i = 0; i < side->lines; i++)
		if (!strcmp(side->line[i].base, base))
			return true;
	return false;
}

bool ct_compared_pairs_are_foreign(const struct ct_compared_pairs *kernels,
				   const struct ct_side *before, const struct ct_side *after)
{
	for (size_t i = 0; i < kernels->count; i++)
		if (kernels->list[i].before != CT_PAIR_NONE &&
		    kernels->list[i].after != CT_PAIR_NONE)
			return false;
	for (size_t i = 0; i < before->lines; i++)
		if (*before->line[i].base && has_file(after, before->line[i].base))
			return false;
	return before->kernels && after->kernels;
}
