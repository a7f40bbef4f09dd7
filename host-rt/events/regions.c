/* SPDX-License-Identifier: Apache-2.0 */
/* The program's marks: a stack of regions per host thread, a count of pauses, their events. */
#include "host-rt/events/regions.h"
#include "host-rt/base/options.h"
#include "host-rt/base/say.h"
#include "host-rt/base/thread.h"
#include "host-rt/events/events.h"
#include "host-rt/events/session.h"
#include "host-rt/spans/names.h"
#include "host-rt/spans/spans.h"
#include <cudatrace/cudatrace.h>
#include <errno.h>
#include <regex.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

struct region {
	struct region *outer;
	const char *name; /* the end of path */
	uint64_t begin_ns;
	bool written;
	int8_t selected; /* by --region: 1 yes, -1 no, 0 not yet asked */
	char path[];
};

static _Thread_local struct region *innermost;
static const char spans_group;  /* its address: regions among other spans */
static uint32_t pauses;         /* atomic */
static uint32_t pauses_written; /* session's lock */
static uint32_t warned;         /* atomic */

static uint64_t now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_REALTIME, &now);
	return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

/* Warns of a mistake in the program: once per process. */
static void warn(const char *what, const char *name, const char *why)
{
	if (!__atomic_exchange_n(&warned, 1, __ATOMIC_RELAXED))
		ct_say("%s%s%s: %s; ignored, and so are later ones without a word", what,
		       name ? " " : "", name ? name : "", why);
}

static void write_event(const char *name, uint32_t phase, uint64_t time_ns)
{
	struct ct_event_region event = {.header.time_ns = time_ns, .phase = phase};

	event.name = ct_events_string(name);
	event.thread = ct_thread_id();
	ct_events_write(ct_event_region_header(&event));
}

static void write_begins(struct region *region)
{
	if (!region || region->written)
		return;
	write_begins(region->outer);
	region->written = true;
	write_event(region->name, CT_REGION_BEGIN, region->begin_ns);
}

void ct_regions_write(void)
{
	uint32_t now = __atomic_load_n(&pauses, __ATOMIC_ACQUIRE);

	for (; pauses_written < now; pauses_written++)
		write_event(NULL, CT_REGION_PAUSE, 0);
	for (; pauses_written > now; pauses_written--)
		write_event(NULL, CT_REGION_RESUME, 0);
	write_begins(innermost);
}

/* The events of a mark just made, and of an ended region; nothing before the trace is opened. */
static void tell(const struct region *ended)
{
	if (!ct_session_is_open())
		return;
	ct_session_lock();
	if (ct_session_is_open() && ct_session_is_active()) {
		ct_regions_write();
		if (ended && ended->written)
			write_event(ended->name, CT_REGION_END, 0);
	}
	ct_session_unlock();
}

static void pause_tracing(void)
{
	int saved = errno;

	__atomic_add_fetch(&pauses, 1, __ATOMIC_ACQ_REL);
	tell(NULL);
	errno = saved;
}

static void resume_tracing(void)
{
	uint32_t count = __atomic_load_n(&pauses, __ATOMIC_ACQUIRE);
	int saved = errno;

	while (count && !__atomic_compare_exchange_n(&pauses, &count, count - 1, false,
						     __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE))
		;
	if (count)
		tell(NULL);
	else
		warn("ct_resume", NULL, "tracing is not paused");
	errno = saved;
}

static void region_begin(const char *name)
{
	const void *base = __builtin_frame_address(0);
	size_t outer_bytes = innermost ? strlen(innermost->path) + 1 : 0, bytes;
	struct region *region;
	int saved = errno;

	name = name ? name : "unnamed";
	bytes = strlen(name) + 1;
	region = malloc(sizeof(*region) + outer_bytes + bytes);
	if (region) {
		*region = (struct region){.outer = innermost, .begin_ns = now_ns()};
		if (outer_bytes) {
			memcpy(region->path, innermost->path, outer_bytes - 1);
			region->path[outer_bytes - 1] = '/';
		}
		region->name = memcpy(region->path + outer_bytes, name, bytes);
		innermost = region;
		tell(NULL);
		ct_span_push(CT_SPAN_REGION, &spans_group, ct_span_name(name), base);
	}
	errno = saved;
}

static void region_end(const char *name)
{
	struct region *region = innermost;
	int saved = errno;

	if (!region) {
		warn("ct_region_end", name, "this thread is in no region");
	} else if (name && strcmp(name, region->name) != 0) {
		warn("ct_region_end", name, "not the innermost region of this thread");
	} else {
		ct_span_pop(&spans_group);
		tell(region);
		innermost = region->outer;
		free(region);
	}
	errno = saved;
}

static const struct ct_program_calls calls = {sizeof(calls), pause_tracing, resume_tracing,
					      region_begin, region_end};
const struct ct_program_calls *__ct_program = &calls;

static const char *environment(const char *name)
{
	return secure_getenv(name);
}

/* A run without tracing does not need to come here, either. */
__attribute__((constructor)) static void look_whether_tracing_is_off(void)
{
	const char *text = secure_getenv("CUDATRACE");

	if (text ? strcmp(text, "off") == 0 : !ct_options_are_given(environment))
		ct_regions_close();
}

void ct_regions_close(void)
{
	__atomic_store_n(&__ct_program, NULL, __ATOMIC_RELEASE);
}

const char *ct_regions_path(void)
{
	return innermost ? innermost->path : NULL;
}

bool ct_regions_are_paused(void)
{
	return __atomic_load_n(&pauses, __ATOMIC_ACQUIRE) > 0;
}

static bool matches(const char *pattern, const struct region *region)
{
	static regex_t expression;
	static bool is_compiled;

	if (!is_compiled && regcomp(&expression, pattern, REG_EXTENDED | REG_NOSUB) != 0)
		return true;
	is_compiled = true;
	return regexec(&expression, region->name, 0, NULL, 0) == 0 ||
	       regexec(&expression, region->path, 0, NULL, 0) == 0;
}

bool ct_regions_match(const char *pattern)
{
	for (struct region *region = innermost; region; region = region->outer) {
		if (!region->selected)
			region->selected = matches(pattern, region) ? 1 : -1;
		if (region->selected > 0)
			return true;
	}
	return false;
}
