/* SPDX-License-Identifier: Apache-2.0 */
/* Findings in seconds of the run, by place. */
#include "postproc/problems/problems.h"

#include "postproc/analysis/model/all.h"
#include "postproc/analysis/model/whatif.h"
#include "postproc/facts/place.h"
#include "postproc/problems/kernel_times.h"
#include "postproc/problems/waiting.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool is_seconds(const struct ct_amount *amount)
{
	return amount->unit && !strcmp(amount->unit, "s");
}

static double least(double a, double b)
{
	return isnan(a) || b < a ? b : a;
}

/* Returns what the model says of the change that the fix makes, of the kernel's time; 0: nothing.
 */
static double modelled(const struct ct_finding *finding, const struct ct_model_kernel *kernel)
{
	struct ct_place place = {"", 0, 0};

	if (finding->sites)
		place = ct_place_of(finding->site[0].unit,
				    &finding->site[0].unit->sites[finding->site[0].site]);
	for (uint32_t i = 0; kernel && i < kernel->changes; i++)
		if (kernel->change[i].change == finding->change &&
		    (!kernel->change[i].line || kernel->change[i].line == place.line))
			return kernel->change[i].seconds / kernel->predicted;
	return 0;
}

/* A kernel without conflicts was simulated, and was no faster. */
static bool is_idle(const struct ct_finding *finding, const struct ct_model_kernel *kernel)
{
	return finding->change == CT_CHANGE_BANKS && kernel && kernel->change_ctas > 0 &&
	       kernel->bank_wavefronts > 0;
}

/* A kernel that computes less still takes what memory takes for the same bytes: the rest of the
 * kernel's time. */
static double beside_memory(const struct ct_model_kernel *kernel)
{
	double busy = fmax(kernel->simulation.dram, kernel->simulation.l2);

	return fmax(1 - busy, CT_MODEL_CHANGE_LEAST);
}

/*
 * Seconds that are expected of a change that the model estimates: half way to the bound. The
 * simulation finds less than changes save, for it waits less than devices do, and the bound more.
 * Of nine times that a change was made on a GPU the middle was 16 % off in the median, the
 * estimate 42 % (tests/gpu/results/profile.md, bench/advice/results/advice.md).
 */
static double expected(double estimate, double bound)
{
	return bound > estimate ? (estimate + bound) / 2 : least(bound, estimate);
}

/* Values a finding of a kernel: shares of its time are of all its launches. */
static void value_kernel(struct ct_problem_part *part, const struct ct_kernel_times *times,
			 const struct ct_inquiry *inquiry)
{
	const struct ct_finding *f = part->finding;
	const struct ct_kernel_time *kernel =
	    f->kernels ? ct_kernel_times_of(times, f->kernel[0]) : NULL;
	const struct ct_model_kernel *model;
	double estimate = f->kernel_estimate, waiting;

	if (!kernel || !(kernel->seconds > 0))
		return;
	model = ct_model_all_kernel(inquiry->model, kernel->symbol);
	model = model && model->predicted > 0 ? model : NULL;
	part->kernel_seconds = kernel->seconds;
	if (f->kernel_share > 0)
		part->bound = kernel->seconds * fmin(f->kernel_share, 1);
	if (f->change == CT_CHANGE_LANES && model && model->simulation.cycles > 0)
		part->bound = least(part->bound, kernel->seconds * beside_memory(model));
	if (!(estimate > 0) && f->change != CT_CHANGE_NONE)
		estimate = modelled(f, model);
	if (!(estimate > 0) && is_idle(f, model))
		part->bound = least(part->bound, kernel->seconds * CT_MODEL_CHANGE_LEAST);
	waiting = ct_waiting_share(inquiry->samples, kernel->symbol, f->change);
	if (!isnan(waiting))
		part->bound = least(part->bound, kernel->seconds * waiting);
	part->waiting = waiting;
	/* An estimate of the traced launches is one of as large a part of all of them. */
	if (!(estimate > 0) && is_seconds(&f->estimate) && is_seconds(&f->worth) &&
	    f->worth.value > 0)
		estimate = f->kernel_share * f->estimate.value / f->worth.value;
	part->is_estimate = estimate > 0;
	part->seconds =
	    estimate > 0 ? expected(kernel->seconds * fmin(estimate, 1), part->bound) : part->bound;
}

/* Seconds that are the run's own. */
static void value_run(struct ct_problem_part *part)
{
	const struct ct_finding *f = part->finding;

	if (is_seconds(&f->worth))
		part->bound = f->worth.value;
	part->is_estimate = is_seconds(&f->estimate) || f->worth_is_estimate;
	part->seconds = is_seconds(&f->estimate) ? f->estimate.value : part->bound;
}

