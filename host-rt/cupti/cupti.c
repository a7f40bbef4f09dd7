/* SPDX-License-Identifier: Apache-2.0 */
/* Asks CUPTI for records, and says why if it refuses. */
#include "host-rt/cupti/cupti.h"
#include "base/clock.h"
#include "host-rt/activities/library.h"
#include "host-rt/base/quiet.h"
#include "host-rt/calls/call.h"
#include "host-rt/cupti/library.h"
#include "host-rt/samples/samples.h"
#include <stdio.h>
#include <string.h>

static CUpti_SubscriberHandle subscriber;
static bool has_begun;
static char version_text[32], why_not[256];

static uint64_t CUPTIAPI clock_of_trace(void)
{
	return ct_clock_real_ns();
}

static const char *result_text(CUptiResult result)
{
	const char *text = NULL;

	ct_cupti.cuptiGetResultString(result, &text);
	return text ? text : "unknown error";
}

static bool fails(CUptiResult result, const char *what)
{
	if (result == CUPTI_SUCCESS)
		return false;
	if (result == CUPTI_ERROR_MULTIPLE_SUBSCRIBERS_NOT_SUPPORTED)
		snprintf(why_not, sizeof(why_not),
			 "another tool (a profiler?) uses CUPTI in this process");
	else
		snprintf(why_not, sizeof(why_not), "CUPTI refuses %s: %s", what,
			 result_text(result));
	return true;
}

static bool enable_activities(void)
{
	static const CUpti_ActivityKind kinds[] = {
	    CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL, CUPTI_ACTIVITY_KIND_MEMCPY,
	    CUPTI_ACTIVITY_KIND_MEMCPY2, CUPTI_ACTIVITY_KIND_MEMSET};

	/* Ahead of all kinds, so that all times are of one clock. */
	if (fails(ct_cupti.cuptiActivityRegisterTimestampCallback(clock_of_trace), "a clock") ||
	    fails(
		ct_cupti.cuptiActivityRegisterCallbacks(ct_cupti_want_buffer, ct_cupti_take_buffer),
		"activity records"))
		return false;
	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++)
		if (fails(ct_cupti.cuptiActivityEnable(kinds[i]), "activity records")) {
			while (i-- > 0)
				ct_cupti.cuptiActivityDisable(kinds[i]);
			return false;
		}
	/* Without it nothing is known of compilations, and all else is as it is. */
	ct_cupti.cuptiActivityEnable(CUPTI_ACTIVITY_KIND_JIT);
	/* Nor of what it knows of waits. */
	ct_cupti.cuptiActivityEnable(CUPTI_ACTIVITY_KIND_SYNCHRONIZATION);
	return true;
}

static bool is_hooked(const char *name, bool is_of_driver)
{
	for (uint32_t call = 0; call < CT_CALLS; call++)
		if (ct_call_is_of_driver(call) == is_of_driver && ct_cupti_means(name, call))
			return true;
	return false;
}

/* They ask for the thread's state or set it, do nothing else, and are made at every launch. */
static bool is_of_state(const char *name)
{
	static const char *const prefixes[] = {
	    "cudaGetLastError",   "cudaPeekAtLastError",      "cudaGetDevice_",
	    "cudaSetDevice_",     "cudaGetErrorString",       "cudaGetErrorName",
	    "cudaConfigureCall",  "cudaSetupArgument",        "cudaStreamIsCapturing",
	    "cudaGetDeviceCount", "cudaDeviceGetAttribute",   "cudaThreadExchange",
	    "cudaDriverGet",      "cudaRuntimeGet",           "cudaGetDriverEntryPoint",
	    "cudaFuncGetAttr",    "cudaStreamGetCaptureInfo", "cudaGetDeviceProperties",
	};

	for (size_t i = 0; i < sizeof(prefixes) / sizeof(prefixes[0]); i++)
		if (strncmp(name, prefixes[i], strlen(prefixes[i])) == 0)
			return true;
	return false;
}

/* Each callback costs its call as much as all else here does. So there is none for calls that only
 * ask for the thread's state, of which we make some at every launch. Of the driver's, of which the
 * runtime makes some at every call, there are those for launches and waits, which libraries make
 * (cuFFT); for all of api.def only where no wrappers report the program's. */
static bool is_wanted(enum ct_cupti_role role, CUpti_CallbackDomain domain, const char *name)
{
	bool is_of_driver = domain == CUPTI_CB_DOMAIN_DRIVER_API;

	if (role == CT_CUPTI_ALONE && is_of_driver)
		return is_hooked(name, true) && strncmp(name, "cuGetProc", 9) != 0;
	if (role == CT_CUPTI_ALONE)
		return !is_of_state(name);
	if (!is_of_driver)
		return is_hooked(name, false);
	return strncmp(name, "cuLaunch", 8) == 0 || ct_library_scope(name) != CT_LIBRARY_NO_WAIT;
}

static bool enable_domain(enum ct_cupti_role role, CUpti_CallbackDomain domain, uint32_t count)
{
	const char *name;

	for (uint32_t id = 1; id < count; id++)
		if (ct_cupti.cuptiGetCallbackName(domain, id, &name) == CUPTI_SUCCESS &&
		    is_wanted(role, domain, name) &&
		    fails(ct_cupti.cuptiEnableCallback(1, subscriber, domain, id), "callbacks"))
			return false;
	return true;
}

static bool enable_callbacks(enum ct_cupti_role role)
{
	if (fails(ct_cupti.cuptiSubscribe(&subscriber, ct_cupti_on_call, NULL), "callbacks"))
		return false;
	if (enable_domain(role, CUPTI_CB_DOMAIN_RUNTIME_API, CUPTI_RUNTIME_TRACE_CBID_SIZE) &&
	    enable_domain(role, CUPTI_CB_DOMAIN_DRIVER_API, CUPTI_DRIVER_TRACE_CBID_SIZE))
		return true;
	ct_cupti.cuptiUnsubscribe(subscriber);
	return false;
}

static void begin_sampling(const struct ct_sampling_request *sampling)
{
	const char *why;

	if (sampling->exponent && !ct_cupti_sampling_begin(sampling, subscriber, &why))
		ct_samples_refuse(why);
}

const char *ct_cupti_begin(enum ct_cupti_role role, const struct ct_sampling_request *sampling,
			   const char **why)
{
	uint32_t version = 0;

	if (!ct_cupti_load(why))
		return NULL;
	*why = why_not;
	if (!enable_callbacks(role))
		return NULL;
	if (!enable_activities()) {
		ct_cupti.cuptiUnsubscribe(subscriber);
		return NULL;
	}
	ct_cupti.cuptiGetVersion(&version);
	/* 130000 or 26: of CUDA 13.0, of its 26th version. */
	if (version >= 10000)
		snprintf(version_text, sizeof(version_text), "CUPTI %u.%u", version / 10000,
			 version / 100 % 100);
	else
		snprintf(version_text, sizeof(version_text), "CUPTI %u", version);
	begin_sampling(sampling);
	has_begun = true;
	return version_text;
}

void ct_cupti_flush(bool is_last)
{
	if (!has_begun)
		return;
	ct_cupti_sampling_flush(is_last);
	ct_quiet_depth++;
	ct_cupti.cuptiActivityFlushAll(is_last ? CUPTI_ACTIVITY_FLAG_FLUSH_FORCED : 0);
	if (is_last) {
		ct_cupti.cuptiUnsubscribe(subscriber);
		has_begun = false;
	}
	ct_quiet_depth--;
}
