/* SPDX-License-Identifier: Apache-2.0 */
/* A tally of a whole trace, by a pass of the scan engine. */
#include "postproc/analysis/verify/analysis.h"

/* Segments are hashed alone and brought into order in the end, so chunks may go to anybody. */
static int wants(void *job, struct ct_wants *wants)
{
	(void)job;
	*wants = (struct ct_wants){.what = CT_WANT_ACCESSES | CT_WANT_EVENTS};
	return 0;
}

static int open_tally(void **state, void *job, const struct ct_worker *worker)
{
	const struct ct_tally_job *own = job;

	(void)worker;
	return ct_tally_open((struct ct_tally **)state, own->trace, own->by);
}

static int add_access(void *state, const struct ct_access *access)
{
	return ct_tally_add(state, access);
}

static int add_event(void *state, const struct ct_event *event)
{
	return ct_tally_add_event(state, event);
}

static int join(void *state, void *from)
{
	return ct_tally_join(state, from);
}

static int pack(const void *state, struct ct_buffer *bytes)
{
	return ct_tally_pack(state, bytes);
}

static int unpack(void *state, const void *bytes, size_t count)
{
	return ct_tally_unpack(state, bytes, count);
}

static void close_tally(void *state)
{
	ct_tally_close(state);
}

static int conclude(void *job, void **state, const struct ct_scanned *scanned)
{
	struct ct_tally_job *own = job;

	(void)scanned;
	ct_tally_finish(*state);
	own->tally = *state;
	*state = NULL;
	return 0;
}

const struct ct_analysis ct_tally_analysis = {
    .name = "tally",
    .wants = wants,
    .open = open_tally,
    .access = add_access,
    .event = add_event,
    .join = join,
    .pack = pack,
    .unpack = unpack,
    .close = close_tally,
    .conclude = conclude,
};
