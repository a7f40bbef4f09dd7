/* SPDX-License-Identifier: Apache-2.0 */
/* Ids of streams, of which each thread's default stream is one. */
#include "streams.h"
#include "ids.h"
#include <sys/syscall.h>
#include <unistd.h>

static struct ct_ids ids;

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
	stream = ct_streams_meant(stream, per_thread);
	if (!stream || stream == cudaStreamLegacy)
		return 0;
	return ct_ids_of(&ids, stream, thread_of(stream));
}

uint64_t ct_streams_made(cudaStream_t stream)
{
	return ct_ids_renew(&ids, stream);
}

uint64_t ct_streams_forget(cudaStream_t stream)
{
	return ct_ids_forget(&ids, stream);
}

void ct_streams_keep(cudaStream_t stream, uint64_t id)
{
	ct_ids_restore(&ids, stream, id);
}
