/* SPDX-License-Identifier: Apache-2.0 */
/* Which arrays constant memory would serve. */
#include "postproc/analysis/memories/constants.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>

#define UNIFORM_MIN 0.95 /* of the requests: one address */
#define SINGLE_MAX 0.5   /* of the requests: one lane, of which nothing follows */
#define WARPS_MIN 0.25   /* of a launch's: that load an element, in the mean */

/* Sums a kernel's loads of a group. */
struct loads {
	uint64_t requests, uniform, single, lanes, asked, unique;
	const struct ct_access_row *most;
};

static struct loads sum(const struct ct_access_results *access, const struct ct_access_row *first)
{
	const struct ct_access_object *touched = ct_access_touched(access, first);
	struct loads loads = {.unique = touched ? touched->unique : 0, .most = first};

	for (size_t i = 0; i < access->rows; i++) {
		const struct ct_access_row *row = &access->row[i];

		if (row->kernel != first->kernel || row->group != first->group)
			continue;
		loads.requests += row->figures.requests;
		loads.single += row->figures.pattern[CT_ACCESS_SINGLE];
		loads.uniform += row->figures.pattern[CT_ACCESS_SINGLE] +
				 row->figures.pattern[CT_ACCESS_BROADCAST];
		loads.lanes += row->figures.lanes;
		loads.asked += row->figures.asked;
		if (row->figures.requests > loads.most->figures.requests)
			loads.most = row;
	}
	return loads;
}

/* By any traced kernel. */
static bool is_written(const struct ct_access_results *access, uint32_t group)
{
	for (size_t i = 0; i < access->rows; i++)
		if (access->row[i].group == group && access->row[i].class != CT_CLASS_LOAD)
			return true;
	return false;
}

/* Sums the CTAs that are recorded of the kernel's traced launches. */
static double warps_of(const struct ct_access_results *access, uint32_t kernel)
{
	double warps = 0;

	for (size_t l = 0; l < access->launches; l++) {
		const struct ct_event_launch *event = access->all_launches[l].event;
		double threads = (double)event->block[0] * event->block[1] * event->block[2];
		double ctas = (double)event->grid[0] * event->grid[1] * event->grid[2];

		if (access->kernels.of_launch[l] != kernel || !(event->flags & CT_LAUNCH_TRACED))
			continue;
		if (event->block_period > 1)
			ctas = ceil(ctas / event->block_period);
		warps += ctas * ceil(threads / CT_WARP_LANES);
	}
	return warps;
}

/* How many warps load an element in the mean, of all. */
static double warps_of_element(const struct ct_access_results *access, const struct loads *loads,
			       uint32_t kernel)
{
	double warps = warps_of(access, kernel);
	double bytes = (double)loads->asked / (double)loads->lanes;

	if (!loads->unique || !(warps > 0))
		return 0;
	/* Both sums are over launches, so the quotient is that of a launch. */
	return (double)loads->requests * bytes / (double)loads->unique *
	       (double)access->kernels.list[kernel].launches / warps;
}

/* The row is the first of its kernel and group. */
static bool is_first(const struct ct_access_results *access, size_t number)
{
	return number == 0 || access->row[number - 1].kernel != access->row[number].kernel ||
	       access->row[number - 1].group != access->row[number].group;
}

/* Whether it is one object that is known. */
static bool is_array(const struct ct_access_results *access, uint32_t group)
{
	return group < access->groups && access->object[group] && access->objects[group] == 1 &&
	       access->object[group]->event->bytes <= CT_CONSTANT_BYTES;
}

static void look_at(struct ct_constants *constants, const struct ct_access_results *access,
		    size_t number)
{
	const struct ct_access_row *row = &access->row[number];
	struct loads loads;
	double warps;

	if (!is_array(access, row->group) || is_written(access, row->group))
		return;
	loads = sum(access, row);
	warps = warps_of_element(access, &loads, row->kernel);
	if ((double)loads.uniform < UNIFORM_MIN * (double)loads.requests ||
	    (double)loads.single > SINGLE_MAX * (double)loads.requests || warps < WARPS_MIN)
		return;
	constants->list[constants->count++] = (struct ct_constant){
	    .kernel = row->kernel,
	    .group = row->group,
	    .row = loads.most,
	    .bytes = access->object[row->group]->event->bytes,
	    .requests = (double)loads.requests,
	    .share = (double)loads.requests /
		     ct_access_requests_of(access, access->kernels.list[row->kernel].symbol),
	    .warps = fmin(warps, 1),
	};
}

static int by_requests(const void *a, const void *b)
{
	const struct ct_constant *x = a, *y = b;

	if (x->requests > y->requests || x->requests < y->requests)
		return x->requests > y->requests ? -1 : 1;
	return x->group != y->group ? (x->group < y->group ? -1 : 1) : 0;
}

/* As many as there is room for together. */
static void fit(struct ct_constants *constants)
{
	uint64_t room = CT_CONSTANT_BYTES;
	size_t kept = 0;

	for (size_t i = 0; i < constants->count; i++) {
		bool is_known = false;

		for (size_t j = 0; j < kept; j++)
			is_known |= constants->list[j].group == constants->list[i].group;
		if (!is_known && constants->list[i].bytes > room)
			continue;
		room -= is_known ? 0 : constants->list[i].bytes;
		constants->list[kept++] = constants->list[i];
	}
	constants->count = kept;
}

int ct_constants_init(struct ct_constants *constants, const struct ct_access_results *access)
{
	*constants =
	    (struct ct_constants){.list = calloc(access->rows + 1, sizeof(*constants->list))};
	if (!constants->list)
		return -ENOMEM;
	for (size_t i = 0; i < access->rows; i++)
		if (is_first(access, i))
			look_at(constants, access, i);
	if (constants->count)
		qsort(constants->list, constants->count, sizeof(*constants->list), by_requests);
	fit(constants);
	return 0;
}

void ct_constants_fini(struct ct_constants *constants)
{
	free(constants->list);
	*constants = (struct ct_constants){.list = NULL};
}
