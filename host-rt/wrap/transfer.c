/* SPDX-License-Identifier: Apache-2.0 */
/* Copies and memsets: what each call moves, in terms of its parameters in api.def. */
#include "host-rt/content/content.h"
#include "host-rt/streams/transfer_driver.h"
#include "host-rt/streams/transfer_shape.h"
#include "host-rt/watch/watch.h"
#include "host-rt/wrap/do.h"

#define H2D cudaMemcpyHostToDevice
#define D2H cudaMemcpyDeviceToHost
#define D2D cudaMemcpyDeviceToDevice
#define P(device_pointer) ((const void *)(uintptr_t)(device_pointer))
#define ROWS(start, pitch) ((struct ct_rows){start, pitch})
#define ARRAY ROWS(NULL, 0)

static struct ct_transfer synchronous(struct ct_transfer transfer)
{
	transfer.is_synchronous = true;
	return transfer;
}

#define MOVES_cudaMemcpy synchronous(ct_transfer_linear(to, from, bytes, kind, NULL))
#define MOVES_cudaMemcpyAsync ct_transfer_linear(to, from, bytes, kind, stream)
#define MOVES_cudaMemcpy2D                                                                         \
	synchronous(ct_transfer_rows(ROWS(to, to_pitch), ROWS(from, from_pitch), width, height,    \
				     kind, NULL))
#define MOVES_cudaMemcpy2DAsync                                                                    \
	ct_transfer_rows(ROWS(to, to_pitch), ROWS(from, from_pitch), width, height, kind, stream)
#define MOVES_cudaMemcpy3D synchronous(ct_transfer_slices(copy, NULL))
#define MOVES_cudaMemcpy3DAsync ct_transfer_slices(copy, stream)
/* They do not wait, whatever their names. */
#define MOVES_cudaMemcpyPeer ct_transfer_linear(to, from, bytes, D2D, NULL)
#define MOVES_cudaMemcpyPeerAsync ct_transfer_linear(to, from, bytes, D2D, stream)
#define MOVES_cudaMemcpy3DPeer ct_transfer_between_devices(copy, NULL)
#define MOVES_cudaMemcpy3DPeerAsync ct_transfer_between_devices(copy, stream)

#define MOVES_cudaMemcpyToSymbol                                                                   \
	synchronous(ct_transfer_to_symbol(symbol, offset, from, bytes, kind, NULL))
#define MOVES_cudaMemcpyToSymbolAsync                                                              \
	ct_transfer_to_symbol(symbol, offset, from, bytes, kind, stream)
#define MOVES_cudaMemcpyFromSymbol                                                                 \
	synchronous(ct_transfer_from_symbol(to, symbol, offset, bytes, kind, NULL))
#define MOVES_cudaMemcpyFromSymbolAsync                                                            \
	ct_transfer_from_symbol(to, symbol, offset, bytes, kind, stream)

#define MOVES_cudaMemcpyToArray synchronous(ct_transfer_linear(NULL, from, bytes, kind, NULL))
#define MOVES_cudaMemcpyToArrayAsync ct_transfer_linear(NULL, from, bytes, kind, stream)
#define MOVES_cudaMemcpyFromArray synchronous(ct_transfer_linear(to, NULL, bytes, kind, NULL))
#define MOVES_cudaMemcpyFromArrayAsync ct_transfer_linear(to, NULL, bytes, kind, stream)
#define MOVES_cudaMemcpy2DToArray                                                                  \
	synchronous(ct_transfer_rows(ARRAY, ROWS(from, pitch), width, height, kind, NULL))
#define MOVES_cudaMemcpy2DToArrayAsync                                                             \
	ct_transfer_rows(ARRAY, ROWS(from, pitch), width, height, kind, stream)
#define MOVES_cudaMemcpy2DFromArray                                                                \
	synchronous(ct_transfer_rows(ROWS(to, pitch), ARRAY, width, height, kind, NULL))
#define MOVES_cudaMemcpy2DFromArrayAsync                                                           \
	ct_transfer_rows(ROWS(to, pitch), ARRAY, width, height, kind, stream)

#define MOVES_cuMemcpy                                                                             \
	synchronous(ct_transfer_linear(P(to), P(from), bytes, cudaMemcpyDefault, NULL))
#define MOVES_cuMemcpyAsync ct_transfer_linear(P(to), P(from), bytes, cudaMemcpyDefault, stream)
#define MOVES_cuMemcpyPeer ct_transfer_linear(P(to), P(from), bytes, D2D, NULL)
#define MOVES_cuMemcpyPeerAsync ct_transfer_linear(P(to), P(from), bytes, D2D, stream)
#define MOVES_cuMemcpyHtoD synchronous(ct_transfer_linear(P(to), from, bytes, H2D, NULL))
#define MOVES_cuMemcpyHtoDAsync ct_transfer_linear(P(to), from, bytes, H2D, stream)
#define MOVES_cuMemcpyDtoH synchronous(ct_transfer_linear(to, P(from), bytes, D2H, NULL))
#define MOVES_cuMemcpyDtoHAsync ct_transfer_linear(to, P(from), bytes, D2H, stream)
#define MOVES_cuMemcpyDtoD synchronous(ct_transfer_linear(P(to), P(from), bytes, D2D, NULL))
#define MOVES_cuMemcpyDtoDAsync ct_transfer_linear(P(to), P(from), bytes, D2D, stream)
#define MOVES_cuMemcpy2D synchronous(ct_transfer_driver_2d(copy, NULL))
#define MOVES_cuMemcpy2DUnaligned synchronous(ct_transfer_driver_2d(copy, NULL))
#define MOVES_cuMemcpy2DAsync ct_transfer_driver_2d(copy, stream)
#define MOVES_cuMemcpy3D synchronous(ct_transfer_driver_3d(copy, NULL))
#define MOVES_cuMemcpy3DAsync ct_transfer_driver_3d(copy, stream)

