/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Ours and CUDA's of each symbol X of api.def: __wrap_X and __real_X. In what programs link, ours
 * has the name X (cmake/CtCalls.cmake). Weak are those that not every runtime has, and those of the
 * driver, whose library few programs link.
 */
#ifndef CT_HOST_RT_CALLS_SYMBOLS_H
#define CT_HOST_RT_CALLS_SYMBOLS_H

#include <cuda.h>
#include <cuda_runtime_api.h>
#include <cudatrace/signature.h>

#define CT_LINK_EVERY
#define CT_LINK_MOST __attribute__((weak))
#define CT_LINK_GPU __attribute__((weak))

#define CT_DECLARE(where, returns, symbol, ...)                                                    \
	extern returns __real_##symbol CT_PARAMETERS(__VA_ARGS__) CT_LINK_##where;                 \
	extern returns __wrap_##symbol CT_PARAMETERS(__VA_ARGS__);
#define CT_DECLARE_NONE CT_DECLARE
#define CT_DECLARE_PTSZ(where, returns, symbol, ...)                                               \
	CT_DECLARE(where, returns, symbol, __VA_ARGS__)                                            \
	CT_DECLARE(where, returns, symbol##_ptsz, __VA_ARGS__)
#define CT_DECLARE_PTDS(where, returns, symbol, ...)                                               \
	CT_DECLARE(where, returns, symbol, __VA_ARGS__)                                            \
	CT_DECLARE(where, returns, symbol##_ptds, __VA_ARGS__)

#define CT_API(returns, name, version, thread, where, site, ...)                                   \
	CT_DECLARE_##thread(where, returns, name##version, __VA_ARGS__)
#include <cudatrace/api.def>

#endif
