/* SPDX-License-Identifier: Apache-2.0 */
/* How often functions of the API were called, and for how long, before and after. */
#include "postproc/comparison/calls.h"

#include "base/array.h"
#include "postproc/analysis/calls/calls.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* NULL: memory is short. */
static struct ct_compared_call *call_of(struct ct_comparison *comparison, const char *name)
{
	for (size_t i = 0; i < comparison->calls; i++)
		if (!strcmp(comparison->call[i].name, name))
			return &comparison->call[i];
	if (ct_array_grow(&comparison->call, comparison->calls, sizeof(*comparison->call)) < 0)
		return NULL;
	comparison->call[comparison->calls] = (struct ct_compared_call){.name = name};
	return &comparison->call[comparison->calls++];
}

static int add_calls(struct ct_comparison *comparison, unsigned when)
{
	const struct ct_calls *calls = comparison->side[when]->inquiry->calls;

	for (size_t i = 0; i < calls->functions; i++) {
		const struct ct_calls_function *function = &calls->function[i];
		struct ct_compared_call *call;

		if (function->is_inner ||
		    (function->kind != CT_SPAN_RUNTIME && function->kind != CT_SPAN_DRIVER))
			continue;
		call = call_of(comparison, function->name);
		if (!call)
			return -ENOMEM;
		call->count[when] += function->times.count;
		call->seconds[when] += 1e-9 * (double)function->times.total_ns;
		call->waited[when] += 1e-9 * (double)function->waited_ns;
	}
	return 0;
}

static void add_predictions(struct ct_comparison *comparison)
{
	const struct ct_ffm_comparison *ffm = comparison->ffm;

	for (size_t i = 0; ffm && i < ffm->calls; i++)
		for (size_t k = 0; k < comparison->calls; k++)
			if (!strcmp(comparison->call[k].name, ffm->call[i].call))
				comparison->call[k].predicted +=
				    1e-9 * (double)ffm->call[i].predicted_ns;
}

static int by_time(const void *a, const void *b)
{
	const struct ct_compared_call *x = a, *y = b;

	for (unsigned when = 0; when < 2; when++)
		if (x->seconds[when] < y->seconds[when] || x->seconds[when] > y->seconds[when])
			return x->seconds[when] < y->seconds[when] ? 1 : -1;
	return strcmp(x->name, y->name);
}

int ct_compared_calls_make(struct ct_comparison *comparison)
{
	int err = 0;

	for (unsigned when = 0; when < 2; when++)
		if (!comparison->side[when]->inquiry->calls)
			return 0;
	for (unsigned when = 0; when < 2 && err == 0; when++)
		err = add_calls(comparison, when);
	add_predictions(comparison);
	if (comparison->calls)
		qsort(comparison->call, comparison->calls, sizeof(*comparison->call), by_time);
	return err;
}
