/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Which host memory each wait for the device protects, and the first access to it afterwards
 * (--uses; docs/uses.md).
 *
 *	a call asks for work ──► a range of host memory, pending
 *	a call waits for it  ──► the range is armed, and is the wait's
 *	the first access     ──► it is finished: a row of USE
 *
 * A range that is armed becomes the next wait's that covers its work; one whose memory the device
 * is given anew is finished without an access. Any thread; all calls do nothing while it is off.
 */
#ifndef CT_HOST_RT_WATCH_WATCH_H
#define CT_HOST_RT_WATCH_WATCH_H

#include "host-rt/watch/ranges/watched.h"
#include <stddef.h>

struct ct_watch_options {
	const char *means; /* of options.def */
	const char *sites; /* a file with the sites of waits that are watched; "": all are */
	bool is_optional;  /* without code of --ct-host nothing is watched, and nothing said */
};

/* The trace has just been opened. 0; or a negative error, said: nothing is watched. */
void ct_watch_begin(const struct ct_watch_options *options);
/* The program ends: what has not been accessed never was. Before the last ct_watch_take. */
void ct_watch_end(void);
/* In the child of a fork: nothing is watched, and all memory is as the program has it. */
void ct_watch_forget(void);

/* Rows of memory, as in TRANSFER. */
struct ct_watch_box {
	uint64_t address, width, height, depth, row, slice;
	bool is_device; /* memory of a device alone */
};

/* The program's call that this thread is in is about to have the device write (NULL: nothing) and
 * read host memory. Nothing is known yet of its success. */
void ct_watch_asking(const struct ct_watch_box *written, const struct ct_watch_box *read);
/* The call has asked for that, in this stream; NULL: nothing. */
void ct_watch_asked(const struct ct_watch_box *written, const struct ct_watch_box *read, int device,
		    uint64_t stream);
/* It is about to launch a kernel that is given these addresses: what the memory holds is replaced.
 */
void ct_watch_giving(const uint64_t *addresses, size_t count);
/* It has launched a kernel, or a graph of them, that was given these addresses; is_all: what else
 * it was given are plain numbers. */
void ct_watch_given(const uint64_t *addresses, size_t count, bool is_all, int device,
		    uint64_t stream);

/* The call has asked for work with effects that no access to memory shows; reason: static. */
void ct_watch_hidden(const char *reason, int device, uint64_t stream);

/* Memory that devices use is allocated; what the host shares is freed: before, and after the call.
 */
void ct_watch_allocated(uint64_t address, uint64_t bytes, enum ct_watch_memory kind);
void ct_watch_dying(uint64_t address);
void ct_watch_freed(uint64_t address);
/* It is the host's alone from now on. */
void ct_watch_unshared(uint64_t address);
/* The same of memory of a device alone, before it is freed; of other memory nothing. */
void ct_watch_device_freed(uint64_t address);
/* Somebody else may rely on any wait from now on, as another process that shares memory of devices;
 * reason: static. */
void ct_watch_exported(const char *reason);

/* The call has waited for all devices, a device, a stream of it, an event. */
void ct_watch_waited(enum ct_watch_scope scope, int device, uint64_t stream, const void *event);

/* Records what orders streams: one was made; an event was recorded, was waited for in a stream,
 * was destroyed. */
void ct_watch_stream(int device, uint64_t stream, bool is_blocking);
void ct_watch_record(int device, uint64_t stream, const void *event);
void ct_watch_wait_for(int device, uint64_t stream, const void *event);
void ct_watch_drop(const void *event);
/* The call has asked for the time at which the event was: it must have been waited for. */
void ct_watch_timed(const void *event);

/* For the journal: what is finished. */
size_t ct_watch_take_uses(struct ct_watch_use *uses, size_t room);
size_t ct_watch_take_waits(struct ct_row_wait *waits, size_t room);
uint64_t ct_watch_lost(void); /* rows */

#endif
