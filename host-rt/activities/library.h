/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Calls that wait and that no wrapper of ours has seen, since a library makes them that was not
 * linked with the program: what they mean is what those of the program mean (streams/sync.h).
 */
#ifndef CT_HOST_RT_ACTIVITIES_LIBRARY_H
#define CT_HOST_RT_ACTIVITIES_LIBRARY_H

#include "host-rt/calls/log.h"

enum ct_library_scope {
	CT_LIBRARY_NO_WAIT,
	CT_LIBRARY_DEVICE,
	CT_LIBRARY_STREAM,
	CT_LIBRARY_EVENT
};

struct ct_library_wait {
	enum ct_library_scope scope;
	void *handle;    /* of the stream, or the event */
	bool per_thread; /* stream 0 is the thread's own */
};

/* Says what a function of CUDA waits for: "cudaStreamSynchronize_ptsz". Those whose first
 * parameter is the stream, or the event, are STREAM, or EVENT. */
enum ct_library_scope ct_library_scope(const char *name);

/* Such a call has ended: all of it is set but the id, which it gets here. On its thread. */
void ct_library_waited(struct ct_log_call *call, const struct ct_library_wait *wait);

#endif
