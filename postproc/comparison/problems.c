/* SPDX-License-Identifier: Apache-2.0 */
/* Which problems are gone, new and remain; what was predicted of them, and what was saved. */
#include "postproc/comparison/problems.h"
#include "postproc/comparison/measures.h"

#include "postproc/problems/identity.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* The problems of both, and who is who. */
struct pairing {
	struct ct_comparison *comparison;
	struct ct_identities identity[2];
	struct ct_identity_match match;
};

static const struct ct_problems *problems_of(const struct ct_comparison *comparison, unsigned when)
{
	return comparison->side[when]->problems;
}

static void set_part(struct ct_compared_problem *row, unsigned when,
		     const struct ct_problems *problems, size_t problem, size_t part)
{
	const struct ct_problem *of = &problems->list[problem];

	row->number[when] = problem;
	row->part[when] = &problems->part[of->first + part];
	/* The first part stands for the same advice of other objects, too. */
	row->seconds[when] = part ? row->part[when]->seconds : of->seconds;
	row->bound[when] = part ? row->part[when]->bound : of->bound;
	row->share[when] = row->seconds[when] / problems->run_seconds;
}

static struct ct_compared_problem *add_row(struct ct_comparison *comparison)
{
	struct ct_compared_problem *row = &comparison->problem[comparison->problems++];

	*row = (struct ct_compared_problem){
	    .number = {CT_PAIR_NONE, CT_PAIR_NONE},
	    .seconds = {NAN, NAN},
	    .bound = {NAN, NAN},
	    .share = {NAN, NAN},
	    .measured = {NAN, NAN},
	};
	return row;
}

/* Whether the other study has the same one, be it worth too little to be reported there. */
static const struct ct_ffm_entry *other_entry(const struct ct_comparison *comparison, unsigned when,
					      const struct ct_ffm_entry *entry)
{
	const struct ct_ffm_comparison *ffm = comparison->ffm;

	for (size_t i = 0; ffm && entry && i < ffm->entries; i++)
		if ((when ? ffm->entry[i].after : ffm->entry[i].before) == entry)
			return when ? ffm->entry[i].before : ffm->entry[i].after;
	return NULL;
}

static bool is_small(const struct ct_compared_problem *row, unsigned when)
{
	return row->share[when] < CT_PROBLEM_SMALL;
}

/* Nothing of the kernel was recorded there, though it ran. */
static bool is_unrecorded(const struct ct_comparison *comparison, unsigned when,
			  const struct ct_finding *finding)
{
	size_t kernel = finding->kernels
			    ? ct_side_kernel_of(comparison->side[!when], finding->kernel[0])
			    : SIZE_MAX;
	size_t other = kernel == SIZE_MAX
			   ? CT_PAIR_NONE
			   : ct_compared_pairs_other(&comparison->kernels, !when, kernel);

	return other != CT_PAIR_NONE && isnan(comparison->side[when]->kernel[other].scale) &&
	       !isnan(comparison->side[!when]->kernel[kernel].scale);
}

/* Whether a study has recorded what shows a problem of the other one. Of a part of the launches
 * less is known of values than of all. */
static bool sees(const struct ct_comparison *comparison, unsigned when,
		 const struct ct_finding *finding)
{
	const struct ct_side *side = comparison->side[when], *other = comparison->side[!when];

	if (!ct_side_sees(side, finding->analysis) || is_unrecorded(comparison, when, finding))
		return false;
	return strcmp(finding->analysis, "values") != 0 || !side->is_scaled || other->is_scaled;
}

