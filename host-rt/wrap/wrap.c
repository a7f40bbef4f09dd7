/* SPDX-License-Identifier: Apache-2.0 */
/* The wrappers of all calls of api.def; one whose family means something has it in wrap/. */
#include "host-rt/wrap/do.h"
#include "host-rt/wrap/wrapper.h"

/* A signature that is not the one of CUDA's headers does not compile. */
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"
#define CT_API(returns, name, version, thread, where, site, ...)                                   \
	extern __typeof__(name##version) __real_##name##version;
#include <cudatrace/api.def>
#pragma GCC diagnostic pop

#define CT_API(returns, name, version, thread, where, site, ...)                                   \
	CT_WRAPPERS(returns, name##version, thread, ct_do_##name##version, __VA_ARGS__)
#define CT_API_OTHER(returns, name, version, thread, where, site, ...)                             \
	CT_WRAPPERS(returns, name##version, thread, ct_real_##name##version, __VA_ARGS__)
#include <cudatrace/api.def>
