/* SPDX-License-Identifier: Apache-2.0 */
/* Launches that went into graphs: where the program made them. Session's lock held. */
#ifndef CT_HOST_RT_LAUNCH_CAPTURED_H
#define CT_HOST_RT_LAUNCH_CAPTURED_H

#include "host-rt/launch/call.h"

/* A launch was captured just now: its node is the stream's last. In a quiet section. */
void ct_captured_note(const struct ct_launch_call *call, const char *site);

/* Returns the site of a node that runs that function; NULL if it is not known. */
const char *ct_captured_site(cudaGraphNode_t node, const void *function);

#endif
