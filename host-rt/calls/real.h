/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ct_real_<symbol>(call, ...) for each symbol of api.def: the real call, by the name that the
 * program used; of one that is not there it returns that it is not supported.
 */
#ifndef CT_HOST_RT_CALLS_REAL_H
#define CT_HOST_RT_CALLS_REAL_H

#include "host-rt/calls/call.h"
#include "host-rt/calls/driver.h"
#include "host-rt/calls/symbols.h"

/* The function that is linked by the name that the program used. */
#define CT_LINKED_NONE(symbol, per_thread) __real_##symbol
#define CT_LINKED_PTSZ(symbol, per_thread) ((per_thread) ? __real_##symbol##_ptsz : __real_##symbol)
#define CT_LINKED_PTDS(symbol, per_thread) ((per_thread) ? __real_##symbol##_ptds : __real_##symbol)

#define CT_FIND_cudaError_t(symbol, linked, call) (linked)
#define CT_FIND_CUresult(symbol, linked, call)                                                     \
	ct_driver_real(linked, CT_CALL_##symbol, (call)->per_thread)

#define CT_MISSING_EVERY(real, returns)
#define CT_MISSING_MOST(real, returns)                                                             \
	if (!real)                                                                                 \
		return (returns)cudaErrorNotSupported;
#define CT_MISSING_GPU CT_MISSING_MOST

#define CT_REAL_CALL(returns, symbol, linked, where, ...)                                          \
	static inline returns ct_real_##symbol CT_PARAMETERS_BEHIND(struct ct_call *call,          \
								    __VA_ARGS__)                   \
	{                                                                                          \
		__typeof__(&__real_##symbol) real = CT_FIND_##returns(symbol, linked, call);       \
		returns returned;                                                                  \
                                                                                                   \
		CT_MISSING_##where(real, returns) ct_call_real_begins(call);                       \
		returned = real CT_ARGUMENTS(__VA_ARGS__);                                         \
		ct_call_real_ends(call);                                                           \
		return returned;                                                                   \
	}
#define CT_API(returns, name, version, thread, where, site, ...)                                   \
	CT_REAL_CALL(returns, name##version, CT_LINKED_##thread(name##version, call->per_thread),  \
		     where, __VA_ARGS__)
#include <cudatrace/api.def>

#endif
