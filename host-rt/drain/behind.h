/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Which launches have ended, while recording is interrupted: behind each launch an event of ours is
 * recorded in its stream and asked later, so that this is known whatever the program waits for, and
 * nothing that waits or that a capture forbids is called.
 */
#ifndef CT_HOST_RT_DRAIN_BEHIND_H
#define CT_HOST_RT_DRAIN_BEHIND_H

#include "host-rt/drain/state.h"

/* A launch into the stream, which is not being captured, has succeeded and is pending. Without the
 * session's lock: what is put into a stream may block. Does nothing while recording goes on. */
void ct_behind_launch(struct ct_drain *drain, uint64_t stream_id, cudaStream_t stream);

/* Writes LAUNCH_DONE of those that have ended on the drain's device. Session's lock held, quiet
 * section. */
void ct_behind_ask(const struct ct_drain *drain);

/* The drain closes. release: its CUDA context stays. Session's lock held, device current. */
void ct_behind_forget(const struct ct_drain *drain, bool release);

#endif
