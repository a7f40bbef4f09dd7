/* SPDX-License-Identifier: Apache-2.0 */
/*
 * STORED events: which launches have all their records in the file.
 *
 *   mark   where nothing is under way: behind the flush, the ring's head goes to pinned memory
 *   look   everything before that head is in the file: the event
 */
#ifndef CT_HOST_RT_DRAIN_STORED_H
#define CT_HOST_RT_DRAIN_STORED_H

#include "host-rt/drain/state.h"

/* After a flush was started. Session's lock held, device current, quiet section. */
void ct_stored_mark(struct ct_drain *drain);
/* Now and then in a thread of the consumers. */
void ct_stored_look(struct ct_drain *drain);
/* Everything before the ring's head is in the file, and nothing is under way. Session's lock held.
 */
void ct_stored_now(struct ct_drain *drain);
/* Everything was taken and written, losses are reported. Session's lock held. */
void ct_stored_all(struct ct_drain *drain);

#endif
