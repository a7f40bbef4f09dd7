/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Copies and memsets that the program asks for: TRANSFER events. They are
 * written when the call has succeeded, since a call that fails moves nothing,
 * and since what is written after a copy that waited happened after it.
 */
#ifndef CT_HOST_RT_STREAMS_TRANSFER_H
#define CT_HOST_RT_STREAMS_TRANSFER_H

#include <cuda_runtime_api.h>
#include <cudatrace/format.h>
#include <stdbool.h>

struct ct_transfer {
	struct ct_event_transfer
	    event; /* what is moved; the rest is filled in when it is written */
	const char *call;
	const void *to_symbol, *from_symbol; /* the event's address is an offset into it */
	enum cudaMemcpyKind direction;       /* as the program says */
	cudaStream_t stream;
	bool per_thread;     /* as in streams.h */
	bool is_synchronous; /* by its name */
};

/* Before the call. */
void ct_transfer_begin(const struct ct_transfer *transfer);
/* After the call that returned error, which this returns. */
cudaError_t ct_transfer_done(struct ct_transfer *transfer, cudaError_t error);

/* Which way it goes: as the program says, or by where its ends are; default: managed memory is one
 * of them. Addresses are resolved, in a quiet section; so for the next. */
enum cudaMemcpyKind ct_transfer_direction(const struct ct_transfer *transfer);
/* Device memory, but for managed. */
bool ct_transfer_is_device(uint64_t address);
/* Host memory that is not pinned. */
bool ct_transfer_is_pageable(uint64_t address);

/* Puts the addresses of symbols where they belong; false if they have none. In a quiet section. */
bool ct_transfer_resolve(struct ct_transfer *transfer);

/* Fills in what is left and writes it, if it moves anything. Session's lock held. */
void ct_transfer_write(struct ct_event_transfer *event, int device, const char *call);

/* Notifies the watch of a transfer that is written and not captured. In a quiet section, the
 * session's lock held. */
void ct_transfer_watch(const struct ct_event_transfer *event);

static inline uint64_t ct_transfer_address(const void *pointer)
{
	return (uint64_t)(uintptr_t)pointer;
}

#endif
