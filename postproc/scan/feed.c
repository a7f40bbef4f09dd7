/* SPDX-License-Identifier: Apache-2.0 */
/* From a worker's scanner to the states of those who want to know. */
#include "postproc/scan/state.h"

#include <errno.h>
#include <stdlib.h>

static bool is_chosen(const struct ct_pass *pass, const struct ct_wants *wants,
		      const struct ct_access *at)
{
	const struct ct_launch_info *launches;
	const struct ct_unit *units;

	if (wants->launches) {
		ct_trace_launches(pass->trace, &launches);
		if (!wants->launches[at->launch - launches])
			return false;
	}
	if (!wants->sites)
		return true;
	ct_trace_units(pass->trace, &units);
	return wants->sites[at->unit - units][at->site];
}

/* Most want all. */
static inline bool is_wanted(const struct ct_pass *pass, const struct ct_wants *wants,
			     const struct ct_access *at)
{
	return (!wants->launches && !wants->sites) || is_chosen(pass, wants, at);
}

static int on_access(void *user, const struct ct_access *access)
{
	struct ct_pass_worker *worker = user;
	const struct ct_feed *feed = &worker->feed[access->by_path];
	struct ct_pass *pass = worker->pass;

	for (size_t i = 0; i < feed->accesses; i++) {
		const struct ct_listener *to = &feed->access[i];
		int err;

		if (!is_wanted(pass, to->wants, access))
			continue;
		err = pass->task[to->task].analysis->access(to->state, access);
		if (err)
			return ct_pass_stop(pass, err, to->task);
	}
	return 0;
}

static int on_event(void *user, const struct ct_event *event)
{
	struct ct_pass_worker *worker = user;
	const struct ct_feed *feed = &worker->feed[event->at->by_path];
	struct ct_pass *pass = worker->pass;

	for (size_t i = 0; i < feed->events; i++) {
		const struct ct_listener *to = &feed->event[i];
		int err;

		if (!is_wanted(pass, to->wants, event->at))
			continue;
		err = pass->task[to->task].analysis->event(to->state, event);
		if (err)
			return ct_pass_stop(pass, err, to->task);
	}
	return 0;
}

static int on_value(void *user, const struct ct_value *value)
{
	struct ct_pass_worker *worker = user;
	const struct ct_feed *feed = &worker->feed[value->at->by_path];
	struct ct_pass *pass = worker->pass;

	for (size_t i = 0; i < feed->values; i++) {
		const struct ct_listener *to = &feed->value[i];
		int err;

		if (!is_wanted(pass, to->wants, value->at))
			continue;
		err = pass->task[to->task].analysis->value(to->state, value);
		if (err)
			return ct_pass_stop(pass, err, to->task);
	}
	return 0;
}

void ct_feed_callbacks(struct ct_scan *request)
{
	request->access = on_access;
	request->event = on_event;
	request->value = on_value;
}

static int open_lists(struct ct_feed *feed, size_t tasks)
{
	feed->access = calloc(tasks, sizeof(*feed->access));
	feed->event = calloc(tasks, sizeof(*feed->event));
	feed->value = calloc(tasks, sizeof(*feed->value));
	return feed->access && feed->event && feed->value ? 0 : -ENOMEM;
}

int ct_feed_open(struct ct_pass_worker *worker)
{
	const struct ct_pass *pass = worker->pass;

	if (open_lists(&worker->feed[0], pass->tasks) < 0 ||
	    open_lists(&worker->feed[1], pass->tasks) < 0)
		return -ENOMEM;
	for (size_t t = 0; t < pass->tasks; t++) {
		const struct ct_listener listener = {t, worker->state[t], &pass->wants[t]};
		unsigned what = listener.wants->what;
		struct ct_feed *feed = &worker->feed[(what & CT_WANT_PATHS) != 0];

		if (what & CT_WANT_ACCESSES)
			feed->access[feed->accesses++] = listener;
		if (what & CT_WANT_EVENTS)
			feed->event[feed->events++] = listener;
		if (what & CT_WANT_VALUES)
			feed->value[feed->values++] = listener;
	}
	return 0;
}

void ct_feed_close(struct ct_pass_worker *worker)
{
	for (int by_path = 0; by_path < 2; by_path++) {
		free(worker->feed[by_path].access);
		free(worker->feed[by_path].event);
		free(worker->feed[by_path].value);
		worker->feed[by_path] = (struct ct_feed){0};
	}
}
