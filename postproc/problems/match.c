/* SPDX-License-Identifier: Apache-2.0 */
/* Who of two lists of identities is the same problem. */
#include "postproc/problems/identity.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* These must be the same; bits. */
enum {
	FILE_NAME = 1,
	FUNCTION = 2,
	TEXT = 4,    /* known of both */
	OBJECTS = 8, /* likewise, or of neither */
	OFFSET = 16,
	NO_TEXT = 32,  /* of one of them the text is not known */
	NO_TEXTS = 64, /* of neither of them it is */
	SOME_OBJECTS = 128,
};

static const unsigned rules[] = {
    FILE_NAME | FUNCTION | TEXT | OBJECTS,
    FILE_NAME | FUNCTION | TEXT,
    FILE_NAME | FUNCTION | OFFSET | OBJECTS | NO_TEXT,
    FILE_NAME | FUNCTION | OFFSET | NO_TEXT,
    FILE_NAME | TEXT,
    FUNCTION | TEXT,
    FILE_NAME | FUNCTION | OBJECTS | SOME_OBJECTS,
    FILE_NAME | FUNCTION | NO_TEXTS,
};

/* Lines that say less than this are in many places. */
#define TEXT_MIN 8u

static bool are_equal(const char *a, const char *b)
{
	return strcmp(a, b) == 0;
}

static bool have_text(unsigned rule, const char *a, const char *b)
{
	bool is_elsewhere = !(rule & FILE_NAME) || !(rule & FUNCTION);

	return *a && are_equal(a, b) && (!is_elsewhere || strlen(a) >= TEXT_MIN);
}

static bool obeys(unsigned rule, const struct ct_identity *a, const struct ct_identity *b)
{
	return (!(rule & FILE_NAME) || are_equal(a->file, b->file)) &&
	       (!(rule & FUNCTION) || are_equal(a->function, b->function)) &&
	       (!(rule & TEXT) || have_text(rule, a->text, b->text)) &&
	       (!(rule & OBJECTS) || are_equal(a->objects, b->objects)) &&
	       (!(rule & SOME_OBJECTS) || *a->objects) &&
	       (!(rule & OFFSET) || a->offset == b->offset) &&
	       (!(rule & NO_TEXT) || !*a->text || !*b->text) &&
	       (!(rule & NO_TEXTS) || (!*a->text && !*b->text));
}

static bool are_of_id(const struct ct_identity *a, const struct ct_identity *b, bool is_wider)
{
	return a->id == b->id ||
	       (is_wider && ct_finding_id_wider(a->id) == ct_finding_id_wider(b->id));
}

static uint64_t distance(const struct ct_identity *a, const struct ct_identity *b)
{
	if (a->offset == CT_OFFSET_NONE || b->offset == CT_OFFSET_NONE)
		return a->offset == b->offset ? 0 : UINT64_MAX;
	return a->offset < b->offset ? (uint64_t)(b->offset - a->offset)
				     : (uint64_t)(a->offset - b->offset);
}

/* Returns the nearest of those after it that is not paired. */
static size_t nearest(const struct ct_identity_match *match, const struct ct_identity *before,
		      const struct ct_identities *after, unsigned rule, bool is_wider)
{
	size_t best = CT_UNMATCHED;

	for (size_t i = 0; i < after->count; i++)
		if (match->before[i] == CT_UNMATCHED &&
		    are_of_id(before, &after->list[i], is_wider) &&
		    obeys(rule, before, &after->list[i]) &&
		    (best == CT_UNMATCHED ||
		     distance(before, &after->list[i]) < distance(before, &after->list[best])))
			best = i;
	return best;
}

/* The pair that is nearest, until there is none. */
static void apply(struct ct_identity_match *match, const struct ct_identities *before,
		  const struct ct_identities *after, unsigned rule, bool is_wider)
{
	for (;;) {
		size_t first = CT_UNMATCHED, second = CT_UNMATCHED;

		for (size_t i = 0; i < before->count; i++) {
			size_t other = match->after[i] == CT_UNMATCHED
					   ? nearest(match, &before->list[i], after, rule, is_wider)
					   : CT_UNMATCHED;

			if (other != CT_UNMATCHED &&
			    (first == CT_UNMATCHED ||
			     distance(&before->list[i], &after->list[other]) <
				 distance(&before->list[first], &after->list[second]))) {
				first = i;
				second = other;
			}
		}
		if (first == CT_UNMATCHED)
			return;
		match->after[first] = second;
		match->before[second] = first;
		match->remaining++;
	}
}

static size_t *unmatched(size_t count)
{
	size_t *list = malloc((count + 1) * sizeof(*list));

	for (size_t i = 0; list && i < count; i++)
		list[i] = CT_UNMATCHED;
	return list;
}

int ct_identity_match_init(struct ct_identity_match *match, const struct ct_identities *before,
			   const struct ct_identities *after)
{
	*match = (struct ct_identity_match){.after = unmatched(before->count),
					    .before = unmatched(after->count)};
	if (!match->after || !match->before)
		return -ENOMEM;
	for (int is_wider = 0; is_wider < 2; is_wider++)
		for (size_t i = 0; i < sizeof(rules) / sizeof(*rules); i++)
			apply(match, before, after, rules[i], is_wider);
	match->gone = before->count - match->remaining;
	match->new = after->count - match->remaining;
	return 0;
}

void ct_identity_match_fini(struct ct_identity_match *match)
{
	free(match->after);
	free(match->before);
	*match = (struct ct_identity_match){.gone = 0};
}
