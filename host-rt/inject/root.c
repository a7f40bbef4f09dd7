/* SPDX-License-Identifier: Apache-2.0 */
/* The trace of a program that was not built by cuda-trace: opened when the driver begins. */
#include "host-rt/base/say.h"
#include "host-rt/events/events.h"
#include "host-rt/events/session.h"
#include "host-rt/inject/inject.h"
#include "host-rt/journal/journal.h"
#include "host-rt/process/part.h"
#include "host-rt/process/shutdown.h"
#include "trace/write/writer.h"
#include <dlfcn.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static struct ct_process_place place;
static uint32_t has_driver; /* atomic */

static const char *environment(const char *name)
{
	return getenv(name);
}

static void complain(const char *name, const char *value, const char *expected)
{
	ct_say("%s=%s: not understood, expected %s; the default is used", name, value, expected);
}

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

static bool open_files(struct ct_options *options, struct ct_writer **writer)
{
	struct ct_writer_options writer_options = {0};
	char why[512];

	ct_process_place_find(&place, options->output, false);
	writer_options.part = place.numbers.first;
	writer_options.part_step = place.numbers.step;
	writer_options.level = (int)options->level;
	writer_options.fixed_codec = options->codec_number;
	writer_options.limit_bytes = options->limit;
	writer_options.keep_free_bytes = options->keep_free_bytes;
	writer_options.keep_free_percent = options->keep_free_percent;
	if (ct_writer_open(writer, place.directory, &writer_options, why, sizeof(why)) == 0)
		return true;
	ct_say("%s; not traced, the program goes on", why);
	return false;
}

static bool open_trace(struct ct_options *options, struct ct_writer **writer)
{
	ct_options_parse(options, environment, complain);
	if (!options->enabled || strcmp(options->calls, "off") == 0 ||
	    !open_files(options, writer)) {
		ct_journal_begin(CT_JOURNAL_NOBODY);
		return false;
	}
	ct_part_begin(&place);
	pthread_atfork(NULL, NULL, forget_in_child);
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
};

/* Of a program that is linked with the runtime: it exports its version, and we do not. */
static bool has_own_runtime(void)
{
	return dlsym(RTLD_DEFAULT, "ct_abi_v3") != NULL;
}

/* Whatever is wrong, the program goes on. */
int InitializeInjection(void)
{
	if (has_own_runtime()) {
		ct_say("this program was built by cuda-trace: --inject is not needed, its own "
		       "runtime records");
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
	return getenv("CUDA_INJECTION64_PATH") ? __ct_nvtx_attach(table_of) : 0;
}
