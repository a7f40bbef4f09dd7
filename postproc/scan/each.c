/* SPDX-License-Identifier: Apache-2.0 */
/* Hand on everything in the order of the trace: the one state there is is the job itself. */
#include "postproc/scan/each.h"

static int wants(void *job, struct ct_wants *wants)
{
	const struct ct_each *each = job;

	*wants = (struct ct_wants){
	    .what = CT_WANT_ORDER | (each->access ? CT_WANT_ACCESSES : 0u) |
		    (each->event ? CT_WANT_EVENTS : 0u) | (each->value ? CT_WANT_VALUES : 0u) |
		    (each->with_paths ? CT_WANT_PATHS : 0u),
	    .launches = each->launches,
	};
	return 0;
}

static int open_state(void **state, void *job, const struct ct_worker *worker)
{
	(void)worker;
	*state = job;
	return 0;
}

static int add_access(void *state, const struct ct_access *access)
{
	const struct ct_each *each = state;

	return each->access(each->user, access);
}

static int add_event(void *state, const struct ct_event *event)
{
	const struct ct_each *each = state;

	return each->event(each->user, event);
}

static int add_value(void *state, const struct ct_value *value)
{
	const struct ct_each *each = state;

	return each->value(each->user, value);
}

static void close_state(void *state)
{
	(void)state; /* the caller's */
}

const struct ct_analysis ct_each_analysis = {
    .name = "each",
    .wants = wants,
    .open = open_state,
    .access = add_access,
    .event = add_event,
    .value = add_value,
    .close = close_state,
};
