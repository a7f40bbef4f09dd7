/* SPDX-License-Identifier: Apache-2.0 */
/* Opens the trace where it belongs when the session asks. */
#include "host-rt/base/registry.h"
#include "host-rt/base/say.h"
#include "host-rt/calls/call.h"
#include "host-rt/calls/symbols.h"
#include "host-rt/content/content.h"
#include "host-rt/counts/counts.h"
#include "host-rt/ctas/ctas.h"
#include "host-rt/drain/drain.h"
#include "host-rt/events/device.h"
#include "host-rt/events/events.h"
#include "host-rt/events/refused.h"
#include "host-rt/events/regions.h"
#include "host-rt/events/session.h"
#include "host-rt/events/sink.h"
#include "host-rt/journal/journal.h"
#include "host-rt/process/ending.h"
#include "host-rt/process/finish.h"
#include "host-rt/process/part.h"
#include "host-rt/process/shutdown.h"
#include "host-rt/process/standby.h"
#include "host-rt/watch/watch.h"
#include "trace/write/writer.h"
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static struct ct_process_place place;
static pid_t loaded_by; /* 0 before constructors run */

__attribute__((constructor)) static void remember_process(void)
{
	loaded_by = getpid();
}

/* The child's copies of our locks and files are of no use to it. */
static void forget_in_child(void)
{
	ct_regions_close();
	ct_watch_forget();
	ct_journal_forget();
	if (ct_session_close() && ct_session_options()->verbose)
		ct_say("process %ld was forked from a traced one: not traced", (long)getpid());
}

/* Where the trace goes; false if it cannot go there. */
static bool open_files(struct ct_options *options, struct ct_writer **writer)
{
	ct_process_place_find(&place, options->output, loaded_by && getpid() != loaded_by);
	if (!ct_part_open(options, &place, writer))
		return false;
	if (ct_sink_open(options->sink, place.directory, ct_writer_part(*writer)) == 0)
		return true;
	ct_say("not traced, the program goes on");
	ct_writer_close(*writer);
	*writer = NULL;
	return false;
}

/* Without tracing, marks of the program shall cost nothing. */
static bool stay_closed(void)
{
	ct_regions_close();
	ct_journal_begin(CT_JOURNAL_NONE);
	return false;
}

/* Accesses that are recorded name calls. */
static void begin_watch(const struct ct_options *options)
{
	const struct ct_watch_options watch = {options->uses, options->uses_of, options->check};

	if (strcmp(options->uses, "off") != 0 && strcmp(options->calls, "off") == 0)
		ct_say("--uses=%s needs --calls=on; no uses are recorded", options->uses);
	else
		ct_watch_begin(&watch);
	if (options->check && ct_watch_is_on())
		ct_watch_early = ct_refused_access;
}

static bool ends_late; /* behind handlers of exit */

__attribute__((destructor)) static void end(void)
{
	if (ends_late)
		ct_shutdown();
}

static bool open_trace(struct ct_options *options, struct ct_writer **writer)
{
	bool is_with_calls;

	ct_part_options(options);
	if (!options->enabled)
		return stay_closed();
	/* Also comes before our atexit: handlers run in reverse, and ours needs the runtime. */
	if (__real_cudaFree(NULL) != cudaSuccess || !open_files(options, writer))
		return stay_closed();
	if (place.rank.rank != CT_NO_RANK)
		options->seed +=
		    place.rank.rank; /* ranks that do the same do not leave out the same */
	ct_drain_extend(options->tier_number == CT_TIER_COUNTS ||
				options->tier_number == CT_TIER_VALUES ||
				options->tier_number == CT_TIER_BLOCKS
			    ? &ct_counts_extension
			    : &ct_ctas_extension);
	ct_part_begin(&place);
	pthread_atfork(NULL, NULL, forget_in_child);
	ct_standby_begin();
	/* Checks of leaks want the frees of static destructors, too; CPU threads need nothing that
	 * ends before them. */
	ends_late = options->check && ct_device_is_cpu_target();
	if (!ends_late)
		atexit(ct_shutdown);
	ct_ending_begin();
	ct_call_waited = ct_finish_after_wait;
	if (options->verbose)
		ct_say("writing part %u of %s", ct_writer_part(*writer), place.directory);
	ct_events_units();
	is_with_calls = strcmp(options->calls, "off") != 0;
	if (options->contents && !is_with_calls)
		ct_say("--contents=on is ignored: it needs --calls=on or --calls=only");
	if (options->sample_exponent && !is_with_calls) {
		ct_say("--samples is ignored: it needs --calls=on or --calls=only");
		options->sample_exponent = 0; /* so kernels are traced */
	}
	ct_contents_are_on = options->contents && is_with_calls;
	ct_journal_begin(!is_with_calls              ? CT_JOURNAL_NONE
			 : ct_device_is_cpu_target() ? CT_JOURNAL_CPU_TARGET
						     : CT_JOURNAL_WRAPPERS);
	begin_watch(options);
	return true;
}

/* Calls of programs without kernels are checked, too. The program's static objects may ask before
 * the options are read. */
static bool is_checked(void)
{
	const char *text = secure_getenv("CUDATRACE_CHECK");

	return text && !strcmp(text, "on");
}

static bool has_what_is_traced(void)
{
	return ct_registry_unit_count() > 0 || is_checked();
}

const struct ct_session_root ct_session_root = {
    .is_due = has_what_is_traced,
    .open = open_trace,
    .stopped = ct_part_stopped,
    .flushed = ct_part_tell,
};