/* A problem that only one study lists. */
static void add_single(struct ct_comparison *comparison, unsigned when, size_t problem)
{
	const struct ct_side *side = comparison->side[when], *other = comparison->side[!when];
	struct ct_compared_problem *row = add_row(comparison);
	const struct ct_ffm_entry *entry;

	set_part(row, when, side->problems, problem, 0);
	entry = other_entry(comparison, when, row->part[when]->finding->entry);
	if (entry) {
		row->state = CT_COMPARED_REMAINS;
		row->seconds[!when] = 1e-9 * (double)ct_ffm_entry_worth(entry);
		row->share[!when] = row->seconds[!when] / other->problems->run_seconds;
	} else if (!sees(comparison, !when, row->part[when]->finding)) {
		row->state = CT_COMPARED_UNKNOWN;
	} else {
		row->state = when ? CT_COMPARED_NEW : CT_COMPARED_GONE;
	}
	row->is_small = is_small(row, when);
}

static void add_both(struct ct_comparison *comparison, const struct ct_identity *before,
		     const struct ct_identity *after)
{
	struct ct_compared_problem *row;

	for (size_t i = 0; i < comparison->problems; i++)
		if (comparison->problem[i].number[0] == before->problem &&
		    comparison->problem[i].number[1] == after->problem)
			return;
	row = add_row(comparison);
	row->state = CT_COMPARED_REMAINS;
	set_part(row, 0, problems_of(comparison, 0), before->problem, before->part);
	set_part(row, 1, problems_of(comparison, 1), after->problem, after->part);
	row->is_small = is_small(row, 0) && is_small(row, 1);
}

/* The first finding of a problem decides what becomes of it. */
static void pair(struct pairing *pairing)
{
	const struct ct_identity_match *match = &pairing->match;

	for (unsigned when = 0; when < 2; when++) {
		const struct ct_identities *own = &pairing->identity[when];
		const struct ct_identities *others = &pairing->identity[!when];

		for (size_t i = 0; i < own->count; i++) {
			size_t other = when ? match->before[i] : match->after[i];

			if (own->list[i].part)
				continue;
			if (other == CT_UNMATCHED)
				add_single(pairing->comparison, when, own->list[i].problem);
			else
				add_both(pairing->comparison,
					 when ? &others->list[other] : &own->list[i],
					 when ? &own->list[i] : &others->list[other]);
		}
	}
}

static int by_state(const void *a, const void *b)
{
	const struct ct_compared_problem *x = a, *y = b;
	double worth_x = x->part[0] ? x->seconds[0] : x->seconds[1];
	double worth_y = y->part[0] ? y->seconds[0] : y->seconds[1];
	size_t number_x = x->part[0] ? x->number[0] : x->number[1];
	size_t number_y = y->part[0] ? y->number[0] : y->number[1];

	if (x->state != y->state)
		return x->state < y->state ? -1 : 1;
	if (!isnan(worth_x) && !isnan(worth_y) && (worth_x < worth_y || worth_x > worth_y))
		return worth_x < worth_y ? 1 : -1;
	return number_x < number_y ? -1 : number_x > number_y;
}

static void count(struct ct_comparison *comparison)
{
	for (size_t i = 0; i < comparison->problems; i++) {
		const struct ct_compared_problem *row = &comparison->problem[i];

		(row->is_small ? comparison->small : comparison->count)[row->state]++;
	}
}

int ct_compared_problems_make(struct ct_comparison *comparison)
{
	struct pairing pairing = {.comparison = comparison};
	int err = 0;

	for (unsigned when = 0; when < 2 && err == 0; when++)
		err = ct_identities_init(&pairing.identity[when], problems_of(comparison, when),
					 comparison->side[when]->texts);
	if (err == 0)
		err = ct_identity_match_init(&pairing.match, &pairing.identity[0],
					     &pairing.identity[1]);
	comparison->problem = calloc(pairing.identity[0].count + pairing.identity[1].count + 1,
				     sizeof(*comparison->problem));
	if (!comparison->problem)
		err = -ENOMEM;
	if (err == 0 && !comparison->is_other_program) {
		pair(&pairing);
		count(comparison);
		ct_compared_measure(comparison);
		qsort(comparison->problem, comparison->problems, sizeof(*comparison->problem),
		      by_state);
	}
	ct_identity_match_fini(&pairing.match);
	for (unsigned when = 0; when < 2; when++)
		ct_identities_fini(&pairing.identity[when]);
	return err;
}
