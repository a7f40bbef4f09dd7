/* SPDX-License-Identifier: Apache-2.0 */
/* Wrappers of calls: the envelope around what a call means, or around the real call alone. */
#ifndef CT_HOST_RT_WRAP_WRAPPER_H
#define CT_HOST_RT_WRAP_WRAPPER_H

#include "host-rt/calls/real.h"

/* The wrappers of a call, by both of its names; `does` is the function that tells what it means,
 * or the real one. */
#define CT_WRAPPERS(returns, symbol, thread, does, ...)                                            \
	static const void *const symbols_of_##symbol[] = {                                         \
	    (const void *)__wrap_##symbol, (const void *)CT_PER_THREAD_##thread(__wrap_##symbol)}; \
	CT_WRAPPERS_##thread(returns, symbol, does, __VA_ARGS__)

#define CT_PER_THREAD_NONE(name) name
#define CT_PER_THREAD_PTSZ(name) name##_ptsz
#define CT_PER_THREAD_PTDS(name) name##_ptds

#define CT_WRAPPERS_NONE(returns, symbol, does, ...)                                               \
	CT_WRAPPER(returns, symbol, , false, does, __VA_ARGS__)
#define CT_WRAPPERS_PTSZ(returns, symbol, does, ...)                                               \
	CT_WRAPPER(returns, symbol, , false, does, __VA_ARGS__)                                    \
	CT_WRAPPER(returns, symbol, _ptsz, true, does, __VA_ARGS__)
#define CT_WRAPPERS_PTDS(returns, symbol, does, ...)                                               \
	CT_WRAPPER(returns, symbol, , false, does, __VA_ARGS__)                                    \
	CT_WRAPPER(returns, symbol, _ptds, true, does, __VA_ARGS__)

#define CT_WRAPPER(returns, symbol, suffix, per_thread, does, ...)                                 \
	returns __wrap_##symbol##suffix CT_PARAMETERS(__VA_ARGS__)                                 \
	{                                                                                          \
		struct ct_call call;                                                               \
                                                                                                   \
		ct_call_enter(&call, CT_CALL_##symbol, symbols_of_##symbol, per_thread);           \
		if (call.is_inner)                                                                 \
			call.result =                                                              \
			    (int32_t)ct_real_##symbol CT_ARGUMENTS_BEHIND(&call, __VA_ARGS__);     \
		else                                                                               \
			call.result = (int32_t)does CT_ARGUMENTS_BEHIND(&call, __VA_ARGS__);       \
		ct_call_leave(&call);                                                              \
		return (returns)call.result;                                                       \
	}

#endif
