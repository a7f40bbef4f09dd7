/* SPDX-License-Identifier: Apache-2.0 */
/* Names of calls, and the innermost call of each thread. */
#include "host-rt/calls/call.h"

_Thread_local struct ct_call *ct_call_innermost;
void (*ct_call_around)(void);
void (*ct_call_waited)(void);

static const struct {
	const char *name;
	bool is_of_driver;
} calls[] = {
#define OF_cudaError_t false
#define OF_CUresult true
#define CT_API(returns, name, version, thread, where, site, ...) {#name, OF_##returns},
#include <cudatrace/api.def>
};

uint32_t ct_call_identify(struct ct_call *call)
{
	static uint32_t last;

	if (!call->id)
		call->id = __atomic_add_fetch(&last, 1, __ATOMIC_RELAXED);
	return call->id;
}

const char *ct_call_name(enum ct_call_number number)
{
	return calls[number].name;
}

bool ct_call_is_of_driver(enum ct_call_number number)
{
	return calls[number].is_of_driver;
}
