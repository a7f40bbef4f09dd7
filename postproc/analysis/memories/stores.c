/* SPDX-License-Identifier: Apache-2.0 */
/* Which stores a launch overwrites itself. */
#include "postproc/analysis/memories/stores.h"
#include "postproc/facts/worthwhile.h"

#include <errno.h>
#include <stdlib.h>

#define TIMES_MIN 2.0 /* that an element is stored */
#define OWN_MIN 0.9   /* of the requests: lanes have elements of their own */

struct stores {
	double requests, own, bytes, sectors;
	bool is_else_accessed; /* the kernel loads it, or does atomics there */
	const struct ct_access_row *most;
};

static bool is_of(const struct ct_access_row *row, const struct ct_access_row *first)
{
	return row->kernel == first->kernel && row->group == first->group;
}

static struct stores sum(const struct ct_access_results *access, size_t first)
{
	struct stores stores = {.most = &access->row[first]};

	for (size_t i = first; i < access->rows && is_of(&access->row[i], &access->row[first]);
	     i++) {
		const struct ct_access_row *row = &access->row[i];
		const struct ct_access_figures *f = &row->figures;

		stores.is_else_accessed |= row->class != CT_CLASS_STORE;
		stores.requests += (double)f->requests;
		stores.own +=
		    (double)(f->pattern[CT_ACCESS_UNIT] + f->pattern[CT_ACCESS_MISALIGNED] +
			     f->pattern[CT_ACCESS_STRIDED]);
		stores.bytes += (double)f->asked;
		stores.sectors += (double)f->sectors;
		if (f->requests > stores.most->figures.requests)
			stores.most = row;
	}
	return stores;
}

static void look_at(struct ct_overwrites *overwrites, const struct ct_access_results *access,
		    size_t first, double sectors, double all)
{
	const struct ct_access_row *row = &access->row[first];
	struct stores stores = sum(access, first);
	const struct ct_access_object *touched = ct_access_touched(access, row);
	double unique = touched ? (double)touched->unique : 0;
	double times = unique > 0 ? stores.bytes / unique : 0;
	double vain = times > 0 ? stores.sectors * (1 - 1 / times) : 0;

	if (stores.is_else_accessed || times < TIMES_MIN ||
	    stores.own < OWN_MIN * stores.requests || !ct_is_worthwhile(vain, sectors, all))
		return;
	overwrites->list[overwrites->count++] = (struct ct_overwritten){
	    .kernel = row->kernel,
	    .group = row->group,
	    .row = stores.most,
	    .times = times,
	    .sectors = vain,
	    .share = vain / sectors,
	};
}

static int by_sectors(const void *a, const void *b)
{
	const struct ct_overwritten *x = a, *y = b;

	return (x->sectors < y->sectors) - (x->sectors > y->sectors);
}

int ct_overwrites_init(struct ct_overwrites *overwrites, const struct ct_access_results *access)
{
	double *sectors = calloc(access->kernels.count + 1u, sizeof(*sectors)), all = 0;

	*overwrites =
	    (struct ct_overwrites){.list = calloc(access->rows + 1, sizeof(*overwrites->list))};
	for (size_t i = 0; sectors && i < access->rows; i++) {
		sectors[access->row[i].kernel] += (double)access->row[i].figures.sectors;
		all += (double)access->row[i].figures.sectors;
	}
	for (size_t i = 0; sectors && overwrites->list && i < access->rows; i++)
		if ((i == 0 || !is_of(&access->row[i], &access->row[i - 1])) &&
		    access->row[i].group < access->groups && access->object[access->row[i].group])
			look_at(overwrites, access, i, sectors[access->row[i].kernel], all);
	if (overwrites->count)
		qsort(overwrites->list, overwrites->count, sizeof(*overwrites->list), by_sectors);
	free(sectors);
	return sectors && overwrites->list ? 0 : -ENOMEM;
}

void ct_overwrites_fini(struct ct_overwrites *overwrites)
{
	free(overwrites->list);
	*overwrites = (struct ct_overwrites){.list = NULL};
}
