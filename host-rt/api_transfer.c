/* SPDX-License-Identifier: Apache-2.0 */
/* Wrapped copies and memsets of contiguous memory and of variables. */
#include "real.h"
#include "transfer.h"

/* One wrapper. own: stream 0 is the thread's own. The last argument says what the call moves. */
#define WRAP(name, suffix, own, parameters, arguments, ...)                                        \
	cudaError_t __wrap_##name##suffix parameters                                               \
	{                                                                                          \
		struct ct_transfer transfer = __VA_ARGS__;                                         \
                                                                                                   \
		transfer.call = #name;                                                             \
		transfer.per_thread = own;                                                         \
		return ct_transfer_done(&transfer, __real_##name##suffix arguments);               \
	}
#define WRAP_PTDS(name, ...) WRAP(name, , false, __VA_ARGS__) WRAP(name, _ptds, true, __VA_ARGS__)
#define WRAP_PTSZ(name, ...) WRAP(name, , false, __VA_ARGS__) WRAP(name, _ptsz, true, __VA_ARGS__)

static struct ct_transfer copy(const void *to, const void *from, size_t bytes,
			       enum cudaMemcpyKind direction, cudaStream_t stream)
{
	return (struct ct_transfer){
	    .event = {.kind = CT_TRANSFER_COPY,
		      .target = ct_transfer_address(to),
		      .source = ct_transfer_address(from),
		      .width = bytes,
		      .height = 1,
		      .depth = 1},
	    .direction = direction,
	    .stream = stream,
	};
}

static struct ct_transfer fill(const void *to, size_t bytes, cudaStream_t stream)
{
	struct ct_transfer transfer = copy(to, NULL, bytes, cudaMemcpyDefault, stream);

	transfer.event.kind = CT_TRANSFER_SET;
	return transfer;
}

static struct ct_transfer to_symbol(const void *symbol, size_t offset, const void *from,
				    size_t bytes, enum cudaMemcpyKind direction,
				    cudaStream_t stream)
{
	struct ct_transfer transfer = copy(NULL, from, bytes, direction, stream);

	transfer.to_symbol = symbol;
	transfer.event.target = offset;
	return transfer;
}

static struct ct_transfer from_symbol(const void *to, const void *symbol, size_t offset,
				      size_t bytes, enum cudaMemcpyKind direction,
				      cudaStream_t stream)
{
	struct ct_transfer transfer = copy(to, NULL, bytes, direction, stream);

	transfer.from_symbol = symbol;
	transfer.event.source = offset;
	return transfer;
}

static struct ct_transfer synchronous(struct ct_transfer transfer)
{
	transfer.is_synchronous = true;
	return transfer;
}

WRAP_PTDS(cudaMemcpy, (void *to, const void *from, size_t bytes, enum cudaMemcpyKind kind),
	  (to, from, bytes, kind), synchronous(copy(to, from, bytes, kind, NULL)))
WRAP_PTSZ(cudaMemcpyAsync,
	  (void *to, const void *from, size_t bytes, enum cudaMemcpyKind kind, cudaStream_t stream),
	  (to, from, bytes, kind, stream), copy(to, from, bytes, kind, stream))

WRAP_PTDS(cudaMemcpyToSymbol,
	  (const void *symbol, const void *from, size_t bytes, size_t offset,
	   enum cudaMemcpyKind kind),
	  (symbol, from, bytes, offset, kind),
	  synchronous(to_symbol(symbol, offset, from, bytes, kind, NULL)))
WRAP_PTSZ(cudaMemcpyToSymbolAsync,
	  (const void *symbol, const void *from, size_t bytes, size_t offset,
	   enum cudaMemcpyKind kind, cudaStream_t stream),
	  (symbol, from, bytes, offset, kind, stream),
	  to_symbol(symbol, offset, from, bytes, kind, stream))
WRAP_PTDS(cudaMemcpyFromSymbol,
	  (void *to, const void *symbol, size_t bytes, size_t offset, enum cudaMemcpyKind kind),
	  (to, symbol, bytes, offset, kind),
	  synchronous(from_symbol(to, symbol, offset, bytes, kind, NULL)))
WRAP_PTSZ(cudaMemcpyFromSymbolAsync,
	  (void *to, const void *symbol, size_t bytes, size_t offset, enum cudaMemcpyKind kind,
	   cudaStream_t stream),
	  (to, symbol, bytes, offset, kind, stream),
	  from_symbol(to, symbol, offset, bytes, kind, stream))

/* Memsets are asynchronous by either name. */
WRAP_PTDS(cudaMemset, (void *to, int value, size_t bytes), (to, value, bytes),
	  fill(to, bytes, NULL))
WRAP_PTSZ(cudaMemsetAsync, (void *to, int value, size_t bytes, cudaStream_t stream),
	  (to, value, bytes, stream), fill(to, bytes, stream))
