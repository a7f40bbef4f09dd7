/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What devices did. Who reports it may be what somebody waits for who has the session's lock, so
 * names are kept here until the journal has made strings of them.
 */
#include "host-rt/activities/activities.h"
#include "base/array.h"
#include "base/intern.h"
#include "host-rt/calls/log.h"
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

struct rows {
	struct ct_row_activity *list;
	size_t count, room;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct rows coming, taken; /* the second is the journal's */
static struct ct_intern names;
static char **name; /* by number - 1 */
static size_t name_count;
static uint64_t lost;

/* Zero has no name; what finds no memory has none either. Lock held. */
static uint32_t number_of(const char *text)
{
	bool is_new;
	uint32_t number = text ? ct_intern_add(&names, text, strlen(text), &is_new) : 0;

	if (!number || !is_new)
		return number;
	if (ct_array_grow(&name, name_count, sizeof(*name)) < 0)
		return 0;
	name[name_count++] = strdup(text);
	return number;
}

#define CLONE "__ct_"
#define CLOCK "__ctc_" /* has the CTA clock alone: its time is the program's */
#define BLOCKS "__ctb_"
#define HEX_DIGITS "0123456789abcdef"

static bool begins_with(const char *kernel, const char *prefix)
{
	return strncmp(kernel, prefix, strlen(prefix)) == 0;
}

/* Graphs launch many: whether one of their kernels is a clone, and of what, its name tells: the
 * kernel's behind __ct_, __ctc_ or __ctb_, or, of templates under -fgpu-rdc, behind the unit's
 * number, too.
 */
static const char *original(const char *kernel)
{
	size_t prefix = begins_with(kernel, CLONE)    ? strlen(CLONE)
			: begins_with(kernel, CLOCK)  ? strlen(CLOCK)
			: begins_with(kernel, BLOCKS) ? strlen(BLOCKS)
						      : 0;
	const char *rest = kernel + prefix;
	size_t digits = strspn(rest, HEX_DIGITS);

	return prefix && digits && strncmp(rest + digits, "__Z", 3) == 0 ? rest + digits + 1 : rest;
}

static struct ct_row_activity row_of(const struct ct_activity *activity)
{
	const struct ct_cause *cause = &activity->cause;
	uint64_t end_ns =
	    activity->end_ns > activity->begin_ns ? activity->end_ns : activity->begin_ns;
	bool is_traced = activity->kernel && (begins_with(activity->kernel, CLONE) ||
					      begins_with(activity->kernel, BLOCKS));
	const char *kernel = activity->kernel ? original(activity->kernel) : NULL;

	return (struct ct_row_activity){
	    .begin_ns = activity->begin_ns,
	    .duration_ns = end_ns - activity->begin_ns,
	    .stream = cause->stream,
	    .bytes = activity->bytes,
	    .device = (uint32_t)cause->device,
	    .correlation = cause->correlation,
	    .launch = cause->launch,
	    .name = number_of(kernel),
	    .grid_x = activity->grid[0],
	    .grid_y = activity->grid[1],
	    .grid_z = activity->grid[2],
	    .block_x = activity->block[0],
	    .block_y = activity->block[1],
	    .block_z = activity->block[2],
	    .registers = activity->registers,
	    .shared_bytes = activity->shared_bytes,
	    .kind = activity->kind,
	    .copy = activity->copy,
	    .flags = (is_traced ? CT_ACTIVITY_TRACED : 0u) |
		     (activity->is_ours ? CT_ACTIVITY_OURS : 0u) |
		     (activity->is_pageable ? CT_ACTIVITY_PAGEABLE : 0u),
	};
}

void ct_activities_happened(const struct ct_activity *activity)
{
	if (ct_log_is_closed())
		return;
	pthread_mutex_lock(&lock);
	if (coming.count < CT_ACTIVITIES_MAX &&
	    ct_array_reserve(&coming.list, &coming.room, coming.count + 1, sizeof(*coming.list)) ==
		0)
		coming.list[coming.count++] = row_of(activity);
	else
		lost++;
	pthread_mutex_unlock(&lock);
}

size_t ct_activities_take(struct ct_row_activity **rows)
{
	struct rows spare = taken;

	pthread_mutex_lock(&lock);
	taken = coming;
	coming = spare;
	coming.count = 0;
	pthread_mutex_unlock(&lock);
	*rows = taken.list;
	return taken.count;
}

const char *ct_activities_name(uint32_t number)
{
	const char *text;

	pthread_mutex_lock(&lock);
	text = number && number <= name_count ? name[number - 1] : NULL;
	pthread_mutex_unlock(&lock);
	return text;
}

void ct_activities_lose(uint64_t count)
{
	pthread_mutex_lock(&lock);
	lost += count;
	pthread_mutex_unlock(&lock);
}

uint64_t ct_activities_lost(void)
{
	uint64_t count;

	pthread_mutex_lock(&lock);
	count = lost;
	pthread_mutex_unlock(&lock);
	return count;
}
