/* SPDX-License-Identifier: Apache-2.0 */
/* The trace of a program that was not built by cuda-trace: opened when the driver begins. */
#include "host-rt/base/say.h"
#include "host-rt/events/events.h"
#include "host-rt/events/session.h"
#include "host-rt/inject/inject.h"
#include "host-rt/journal/journal.h"
#include "host-rt/process/part.h"
#include "host-rt/process/shutdown.h"
#include "host-rt/process/standby.h"
#include "trace/names/environment.h"
#include "trace/write/writer.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static struct ct_process_place place;
static uint32_t has_driver; /* atomic */

static bool is_due(void)
{
	return __atomic_load_n(&has_driver, __ATOMIC_ACQUIRE);
}

static void forget_in_child(void)
{
	ct_journal_forget();
	if (ct_session_close() && ct_session_options()->verbose)
		ct_say("process %ld was forked from a traced one: not traced", (long)getpid());
}

static bool is_wanted(const struct ct_options *options)
{
	return options->enabled && strcmp(options->calls, "off") != 0;
}

/* These options need wrappers or instrumented kernels. */
static void say_ignored(const struct ct_options *options)
{
	if (options->contents)
		ct_say("--contents=on is ignored: it needs a program that cuda-trace has built");
	if (strcmp(options->uses, "off") != 0)
		ct_say("--uses=%s is ignored: it needs a program that cuda-trace has built",
		       options->uses);
	if (options->tier_number != CT_TIER_FULL)
		ct_say("--tier=%s is ignored: it needs a program that cuda-trace has built",
		       options->tier);
}

static bool open_trace(struct ct_options *options, struct ct_writer **writer)
{
	ct_part_options(options);
	if (is_wanted(options))
		ct_process_place_find(&place, options->output, false);
	if (!is_wanted(options) || !ct_part_open(options, &place, writer)) {
		ct_journal_begin(CT_JOURNAL_NONE);
		return false;
	}
	say_ignored(options);
	ct_part_begin(&place);
	pthread_atfork(NULL, NULL, forget_in_child);
	ct_standby_begin();
	atexit(ct_shutdown);
	if (options->verbose)
		ct_say("writing part %u of %s", ct_writer_part(*writer), place.directory);
	ct_journal_begin(CT_JOURNAL_INJECTED);
	return true;
}

const struct ct_session_root ct_session_root = {
    .is_due = is_due,
    .open = open_trace,
    .stopped = ct_part_stopped,
    .flushed = ct_part_tell,
    .is_injected = true,
};

/* A program that is linked with the runtime exports its version, and we do not. */
static bool has_own_runtime(void)
{
	return dlsym(RTLD_DEFAULT, "ct_abi_v6") != NULL;
}

/* Whatever is wrong, the program goes on. */
int InitializeInjection(void)
{
	if (has_own_runtime()) {
		if (!secure_getenv(CT_INJECT_CHOSEN))
			ct_say("this program was built by cuda-trace: --inject is not needed, its "
			       "own runtime records");
		return 1;
	}
	__atomic_store_n(&has_driver, 1, __ATOMIC_RELEASE);
	ct_session_is_active();
	return 1;
}

/* One tool is in the process: the program's own runtime, where there is one. Without it and without
 * --inject there never is a trace, and NVTX looks for no tool again. */
int InitializeInjectionNvtx2(NvtxGetExportTableFunc_t table_of)
{
	int (*attach)(NvtxGetExportTableFunc_t table_of);

	*(void **)&attach = dlsym(RTLD_DEFAULT, "__ct_nvtx_attach");
	if (attach)
		return attach(table_of);
	return secure_getenv("CUDA_INJECTION64_PATH") ? __ct_nvtx_attach(table_of) : 0;
}
