/* SPDX-License-Identifier: Apache-2.0 */
/* Real addresses of the driver's functions, and the wrappers of those that programs ask for. */
#include "host-rt/calls/driver.h"
#include "host-rt/base/quiet.h"
#include "host-rt/calls/call.h"
#include "host-rt/calls/symbols.h"
#include <string.h>

#define VARIANTS 2 /* plain, per-thread default stream */

static void *found[CT_CALLS][VARIANTS]; /* atomic */

/* The driver's calls. */
static const struct {
	const char *name;
	uint16_t number;
	void *wrapper[VARIANTS];
} wrapped[] = {
#define WRAPPED_cudaError_t(text, symbol, thread)
#define WRAPPED_CUresult(text, symbol, thread)                                                     \
	{text, CT_CALL_##symbol, {__wrap_##symbol, WRAPPER_##thread(symbol)}},
#define WRAPPER_NONE(symbol) __wrap_##symbol
#define WRAPPER_PTSZ(symbol) __wrap_##symbol##_ptsz
#define WRAPPER_PTDS(symbol) __wrap_##symbol##_ptds
#define CT_API(returns, name, version, thread, where, site, ...)                                   \
	WRAPPED_##returns(#name, name##version, thread)
#include <cudatrace/api.def>
};

#define OLDEST 12000 /* version of CUDA whose functions are meant */

/* From the driver that the runtime has loaded. */
static void *ask(const char *name, bool per_thread, unsigned version)
{
	enum cudaDriverEntryPointQueryResult status = cudaDriverEntryPointSymbolNotFound;
	unsigned long long flags =
	    per_thread ? cudaEnablePerThreadDefaultStream : cudaEnableLegacyStream;
	void *function = NULL;
	struct ct_quiet quiet;

	if (!__real_cudaGetDriverEntryPointByVersion)
		return NULL;
	ct_quiet_begin(&quiet);
	if (__real_cudaGetDriverEntryPointByVersion(name, &function, version, flags, &status) !=
		cudaSuccess ||
	    status != cudaDriverEntryPointSuccess)
		function = NULL;
	ct_quiet_end(&quiet);
	return function;
}

void *ct_driver_ask(const char *name)
{
	return ask(name, false, OLDEST);
}

void *ct_driver_ask_since(const char *name, unsigned version)
{
	return ask(name, false, version);
}

void *ct_driver_real(void *linked, unsigned number, bool per_thread)
{
	void *function = __atomic_load_n(&found[number][per_thread], __ATOMIC_ACQUIRE);

	if (function || linked)
		return function ? function : linked;
	function = ask(ct_call_name(number), per_thread, OLDEST);
	__atomic_store_n(&found[number][per_thread], function, __ATOMIC_RELEASE);
	return function;
}

/* A name may stand for several functions, for versions of CUDA: ours stands for one of them. */
void ct_driver_replace(const char *name, bool per_thread, void **function)
{
	for (size_t i = 0; i < sizeof(wrapped) / sizeof(wrapped[0]); i++)
		if (strcmp(wrapped[i].name, name) == 0 &&
		    ct_driver_real(NULL, wrapped[i].number, per_thread) == *function) {
			*function = wrapped[i].wrapper[per_thread];
			return;
		}
}
