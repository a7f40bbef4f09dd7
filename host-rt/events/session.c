/* SPDX-License-Identifier: Apache-2.0 */
/* The trace of this process: opening, events, stopping at an error, closing. */
#include "host-rt/events/session.h"
#include "host-rt/base/quiet.h"
#include "host-rt/base/real.h"
#include "host-rt/base/registry.h"
#include "host-rt/base/say.h"
#include "host-rt/drain/device.h"
#include "host-rt/drain/records.h"
#include "host-rt/events/regions.h"
#include "host-rt/events/sink.h"
#include "host-rt/process/manifest.h"
#include "host-rt/process/place.h"
#include "host-rt/process/shutdown.h"
#include "trace/write/writer.h"
#include <cudatrace/error.h>
#include <errno.h>
#include <inttypes.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum state { UNOPENED, ACTIVE, STOPPED, CLOSED };

struct ct_session_totals ct_session_totals;

static pthread_mutex_t session_lock = PTHREAD_MUTEX_INITIALIZER;
static const char *lock_owner;            /* atomic: this_thread of who holds it */
static __thread const char this_thread;   /* its address */
static uint32_t session_state = UNOPENED; /* enum state, atomic */
static struct ct_options options;
static struct ct_writer *writer;
static struct ct_place place;
static uint64_t start_ns, units_written;
static uint64_t launches_done; /* atomic */
static uint32_t limit_reached; /* atomic */
static pid_t loaded_by;

__attribute__((constructor)) static void remember_process(void)
{
	loaded_by = getpid();
}

static uint64_t real_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_REALTIME, &now);
	return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

static const char *environment(const char *name)
{
	return getenv(name);
}

static void complain(const char *name, const char *value, const char *expected)
{
	ct_say("%s=%s: not understood, expected %s; the default is used", name, value, expected);
}

static void write_manifest(uint64_t end_ns)
{
	bool active = session_state == ACTIVE;
	struct ct_manifest manifest = {
	    .options = &options,
	    .place = &place,
	    .part = ct_writer_part(writer),
	    .totals = &ct_session_totals,
	    .trace_bytes = ct_writer_bytes(writer),
	    .start_ns = start_ns,
	    .end_ns = end_ns,
	    .target = ct_device_is_cpu_target() ? "cpu" : "gpu",
	    .error = limit_reached ? "size limit reached" : ct_writer_error(writer),
	    .complete = end_ns && active && !ct_session_totals.lost_chunks,
	};
	char *text = ct_manifest_text(&manifest);

	if (text)
		ct_writer_manifest(writer, text);
	free(text);
}

/* The child's copies of our locks and files are of no use to it. */
static void forget_in_child(void)
{
	ct_regions_close();
	if (__atomic_exchange_n(&session_state, CLOSED, __ATOMIC_ACQ_REL) == ACTIVE &&
	    options.verbose)
		ct_say("process %ld was forked from a traced one: not traced", (long)getpid());
}

static enum state open_session(void)
{
	struct ct_writer_options writer_options = {0};
	char why[512];

	ct_options_parse(&options, environment, complain);
	if (!options.enabled)
		return CLOSED;
	/* Also comes before our atexit: handlers run in reverse, and ours needs the runtime. */
	if (__real_cudaFree(NULL) != cudaSuccess)
		return CLOSED;
	ct_place_find(&place, options.output, getpid() != loaded_by);
	if (place.rank.rank != CT_NO_RANK)
		options.seed +=
		    place.rank.rank; /* ranks that do the same do not leave out the same */
	writer_options.part = place.numbers.first;
	writer_options.part_step = place.numbers.step;
	writer_options.level = (int)options.level;
	writer_options.fixed_codec = options.codec_number;
	writer_options.limit_bytes = options.limit;
	if (ct_writer_open(&writer, place.directory, &writer_options, why, sizeof(why)) < 0) {
		ct_say("%s; not traced, the program goes on", why);
		return CLOSED;
	}
	if (ct_sink_open(options.sink, place.directory, ct_writer_part(writer)) < 0) {
		ct_say("not traced, the program goes on");
		ct_writer_close(writer);
		return CLOSED;
	}
	start_ns = real_ns();
	ct_place_announce(&place);
	ct_writer_flush(writer); /* a process that is killed at once is known by it */
	write_manifest(0);
	pthread_atfork(NULL, NULL, forget_in_child);
	atexit(ct_shutdown);
	if (options.verbose)
		ct_say("writing part %u of %s", ct_writer_part(writer), place.directory);
	return ACTIVE;
}

bool ct_session_is_active(void)
{
	uint32_t state = __atomic_load_n(&session_state, __ATOMIC_ACQUIRE);
	struct ct_quiet quiet;

	if (state != UNOPENED || ct_registry_unit_count() == 0)
		return state == ACTIVE;
	ct_session_lock();
	if (session_state == UNOPENED) {
		ct_quiet_begin(&quiet);
		state = open_session();
		__atomic_store_n(&session_state, state, __ATOMIC_RELEASE);
		if (state == CLOSED)
			ct_regions_close();
		if (state == ACTIVE)
			ct_session_write_units();
		ct_quiet_end(&quiet);
	}
	ct_session_unlock();
	return __atomic_load_n(&session_state, __ATOMIC_ACQUIRE) == ACTIVE;
}

bool ct_session_is_open(void)
{
	uint32_t state = __atomic_load_n(&session_state, __ATOMIC_ACQUIRE);

	return state == ACTIVE || state == STOPPED;
}

const struct ct_options *ct_session_options(void)
{
	return &options;
}

