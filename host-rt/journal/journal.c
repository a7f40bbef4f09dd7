/* SPDX-License-Identifier: Apache-2.0 */
/* The journal's thread: when it writes, and when it ends. */
#include "host-rt/journal/journal.h"
#include "base/clock.h"
#include "host-rt/activities/activities.h"
#include "host-rt/base/say.h"
#include "host-rt/base/thread.h"
#include "host-rt/calls/log.h"
#include "host-rt/content/rows.h"
#include "host-rt/cupti/cupti.h"
#include "host-rt/events/events.h"
#include "host-rt/events/session.h"
#include "host-rt/journal/rows.h"
#include "host-rt/samples/host.h"
#include "host-rt/samples/samples.h"
#include "host-rt/watch/watch.h"
#include "unwind/unwind.h"
#include <inttypes.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#define WRITE_EVERY_NS 200000000u
#define LOOK_EVERY_NS 20000

enum state { NONE, RUNS, ENDS };

static uint32_t state; /* enum state, atomic */
static pthread_t thread;
static pthread_mutex_t end_lock = PTHREAD_MUTEX_INITIALIZER; /* of who ends it */

static bool is_to_end(void)
{
	return __atomic_load_n(&state, __ATOMIC_ACQUIRE) != RUNS;
}

static uint32_t asked, answered; /* atomic: how often to write at once */

static bool is_alone; /* nothing else writes: the manifest is the journal's, too */

static void *run(void *unused)
{
	bool takes = true;

	ct_thread_begin_ours();
	while (!is_to_end()) {
		uint32_t number;

		ct_log_wait(WRITE_EVERY_NS);
		number = __atomic_load_n(&asked, __ATOMIC_ACQUIRE);
		if (!is_to_end() && takes) {
			ct_cupti_flush(false);
			takes = ct_journal_write(false);
			if (is_alone)
				ct_session_root.flushed();
		}
		__atomic_store_n(&answered, number, __ATOMIC_RELEASE);
	}
	return unused;
}

/* Signals are the program's. */
static bool start(void)
{
	sigset_t all, before;
	bool runs;

	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	runs = pthread_create(&thread, NULL, run, NULL) == 0;
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	return runs;
}

static char source[64]; /* who reports calls and activities */

static void tell(const char *missing)
{
	struct ct_event_calls event = {.source = ct_events_string(source)};

	event.missing = ct_events_string(missing);
	ct_events_write(ct_event_calls_header(&event));
}

static struct ct_sampling_request sampling_request(void)
{
	const struct ct_options *options = ct_session_options();

	return (struct ct_sampling_request){.exponent = options->sample_exponent,
					    .is_concurrent =
						strcmp(options->samples_mode, "serial") != 0};
}

static void open_cpu_target(void)
{
	if (sampling_request().exponent)
		ct_samples_refuse("on the CPU target there are no warps to sample; "
				  "instructions are counted by --tier=blocks");
	snprintf(source, sizeof(source), "wrappers, CPU target");
	tell("calls of shared libraries that were not linked by cuda-trace");
}

static void open_wrappers(void)
{
	const struct ct_sampling_request sampling = sampling_request();
	const char *why = NULL, *cupti = ct_cupti_begin(CT_CUPTI_BESIDE_WRAPPERS, &sampling, &why);
	char missing[1280];

	if (!cupti && sampling.exponent)
		ct_samples_refuse(why);
	snprintf(source, sizeof(source), "wrappers%s%s", cupti ? ", " : "", cupti ? cupti : "");
	if (cupti)
		snprintf(missing, sizeof(missing),
			 "of the calls that libraries make, those of the driver that neither "
			 "launch, wait, free nor unload, and those"
			 " of the runtime that neither launch, copy, wait nor allocate");
	else
		snprintf(missing, sizeof(missing),
			 "calls of libraries that were not linked by cuda-trace, and when kernels "
			 "and copies ran on the device: %s",
			 why);
	tell(missing);
}

