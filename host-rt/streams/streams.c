/* SPDX-License-Identifier: Apache-2.0 */
/* Ids of streams, of which each thread's default stream is one. */
#include "host-rt/streams/streams.h"
#include "host-rt/base/ids.h"
#include "host-rt/base/thread.h"
#include <stdlib.h>

#define EVERY_DEVICE (-1)

static struct ct_ids ids;
static int *device_of; /* [known], by id - 1 */
static uint64_t known, room;

static long thread_of(cudaStream_t stream)
{
	return stream == cudaStreamPerThread ? ct_thread_id() : 0;
}

/* Ids are given one after the other. A stream is made, or else first used, on its own device. */
static uint64_t note(uint64_t id, bool of_every_device)
{
	int device = 0;

	if (id == CT_NO_ID || id <= known)
		return id;
	if (id > room) {
		uint64_t more = id + 256;
		int *grown = realloc(device_of, more * sizeof(*grown));

		if (!grown)
			return id; /* as a default stream: of whichever device is current */
		device_of = grown;
		room = more;
	}
	if (of_every_device || cudaGetDevice(&device) != cudaSuccess)
		device = EVERY_DEVICE;
	while (known < id)
		device_of[known++] = EVERY_DEVICE;
	device_of[id - 1] = device;
	return id;
}

int ct_streams_device(uint64_t id, int otherwise)
{
	if (id < 1 || id > known || device_of[id - 1] == EVERY_DEVICE)
		return otherwise;
	return device_of[id - 1];
}

cudaStream_t ct_streams_meant(cudaStream_t stream, bool per_thread)
{
	return !stream && per_thread ? cudaStreamPerThread : stream;
}

cudaError_t ct_streams_ask_capturing(cudaStream_t stream, bool per_thread, bool *is_capturing)
{
	enum cudaStreamCaptureStatus status = cudaStreamCaptureStatusNone;
	cudaError_t error = cudaStreamIsCapturing(ct_streams_meant(stream, per_thread), &status);

	*is_capturing = error == cudaSuccess && status != cudaStreamCaptureStatusNone;
	return error;
}

bool ct_streams_are_capturing(cudaStream_t stream, bool per_thread)
{
	bool is_capturing;

	ct_streams_ask_capturing(stream, per_thread, &is_capturing);
	return is_capturing;
}

uint64_t ct_streams_id(cudaStream_t stream, bool per_thread)
{
	stream = ct_streams_meant(stream, per_thread);
	if (!stream || stream == cudaStreamLegacy)
		return 0;
	return note(ct_ids_of(&ids, stream, thread_of(stream)), stream == cudaStreamPerThread);
}

uint64_t ct_streams_made(cudaStream_t stream)
{
	return note(ct_ids_renew(&ids, stream), false);
}

uint64_t ct_streams_forget(cudaStream_t stream)
{
	return ct_ids_forget(&ids, stream);
}

void ct_streams_keep(cudaStream_t stream, uint64_t id)
{
	ct_ids_restore(&ids, stream, id);
}