void ct_session_lock(void)
{
	pthread_mutex_lock(&session_lock);
	__atomic_store_n(&lock_owner, &this_thread, __ATOMIC_RELAXED);
}

bool ct_session_lock_is_mine(void)
{
	return __atomic_load_n(&lock_owner, __ATOMIC_RELAXED) == &this_thread;
}

void ct_session_unlock(void)
{
	__atomic_store_n(&lock_owner, NULL, __ATOMIC_RELAXED);
	pthread_mutex_unlock(&session_lock);
}

/* Done, and their records in the files: exact if launches do not overlap. */
static uint64_t complete_launches(void)
{
	uint64_t done = __atomic_load_n(&launches_done, __ATOMIC_RELAXED);
	uint64_t missing = ct_records_first_missing();

	return done < missing - 1 ? done : missing - 1;
}

/* "1.2 GB" */
static void format_bytes(char *text, size_t size, uint64_t bytes)
{
	static const char *const units[] = {"B", "kB", "MB", "GB", "TB"};
	double value = (double)bytes;
	unsigned unit = 0;

	for (; value >= 1000 && unit < 4; unit++)
		value /= 1000;
	snprintf(text, size, unit ? "%.1f %s" : "%.0f %s", value, units[unit]);
}

/* Launches and allocations are still written down, records are not. */
static void stop_at_limit(void)
{
	char size[32];

	if (__atomic_exchange_n(&limit_reached, 1, __ATOMIC_ACQ_REL))
		return;
	format_bytes(size, sizeof(size), ct_writer_bytes(writer));
	ct_say("%s: size limit reached after %s (--limit); tracing stopped, the program goes on; "
	       "%" PRIu64 " launches are complete (ctpost info %s)",
	       place.directory, size, complete_launches(), place.directory);
}

int ct_session_check(int err)
{
	uint32_t active = ACTIVE;
	char size[32];

	if (err >= 0)
		return err;
	if (err == -CT_ELIMIT) {
		stop_at_limit();
		return err;
	}
	if (!__atomic_compare_exchange_n(&session_state, &active, STOPPED, false, __ATOMIC_ACQ_REL,
					 __ATOMIC_RELAXED))
		return err;
	format_bytes(size, sizeof(size), ct_writer_bytes(writer));
	ct_say("%s after %s; tracing stopped, the program goes on; %" PRIu64
	       " launches are complete (ctpost info %s)",
	       ct_writer_error(writer), size, complete_launches(), place.directory);
	return err;
}

bool ct_session_limit_reached(void)
{
	return __atomic_load_n(&limit_reached, __ATOMIC_ACQUIRE);
}

void ct_session_count_done(void)
{
	__atomic_add_fetch(&launches_done, 1, __ATOMIC_RELAXED);
}

uint32_t ct_session_string(const char *string)
{
	uint32_t id = 0;

	ct_session_check(ct_writer_string(writer, string, &id));
	ct_sink_string(id, string);
	return id;
}

void ct_session_event(struct ct_event_header *event, uint16_t kind, size_t bytes)
{
	event->kind = kind;
	event->bytes = (uint32_t)bytes;
	if (!event->time_ns)
		event->time_ns = real_ns();
	ct_sink_event(event);
	ct_session_check(ct_writer_event(writer, event));
}

void ct_session_write_units(void)
{
	uint64_t count = ct_registry_unit_count();

	if (units_written == count)
		return;
	for (struct ct_registered_unit *unit = ct_registry_units(); unit; unit = unit->next)
		if (!unit->written) {
			unit->written = true;
			ct_session_check(ct_writer_unit(writer, unit->blob, unit->bytes));
			ct_sink_unit(unit->blob, unit->bytes);
		}
	units_written = count;
}

int ct_session_stream_open(struct ct_writer_stream **stream, uint32_t device)
{
	return ct_writer_stream_open(stream, writer, device);
}

bool ct_session_takes_records(void)
{
	return __atomic_load_n(&session_state, __ATOMIC_ACQUIRE) == ACTIVE &&
	       !ct_session_limit_reached();
}

void ct_session_flush(void)
{
	static uint64_t told_bytes;
	uint64_t bytes;

	if (__atomic_load_n(&session_state, __ATOMIC_ACQUIRE) != ACTIVE)
		return;
	ct_session_check(ct_writer_flush(writer));
	bytes = ct_writer_bytes(writer);
	if (__atomic_exchange_n(&told_bytes, bytes, __ATOMIC_RELAXED) != bytes)
		write_manifest(0);
}

void ct_session_loss(uint64_t chunks, uint32_t launch, const char *reason)
{
	struct ct_event_loss event = {.chunks = chunks, .launch = launch};

	/* An unknown number counts as one: enough to say that not all is there. */
	ct_session_count(&ct_session_totals.lost_chunks, chunks == UINT64_MAX ? 1 : chunks);
	event.reason = ct_session_string(reason);
	ct_session_event(&event.header, CT_EVENT_LOSS, sizeof(event));
}

void ct_session_close(void)
{
	if (!ct_session_is_open())
		return;
	if (!options.trace_file)
		ct_session_loss(UINT64_MAX, 0, "records were not to be stored (--trace-file=off)");
	ct_sink_close();
	ct_session_check(ct_writer_flush(writer));
	write_manifest(real_ns());
	__atomic_store_n(&session_state, CLOSED, __ATOMIC_RELEASE);
	ct_regions_close();
	/* A consumer that never came back may still write to it. */
	if (!ct_records_are_in_use())
		ct_writer_close(writer);
	writer = NULL;
}
