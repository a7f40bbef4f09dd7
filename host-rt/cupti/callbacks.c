/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Calls as CUPTI sees them. Those of our wrappers get their correlation; of others, which libraries
 * make, the outermost are logged. The runtime's calls of the driver are part of its own.
 */
#include "base/clock.h"
#include "host-rt/activities/library.h"
#include "host-rt/calls/call.h"
#include "host-rt/cupti/library.h"
#include "host-rt/cupti/sampling.h"
#include "unwind/unwind.h"
#include <string.h>

#define OURS (1u << 20)

/* By correlation modulo OURS: correlations of our own calls. */
static uint32_t ours[OURS];

/* The outermost call that this thread is in. */
static _Thread_local struct {
	uint32_t depth;
	struct ct_log_call call; /* begin_ns 0: it is a wrapper's, or ours */
} current;

bool ct_cupti_is_ours(uint32_t correlation)
{
	return correlation &&
	       __atomic_load_n(&ours[correlation % OURS], __ATOMIC_RELAXED) == correlation;
}

bool ct_cupti_means(const char *name, uint32_t call_number)
{
	const char *plain = ct_call_name(call_number);
	size_t length = strlen(plain);

	return strncmp(name, plain, length) == 0 && (!name[length] || name[length] == '_');
}

static bool is_wrapped(const char *function)
{
	const struct ct_call *call = ct_call_innermost;

	return call && call->log && ct_cupti_means(function, call->number);
}

static void enter(CUpti_CallbackDomain domain, CUpti_CallbackId id, const CUpti_CallbackData *data)
{
	if (current.depth++ > 0)
		return;
	current.call.begin_ns = 0;
	if (ct_quiet_depth) {
		__atomic_store_n(&ours[data->correlationId % OURS], data->correlationId,
				 __ATOMIC_RELAXED);
		return;
	}
	if (is_wrapped(data->functionName)) {
		ct_call_innermost->correlation = data->correlationId;
		return;
	}
	/* Calls that a wrapper makes beside its real call are no calls of the program. */
	if (ct_call_innermost && ct_call_innermost->log)
		return;
	current.call = (struct ct_log_call){
	    .name = data->functionName,
	    .id = id,
	    .is_of_driver = domain == CUPTI_CB_DOMAIN_DRIVER_API,
	    .correlation = data->correlationId,
	    .begin_ns = ct_clock_real_ns(),
	};
}

/* Returns the wait of functions whose first parameter is a stream or an event that they wait for.
 */
static struct ct_library_wait wait_of(const CUpti_CallbackData *data)
{
	struct ct_library_wait wait = {.scope = ct_library_scope(data->functionName),
				       .per_thread = strstr(data->functionName, "_pts") ||
						     strstr(data->functionName, "_ptds")};

	if (wait.scope == CT_LIBRARY_STREAM || wait.scope == CT_LIBRARY_EVENT) {
		if (!data->functionParams)
			wait.scope = CT_LIBRARY_NO_WAIT;
		else
			memcpy(&wait.handle, data->functionParams, sizeof(wait.handle));
	}
	return wait;
}

/* Both results are enums of the size of int. */
static void leave(const CUpti_CallbackData *data)
{
	struct ct_library_wait wait;

	if (current.depth == 0 || --current.depth > 0 || !current.call.begin_ns)
		return;
	current.call.end_ns = ct_clock_real_ns();
	if (data->functionReturnValue)
		memcpy(&current.call.result, data->functionReturnValue,
		       sizeof(current.call.result));
	current.call.stack = ct_stack_outside(ct_stack_take(__builtin_frame_address(0)));
	wait = wait_of(data);
	ct_library_waited(&current.call, &wait);
	ct_log_add(&current.call);
	__asm__ volatile(
	    "" ::
		: "memory"); /* its frame stays until then: no jump in place of the call */
}

void CUPTIAPI ct_cupti_on_call(void *unused, CUpti_CallbackDomain domain, CUpti_CallbackId id,
			       const void *data)
{
	const CUpti_CallbackData *call = data;

	(void)unused;
	if (domain == CUPTI_CB_DOMAIN_RESOURCE && !ct_log_is_closed())
		ct_cupti_sampling_on_resource(id, data);
	if (ct_log_is_closed() ||
	    (domain != CUPTI_CB_DOMAIN_RUNTIME_API && domain != CUPTI_CB_DOMAIN_DRIVER_API))
		return;
	if (call->callbackSite == CUPTI_API_ENTER)
		enter(domain, id, call);
	if (current.depth == 1 && !ct_quiet_depth)
		ct_cupti_sampling_on_call(call);
	if (call->callbackSite == CUPTI_API_EXIT)
		leave(call);
}
