/* SPDX-License-Identifier: Apache-2.0 */
/* Launches, copies and fills that API calls ask for. */
#include "cpu-target/runtime/api/submit.h"
#include "cpu-target/runtime/base/error_state.h"
#include "cpu-target/runtime/graph/capture.h"
#include "cpu-target/runtime/stream/stream.h"
#include <stdlib.h>

cudaError_t ct_submit_launch(const struct ct_launch_request *request)
{
	struct ct_checked_launch *call;
	cudaError_t error = ct_launch_prepare(request, &call);

	if (error)
		return error;
	if (ct_capture_is_active(request->stream))
		return ct_capture_launch(request->stream, call);
	error = ct_launch_queue(call, request->stream);
	if (error)
		free(call);
	return error;
}

cudaError_t ct_submit_copy(const struct ct_copy *copy, cudaStream_t stream, int wait)
{
	cudaError_t error = ct_stream_check(stream);

	if (error || ct_copy_is_empty(copy))
		return error;
	error = ct_copy_check(copy);
	if (!error)
		error = ct_error_sticky();
	if (error)
		return error;
	return ct_capture_is_active(stream) ? ct_capture_copy(stream, copy)
					    : ct_copy_queue(copy, stream, wait);
}

cudaError_t ct_submit_fill(const struct ct_fill *fill, cudaStream_t stream)
{
	cudaError_t error = ct_stream_check(stream);

	if (error || ct_fill_is_empty(fill))
		return error;
	error = ct_fill_check(fill);
	if (!error)
		error = ct_error_sticky();
	if (error)
		return error;
	return ct_capture_is_active(stream) ? ct_capture_fill(stream, fill)
					    : ct_fill_queue(fill, stream);
}
