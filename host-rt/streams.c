/* SPDX-License-Identifier: Apache-2.0 */
/* Ids of streams: a short list, since programs have few. */
#include "streams.h"
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

struct known {
	cudaStream_t stream;
	long thread; /* of a per-thread default stream, else 0 */
};

static struct known *list;
static size_t count, room;

static long thread_of(cudaStream_t stream)
{
	return stream == cudaStreamPerThread ? syscall(SYS_gettid) : 0;
}

cudaStream_t ct_streams_meant(cudaStream_t stream, bool per_thread)
{
	return !stream && per_thread ? cudaStreamPerThread : stream;
}

bool ct_streams_are_capturing(cudaStream_t stream, bool per_thread)
{
	enum cudaStreamCaptureStatus status = cudaStreamCaptureStatusNone;

	return cudaStreamIsCapturing(ct_streams_meant(stream, per_thread), &status) ==
		   cudaSuccess &&
	       status != cudaStreamCaptureStatusNone;
}

uint64_t ct_streams_id(cudaStream_t stream, bool per_thread)
{
	long thread;

	stream = ct_streams_meant(stream, per_thread);
	if (!stream || stream == cudaStreamLegacy)
		return 0;
	thread = thread_of(stream);
	for (size_t i = 0; i < count; i++)
		if (list[i].stream == stream && list[i].thread == thread)
			return i + 1;
	if (count == room) {
		size_t more = room ? 2 * room : 64;
		struct known *grown = realloc(list, more * sizeof(*list));

		if (!grown)
			return UINT64_MAX - 1;
		list = grown;
		room = more;
	}
	list[count] = (struct known){stream, thread};
	return ++count;
}
