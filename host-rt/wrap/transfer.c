/* SPDX-License-Identifier: Apache-2.0 */
/* Wrapped copies and memsets of contiguous memory and of variables. */
#include "host-rt/wrap/transfer.h"

CT_TRANSFER_PTDS(cudaMemcpy, (void *to, const void *from, size_t bytes, enum cudaMemcpyKind kind),
		 (to, from, bytes, kind),
		 synchronous(ct_transfer_linear(to, from, bytes, kind, NULL)))
CT_TRANSFER_PTSZ(cudaMemcpyAsync,
		 (void *to, const void *from, size_t bytes, enum cudaMemcpyKind kind,
		  cudaStream_t stream),
		 (to, from, bytes, kind, stream), ct_transfer_linear(to, from, bytes, kind, stream))

CT_TRANSFER_PTDS(cudaMemcpyToSymbol,
		 (const void *symbol, const void *from, size_t bytes, size_t offset,
		  enum cudaMemcpyKind kind),
		 (symbol, from, bytes, offset, kind),
		 synchronous(ct_transfer_to_symbol(symbol, offset, from, bytes, kind, NULL)))
CT_TRANSFER_PTSZ(cudaMemcpyToSymbolAsync,
		 (const void *symbol, const void *from, size_t bytes, size_t offset,
		  enum cudaMemcpyKind kind, cudaStream_t stream),
		 (symbol, from, bytes, offset, kind, stream),
		 ct_transfer_to_symbol(symbol, offset, from, bytes, kind, stream))
CT_TRANSFER_PTDS(cudaMemcpyFromSymbol,
		 (void *to, const void *symbol, size_t bytes, size_t offset,
		  enum cudaMemcpyKind kind),
		 (to, symbol, bytes, offset, kind),
		 synchronous(ct_transfer_from_symbol(to, symbol, offset, bytes, kind, NULL)))
CT_TRANSFER_PTSZ(cudaMemcpyFromSymbolAsync,
		 (void *to, const void *symbol, size_t bytes, size_t offset,
		  enum cudaMemcpyKind kind, cudaStream_t stream),
		 (to, symbol, bytes, offset, kind, stream),
		 ct_transfer_from_symbol(to, symbol, offset, bytes, kind, stream))

/* Memsets are asynchronous by either name. */
CT_TRANSFER_PTDS(cudaMemset, (void *to, int value, size_t bytes), (to, value, bytes),
		 ct_transfer_fill(to, bytes, NULL))
CT_TRANSFER_PTSZ(cudaMemsetAsync, (void *to, int value, size_t bytes, cudaStream_t stream),
		 (to, value, bytes, stream), ct_transfer_fill(to, bytes, stream))