static bool is_about_kernel(const struct ct_finding *finding)
{
	return finding->kernel_share > 0 || finding->kernel_estimate > 0;
}

/* Something to do that gains time, or without which results are wrong. */
static bool is_problem(const struct ct_problem_part *part)
{
	const struct ct_finding *f = part->finding;

	return f->fix &&
	       (f->kind == CT_FINDING_PROBLEM ||
		(f->kind == CT_FINDING_RESULT && (is_about_kernel(f) || part->seconds > 0)));
}

static void place_of(struct ct_problem *problem, const struct ct_finding *finding)
{
	struct ct_place place = {finding->file ? finding->file : "", finding->line, 0};

	if (finding->sites)
		place = ct_place_of(finding->site[0].unit,
				    &finding->site[0].unit->sites[finding->site[0].site]);
	snprintf(problem->file, sizeof(problem->file), "%s", place.file);
	problem->line = place.line;
}

/* Whether two parts are of the same kernel. */
static bool is_of_kernel(const struct ct_problem_part *part, const struct ct_problem_part *other)
{
	return part->finding->kernels && other->finding->kernels &&
	       !strcmp(part->finding->kernel[0], other->finding->kernel[0]);
}

/* Whether both are the same advice on an object. */
static bool is_of_object(const struct ct_problem_part *part, const struct ct_problem_part *other)
{
	const struct ct_finding *a = part->finding, *b = other->finding;

	return a->is_of_object && b->is_of_object && a->objects && b->objects &&
	       a->object[0] == b->object[0] && a->id == b->id;
}

/* A kernel's line is known without its file. */
static bool is_of(const struct ct_problems *problems, const struct ct_problem *problem,
		  const struct ct_problem *place, const struct ct_problem_part *part)
{
	if (!place->line || problem->line != place->line)
		return false;
	return !strcmp(problem->file, place->file) ||
	       ((!*problem->file || !*place->file) &&
		is_of_kernel(&problems->part[problem->first], part));
}

/* Whether it is what bounds a kernel as a whole: of use where nothing is known of a line of it. */
bool ct_problem_is_of_kernel(const struct ct_problem_part *part)
{
	return part->finding->kernel_estimate > 0 && !(part->finding->kernel_share > 0);
}

/* The problem of the same place, or of the kernel that a verdict is on; count: none. */
static size_t find_problem(const struct ct_problems *problems, const struct ct_problem *place,
			   const struct ct_problem_part *part)
{
	for (size_t i = 0; i < problems->count; i++)
		if (is_of(problems, &problems->list[i], place, part) ||
		    is_of_object(&problems->part[problems->list[i].first], part) ||
		    (ct_problem_is_of_kernel(part) &&
		     is_of_kernel(&problems->part[problems->list[i].first], part)))
			return i;
	return problems->count;
}

bool ct_problem_is_wrong(const struct ct_problem_part *part)
{
	return part->finding->kind == CT_FINDING_PROBLEM && isnan(part->seconds);
}

/* A problem's first part decides what it is worth. */
static double rank_of(const struct ct_problem_part *part)
{
	return ct_problem_is_wrong(part) ? INFINITY : isnan(part->seconds) ? -1 : part->seconds;
}

static int by_worth(const void *a, const void *b)
{
	const struct ct_problem_part *x = a, *y = b;
	double rank_x = rank_of(x), rank_y = rank_of(y);

	if (rank_x < rank_y || rank_x > rank_y)
		return rank_x < rank_y ? 1 : -1;
	if (x->finding->kernel_share < y->finding->kernel_share ||
	    x->finding->kernel_share > y->finding->kernel_share)
		return x->finding->kernel_share < y->finding->kernel_share ? 1 : -1;
	return x->number < y->number ? -1 : x->number > y->number;
}

static int by_problem(const void *a, const void *b)
{
	const struct ct_problem_part *x = a, *y = b;

	if (x->problem != y->problem)
		return x->problem < y->problem ? -1 : 1;
	if (ct_problem_is_of_kernel(x) != ct_problem_is_of_kernel(y))
		return ct_problem_is_of_kernel(x) ? 1 : -1;
	return by_worth(a, b);
}

/* The same advice for other objects of the line saves as much again. */
static bool is_the_same(const struct ct_problem_part *part, const struct ct_problem_part *other)
{
	return !strcmp(part->finding->analysis, other->finding->analysis) &&
	       part->finding->id == other->finding->id;
}

bool ct_problem_is_likewise(const struct ct_problems *problems, const struct ct_problem *problem,
			    size_t part)
{
	const struct ct_problem_part *first = &problems->part[problem->first];

	return part && is_the_same(first, first + part);
}

