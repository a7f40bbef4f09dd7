/* SPDX-License-Identifier: Apache-2.0 */
/* Totals, and what is estimated from them, by a pass of the scan engine. */
#include "postproc/analysis/totals/analysis.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>

struct state {
	struct ct_totals *totals;
	struct ct_estimates *estimates; /* NULL: nothing is estimated */
	const struct ct_filter *filter; /* NULL: everything passes */
	struct ct_locator locator;
};

static int wants(void *job, struct ct_wants *wants)
{
	const struct ct_totals_job *own = job;

	*wants = (struct ct_wants){
	    .what = CT_WANT_ACCESSES | CT_WANT_EVENTS,
	    .launches = own->filter ? ct_filter_launches(own->filter) : NULL,
	    .sites = own->filter ? ct_filter_sites(own->filter) : NULL,
	};
	return 0;
}

static void close_state(void *state)
{
	struct state *own = state;

	if (!own)
		return;
	ct_totals_close(own->totals);
	ct_estimates_close(own->estimates);
	free(own);
}

static int open_state(void **state, void *job, const struct ct_worker *worker)
{
	const struct ct_totals_job *own = job;
	struct state *new = calloc(1, sizeof(*new));
	int err;

	*state = new;
	if (!new)
		return -ENOMEM;
	new->filter = own->filter;
	new->locator.trace = worker->trace;
	err = ct_totals_open(&new->totals, own->trace);
	if (err == 0 && own->sampling)
		err = ct_estimates_open(&new->estimates, own->trace, own->sampling);
	return err;
}

static int add(const struct state *own, const struct ct_access *access)
{
	int err = ct_totals_add(own->totals, access);

	return err == 0 && own->estimates ? ct_estimates_add(own->estimates, access) : err;
}

static int add_access(void *state, const struct ct_access *access)
{
	struct state *own = state;
	struct ct_access chosen;
	uint32_t lanes =
	    own->filter ? ct_filter_lanes(own->filter, access, &own->locator) : access->mask;

	if (lanes == access->mask)
		return add(own, access);
	chosen = *access;
	chosen.mask = lanes;
	return lanes ? add(own, &chosen) : 0;
}

/* Events without an address are in no object. */
static int add_event(void *state, const struct ct_event *event)
{
	const struct state *own = state;

	if (own->filter &&
	    (!ct_filter_all_objects(own->filter) || !ct_filter_passes(own->filter, event->at)))
		return 0;
	return ct_totals_add_event(own->totals, event);
}

static int join(void *state, void *from)
{
	const struct state *own = state, *other = from;
	int err = ct_totals_join(own->totals, other->totals);

	return err == 0 && own->estimates ? ct_estimates_join(own->estimates, other->estimates)
					  : err;
}

/* The bytes of totals and their number, then those of estimates. */
static int pack(const void *state, struct ct_buffer *bytes)
{
	const struct state *own = state;
	size_t at = bytes->size;
	uint64_t count = 0;
	int err = ct_buffer_append(bytes, &count, sizeof(count))
		      ? ct_totals_pack(own->totals, bytes)
		      : -ENOMEM;

	if (err < 0)
		return err;
	count = bytes->size - at - sizeof(count);
	memcpy(bytes->bytes + at, &count, sizeof(count));
	return own->estimates ? ct_estimates_pack(own->estimates, bytes) : 0;
}

static int unpack(void *state, const void *bytes, size_t count)
{
	const struct state *own = state;
	const char *at = bytes;
	uint64_t totals;
	int err;

	memcpy(&totals, at, sizeof(totals));
	at += sizeof(totals);
	count -= sizeof(totals);
	err = ct_totals_unpack(own->totals, at, totals);
	return err == 0 && own->estimates
		   ? ct_estimates_unpack(own->estimates, at + totals, count - totals)
		   : err;
}

static int conclude(void *job, void **state, const struct ct_scanned *scanned)
{
	struct ct_totals_job *own = job;
	struct state *all = *state;
	int err = ct_totals_add_counts(all->totals, own->trace, own->filter);

	(void)scanned;
	if (err == 0)
		err = ct_totals_finish(all->totals, own->filter);
	if (err == 0 && all->estimates)
		err = ct_estimates_finish(all->estimates, all->totals);
	own->totals = all->totals;
	own->estimates = all->estimates;
	*all = (struct state){0};
	return err;
}

const struct ct_analysis ct_totals_analysis = {
    .name = "totals",
    .wants = wants,
    .open = open_state,
    .access = add_access,
    .event = add_event,
    .join = join,
    .pack = pack,
    .unpack = unpack,
    .close = close_state,
    .conclude = conclude,
};

void ct_totals_job_fini(struct ct_totals_job *job)
{
	ct_totals_close(job->totals);
	ct_estimates_close(job->estimates);
	job->totals = NULL;
	job->estimates = NULL;
}
