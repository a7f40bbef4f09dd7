/* SPDX-License-Identifier: Apache-2.0 */
/* Finds the host memory that a launched kernel may touch, as far as its arguments show. */
#ifndef CT_HOST_RT_LAUNCH_GIVEN_H
#define CT_HOST_RT_LAUNCH_GIVEN_H

#include "host-rt/launch/decide.h"

/* Tells the watch of the pointers among the arguments: before the launch, which may run at once;
 * and when it has succeeded. */
void ct_giving(const struct ct_launch_call *call, const struct ct_decision *d);
/* A wait may be for what a kernel does beside its results: of a launch, or one in a graph. */
void ct_given_effects(const struct ct_launch_call *call, int device, uint64_t stream);
void ct_given(const struct ct_launch_call *call, const struct ct_decision *d);

/* Returns what a kernel of a graph is given, for its launches to come: the caller's to free. NULL:
 * no memory. */
struct ct_given *ct_given_keep(const struct ct_launch_call *call, const struct ct_decision *d);
/* Writes it down of a launch of that id; NULL: nothing is known. Session's lock held. */
void ct_given_write(uint32_t launch, const struct ct_given *given);

#endif