#define FILL(bytes, transfer) ct_transfer_of_value(transfer, (uint32_t)value, bytes)

/* Memsets of device memory are asynchronous by either name. */
#define MOVES_cudaMemset synchronous(FILL(1, ct_transfer_fill(to, bytes, NULL)))
#define MOVES_cudaMemsetAsync FILL(1, ct_transfer_fill(to, bytes, stream))
#define MOVES_cudaMemset2D                                                                         \
	synchronous(FILL(1, ct_transfer_fill_rows(ROWS(to, pitch), width, height, NULL)))
#define MOVES_cudaMemset2DAsync                                                                    \
	FILL(1, ct_transfer_fill_rows(ROWS(to, pitch), width, height, stream))
#define MOVES_cudaMemset3D synchronous(FILL(1, ct_transfer_fill_slices(to, extent, NULL)))
#define MOVES_cudaMemset3DAsync FILL(1, ct_transfer_fill_slices(to, extent, stream))
#define MOVES_cuMemsetD8 synchronous(FILL(1, ct_transfer_fill(P(to), count, NULL)))
#define MOVES_cuMemsetD16 synchronous(FILL(2, ct_transfer_fill(P(to), 2 * count, NULL)))
#define MOVES_cuMemsetD32 synchronous(FILL(4, ct_transfer_fill(P(to), 4 * count, NULL)))
#define MOVES_cuMemsetD8Async FILL(1, ct_transfer_fill(P(to), count, stream))
#define MOVES_cuMemsetD16Async FILL(2, ct_transfer_fill(P(to), 2 * count, stream))
#define MOVES_cuMemsetD32Async FILL(4, ct_transfer_fill(P(to), 4 * count, stream))
#define MOVES_cuMemsetD2D8                                                                         \
	synchronous(FILL(1, ct_transfer_fill_rows(ROWS(P(to), pitch), width, height, NULL)))
#define MOVES_cuMemsetD2D16                                                                        \
	synchronous(FILL(2, ct_transfer_fill_rows(ROWS(P(to), pitch), 2 * width, height, NULL)))
#define MOVES_cuMemsetD2D32                                                                        \
	synchronous(FILL(4, ct_transfer_fill_rows(ROWS(P(to), pitch), 4 * width, height, NULL)))
#define MOVES_cuMemsetD2D8Async                                                                    \
	FILL(1, ct_transfer_fill_rows(ROWS(P(to), pitch), width, height, stream))
#define MOVES_cuMemsetD2D16Async                                                                   \
	FILL(2, ct_transfer_fill_rows(ROWS(P(to), pitch), 2 * width, height, stream))
#define MOVES_cuMemsetD2D32Async                                                                   \
	FILL(4, ct_transfer_fill_rows(ROWS(P(to), pitch), 4 * width, height, stream))

/* Errors of the driver have the same numbers as the runtime's. */
#define TRANSFER(returns, symbol, moves, ...)                                                      \
	returns ct_do_##symbol CT_PARAMETERS_BEHIND(struct ct_call *call, __VA_ARGS__)             \
	{                                                                                          \
		struct ct_transfer transfer = moves;                                               \
		struct ct_content *content;                                                        \
		returns returned;                                                                  \
                                                                                                   \
		transfer.call = ct_call_name(CT_CALL_##symbol);                                    \
		transfer.per_thread = call->per_thread;                                            \
		if (ct_watch_is_on())                                                              \
			ct_transfer_begin(&transfer);                                              \
		content = ct_content_begin(&transfer);                                             \
		returned = ct_real_##symbol CT_ARGUMENTS_BEHIND(call, __VA_ARGS__);                \
		ct_transfer_done(&transfer, (cudaError_t)returned);                                \
		ct_content_end(content, transfer.event.transfer);                                  \
		return returned;                                                                   \
	}
#define CT_API_COPY(returns, name, version, thread, where, site, ...)                              \
	TRANSFER(returns, name##version, MOVES_##name, __VA_ARGS__)
#define CT_API_SET CT_API_COPY
#include <cudatrace/api.def>

/* A transfer for each of its copies. */
cudaError_t ct_do_cudaMemcpyBatchAsync(struct ct_call *call, void *const *to,
				       const void *const *from, const size_t *bytes, size_t count,
				       struct cudaMemcpyAttributes *attributes, size_t *indices,
				       size_t attribute_count, cudaStream_t stream)
{
	cudaError_t error;

	for (size_t i = 0; ct_watch_is_on() && i < count; i++) {
		const struct ct_transfer transfer =
		    ct_transfer_linear(to[i], from[i], bytes[i], cudaMemcpyDefault, stream);

		ct_transfer_begin(&transfer);
	}
	error = ct_real_cudaMemcpyBatchAsync(call, to, from, bytes, count, attributes, indices,
					     attribute_count, stream);
	for (size_t i = 0; error == cudaSuccess && i < count; i++) {
		struct ct_transfer transfer =
		    ct_transfer_linear(to[i], from[i], bytes[i], cudaMemcpyDefault, stream);

		transfer.call = ct_call_name(CT_CALL_cudaMemcpyBatchAsync);
		transfer.per_thread = call->per_thread;
		ct_transfer_done(&transfer, error);
	}
	return error;
}
