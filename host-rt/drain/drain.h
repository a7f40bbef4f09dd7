/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The life of a drain: set up at the first traced launch on its device, emptied
 * now and then and at the end. Session's lock held.
 */
#ifndef CT_HOST_RT_DRAIN_DRAIN_H
#define CT_HOST_RT_DRAIN_DRAIN_H

#include "host-rt/drain/state.h"

/* An extension has memory on a device that is traced, too, and something to bring from there:
 * tier counts. Device current, in a quiet section; each returns 0 or a negative error. */
struct ct_drain_extension {
	int (*open)(struct ct_drain *drain); /* before the context is written; the stream is open */
	int (*read)(struct ct_drain *drain); /* now and then */
	int (*finish)(struct ct_drain *drain); /* all work is complete */
	/* Also after an open that failed. release: free its memory. */
	void (*close)(struct ct_drain *drain, bool release);
};
/* Extends all drains, before the first of them is prepared. */
void ct_drain_extend(const struct ct_drain_extension *extension);

/* Make ready for a traced launch; in a quiet section, device current. Returns 0 or a negative
 * error; failing once, it says so on stderr and stays failed. */
int ct_drain_prepare(struct ct_device *device);

/* After a stall recording begins anew as soon as the disk takes something and no launch is under
 * way. coming: launches that have their numbers and are still to be made. Device current, quiet
 * section. */
void ct_drain_go_on(struct ct_drain *drain, uint64_t coming);

/* The program waits: if a flush is due, what lies in slots is sent. Device current, quiet
 * section. */
void ct_drain_look(struct ct_drain *drain);

/* From now on what is taken out of the ring is written within some milliseconds. Session's lock
 * held. */
void ct_drain_send_soon(struct ct_drain *drain);
/* Sends what ended launches have produced on its way to the files. Session's lock held, device
 * current, quiet section. */
void ct_drain_send(struct ct_drain *drain);
/* And is there, and the trace says so, unless that would take longer than until a time
 * (ct_clock_monotonic_ns). Behind ct_drain_send, likewise. */
void ct_drain_finish(struct ct_drain *drain, uint64_t until_ns);

/* The least launch of the chunks that wait in rings for a consumer; UINT64_MAX: none does. Any
 * thread. */
uint64_t ct_drain_first_waiting(void);

/* Everything produced so far is handed to the writer: all work on the device
 * must be complete, or the device dead. Device current. */
void ct_drain_empty(struct ct_drain *drain);

/* Stop the consumers and forget the memory; the CUDA context is about to go (release
 * is false) or stays (true: memory is freed). */
void ct_drain_close(struct ct_drain *drain, bool release);

/* Nothing more will come, for this reason: keep what has arrived. Makes no CUDA call. */
void ct_drain_abandon(struct ct_drain *drain, const char *reason);
#define CT_KERNEL_FAILED "a kernel failed; records it had not sent are lost"

#endif
