/* SPDX-License-Identifier: Apache-2.0 */
/* The user's sink, loaded from a shared library. */
#include "host-rt/events/sink.h"
#include "host-rt/base/say.h"
#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <stdbool.h>

#define SYMBOL "ct_sink_v1"

/* Writes one thing at a time: events of consumers do not wait for the session's lock. */
static pthread_mutex_t turn = PTHREAD_MUTEX_INITIALIZER;
static const struct ct_sink *sink; /* atomic; set while no consumer runs */
static void *state;
static uint32_t strings_reported;

/* Most runs have none, and shall not pay for it. */
static bool is_open(void)
{
	return __atomic_load_n(&sink, __ATOMIC_ACQUIRE);
}

int ct_sink_open(const char *library, const char *directory, uint32_t part)
{
	const struct ct_sink *found;
	void *handle;

	if (!*library)
		return 0;
	handle = dlopen(library, RTLD_NOW | RTLD_LOCAL);
	if (!handle) {
		ct_say("--sink: %s", dlerror());
		return -ENOENT;
	}
	found = dlsym(handle, SYMBOL);
	if (!found || !found->open) {
		ct_say("--sink: %s: no sink for this version of cuda-trace (%s, "
		       "<cudatrace/sink.h>)",
		       library, SYMBOL);
		dlclose(handle);
		return -EINVAL;
	}
	state = found->open(directory, part);
	if (!state) {
		ct_say("--sink: %s did not begin", found->name ? found->name : library);
		dlclose(handle);
		return -EIO;
	}
	__atomic_store_n(&sink, found, __ATOMIC_RELEASE);
	return 0;
}

void ct_sink_unit(const void *blob, size_t bytes)
{
	if (!is_open())
		return;
	pthread_mutex_lock(&turn);
	if (sink && sink->unit)
		sink->unit(state, blob, bytes);
	pthread_mutex_unlock(&turn);
}

void ct_sink_string(uint32_t id, const char *string)
{
	if (!is_open())
		return;
	pthread_mutex_lock(&turn);
	if (sink && sink->string && id > strings_reported) {
		strings_reported = id;
		sink->string(state, id, string);
	}
	pthread_mutex_unlock(&turn);
}

void ct_sink_event(const struct ct_event_header *event)
{
	if (!is_open())
		return;
	pthread_mutex_lock(&turn);
	if (sink && sink->event)
		sink->event(state, event);
	pthread_mutex_unlock(&turn);
}

void ct_sink_records(uint32_t device, uint64_t ticket, const void *records, size_t bytes)
{
	if (sink && sink->records)
		sink->records(state, device, ticket, records, bytes);
}

/* The library stays: threads that it began may still run. */
void ct_sink_close(void)
{
	pthread_mutex_lock(&turn);
	if (sink && sink->close)
		sink->close(state);
	__atomic_store_n(&sink, NULL, __ATOMIC_RELEASE);
	pthread_mutex_unlock(&turn);
}
