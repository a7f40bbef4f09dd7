/* SPDX-License-Identifier: Apache-2.0 */
/* Whether launches of this thread are traced now: pauses, regions, --delay and --duration. */
#ifndef CT_HOST_RT_LAUNCH_MOMENT_H
#define CT_HOST_RT_LAUNCH_MOMENT_H

#include "host-rt/base/options.h"

/* Why they are not, NULL if they are. Session's lock held. */
const char *ct_moment_refusal(const struct ct_options *options);
/* The same of the clock alone, so many ns after the program was loaded. */
const char *ct_moment_refusal_at(const struct ct_options *options, uint64_t since_ns);

#endif
