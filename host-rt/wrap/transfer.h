/* SPDX-License-Identifier: Apache-2.0 */
/* What the files of wrapped copies and memsets share: one line per call. */
#ifndef CT_API_TRANSFER_H
#define CT_API_TRANSFER_H

#include "host-rt/calls/real.h"
#include "host-rt/streams/transfer_shape.h"

/* A wrapper. own: stream 0 is the thread's own. The last argument says what the call moves. */
#define CT_TRANSFER_CALL(name, suffix, own, parameters, arguments, ...)                            \
	cudaError_t __wrap_##name##suffix parameters                                               \
	{                                                                                          \
		struct ct_transfer transfer = __VA_ARGS__;                                         \
                                                                                                   \
		transfer.call = #name;                                                             \
		transfer.per_thread = own;                                                         \
		return ct_transfer_done(&transfer, __real_##name##suffix arguments);               \
	}
/* Of calls without and with a stream, each by both of its names. */
#define CT_TRANSFER_PTDS(name, ...)                                                                \
	CT_TRANSFER_CALL(name, , false, __VA_ARGS__)                                               \
	CT_TRANSFER_CALL(name, _ptds, true, __VA_ARGS__)
#define CT_TRANSFER_PTSZ(name, ...)                                                                \
	CT_TRANSFER_CALL(name, , false, __VA_ARGS__)                                               \
	CT_TRANSFER_CALL(name, _ptsz, true, __VA_ARGS__)

static inline struct ct_transfer synchronous(struct ct_transfer transfer)
{
	transfer.is_synchronous = true;
	return transfer;
}

#endif
