/* SPDX-License-Identifier: Apache-2.0 */
/* Names of calls, and the innermost call of each thread. */
#include "host-rt/calls/call.h"

_Thread_local struct ct_call *ct_call_innermost;

static const struct {
	const char *name;
	bool is_of_driver;
} calls[] = {
#define OF_cudaError_t false
#define OF_CUresult true
#define CT_API(returns, name, version, thread, where, site, ...) {#name, OF_##returns},
#include <cudatrace/api.def>
};

const char *ct_call_name(enum ct_call_number number)
{
	return calls[number].name;
}

bool ct_call_is_of_driver(enum ct_call_number number)
{
	return calls[number].is_of_driver;
}
