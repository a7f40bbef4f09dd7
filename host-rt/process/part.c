/* SPDX-License-Identifier: Apache-2.0 */
/* The part of the trace that this process writes, from its first event to its last manifest. */
#include "host-rt/process/part.h"
#include "base/clock.h"
#include "base/error.h"
#include "base/quantity.h"
#include "host-rt/base/say.h"
#include "host-rt/drain/drain.h"
#include "host-rt/drain/records.h"
#include "host-rt/events/device.h"
#include "host-rt/events/events.h"
#include "host-rt/events/pending.h"
#include "host-rt/events/regions.h"
#include "host-rt/events/session.h"
#include "host-rt/events/sink.h"
#include "host-rt/process/life.h"
#include "host-rt/process/manifest.h"
#include "trace/write/writer.h"
#include <cudatrace/error.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/auxv.h>

static const struct ct_process_place *place;
static uint64_t start_ns;
static struct ct_event_stopped stopped; /* its time 0: recording goes on */

/* end_ns: 0 while the program runs. */
static void write_manifest(uint64_t end_ns)
{
	struct ct_writer *writer = ct_session_writer();
	int refusal = ct_session_refusal();
	struct ct_manifest manifest = {
	    .options = ct_session_options(),
	    .place = place,
	    .part = ct_writer_part(writer),
	    .totals = &ct_session_totals,
	    .trace_bytes = ct_writer_bytes(writer),
	    .start_ns = start_ns,
	    .end_ns = end_ns,
	    .target = ct_device_is_cpu_target() ? "cpu" : "gpu",
	    .is_injected = ct_session_root.is_injected,
	    .error = refusal ? ct_strerror(refusal) : ct_writer_error(writer),
	    .complete = end_ns && ct_session_is_active() && ct_session_options()->trace_file &&
			!ct_session_totals.lost_chunks && !refusal,
	};
	char *text = ct_manifest_text(&manifest);

	if (text)
		ct_writer_manifest(writer, text);
	free(text);
}

static const char *environment(const char *name)
{
	return secure_getenv(name);
}

static void complain(const char *name, const char *value, const char *expected)
{
	ct_say("%s=%s: not understood, expected %s; the default is used", name, value, expected);
}

void ct_part_options(struct ct_options *options)
{
	ct_options_parse(options, environment, complain);
	/* Whoever starts a program that has others' rights shall not make it write files. */
	if (getauxval(AT_SECURE))
		options->enabled = false;
	/* A name of before means another file now, or one in what is the program's alone. */
	if (options->enabled && ct_process_place_has_moved()) {
		ct_say("the program has changed its root directory (chroot), so %s cannot be "
		       "written; not traced, the program goes on",
		       *options->output ? options->output : "its trace");
		options->enabled = false;
	}
}

bool ct_part_open(const struct ct_options *options, const struct ct_process_place *where,
		  struct ct_writer **writer)
{
	const struct ct_writer_options writer_options = {
	    .part = where->numbers.first,
	    .part_step = where->numbers.step,
	    .level = (int)options->level,
	    .fixed_codec = options->codec_number,
	    .limit_bytes = options->limit,
	    .keep_free_bytes = options->keep_free_bytes,
	    .keep_free_percent = options->keep_free_percent,
	};
	char why[512];

	if (ct_writer_open(writer, where->directory, &writer_options, why, sizeof(why)) == 0)
		return true;
	ct_say("%s; not traced, the program goes on", why);
	return false;
}

void ct_part_begin(const struct ct_process_place *where)
{
	place = where;
	start_ns = ct_clock_real_ns();
	ct_process_place_announce(place);
	ct_writer_flush(ct_session_writer()); /* a process that is killed at once is known by it */
	write_manifest(0);
}

void ct_part_tell(void)
{
	static uint64_t reported_bytes;
	uint64_t bytes = ct_writer_bytes(ct_session_writer());

	if (__atomic_exchange_n(&reported_bytes, bytes, __ATOMIC_RELAXED) != bytes)
		write_manifest(0);
}

/* Done, and their records in the files: exact if launches do not overlap. */
static uint64_t complete_launches(void)
{
	uint64_t done = ct_pending_succeeded();
	uint64_t missing = ct_records_first_missing(), waiting = ct_drain_first_waiting();

	/* Who finds the trace full need not be who takes records out of rings. */
	if (waiting < missing)
		missing = waiting;
	return done < missing - 1 ? done : missing - 1;
}

/* Not at once: who finds the trace full may not have the session's lock. */
static void write_stopped(void)
{
	if (stopped.header.time_ns)
		ct_events_write(ct_event_stopped_header(&stopped));
}

void ct_part_stopped(int err)
{
	struct ct_writer *writer = ct_session_writer();
	char buffer[CT_NUMBER_BYTES];
	const char *size = ct_size(ct_writer_bytes(writer), buffer);

	if (err == -CT_ELIMIT || err == -CT_ESPACE)
		stopped = (struct ct_event_stopped){
		    .header = {.time_ns = ct_clock_real_ns()},
		    .trace_bytes = ct_writer_bytes(writer),
		    .reason = err == -CT_ELIMIT ? CT_STOP_LIMIT : CT_STOP_SPACE,
		};
	if (err == -CT_ELIMIT)
		ct_say("%s: size limit reached after %s (--limit); tracing stopped, the program "
		       "goes on; %" PRIu64 " launches are complete (ctpost info %s)",
		       place->directory, size, complete_launches(), place->directory);
	else if (err == -CT_ESPACE)
		ct_say("%s: its file system is nearly full after %s (--keep-free); tracing "
		       "stopped, the program goes on; %" PRIu64
		       " launches are complete (ctpost info %s)",
		       place->directory, size, complete_launches(), place->directory);
	else
		ct_say("%s after %s; tracing stopped, the program goes on; %" PRIu64
		       " launches are complete (ctpost info %s)",
		       ct_writer_error(writer), size, complete_launches(), place->directory);
}

void ct_part_close(void)
{
	struct ct_writer *writer = ct_session_writer();

	if (!ct_session_options()->trace_file)
		ct_events_unstored("records were not to be stored (--trace-file=off)");
	write_stopped();
	ct_life_write();
	ct_sink_close();
	ct_session_check(ct_writer_flush(writer));
	write_manifest(ct_clock_real_ns());
	ct_session_close();
	ct_regions_close();
	/* A consumer that never came back may still write to it. */
	if (!ct_records_are_in_use())
		ct_writer_close(writer);
}
