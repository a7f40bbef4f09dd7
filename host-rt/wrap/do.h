/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a call of api.def means to us: ct_do_<symbol>, one function for both names of the call, with
 * its parameters behind the envelope. It makes the real call (ct_real_<symbol>) and returns what
 * that returned. Not for calls within others, nor for the family OTHER.
 */
#ifndef CT_HOST_RT_WRAP_DO_H
#define CT_HOST_RT_WRAP_DO_H

#include "host-rt/calls/real.h"

#define CT_API(returns, name, version, thread, where, site, ...)                                   \
	returns ct_do_##name##version CT_PARAMETERS_BEHIND(struct ct_call *call, __VA_ARGS__);
#define CT_API_OTHER(...)
#include <cudatrace/api.def>

#endif