static void open_injected(void)
{
	const struct ct_sampling_request sampling = sampling_request();
	const char *why = NULL, *cupti = ct_cupti_begin(CT_CUPTI_ALONE, &sampling, &why);
	char missing[1280];

	if (!cupti && sampling.exponent)
		ct_samples_refuse(why);
	snprintf(source, sizeof(source), "injected%s%s", cupti ? ", " : "", cupti ? cupti : "");
	if (cupti)
		snprintf(missing, sizeof(missing),
			 "accesses, since the program was not built by cuda-trace; and calls that "
			 "only ask for, or set, the thread's state");
	else
		snprintf(missing, sizeof(missing), "calls, kernels and copies: %s", why);
	if (!cupti)
		ct_say("no calls, kernels or copies are recorded: %s", why);
	tell(missing);
}

void ct_journal_begin(enum ct_journal_source from)
{
	static void (*const open_source[])(void) = {
	    [CT_JOURNAL_CPU_TARGET] = open_cpu_target,
	    [CT_JOURNAL_WRAPPERS] = open_wrappers,
	    [CT_JOURNAL_INJECTED] = open_injected,
	};

	if (from == CT_JOURNAL_NONE) {
		ct_log_turn(CT_LOG_CLOSED);
		return;
	}
	open_source[from]();
	is_alone = from == CT_JOURNAL_INJECTED;
	ct_log_turn(CT_LOG_TAKES);
	__atomic_store_n(&state, RUNS, __ATOMIC_RELEASE);
	if (!start())
		__atomic_store_n(&state, ENDS, __ATOMIC_RELEASE);
	if (ct_session_options()->sample_exponent && ct_session_options()->samples_host)
		ct_host_samples_begin();
}

static void tell_lost(void)
{
	uint64_t lost = ct_log_lost() + ct_activities_lost() + ct_watch_lost(),
		 contents = ct_contents_lost();
	char text[256] = "";
	size_t length = 0;

	if (lost)
		length = (size_t)snprintf(
		    text, sizeof(text),
		    "%" PRIu64 " calls or activities that came faster than they could be written",
		    lost);
	if (contents)
		snprintf(text + length, sizeof(text) - length,
			 "%s%" PRIu64 " copies whose contents could not be looked at for lack of "
			 "memory",
			 length ? ", and " : "", contents);
	if (!text[0])
		return;
	ct_session_lock();
	if (ct_session_is_open())
		tell(text);
	ct_session_unlock();
}

uint32_t ct_journal_ask(void)
{
	uint32_t number = __atomic_add_fetch(&asked, 1, __ATOMIC_ACQ_REL);

	if (!is_to_end())
		ct_log_wake();
	return number;
}

void ct_journal_finish(uint32_t number, uint64_t until_ns)
{
	const struct timespec pause = {.tv_nsec = LOOK_EVERY_NS};

	while (!is_to_end() && ct_clock_monotonic_ns() < until_ns &&
	       (int32_t)(__atomic_load_n(&answered, __ATOMIC_ACQUIRE) - number) < 0)
		nanosleep(&pause, NULL);
}

void ct_journal_end(void)
{
	uint32_t runs = RUNS, was;

	pthread_mutex_lock(&end_lock);
	if (__atomic_compare_exchange_n(&state, &runs, ENDS, false, __ATOMIC_ACQ_REL,
					__ATOMIC_RELAXED)) {
		ct_log_wake();
		pthread_join(thread, NULL);
	}
	was = __atomic_exchange_n(&state, NONE, __ATOMIC_ACQ_REL);
	if (was == NONE && ct_session_is_open()) /* allocations name some, calls or not */
		ct_journal_write_stacks();
	if (was == ENDS) {
		ct_cupti_flush(true);
		ct_watch_end();
		ct_host_samples_end();
		ct_log_turn(CT_LOG_CLOSED);
		ct_journal_write(true);
		tell_lost();
	}
	pthread_mutex_unlock(&end_lock);
}

void ct_journal_forget(void)
{
	ct_log_turn(CT_LOG_CLOSED);
	ct_host_samples_forget();
	ct_stacks_forget();
	__atomic_store_n(&state, NONE, __ATOMIC_RELEASE);
}