static void value(struct ct_problems *problems, struct ct_problem *problem)
{
	const struct ct_problem_part *first = &problems->part[problem->first];

	problem->seconds = first->seconds;
	problem->bound = first->bound;
	for (size_t i = 1; i < problem->parts; i++) {
		if (!is_the_same(first, first + i) || isnan(first[i].seconds))
			continue;
		problem->seconds += first[i].seconds;
		problem->bound += isnan(first[i].bound) ? first[i].seconds : first[i].bound;
	}
	problem->share = problem->seconds / problems->run_seconds;
	problem->is_small = problem->share < CT_PROBLEM_SMALL;
}

/* Puts the part into the problem of its place, or a new one. */
static void place_part(struct ct_problems *problems, size_t i)
{
	struct ct_problem_part *part = &problems->part[i];
	struct ct_problem place = {.first = i};
	size_t number;

	place_of(&place, part->finding);
	number = find_problem(problems, &place, part);
	if (number == problems->count)
		problems->list[problems->count++] = place;
	if (!*problems->list[number].file)
		snprintf(problems->list[number].file, sizeof(place.file), "%s", place.file);
	problems->list[number].parts++;
	part->problem = number;
}

/* Puts parts together that are of one place. They come by worth, so problems do, too. */
static void join(struct ct_problems *problems)
{
	for (size_t i = 0; i < problems->parts; i++)
		if (!ct_problem_is_of_kernel(&problems->part[i]))
			place_part(problems, i);
	for (size_t i = 0; i < problems->parts; i++)
		if (ct_problem_is_of_kernel(&problems->part[i]))
			place_part(problems, i);
	qsort(problems->part, problems->parts, sizeof(*problems->part), by_problem);
	for (size_t i = 0, first = 0; i < problems->count; i++) {
		struct ct_problem *problem = &problems->list[i];

		problem->first = first;
		first += problem->parts;
		value(problems, problem);
		problems->small += problem->is_small;
	}
}

/* With what others of the same line save it may be worth more than the one before it. */
static int by_share(const void *a, const void *b)
{
	const struct ct_problem *x = a, *y = b;
	/* A problem that is not known to be worth anything stays where it is. */
	if (isnan(x->share) || isnan(y->share) || x->share == y->share)
		return x->first < y->first ? -1 : x->first > y->first;
	return x->share < y->share ? 1 : -1;
}

int ct_problems_init(struct ct_problems *problems, const struct ct_findings *findings,
		     const struct ct_inquiry *inquiry)
{
	struct ct_kernel_times times;
	int err = ct_kernel_times_init(&times, inquiry);

	*problems = (struct ct_problems){
	    .list = calloc(findings->count + 1, sizeof(*problems->list)),
	    .part = calloc(findings->count + 1, sizeof(*problems->part)),
	    .run_seconds = times.run_seconds > 0 ? times.run_seconds : times.seconds,
	    .is_of_kernels = !(times.run_seconds > 0),
	};
	if (!problems->list || !problems->part)
		err = -ENOMEM;
	problems->is_cpu = ct_machine_is_cpu(inquiry->trace);
	for (size_t i = 0; i < times.count; i++)
		problems->is_predicted |= times.list[i].is_predicted && times.list[i].seconds > 0;
	for (size_t i = 0; i < findings->count && err == 0; i++) {
		struct ct_problem_part part = {.finding = &findings->list[i],
					       .number = i,
					       .seconds = NAN,
					       .bound = NAN,
					       .kernel_seconds = NAN,
					       .waiting = NAN};

		if (is_about_kernel(part.finding))
			value_kernel(&part, &times, inquiry);
		else
			value_run(&part);
		if (is_problem(&part) && !part.finding->suppressed_by)
			problems->part[problems->parts++] = part;
	}
	ct_kernel_times_fini(&times);
	if (err < 0)
		return err;
	qsort(problems->part, problems->parts, sizeof(*problems->part), by_worth);
	join(problems);
	qsort(problems->list, problems->count, sizeof(*problems->list), by_share);
	for (size_t i = 0; i < problems->count; i++)
		for (size_t p = 0; p < problems->list[i].parts; p++)
			problems->part[problems->list[i].first + p].problem = i;
	return 0;
}

void ct_problems_fini(struct ct_problems *problems)
{
	free(problems->list);
	free(problems->part);
	*problems = (struct ct_problems){.count = 0};
}

const char *ct_problem_state_text(enum ct_problem_state state)
{
	static const char *const text[] = {NULL, "known", "new"};

	return text[state];
}

bool ct_problems_has(const struct ct_problems *problems, size_t finding)
{
	for (size_t i = 0; i < problems->parts; i++)
		if (problems->part[i].number == finding)
			return true;
	return false;
}
