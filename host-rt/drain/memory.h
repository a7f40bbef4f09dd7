/* SPDX-License-Identifier: Apache-2.0 */
/* The producers' memory of one device: the pinned ring, the device's words, pool and stage. All in
 * a quiet section, device current, the drain's stream open. */
#ifndef CT_HOST_RT_DRAIN_MEMORY_H
#define CT_HOST_RT_DRAIN_MEMORY_H

#include "host-rt/drain/state.h"

/* Ring, flags, progress and abort, as the options ask for them; 0 or a negative error. */
int ct_drain_memory_pin(struct ct_drain *drain);
/* Allocates what lies on the device, as producers must find it; after that. 0 or a negative
 * error. */
int ct_drain_memory_allocate(struct ct_drain *drain);
/* Executable graphs of the program may run until the process ends: with has_graphs their launch
 * ids stay, and are 0. An abandoned consumer keeps the ring. */
void ct_drain_memory_free(struct ct_drain *drain);

/* 1 there: producers wait no longer, and count what they do not ship. Any thread. */
uint32_t *ct_drain_memory_abort(const struct ct_drain *drain);

/* The ring's head, and how often producers have waited. 0 or -CT_ECUDA. */
int ct_drain_memory_counters(struct ct_drain *drain, uint64_t *head, uint64_t *waits);
/* Reads what producers have given up since the last call (ring.h). 0 or -CT_ECUDA. */
/* Producers, none of which runs, take tickets from there on and wait again. 0 or -CT_ECUDA. */
int ct_drain_memory_resume(struct ct_drain *drain, uint64_t ticket);

int ct_drain_memory_losses(struct ct_drain *drain, uint64_t losses[CT_LOSSES_WORDS]);

#endif
