/* SPDX-License-Identifier: Apache-2.0 */
/* Names, wrappers and real addresses of the driver's launch calls. */
#include "host-rt/calls/driver.h"
#include "host-rt/base/quiet.h"
#include "host-rt/calls/real_driver.h"
#include <stdint.h>
#include <string.h>

#define VARIANTS 2 /* plain, per-thread default stream */

struct call {
	const char *name;
	void *wrap[VARIANTS];
	void *linked[VARIANTS]; /* NULL: the program does not link it */
};

static void *given[CT_DRIVER_CALLS][VARIANTS]; /* by the runtime, atomic */

static struct call describe(enum ct_driver_call call)
{
	switch (call) {
	case CT_DRIVER_LAUNCH:
		return (struct call){"cuLaunchKernel",
				     {__wrap_cuLaunchKernel, __wrap_cuLaunchKernel_ptsz},
				     {__real_cuLaunchKernel, __real_cuLaunchKernel_ptsz}};
	case CT_DRIVER_LAUNCH_EX:
		return (struct call){"cuLaunchKernelEx",
				     {__wrap_cuLaunchKernelEx, __wrap_cuLaunchKernelEx_ptsz},
				     {__real_cuLaunchKernelEx, __real_cuLaunchKernelEx_ptsz}};
	case CT_DRIVER_LAUNCH_COOPERATIVE:
		return (struct call){
		    "cuLaunchCooperativeKernel",
		    {__wrap_cuLaunchCooperativeKernel, __wrap_cuLaunchCooperativeKernel_ptsz},
		    {__real_cuLaunchCooperativeKernel, __real_cuLaunchCooperativeKernel_ptsz}};
	default:
		return (struct call){"cuKernelGetFunction",
				     {__wrap_cuKernelGetFunction, __wrap_cuKernelGetFunction},
				     {__real_cuKernelGetFunction, __real_cuKernelGetFunction}};
	}
}

/* From the driver that the runtime has loaded. */
static void *ask(const char *name, bool per_thread)
{
	enum cudaDriverEntryPointQueryResult found = cudaDriverEntryPointSymbolNotFound;
	unsigned long long flags =
	    per_thread ? cudaEnablePerThreadDefaultStream : cudaEnableLegacyStream;
	void *function = NULL;
	struct ct_quiet quiet;

	if (!__real_cudaGetDriverEntryPointByVersion)
		return NULL;
	ct_quiet_begin(&quiet);
	if (__real_cudaGetDriverEntryPointByVersion(name, &function, 12000, flags, &found) !=
		cudaSuccess ||
	    found != cudaDriverEntryPointSuccess)
		function = NULL;
	ct_quiet_end(&quiet);
	return function;
}

void *ct_driver_ask(const char *name)
{
	return ask(name, false);
}

void *ct_driver_find(void *linked, const char *name, bool per_thread)
{
	return linked ? linked : ask(name, per_thread);
}

void *ct_driver_real(enum ct_driver_call which, bool per_thread)
{
	struct call call = describe(which);
	void *function = __atomic_load_n(&given[which][per_thread], __ATOMIC_ACQUIRE);

	if (!function)
		function = call.linked[per_thread];
	if (!function) {
		function = ask(call.name, per_thread);
		__atomic_store_n(&given[which][per_thread], function, __ATOMIC_RELEASE);
	}
	return function;
}

void ct_driver_replace(const char *name, bool per_thread, void **function)
{
	for (enum ct_driver_call which = 0; which < CT_DRIVER_CALLS; which++) {
		struct call call = describe(which);

		if (strcmp(call.name, name) != 0)
			continue;
		__atomic_store_n(&given[which][per_thread], *function, __ATOMIC_RELEASE);
		*function = call.wrap[per_thread];
	}
}
